// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

namespace test {
namespace {

template <class T>
class CudaSignedIntegers : public testing::Test {};
using Types = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CudaSignedIntegers, Types);

TYPED_TEST(CudaSignedIntegers, every_operator) { expect_integers<TypeParam>(); }

}  // namespace
}  // namespace test
