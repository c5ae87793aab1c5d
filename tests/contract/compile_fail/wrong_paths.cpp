// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

#include <KokkosScan/shortest_paths.hpp>

// Of paths; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_paths(Exec const& exec, Numbers const& offsets, Numbers const& columns, Numbers const& weights,
                 Numbers const& distances) {
  using Floats = Kokkos::View<float*, Space>;
  // expect: source must be an integer
  KokkosScan::shortest_paths(exec, offsets, columns, weights, 1.5, distances);
  // expect: behind distances may stand Delta{x} and nothing else
  KokkosScan::shortest_paths(exec, offsets, columns, weights, 0, distances, 7);
  // expect: distances must be floating-point numbers where weights are
  KokkosScan::shortest_paths(exec, offsets, columns, Floats(), 0, distances);
  // expect: weights and distances must be Views of integers, float or double
  KokkosScan::shortest_paths(exec, offsets, columns, Kokkos::View<bool*, Space>(), 0, distances);
  // expect: the row_offsets and columns of a graph must be Views of integers
  KokkosScan::shortest_paths(exec, offsets, Floats(), weights, 0, distances);
  // expect: the arrays that results go to must be Views of non-const values
  KokkosScan::shortest_paths(exec, offsets, columns, weights, 0, Kokkos::View<int const*, Space>());
  // expect: exec cannot access the memory space of an array of this call
  KokkosScan::shortest_paths(exec, offsets, columns, FarNumbers(), 0, distances);
  // expect: too few arguments, or too many
  KokkosScan::shortest_paths(exec, offsets, columns, weights, 0);
  // expect: Delta{x} is a number
  KokkosScan::shortest_paths(exec, offsets, columns, weights, 0, distances, KokkosScan::Delta{exec});
}
#endif
