// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>

// What programs on the default space time their calls by.
namespace bench {

/// The median of seven samples of so many calls, behind one that does not count; microseconds of a call.
template <class Call>
double median_time(Call const& call, int calls) {
  call();
  Kokkos::fence();
  std::array<double, 7> samples{};
  for (double& sample : samples) {
    Kokkos::Timer const timer;
    for (int k = 0; k < calls; ++k) call();
    Kokkos::fence();
    sample = timer.seconds() * 1e6 / calls;
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace bench
