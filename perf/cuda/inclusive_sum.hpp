// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "family.hpp"

namespace perf::cuda {

struct InclusiveSum {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to);
  }
};

template <class T, class Input = AroundZero>
std::vector<Family> inclusive_sum(std::string const& type, Algorithms algorithms = Algorithms::automatic) {
  return families<OnDevice<T, T, Plus<T>, Input>, InclusiveSum>("inclusive_sum", type, algorithms);
}

}  // namespace perf::cuda
