// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"

// Integers that C++ promotes to int before it calculates: the accumulator must be their own type, not int.
namespace {

using namespace KokkosScan;

template <class T>
class NarrowIntegers : public testing::Test {};
using Types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>;
TYPED_TEST_SUITE(NarrowIntegers, Types);

TYPED_TEST(NarrowIntegers, operators) { test::expect_integer_operators<TypeParam>(Kokkos::DefaultExecutionSpace()); }

}  // namespace
