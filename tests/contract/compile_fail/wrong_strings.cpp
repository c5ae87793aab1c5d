// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

#include <KokkosScan/compare.hpp>
#include <KokkosScan/lexicographical_ranks.hpp>

// Of strings; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_strings(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int order      = 0;
  unsigned place = 0;
  double number  = 0;
  // expect: the result is missing, or there are two
  KokkosScan::compare(exec, from, dest, order);
  // expect: behind a and b there are only Total{x} and one function of two elements
  KokkosScan::compare(exec, from, dest, Total{order}, KokkosScan::Less{}, 5);
  // expect: an order is negative, 0 or positive: a signed integer
  KokkosScan::compare(exec, from, dest, Total{place});
  // expect: the result of a comparison must be an integer
  KokkosScan::first_difference(exec, from, dest, Total{number});
  // expect: what is compared must be of one type
  KokkosScan::compare(exec, from, Kokkos::View<char*, Space>(), Total{order});
  // expect: elements without < need less behind a and b
  KokkosScan::compare(exec, Kokkos::View<Bytes<8>*, Space>(), Kokkos::View<Bytes<8>*, Space>(), Total{order});
  // expect: the arrays of this call must be Views of rank 1
  KokkosScan::compare(exec, Kokkos::View<char**, Space>(), Kokkos::View<char*, Space>(), Total{order});
  // expect: text, offsets and ranks must be Views of integers
  KokkosScan::lexicographical_ranks(exec, Kokkos::View<float*, Space>(), from, dest);
  // expect: behind ranks may stand Total{distinct} and Longest{n}, each once
  KokkosScan::lexicographical_ranks(exec, from, from, dest, 7);
  // expect: the arrays that results go to must be Views of non-const values
  KokkosScan::lexicographical_ranks(exec, from, from, Kokkos::View<long const*, Space>());
}
#endif
