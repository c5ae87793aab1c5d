// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/choices.hpp"

#include "model_backend.hpp"
#include "seeds.hpp"

// Every grid algorithm with every block algorithm, as on any other backend, and the small lengths under many schedules.
namespace test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

// Sanitizers look at accesses, of which records make every kind.
#if KOKKOSSCAN_TEST_FIRST_TYPES && KOKKOSSCAN_TEST_OTHER_TYPES
using Setups = testing::Types<Setup<Exec, ModelBackend, Interval>, Setup<Exec, ModelBackend, Record>>;
#elif KOKKOSSCAN_TEST_OTHER_TYPES
using Setups = testing::Types<Setup<Exec, ModelBackend, Interval>>;
#else
using Setups = testing::Types<Setup<Exec, ModelBackend, Record>>;
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(CudaKernels, Choices, Setups);

template <class Value>
void expect_small_lengths(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for_each_choice<ModelBackend>(Exec(), [](auto const& handle) {
      bool in_place = false;
      for (std::size_t const n : {1U, 2U, 33U, 100U}) {
        in_place = !in_place;
        expect_choice<Kind::inclusive, Value>(handle, n, in_place ? Lie::in_place : Lie::apart, n % 2);
        expect_choice<Kind::exclusive, Value>(handle, n, in_place ? Lie::apart : Lie::in_place, true);
      }
    });
  });
}

// Words of 4 and 8 bytes, and what is exchanged in pieces.
TEST(Seeds, intervals_of_12_bytes) { expect_small_lengths<Interval>(seeds_of(50, 20)); }
TEST(Seeds, bicyclic_of_8_bytes) { expect_small_lengths<Bicyclic>(seeds_of(50, 20)); }

/// Of the largest values, whose tiles are the shortest.
template <class F>
void for_each_seed_and_grid(std::uint64_t seeds, std::initializer_list<GridScan> grids, F const& f) {
  for_each_seed(seeds, [&] {
    for (GridScan const grid : grids) {
      SCOPED_TRACE("grid " + to_string(grid));
      Handle<Exec, ModelBackend, Options> const handle(Exec(), {.grid = grid});
      f(handle, ModelBackend::tile_length<Record>(handle.options()));
    }
  });
}

/// Several tiles, so that blocks wait for each other.
TEST(Seeds, several_tiles_of_64_bytes) {
  for_each_seed_and_grid(seeds_of(50, 25),
                         {GridScan::lookback, GridScan::chained, GridScan::hierarchical, GridScan::pipelined},
                         [](auto const& handle, std::size_t tile) {
                           expect_choice<Kind::inclusive, Record>(handle, 5 * tile + 3, Lie::apart, true);
                           expect_choice<Kind::exclusive, Record>(handle, 3 * tile, Lie::in_place, true);
                         });
}

/// More tiles than a group has, so that groups wait for each other.
TEST(Seeds, several_groups) {
  for_each_seed_and_grid(seeds_of(10, 5), {GridScan::lookback, GridScan::chained, GridScan::pipelined},
                         [](auto const& handle, std::size_t tile) {
                           expect_choice<Kind::inclusive, Record>(handle, 70 * tile + 3, Lie::apart, true);
                         });
}

/// Elements that copies cannot move, in one array, the other or both; blocks go through their rings several times.
TEST(Seeds, pipeline_with_copies_and_without) {
  using From = Layouts<Kokkos::LayoutStride, Kokkos::LayoutRight, false>;
  using Dest = Layouts<Kokkos::LayoutRight, Kokkos::LayoutStride, false>;
  Options const options{.grid = GridScan::pipelined};
  Handle<Exec, ModelBackend, Options> const handle(Exec(), options);
  std::size_t const n = 14 * ModelBackend::tile_length<Bicyclic>(options) + 3;
  auto const values   = make_values<Then, Bicyclic>(n, n);
  auto const call     = [&](std::size_t from_stride, std::size_t dest_stride) {
    Shape const shape{.n = n, .from_stride = from_stride, .dest_stride = dest_stride};
    return Call<Bicyclic>{shape, std::nullopt, TotalTo::view};
  };
  for_each_seed(seeds_of(20, 10), [&] {
    expect_scan<Kind::inclusive, Bicyclic, ContiguousViewTotal>(handle, values, call(1, 1), Then{});
    expect_scan<Kind::inclusive, Bicyclic, From>(handle, values, call(2, 1), Then{});
    expect_scan<Kind::inclusive, Bicyclic, Dest>(handle, values, call(1, 2), Then{});
    expect_scan<Kind::inclusive, Bicyclic, StridedViewTotal>(handle, values, call(2, 2), Then{});
  });
}

}  // namespace
}  // namespace test
