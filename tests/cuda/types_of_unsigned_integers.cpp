// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

namespace test {
namespace {

template <class T>
class CudaUnsignedIntegers : public testing::Test {};
using Types = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(CudaUnsignedIntegers, Types);

TYPED_TEST(CudaUnsignedIntegers, every_operator) { expect_integers<TypeParam>(); }

}  // namespace
}  // namespace test
