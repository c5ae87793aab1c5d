// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sums.hpp"

// Joins of several instructions. A compiler may contract their multiplications and additions in one way here and in
// another there; so a value that is combined in two places of a kernel, now by one block and now by another, tells it
// by its bits. What is combined neither vanishes nor grows: rotations and reflections, maps that contract as often as
// not.
namespace device {

template <class Real>
struct Inputs<Kokkos::complex<Real>> {
  KOKKOS_FUNCTION static Kokkos::complex<Real> at(double share) {
    double const angle = 6.28 * share;
    return {static_cast<Real>(Kokkos::cos(angle)), static_cast<Real>(Kokkos::sin(angle))};
  }
};

/// 2 x 2.
struct Matrix {
  float a, b, c, d;
};
template <>
struct Inputs<Matrix> {
  KOKKOS_FUNCTION static Matrix at(double share) {
    auto const cos   = static_cast<float>(Kokkos::cos(12.56 * share)),
               sin   = static_cast<float>(Kokkos::sin(12.56 * share));
    float const sign = share < 0.5 ? 1.F : -1.F;
    return {cos, -sign * sin, sin, sign * cos};
  }
};
struct MatrixProduct {
  KOKKOS_FUNCTION Matrix operator()(Matrix const& l, Matrix const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};

/// The map x -> a x + b.
struct Affine {
  float a, b;
};
template <>
struct Inputs<Affine> {
  KOKKOS_FUNCTION static Affine at(double share) {
    return {static_cast<float>(0.9 + 0.15 * share), static_cast<float>(share - 0.4)};
  }
};
struct Then {
  KOKKOS_FUNCTION Affine operator()(Affine const& left, Affine const& right) const {
    return {right.a * left.a, right.a * left.b + right.b};
  }
};

/// Of sums whose logarithms are given, the logarithm of the sum.
struct LogSumExp {
  KOKKOS_FUNCTION double operator()(double left, double right) const {
    double const larger = left < right ? right : left;
    return larger + Kokkos::log1p(Kokkos::exp((left < right ? left : right) - larger));
  }
};

/// Two sums, of whole numbers.
struct Pair {
  double a, b;
};
template <>
struct Inputs<Pair> {
  KOKKOS_FUNCTION static Pair at(double share) { return {Kokkos::floor(1021 * share), Kokkos::floor(7 * share)}; }
};
struct AddPairs {
  KOKKOS_FUNCTION Pair operator()(Pair const& left, Pair const& right) const {
    return {left.a + right.a, left.b + right.b};
  }
};

}  // namespace device
