// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chained.hpp"
#include "shares.hpp"

// The grid algorithms that `automatic` takes, for the types that most arrays have (docs/decisions/compile-time.md). At
// the ends of their headers stands the same list.
namespace KokkosScan::host {

namespace chained {
template void run(TiledScan<int> const&, WorkersRef, void*);
template void run(TiledScan<unsigned> const&, WorkersRef, void*);
template void run(TiledScan<long> const&, WorkersRef, void*);
template void run(TiledScan<unsigned long> const&, WorkersRef, void*);
template void run(TiledScan<float> const&, WorkersRef, void*);
template void run(TiledScan<double> const&, WorkersRef, void*);
}  // namespace chained

namespace shares {
template void run(TiledScan<int> const&, WorkersRef, void*);
template void run(TiledScan<unsigned> const&, WorkersRef, void*);
template void run(TiledScan<long> const&, WorkersRef, void*);
template void run(TiledScan<unsigned long> const&, WorkersRef, void*);
template void run(TiledScan<float> const&, WorkersRef, void*);
template void run(TiledScan<double> const&, WorkersRef, void*);
}  // namespace shares

}  // namespace KokkosScan::host
