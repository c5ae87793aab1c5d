// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.hpp"

// A few rows of the matrix on every execution space that this Kokkos has, with strides and every kind of total.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Lie;
using test::TotalTo;

template <class Exec>
class ExecutionSpace : public testing::Test {};
TYPED_TEST_SUITE(ExecutionSpace, test::Spaces::Types);

TYPED_TEST(ExecutionSpace, arithmetic) {
  test::expect_operators<std::int64_t, Sum, Max>(TypeParam());
  test::expect_operators<float, Sum>(TypeParam());
}

TYPED_TEST(ExecutionSpace, an_operator_that_does_not_commute) {
  test::expect_operators<test::Affine, test::Then>(TypeParam());
}

template <class T, class Op, class Exec>
void expect_strides_and_totals(Exec const& exec, T const& init) {
  std::size_t i = 0;
  for (std::size_t const n : test::edge_lengths(test::automatic_tile<Exec, T>())) {
    auto const values = test::make_values<Op, T>(n, n);
    test::Call<T> call{
        .shape = {.n = n, .from_stride = 2, .dest_stride = 3}, .init = init, .total_to = static_cast<TotalTo>(i % 3)};
    test::expect_scan<Kind::exclusive, T, test::Strided>(exec, values, call, Op{});
    call.shape.lie = i % 2 ? Lie::in_place : Lie::columns;
    call.total_to  = static_cast<TotalTo>((i + 1) % 3);
    test::expect_scan<Kind::inclusive, T, test::Strided>(exec, values, call, Op{});
    ++i;
  }
}

TYPED_TEST(ExecutionSpace, strides_and_totals) {
  expect_strides_and_totals<test::Matrix, test::Then>(TypeParam(), test::Matrix{1, 2, 3, 5});
}

/// Known operators have a tile scanner of their own.
TYPED_TEST(ExecutionSpace, strides_and_totals_of_integers) {
  expect_strides_and_totals<std::int32_t, KokkosScan::Sum>(TypeParam(), 7);
  expect_strides_and_totals<std::int8_t, KokkosScan::Max>(TypeParam(), std::int8_t{-7});
}

}  // namespace
