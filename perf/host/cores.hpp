// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace perf::host {

/// How much of the cores is ours, of the one where it is least: 1, or about 0.6 while others use its second hardware
/// thread, of which the operating system may know nothing (of a virtual machine it does not). Code that waits for its
/// own results, as a serial sum of floats does, hardly notices; code that keeps a core busy takes up to twice the time.
/// Found out by the threads of Kokkos, where they are; 1 is the best that was seen ten times, so whoever is there all
/// the time is not noticed.
double share_of_cores();

/// Not where two of the threads are on one core, for then others may be ourselves, nor where that is unknown.
bool can_tell_shares_of_cores();

}  // namespace perf::host
