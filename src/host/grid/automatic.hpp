// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "chained.hpp"
#include "shares.hpp"

namespace KokkosScan::host {

/// The grid algorithms that `automatic` takes. For the types that most arrays have they are in the library
/// (docs/decisions/compile-time.md).
template <class Value>
void run_automatic(bool in_shares, TiledScan<Value> const& scan, WorkersRef workers, void* scratch) {
  in_shares ? shares::run(scan, workers, scratch) : chained::run(scan, workers, scratch);
}

extern template void run_automatic(bool, TiledScan<int> const&, WorkersRef, void*);
extern template void run_automatic(bool, TiledScan<unsigned> const&, WorkersRef, void*);
extern template void run_automatic(bool, TiledScan<long> const&, WorkersRef, void*);
extern template void run_automatic(bool, TiledScan<unsigned long> const&, WorkersRef, void*);
extern template void run_automatic(bool, TiledScan<float> const&, WorkersRef, void*);
extern template void run_automatic(bool, TiledScan<double> const&, WorkersRef, void*);

}  // namespace KokkosScan::host
