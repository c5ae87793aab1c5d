// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "support/spaces.hpp"

// Results that are larger than the caches, which the host backend writes past them: other stores, other buffers.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class T>
class Streaming : public testing::Test {
 protected:
  /// Small enough for exact sums of floats.
  static T value_at(std::size_t i) { return static_cast<T>(static_cast<int>(i * 2654435761U >> 8 & 15) - 7); }

  template <class Where>
  void expect_scans(Where const& where) {
    for (std::size_t const offset : {0U, 1U})
      for (bool const in_place : {false, true})
        for (bool const inclusive : {false, true}) {
          SCOPED_TRACE(testing::Message() << "offset " << offset << (in_place ? ", in place" : ", apart")
                                          << (inclusive ? ", inclusive" : ", exclusive"));
          expect_scan(where, offset, in_place, inclusive);
        }
  }

 private:
  template <class Where>
  void expect_scan(Where const& where, std::size_t offset, bool in_place, bool inclusive) {
    auto const part = [&](View const& view) {
      return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(offset, n + offset));
    };
    auto const from = part(in_place ? all_dest : all_from), dest = part(all_dest);
    Kokkos::deep_copy(all_dest, guard);
    for (std::size_t i = 0; i < n; ++i) from(i) = value_at(i);

    T total = guard;
    if (inclusive)
      inclusive_scan(where, from, dest, Sum{}, T(5), Total{total});
    else
      exclusive_scan(where, from, dest, T(5), Sum{}, Total{total});

    T running         = 5;
    std::size_t wrong = 0, first_wrong = n;
    for (std::size_t i = 0; i < n; ++i) {
      T const next = static_cast<T>(running + value_at(i));
      if (dest(i) != (inclusive ? next : running) && ++wrong == 1) first_wrong = i;
      running = next;
    }
    EXPECT_EQ(wrong, 0U) << "elements are wrong, the first is " << first_wrong << " of " << n;
    EXPECT_EQ(total, running);
    for (std::size_t i = 0; i < offset; ++i) EXPECT_EQ(all_dest(i), guard) << "in front";
    for (std::size_t i = n + offset; i < all_dest.extent(0); ++i) EXPECT_EQ(all_dest(i), guard) << "behind";
  }

  using View                     = Kokkos::View<T*, Kokkos::HostSpace>;
  static constexpr T guard       = static_cast<T>(123456789);
  static constexpr std::size_t n = host::streaming_bytes / sizeof(T) + 77;
  View all_from{"from", n + 16}, all_dest{"dest", n + 16};
};
using Types = testing::Types<std::int32_t, double>;
TYPED_TEST_SUITE(Streaming, Types);

TYPED_TEST(Streaming, by_every_instruction_set) {
  test::for_each_instruction_set([&] { this->expect_scans(Exec()); });
}

TYPED_TEST(Streaming, by_every_grid_algorithm) {
  for (GridScan const grid : {GridScan::chained, GridScan::lookback, GridScan::hierarchical}) {
    SCOPED_TRACE(to_string(grid));
    this->expect_scans(Handle(Exec(), Options{.grid = grid, .block = BlockScan::automatic}));
  }
}

}  // namespace
