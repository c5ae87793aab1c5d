// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include "cuda_native/scan.hpp"
#include "model_backend.hpp"
#include "support/thrown.hpp"

// What a CUDA scan is run by, on either side of every boundary: length, type, layout, device, choice.
namespace test {
namespace {

using namespace KokkosScan;
using Grid = cuda::Plan::Grid;
using core::Contiguous;
using core::Kind;
using core::Strided;

constexpr cuda::Device hopper{132, 227 * 1024, true}, older{108, 163 * 1024, false};

template <class Value, class From = Contiguous<Value const>, class Unary = Unchanged, class Choice = core::Automatic>
cuda::Plan plan_of(std::size_t n, cuda::Device const& device = hopper, Choice const& choice = {}) {
  core::ArrayScan<Kind::inclusive, Value, From, Contiguous<Value>, Sum, Unary> problem{};
  problem.n = n;
  return cuda::plan(choice, problem, [&] { return device; });
}
template <class Value, class From = Contiguous<Value const>>
Grid grid_of(std::size_t n, cuda::Device const& device = hopper) {
  return plan_of<Value, From>(n, device).grid;
}

template <class Value>
void expect_boundaries() {
  std::size_t const wave = cuda::one_wave::most_values<Value>;
  std::size_t const pays = (std::size_t{8} << 20) / sizeof(Value);
  EXPECT_EQ(grid_of<Value>(1), Grid::one_wave);
  EXPECT_EQ(grid_of<Value>(wave), Grid::one_wave);
  EXPECT_EQ(grid_of<Value>(pays), wave < pays ? Grid::lookback : Grid::one_wave);
  EXPECT_EQ(grid_of<Value>(pays + 1), Grid::pipelined);
  EXPECT_EQ(grid_of<Value>(pays + 1, older), Grid::lookback);
  EXPECT_EQ((grid_of<Value, Strided<Value const>>(pays + 1)), Grid::lookback);
}

TEST(CudaPlan, of_each_size_of_values) {
  expect_boundaries<std::uint8_t>();
  expect_boundaries<std::int16_t>();
  expect_boundaries<float>();
  expect_boundaries<double>();
  expect_boundaries<Kokkos::complex<double>>();
}

/// They take the pipeline before one wave ends, where there is one.
template <class Problem>
void expect_pipeline_from(std::size_t pays) {
  auto const grid = [](std::size_t n, cuda::Device const& device) {
    Problem problem{};
    problem.n = n;
    return cuda::plan(core::Automatic{}, problem, [&] { return device; }).grid;
  };
  EXPECT_EQ(grid(pays, hopper), Grid::one_wave);
  EXPECT_EQ(grid(pays + 1, hopper), Grid::pipelined);
  EXPECT_EQ(grid(pays + 1, older), Grid::one_wave);
}

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};

template <class T>
using SumsByKey =
    core::Problem<core::Keyed<T>,
                  core::FromKeyedArray<T, Contiguous<int const>, Contiguous<T const>, Sum, core::EqualTo, core::NoInit>,
                  core::WithinRuns<T, Sum>, core::ToArrayByKey<T, Contiguous<T>>, core::NoInit>;

TEST(CudaPlan, of_several_arrays_and_of_what_is_chosen) {
  using In = Contiguous<int const>;
  expect_pipeline_from<SumsByKey<int>>(5 << 17);
  expect_pipeline_from<SumsByKey<double>>(1 << 18);
  expect_pipeline_from<core::Problem<int, core::FromChosen<int, In, core::Chooses<IsOdd>>, Sum,
                                     core::ToCompacted<int, In, Contiguous<int>>>>(1 << 20);
}

template <class From>
bool makes_boundaries(std::size_t n) {
  using Source = core::FromSegments<double, From, Sum, core::NoInit, int, false>;
  core::Problem<core::Keyed<double>, Source, core::WithinRuns<double, Sum>,
                core::ToArrayByKey<double, Contiguous<double>>, core::NoInit>
      problem{};
  problem.n = n;
  return cuda::plan(core::Automatic{}, problem, [] { return hopper; }).makes_boundaries;
}

/// Only where it keeps the elements themselves, with the bits of where segments begin.
TEST(CudaPlan, one_wave_makes_the_boundaries_of_segments) {
  EXPECT_TRUE(makes_boundaries<Contiguous<double const>>(1 << 20));
  EXPECT_TRUE(makes_boundaries<Contiguous<float const>>(1000));
  EXPECT_FALSE(makes_boundaries<Contiguous<double const>>((1 << 20) + 1));
  EXPECT_FALSE(makes_boundaries<core::Strided<double const>>(1000));
}

TEST(CudaPlan, inputs_wider_than_values_are_not_copied) {
  EXPECT_EQ((grid_of<float, Contiguous<double const>>(1 << 26)), Grid::lookback);
  EXPECT_EQ((grid_of<double, Contiguous<float const>>(1 << 26)), Grid::pipelined);
}

TEST(CudaPlan, what_is_named_is_what_is_run) {
  auto const named = [](GridScan grid, BlockScan block = BlockScan::automatic) {
    return plan_of<float, Contiguous<float const>, Unchanged, Options>(1 << 26, hopper, Options{grid, block});
  };
  EXPECT_EQ(named(GridScan::automatic).grid, Grid::pipelined);
  EXPECT_EQ(named(GridScan::automatic, BlockScan::blelloch).grid, Grid::lookback);
  EXPECT_EQ(named(GridScan::hillis_steele).grid, Grid::hillis_steele);
  EXPECT_EQ(named(GridScan::hillis_steele).tile, 0U);
  EXPECT_EQ(named(GridScan::hierarchical).grid, Grid::hierarchical);
  EXPECT_EQ(named(GridScan::chained, BlockScan::brent_kung).grid, Grid::chained);
  EXPECT_EQ(named(GridScan::lookback).grid, Grid::lookback);
  EXPECT_EQ(named(GridScan::pipelined).grid, Grid::pipelined);
}

/// What is chosen goes by tiles of marks where look-back takes it and no block algorithm is named.
TEST(CudaPlan, choices_that_are_looked_back_over) {
  struct Each {
    bool operator()(std::size_t) const { return true; }
    void operator()(std::size_t, std::size_t) const {}
  };
  core::Problem<int, core::FromIndex<int, Each>, Sum, core::ToChosen<int, Each>> problem{};
  auto const plan = [&](std::size_t n, auto const& choice) {
    problem.n = n;
    return cuda::plan(choice, problem, [] { return hopper; });
  };
  EXPECT_EQ(plan(1000, core::Automatic{}).grid, Grid::one_wave);
  EXPECT_FALSE(plan(1000, core::Automatic{}).by_marks);
  EXPECT_TRUE(plan(1 << 26, core::Automatic{}).by_marks);
  EXPECT_EQ(plan(1 << 26, core::Automatic{}).tile, std::size_t{cuda::MarkedTile::length});
  EXPECT_NE(to_string(plan(1 << 26, core::Automatic{})).find("lookback with block of marks, tiles of 4096"),
            std::string::npos);
  EXPECT_TRUE(plan(1000, Options{.grid = GridScan::lookback}).by_marks);
  EXPECT_FALSE(plan(1000, Options{.grid = GridScan::lookback, .block = BlockScan::blelloch}).by_marks);
  EXPECT_FALSE(plan(1000, Options{.grid = GridScan::chained}).by_marks);
}

template <class Value>
cuda::Plan in_one_wave(std::size_t n) {
  return plan_of<Value, Contiguous<Value const>, Unchanged, Options>(n, hopper, Options{.grid = GridScan::one_wave});
}
struct Matrix {
  double at[4];
};

/// As automatic has it, up to as many values; and what it does not serve it refuses before anything is run.
TEST(CudaPlan, one_wave_can_be_named) {
  std::size_t const most = cuda::one_wave::most_values<float>;
  for (std::size_t const n : {std::size_t{1}, std::size_t{5000}, most}) {
    auto const named = in_one_wave<float>(n), automatic = plan_of<float>(n);
    EXPECT_EQ(named.grid, Grid::one_wave);
    EXPECT_EQ(named.tile, automatic.tile);
    EXPECT_LE(named.needs.states, automatic.needs.states);
  }
  auto const refusal = [](auto const& plan) { return test::thrown_by<std::invalid_argument>(plan); };
  EXPECT_TRUE(test::says(refusal([&] { in_one_wave<float>(most + 1); }),
                         {"Options::grid = one_wave", std::to_string(most + 1), "up to " + std::to_string(most)}));
  EXPECT_TRUE(test::says(refusal([] { in_one_wave<Matrix>(1); }), {"one_wave", "32 bytes", "up to 16 bytes"}));
  EXPECT_THROW(driver::check<ModelBackend>(0, Options{GridScan::one_wave, BlockScan::blelloch}), std::invalid_argument);
  EXPECT_NO_THROW(driver::check<ModelBackend>(0, Options{.grid = GridScan::one_wave}));
}

TEST(CudaPlan, says_what_and_why) {
  std::string const text = to_string(plan_of<float>(1 << 26));
  EXPECT_NE(text.find("pipelined"), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(cuda::pipelined::Shape<float>::tile)), std::string::npos) << text;
  EXPECT_NE(text.find("enough tiles"), std::string::npos) << text;
  EXPECT_NE(to_string(plan_of<float>(1 << 26, older)).find("no bulk copies"), std::string::npos);
}

/// A call with another layout of the same length must find the memory that is there.
TEST(CudaPlan, needs_no_more_memory_for_another_layout) {
  for (std::size_t const n : {std::size_t{1000}, std::size_t{1} << 20, std::size_t{1} << 26}) {
    auto const contiguous = plan_of<float>(n).needs, strided = plan_of<float, Strided<float const>>(n).needs;
    EXPECT_EQ(contiguous.scratch, strided.scratch);
    EXPECT_EQ(contiguous.states, strided.states);
  }
}

}  // namespace
}  // namespace test
