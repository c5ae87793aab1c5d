// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"

namespace {

using namespace KokkosScan;

template <class T>
class Integers : public testing::Test {};
using Types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, Types);

TYPED_TEST(Integers, operators) { test::expect_integer_operators<TypeParam>(Kokkos::DefaultExecutionSpace()); }

}  // namespace
