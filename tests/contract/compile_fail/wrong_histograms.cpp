// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

// Of histograms; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_histograms(Exec const& exec, Numbers const& from, Numbers const& dest) {
  // expect: behind from a histogram takes counts, lower and upper, or edges and counts
  KokkosScan::histogram(exec, from, dest, 0, 1, 2);
  // expect: counts must be a View of non-const values
  KokkosScan::histogram(exec, from, Kokkos::View<long const*, Space>(), 0, 1);
  // expect: counts must be a View of integers; only weights have sums of other types
  KokkosScan::histogram(exec, from, Kokkos::View<double*, Space>(), 0, 1);
  // expect: a histogram is one of integers of up to 64 bits
  KokkosScan::histogram(exec, Kokkos::View<Bytes<4>*, Space>(), dest, 0, 1);
  // expect: lower and upper must be numbers, and stand behind counts
  KokkosScan::histogram(exec, from, dest, dest, 1);
  // expect: edges must be a View of integers, float, double or half types
  KokkosScan::histogram(exec, from, Kokkos::View<Bytes<8>*, Space>(), dest);
  // expect: keys that are counted must be integers of up to 64 bits
  count_keys(exec, Kokkos::View<float*, Space>(), dest);
  // expect: behind keys count_keys takes counts
  count_keys(exec, from, dest, 7);
  // expect: weights that are no integers need counts that are none
  count_keys(exec, from, dest, Weights{Kokkos::View<double*, Space>()});
  // expect: weights must convert to the value type of counts
  count_keys(exec, from, dest, Weights{Kokkos::View<Bytes<8>*, Space>()});
  // expect: there is more than one Weights
  count_keys(exec, from, dest, Weights{from}, Weights{from});
  // expect: the weights of a histogram must be a View
  static_cast<void>(sizeof(Weights<int>));
}
#endif
