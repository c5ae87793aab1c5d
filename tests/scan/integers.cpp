// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"
#include "support/pairs.hpp"

// Narrow ones too, which C++ promotes to int before it calculates: the accumulator must be their own type, not int.
namespace {

template <class T>
class Integers : public testing::Test {};
TYPED_TEST_SUITE(Integers, test::Integers::To<testing::Types>);

TYPED_TEST(Integers, operators) {
  test::for_each_operator<TypeParam>(
      []<class Op>() { test::expect_operators<TypeParam, Op>(Kokkos::DefaultExecutionSpace()); });
}

}  // namespace
