// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/rows.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cuda_native/rows/owners.hpp"
#include "model_backend.hpp"
#include "ragged_rows.hpp"
#include "seeds.hpp"
#include "streams.hpp"
#include "support/random.hpp"

// The row of each item on the execution model: shares and chunks that end anywhere, owners of every size at any
// address.
namespace test {
namespace {

namespace core = KokkosScan::core;
namespace rows = KokkosScan::cuda::rows;

/// Chunks of one group of items, and of two; windows of 32 rows, and of 96.
struct Small {
  static constexpr int warps = 2, blocks_per_sm = 2, share = 150, most_waves = 4, items = 128, window = 1,
                       groups_at_once = 1;
};
struct Turns {
  static constexpr int warps = 1, blocks_per_sm = 3, share = 700, most_waves = 2, items = 512, window = 3,
                       groups_at_once = 2;
};

/// An array of owners, and what it must hold. The rest of its memory stays as it is.
template <class Owner, class Array>
struct Case {
  std::vector<Owner> memory, expected;
  Array array;

  template <class MakeArray>
  Case(std::size_t size, MakeArray const& make) : memory(size, other), expected(size, other), array(make(memory)) {}

  template <class Offset>
  void expect(std::vector<Offset> const& offsets, std::size_t most) {
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
      for (auto j = static_cast<std::size_t>(offsets[r]); j < std::min(most, static_cast<std::size_t>(offsets[r + 1]));
           ++j)
        expected[static_cast<std::size_t>(&array[j] - memory.data())] = static_cast<Owner>(r);
  }
  static constexpr Owner other = static_cast<Owner>(-1);
};

template <class Shape, class Offset, class Owner, class MakeArray>
void expect_owners(std::vector<Offset> const& offsets, std::size_t size, std::size_t most, MakeArray const& make,
                   std::string const& what) {
  using Array = decltype(make(std::declval<std::vector<Owner>&>()));
  Case<Owner, Array> found(size, make);
  found.expect(offsets, most);
  std::vector<Offset> early(offsets.size());
  on_a_stream_behind(offsets, early.data(), [&] {
    rows::put_owners<Shape>(nullptr,
                            core::Rows<core::Contiguous<Offset const>>{{early.data()}, offsets.size() - 1, most},
                            found.array, KokkosScan::cuda::current_device());
  });
  for (std::size_t j = 0; j < size; ++j)
    ASSERT_EQ(found.expected[j], found.memory[j]) << what << ", place " << j << " of " << size;
}

template <class Shape, class Offset, class Owner>
void expect_all(std::size_t warps, std::string const& name) {
  std::size_t turn = 0;
  for (std::string const kind : kinds)
    for (std::size_t const share : {std::size_t{1}, std::size_t{Shape::items}, std::size_t{3 * Shape::items}})
      for (std::size_t const more : {-3, -1, 0, 1, 2}) {
        std::size_t const n = warps * share + more, off = turn++ % 9, first = turn % 2 == 0 ? 17 : 0;
        auto const offsets = make_offsets<Offset>(kind, n, first);
        if (offsets.size() > static_cast<std::size_t>(std::numeric_limits<Owner>::max())) continue;
        std::string const what =
            name + ", " + std::to_string(n) + " items, " + kind + ", " + std::to_string(off) + " off";
        std::size_t const extent = first + n + 20, most = turn % 4 == 0 ? first + n - n / 3 : extent;
        expect_owners<Shape, Offset, Owner>(
            offsets, extent + off, most, [&](auto& all) { return core::Contiguous<Owner>{all.data() + off}; }, what);
        if (turn % 3 == 0)
          expect_owners<Shape, Offset, Owner>(
              offsets, 3 * extent, most, [&](auto& all) { return core::Strided<Owner>{all.data() + 1, 3}; },
              what + ", strided");
        if (turn % 3 == 1)
          expect_owners<Shape, Offset, Owner>(
              offsets, extent, most, [&](auto& all) { return core::Backward<Owner>{all.data() + extent - 1}; },
              what + ", backward");
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Owners, of_every_size) {
  for_each_seed(2, [] {
    expect_all<Small, std::int32_t, std::int32_t>(12, "4 bytes");
    expect_all<Turns, std::uint32_t, std::uint32_t>(9, "4 bytes in turns");
    expect_all<Small, std::uint64_t, std::int64_t>(12, "8 bytes");
    expect_all<Turns, std::int16_t, std::int16_t>(9, "2 bytes");
    expect_all<Small, std::int64_t, std::uint8_t>(12, "1 byte");
  });
}

/// Where items have numbers that 32 bits do not hold, and begin at any.
TEST(Owners, of_items_far_from_the_first) {
  for_each_seed(2, [] {
    for (std::size_t const first : {(std::size_t{1} << 32) - 1000, (std::size_t{1} << 33) + 5}) {
      auto const offsets  = make_offsets<std::int64_t>("random", 5'001, first);
      auto const array_of = [&](std::vector<std::int32_t>& all) {
        auto const address = reinterpret_cast<std::uintptr_t>(all.data()) - first * sizeof(std::int32_t);
        return core::Contiguous<std::int32_t>{reinterpret_cast<std::int32_t*>(address)};
      };
      expect_owners<Small, std::int64_t, std::int32_t>(offsets, 5'010, first + 5'005, array_of, "far");
    }
  });
}

TEST(Owners, of_a_row_that_is_longer_than_its_array) {
  auto const make = [](auto& all) { return core::Contiguous<std::int32_t>{all.data()}; };
  for (std::size_t const length : {std::size_t{7'000}, (std::size_t{1} << 32) + 3, std::size_t{1} << 40})
    expect_owners<Small, std::uint64_t, std::int32_t>({0, 0, 2, length, length + 9}, 5'000, 5'000, make, "long");
}

TEST(Owners, of_a_call) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  KokkosScan::Handle<Exec, ModelBackend> const handle;
  for (std::string const kind : kinds)
    for (std::size_t const n : {0, 1, 1'000, 40'000, 150'001}) {
      auto const offsets = make_offsets<int>(kind, n, 3);
      Case<int, core::Contiguous<int>> found(n + 9, [](auto& all) { return core::Contiguous<int>{all.data() + 1}; });
      found.expect(offsets, n + 8);
      KokkosScan::owners(handle, Kokkos::View<int const*, Kokkos::HostSpace>(offsets.data(), offsets.size()),
                         Kokkos::View<int*, Kokkos::HostSpace>(found.array.data, n + 8));
      ASSERT_EQ(found.expected, found.memory) << kind << ", " << n << " items";
    }
}

/// Of these two seeds may meet in a place, and either will do. But nothing is written outside, and no row is none.
TEST(Owners, of_offsets_that_descend) {
  Random random(7);
  for (int turn = 0; turn < 60; ++turn) {
    std::vector<int> offsets(2 + random.below(2'000));
    for (int& offset : offsets) offset = static_cast<int>(random.between(-50, 3'000));
    std::vector<int> all(4'000, -1);
    core::Contiguous<int> const array{all.data() + 501};
    auto const rows_of_it = static_cast<int>(offsets.size()) - 1;
    model::Model const model({.seed = static_cast<std::uint64_t>(turn)});
    try {
      rows::put_owners<Small>(nullptr,
                              core::Rows<core::Contiguous<int const>>{{offsets.data()}, offsets.size() - 1, 2'500},
                              array, KokkosScan::cuda::current_device());
    } catch (model::ModelError const& error) {
      ASSERT_EQ(error.kind(), model::Kind::shared_race) << error.what();
    }
    for (std::size_t j = 0; j < all.size(); ++j) {
      ASSERT_LT(all[j], rows_of_it) << j;
      if (j < 501 || j >= 3'001) {
        ASSERT_EQ(-1, all[j]) << j;
      }
    }
  }
}

using Order = core::RowOrder<core::Contiguous<int const>>;
__global__ void parts_kernel(Order const order, std::size_t const each, rows::Part* const parts) {
  std::size_t const begin = each * blockIdx.x, end = std::min(order.size(), begin + each);
  if (begin >= end) return;
  rows::Part const part(order, begin, end);
  if (threadIdx.x == 0) parts[blockIdx.x] = part;
}

/// The work is no more than that of rows and items, since no part begins before an earlier one.
TEST(Owners, of_offsets_that_rise_and_fall_have_no_more_parts) {
  Random random(8);
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<int> offsets(2 + random.below(2'000));
    std::size_t const count = offsets.size() - 1, most = 2'500, period = 2 + random.below(40);
    for (std::size_t row = 0; row < count; ++row) offsets[row] = static_cast<int>(3'000 * (row % period) / period);
    offsets.back()         = static_cast<int>(most);
    Order const order      = core::Rows<core::Contiguous<int const>>{{offsets.data()}, count, most}.in_order();
    std::size_t const each = (order.size() + 23) / 24;
    std::vector<rows::Part> parts((order.size() + each - 1) / each);
    model::Model const model({.seed = static_cast<std::uint64_t>(turn)});
    KokkosScan::cuda::launch(nullptr, {24, 32, 0}, parts_kernel, order, each, parts.data());
    std::size_t sum = 0, row = 0;
    for (rows::Part const& part : parts) {
      ASSERT_GE(part.row, row);
      row = part.row;
      ASSERT_LE(part.row + part.rows, count);
      ASSERT_LE(part.item + part.items, most);
      sum += part.items;
    }
    ASSERT_LE(sum, order.size());
  }
}

}  // namespace
}  // namespace test
