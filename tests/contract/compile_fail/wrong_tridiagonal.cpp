// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/tridiagonal_solve.hpp>

#include "wrong_calls.hpp"

// Of tridiagonal systems; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_tridiagonal(Exec const& exec, Kokkos::View<double*, Space> const& a, Kokkos::View<double**, Space> const& b,
                       Numbers const& from) {
  using KokkosScan::Axis;
  // expect: lower, diagonal, upper, right and x must be Kokkos::Views
  KokkosScan::tridiagonal_solve(exec, a, 2.0, a, a, a);
  // expect: must be Views of rank 1; for a system along each line of others write Axis{d}
  KokkosScan::tridiagonal_solve(exec, b, b, b, b, b);
  // expect: along an Axis lower, diagonal, upper, right and x must all be Views of rank 2, or of 3
  KokkosScan::tridiagonal_solve(exec, a, b, a, b, b, Axis{0});
  // expect: must have one value type: float, double or Kokkos::complex
  KokkosScan::tridiagonal_solve(exec, from, from, from, from, from);
  // expect: must have one value type: float, double or Kokkos::complex
  KokkosScan::tridiagonal_solve(exec, a, a, a, Kokkos::View<float*, Space>(), a);
  // expect: x must be a View of non-const values
  KokkosScan::tridiagonal_solve(exec, a, a, a, a, Kokkos::View<double const*, Space>());
  // expect: behind x there may be an Axis, and nothing else
  KokkosScan::tridiagonal_solve(exec, a, a, a, a, a, 7);
  // expect: a system has no direction; write Axis{d}
  KokkosScan::tridiagonal_solve(exec, b, b, b, b, b, Axis{0}.reversed());
  // expect: too few arguments, or too many
  KokkosScan::tridiagonal_solve(exec, a, a, a, a);
}
#endif
