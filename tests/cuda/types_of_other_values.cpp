// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

namespace test {
namespace {

using namespace KokkosScan;

TEST(CudaFloats, of_4_bytes) { expect_row<float, Sum, Product, Min, Max>(); }
TEST(CudaFloats, of_8_bytes) { expect_row<double, Sum, Product, Min, Max>(); }
TEST(CudaComplex, arithmetic) { expect_row<Kokkos::complex<double>, Sum, Product>(); }
TEST(CudaBool, logic) { expect_row<bool, LogicalAnd, LogicalOr>(); }

template <class T>
class CudaStructs : public testing::Test {};
using Structs = testing::Types<Bicyclic, test::Affine, Matrix, Affine64, Record>;
TYPED_TEST_SUITE(CudaStructs, Structs);

TYPED_TEST(CudaStructs, an_operator_that_does_not_commute) { expect_row<TypeParam, Then>(); }

}  // namespace
}  // namespace test
