// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "automatic.hpp"

namespace KokkosScan::host {

template void run_automatic(bool, TiledScan<int> const&, WorkersRef, void*);
template void run_automatic(bool, TiledScan<unsigned> const&, WorkersRef, void*);
template void run_automatic(bool, TiledScan<long> const&, WorkersRef, void*);
template void run_automatic(bool, TiledScan<unsigned long> const&, WorkersRef, void*);
template void run_automatic(bool, TiledScan<float> const&, WorkersRef, void*);
template void run_automatic(bool, TiledScan<double> const&, WorkersRef, void*);

}  // namespace KokkosScan::host
