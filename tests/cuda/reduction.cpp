// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_native/grid/reduction.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_native/block/block.hpp"
#include "cuda_native/plan.hpp"
#include "scans.hpp"
#include "seeds.hpp"
#include "streams.hpp"

// Totals of what is not stored, of any length: automatic comes to a reduction for long ones alone.
namespace test {
namespace {

namespace core = KokkosScan::core;
namespace cuda = KokkosScan::cuda;

template <class T>
AffineOf<T> value_of(std::size_t i) {
  return element<AffineOf<T>>(i % 7, i % 11);
}

template <class T, class Array>
void expect_total(Array const& array, std::size_t n, core::Maybe<AffineOf<T>> const& start, std::size_t most_blocks) {
  using Value = AffineOf<T>;
  using Problem =
      core::Problem<Value, core::FromArray<Value, Array, KokkosScan::Unchanged>, FollowedBy, core::Discard<Value>>;
  Value right{}, total{};
  for (std::size_t i = 0; i < n; ++i) right = i == 0 ? value_of<T>(0) : FollowedBy()(right, value_of<T>(i));
  if (start) right = FollowedBy()(*start, right);
  Problem const problem{{array, {}}, {}, n, {}, start, &total};

  using Block              = cuda::ThreePhaseBlock<Value>;
  std::size_t const blocks = cuda::reduction::blocks<Problem>(n);
  std::size_t const states = cuda::States::bytes(64);
  std::vector<Value> aggregates(blocks), staging(Block::staged_values(1) + 1);
  std::vector<std::uint64_t> memory((states + 256) / 8, 0);
  on_a_stream([&] {
    cuda::reduction::run<Block>(nullptr, problem, cuda::States::in(memory.data(), states), aggregates.data(),
                                staging.data(), most_blocks);
  });
  EXPECT_TRUE(total == right) << n << " values of " << sizeof(Value) << " bytes, " << most_blocks << " blocks";
}

template <class T>
void expect_totals() {
  for_each_seed(3, [] {
    for (std::size_t const n : {1, 31, 513, 4096, 70'001}) {
      std::vector<AffineOf<T>> values(3 * n + 1);
      for (std::size_t i = 0; i < n; ++i) values[i] = value_of<T>(i);
      expect_total<T>(core::Contiguous<AffineOf<T> const>{values.data()}, n, {}, 3);
      for (std::size_t i = n; i-- > 0;) values[i + 1] = values[i];
      expect_total<T>(core::Contiguous<AffineOf<T> const>{values.data() + 1}, n, AffineOf<T>{3, 5},
                      cuda::reduction_blocks);
    }
  });
}

TEST(Reduction, of_one_wave_and_more) {
  expect_totals<std::uint8_t>();
  expect_totals<std::uint32_t>();
  expect_totals<std::uint64_t>();
}

TEST(Reduction, has_no_more_blocks_than_aggregates) {
  using Value   = AffineOf<std::uint32_t>;
  using Problem = core::Problem<Value, core::FromArray<Value, core::Contiguous<Value const>, KokkosScan::Unchanged>,
                                FollowedBy, core::Discard<Value>>;
  EXPECT_EQ(cuda::reduction::blocks<Problem>(1), 1U);
  EXPECT_EQ(cuda::reduction::blocks<Problem>(std::size_t{1} << 33), cuda::reduction_blocks);
}

/// Shares that follow each other, none of which is left out.
TEST(Reduction, shares_all_parts) {
  for (std::size_t const parts : {1, 7, 8, 9, 100})
    for (std::size_t const warps : {std::size_t{8}, std::size_t{16}}) {
      EXPECT_EQ(cuda::reduction::first_part(parts, warps, 0), 0U);
      EXPECT_EQ(cuda::reduction::first_part(parts, warps, warps), parts);
      for (std::size_t k = 0; k < warps; ++k)
        EXPECT_LE(cuda::reduction::first_part(parts, warps, k), cuda::reduction::first_part(parts, warps, k + 1));
    }
}

TEST(Reduction, is_the_plan_of_what_stores_nothing) {
  using Value     = float;
  using Problem   = core::Problem<Value, core::FromArray<Value, core::Contiguous<Value const>, KokkosScan::Unchanged>,
                                  KokkosScan::Sum, core::Discard<Value>>;
  auto const plan = [](std::size_t n) {
    return cuda::plan(core::Automatic{}, Problem{{{nullptr}, {}}, {}, n, {}, {}, nullptr}, cuda::current_device);
  };
  EXPECT_EQ(plan(1000).grid, cuda::Plan::Grid::one_wave);
  EXPECT_EQ(plan(100'000'000).grid, cuda::Plan::Grid::reduction) << to_string(plan(100'000'000));
  EXPECT_GE(plan(100'000'000).needs.scratch, cuda::reduction_blocks * sizeof(Value));
}

}  // namespace
}  // namespace test
