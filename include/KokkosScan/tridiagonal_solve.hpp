// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>
#include <Kokkos_Core.hpp>

#include "../../src/driver/tridiagonal_solve.hpp"

namespace KokkosScan {

/// Solves lower(i) x(i - 1) + diagonal(i) x(i) + upper(i) x(i + 1) = right(i) for all i below diagonal.extent(0).
///
///   tridiagonal_solve(exec, lower, diagonal, upper, right, x)
///   tridiagonal_solve(exec, lower, diagonal, upper, right, x, Axis{d})    a system along each line of rank 2 or 3
///
/// lower(0) and upper(n - 1) are not read. All Views have one value type, float, double or Kokkos::complex, and are as
/// long as diagonal, or longer; x may be any of the others, as a whole. `exec` is an execution space instance or a
/// Handle; a label may stand before it.
///
/// Without pivoting: for matrices that are diagonally dominant by rows or by columns, for symmetric positive definite
/// ones, and what else elimination without pivoting solves in any order of the unknowns. Of others nothing is promised,
/// and nothing is said: results may be far off, infinite or NaN. A zero pivot is not found; what is right is told by
/// the residual, right - A x, which whoever calls can form. A system that has no solution leaves the other lines as
/// they would be without it. Reciprocals of diagonals must be finite: of doubles from 1e-308 on, of floats from 3e-39
/// on.
///
/// Bits are the same in every run, and with any number of threads.
inline constexpr driver::Function<driver::tridiagonal::Solve, "KokkosScan::tridiagonal_solve"> tridiagonal_solve{};

}  // namespace KokkosScan
