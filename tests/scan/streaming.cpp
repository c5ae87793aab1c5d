// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "support/scan_case.hpp"
#include "support/spaces.hpp"
#include "support/values.hpp"

// Results that are larger than the caches, which the host backend writes past them: other stores, other buffers.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Lie;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class T>
void expect_scans(auto const& exec) {
  test::Assume const small_caches({.last_level_bytes = 1 << 20, .sharers = 1, .reading = host::Reading::straight});
  std::size_t const n = host::streaming_from(Exec().concurrency()) / sizeof(T) + 77;
  auto const values   = test::make_values<Sum, T>(n, n);
  for (std::size_t const offset : {0U, 1U})
    for (Lie const lie : {Lie::apart, Lie::in_place}) {
      test::Call<T> const call{.shape    = {.n = n, .from_offset = offset, .dest_offset = offset, .lie = lie},
                               .init     = T(5),
                               .total_to = test::TotalTo::view};
      test::expect_scan<Kind::inclusive, T, test::ContiguousViewTotal>(exec, values, call, Sum{});
      test::expect_scan<Kind::exclusive, T, test::ContiguousViewTotal>(exec, values, call, Sum{});
    }
}

template <class T>
class Streaming : public testing::Test {};
using StreamingTypes = testing::Types<std::int32_t, double>;
TYPED_TEST_SUITE(Streaming, StreamingTypes);

TYPED_TEST(Streaming, by_every_instruction_set) {
  test::for_each_instruction_set([] { expect_scans<TypeParam>(Exec()); });
}

TYPED_TEST(Streaming, by_every_grid_algorithm) {
  for (GridScan const grid : {GridScan::chained, GridScan::lookback, GridScan::shares, GridScan::hierarchical}) {
    SCOPED_TRACE(to_string(grid));
    expect_scans<TypeParam>(Handle(Exec(), Options{.grid = grid}));
  }
}

}  // namespace
