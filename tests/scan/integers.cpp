// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"

namespace {

using namespace KokkosScan;

template <class T>
class Integers : public testing::Test {};
using Types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, Types);

TYPED_TEST(Integers, arithmetic) {
  test::expect_operators<TypeParam, Sum, Product, Min, Max>(Kokkos::DefaultExecutionSpace());
}

TYPED_TEST(Integers, bits) {
  test::expect_operators<TypeParam, BitAnd, BitOr, BitXor>(Kokkos::DefaultExecutionSpace());
}

TYPED_TEST(Integers, logic) {
  test::expect_operators<TypeParam, LogicalAnd, LogicalOr>(Kokkos::DefaultExecutionSpace());
}

}  // namespace
