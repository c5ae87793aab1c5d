// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"

// Floats with exact results, complex numbers, bool, and structs whose operator does not commute. What rounds is tested
// in rounding.cpp.
namespace {

using namespace KokkosScan;

template <class T>
class Floats : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

TYPED_TEST(Floats, arithmetic) {
  test::expect_operators<TypeParam, Sum, Product, Min, Max>(Kokkos::DefaultExecutionSpace());
}

TEST(Complex, arithmetic) {
  test::expect_operators<Kokkos::complex<double>, Sum, Product>(Kokkos::DefaultExecutionSpace());
}

TEST(Bool, logic) { test::expect_operators<bool, LogicalAnd, LogicalOr>(Kokkos::DefaultExecutionSpace()); }

template <class T>
class Structs : public testing::Test {};
using StructTypes = testing::Types<test::Bicyclic, test::Affine, test::Matrix, test::Affine64, test::Record>;
TYPED_TEST_SUITE(Structs, StructTypes);

TYPED_TEST(Structs, an_operator_that_does_not_commute) {
  test::expect_operators<TypeParam, test::Then>(Kokkos::DefaultExecutionSpace());
}

}  // namespace
