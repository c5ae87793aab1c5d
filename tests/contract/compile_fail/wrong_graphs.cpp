// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

#include <KokkosScan/breadth_first_levels.hpp>
#include <KokkosScan/connected_components.hpp>

// Of graphs; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_graphs(Exec const& exec, Numbers const& offsets, Numbers const& columns, Numbers const& results) {
  // expect: too few arguments, or too many
  KokkosScan::breadth_first_levels(exec, offsets, columns, results);
  // expect: the row_offsets and columns of a graph must be Views of integers
  KokkosScan::breadth_first_levels(exec, Kokkos::View<float*, Space>(), columns, 0, results);
  // expect: source must be an integer
  KokkosScan::breadth_first_levels(exec, offsets, columns, 0.5, results);
  // expect: levels must be a View of non-const signed integers
  KokkosScan::breadth_first_levels(exec, offsets, columns, 0, Kokkos::View<unsigned*, Space>());
  // expect: behind the results may stand Symmetric{} and nothing else
  KokkosScan::breadth_first_levels(exec, offsets, columns, 0, results, 7);
  // expect: the arrays of this call must be Views of rank 1
  KokkosScan::connected_components(exec, offsets, Kokkos::View<int**, Space>(), results);
  // expect: labels must be a View of non-const integers
  KokkosScan::connected_components(exec, offsets, columns, Kokkos::View<double*, Space>());
  // expect: labels must be a View of non-const integers
  KokkosScan::connected_components(exec, offsets, columns, Kokkos::View<int const*, Space>());
  // expect: behind the results may stand Symmetric{} and nothing else
  KokkosScan::connected_components(exec, offsets, columns, results, KokkosScan::Symmetric{}, KokkosScan::Symmetric{});
}
#endif
