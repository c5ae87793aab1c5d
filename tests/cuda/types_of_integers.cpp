// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

namespace test {
namespace {

template <class T>
class CudaIntegers : public testing::Test {};
TYPED_TEST_SUITE(CudaIntegers, Integers::To<testing::Types>);

TYPED_TEST(CudaIntegers, operators) {
  expect_row_of<TypeParam, KokkosScan::Sum>([](auto const& f) { for_each_operator<TypeParam>(f); });
}

}  // namespace
}  // namespace test
