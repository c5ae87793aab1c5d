// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/driver/polynomial.hpp"

// Polynomials. `exec` is an execution space instance or a Handle; every form also takes a leading label for Kokkos
// Tools. The result is the same in every run and for any number of threads.
namespace KokkosScan {

/// coefficients(0) + coefficients(1) x + coefficients(2) x^2 + ...; without coefficients 0. x is a value, or a View of
/// rank 0 that is read on exec, and the result Total{y}: of a variable of the host, for which this call waits, or of a
/// View of rank 0, for which it does not. Or x is a View of points, and the result a View, which may be that of the
/// points. It is computed in the type of y, or in the value type of result: numbers with sums and products, complex
/// ones too, to which coefficients and x convert.
///
///   evaluate_polynomial(exec, coefficients, x, Total{y})
///   evaluate_polynomial(exec, coefficients, points, result)
///
/// Errors are those of Horner's rule or less: terms have as many products, or fewer. Parts of the coefficients are
/// evaluated side by side, and powers of x stand between them; where |x| is larger than 1 those overflow earlier than
/// Horner's rule would, if the last coefficients are small. A power that has overflowed times 0 is 0; and where parts
/// overflow with either sign the result is NaN, where Horner's rule has the infinity of the last ones.
inline constexpr driver::Function<driver::EvaluatePolynomial, "KokkosScan::evaluate_polynomial"> evaluate_polynomial{};

}  // namespace KokkosScan
