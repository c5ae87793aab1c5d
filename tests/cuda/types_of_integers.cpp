// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

namespace test {
namespace {

using namespace KokkosScan;

template <class T>
class CudaIntegers : public testing::Test {};
using Types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(CudaIntegers, Types);

TYPED_TEST(CudaIntegers, every_operator) {
  expect_row<TypeParam, Sum, Product, Min, Max, BitXor, BitAnd, BitOr, LogicalAnd, LogicalOr>();
}

}  // namespace
}  // namespace test
