// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_native/rows/reduce.hpp"
#include "ragged_rows.hpp"
#include "seeds.hpp"
#include "streams.hpp"
#include "support/monoids.hpp"
#include "support/random.hpp"

// What the items of each row combine to on the execution model: shares, chunks and windows that end anywhere, by
// operators that do not commute, of values of every size.
namespace test {
namespace {

namespace core   = KokkosScan::core;
namespace native = KokkosScan::cuda;

/// Long shares of short chunks, and so many rows in them that one window does not have all; few long chunks; and
/// as many shares as there can be.
struct ShortShares {
  static constexpr int warps = 2, blocks_per_sm = 2, items = 3, window = 1;
  static constexpr std::size_t few_shares = 3, most_shares = 7;
};
struct LongChunks {
  static constexpr int warps = 1, blocks_per_sm = 3, items = 9, window = 3;
  static constexpr std::size_t few_shares = 5, most_shares = 5;
};
struct ManyShares {
  static constexpr int warps = 3, blocks_per_sm = 1, items = 1, window = 2;
  static constexpr std::size_t few_shares = 1000, most_shares = 1000;
};

struct OneWarp {
  static constexpr int warps = 1, blocks_per_sm = 1, items = 1, window = 4;
  static constexpr std::size_t few_shares = 5, most_shares = 5;
};

/// The total of a row: of the items from begin to end, or from the far end, behind init.
template <class Value>
Value total_of(std::vector<Value> const& items, std::size_t begin, std::size_t end, bool reversed, Value const* init,
               Value const& of_empty) {
  std::vector<Value> row;
  if (init) row.push_back(*init);
  for (std::size_t j = begin; j < end; ++j) row.push_back(items[reversed ? end - 1 - (j - begin) : j]);
  if (row.empty() || begin == end) return of_empty;
  Value sum = row[0];
  for (std::size_t j = 1; j < row.size(); ++j) sum = sum.then(row[j]);
  return sum;
}

template <class Offset>
core::Rows<core::Strided<Offset const>> rows_of(std::vector<Offset> const& offsets, std::size_t n) {
  return {{offsets.data(), 1}, offsets.size() - 1, n};
}
template <class Offset>
auto sums_of(std::uint32_t const* items, std::vector<Offset> const& offsets, std::size_t n, std::uint32_t* totals) {
  return core::row_reduction<std::uint32_t, false>(core::Contiguous<std::uint32_t const>{items}, rows_of(offsets, n),
                                                   KokkosScan::Sum{}, core::Strided<std::uint32_t>{totals, 1},
                                                   core::NoInit{}, core::Maybe<std::uint32_t>(0));
}

/// Scratch and states of one reduction, the states as a workspace begins.
struct Scratch {
  std::vector<std::max_align_t> scratch;
  std::vector<native::Slot> states;

  template <class Shape, class Value>
  static Scratch of(std::size_t items) {
    auto const needs = native::rows::needs_of_reductions<Value, Shape>(core::Automatic{}, items);
    return {std::vector<std::max_align_t>(needs.scratch / sizeof(std::max_align_t) + 1),
            std::vector<native::Slot>(needs.states / sizeof(native::Slot) + 1)};
  }
  core::Memory memory() { return {scratch.data(), states.data(), states.size() * sizeof(native::Slot)}; }
};

/// A reduction behind a kernel by which its offsets come. `init`: whether rows begin with one.
template <class Shape, bool reversed, class Value, class Offset>
void expect_totals(std::vector<Offset> const& offsets, std::size_t n, bool init, std::string const& what) {
  Random random(n + offsets.size());
  std::vector<Value> items;
  for (std::size_t j = 0; j < n; ++j) items.push_back(Value::random(random));
  Value const first = Value::random(random), of_empty = Value::random(random), other = Value::random(random);
  std::size_t const rows = offsets.size() - 1;
  std::vector<Value> totals(2 * rows + 3, other), expected = totals;
  for (std::size_t r = 0; r < rows; ++r)
    expected[2 * r + 1] =
        total_of<Value>(items, static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(offsets[r + 1]), reversed,
                        init ? &first : nullptr, of_empty);

  std::vector<Offset> early(offsets.size());
  Scratch scratch = Scratch::of<Shape, Value>(n);
  auto const run  = [&](auto const& start) {
    auto const reduction = core::row_reduction<Value, reversed>(
        core::Contiguous<Value const>{items.data()}, rows_of(early, n), Then{},
        core::Strided<Value>{totals.data() + 1, 2}, start, core::Maybe<Value>(of_empty));
    on_a_stream_behind(offsets, early.data(),
                        [&] { native::rows::reduce<Shape>(nullptr, core::Automatic{}, reduction, scratch.memory()); });
  };
  if (init)
    run(core::Maybe<Value>(first));
  else
    run(core::NoInit{});
  for (std::size_t k = 0; k < totals.size(); ++k) ASSERT_TRUE(totals[k] == expected[k]) << what << ", place " << k;
}

template <class Shape, class Value, class Offset>
void expect_all(std::string const& name) {
  std::size_t turn = 0;
  for (std::string const kind : kinds)
    for (std::size_t const items : {1, 32 * Shape::items - 1, 32 * Shape::items + 1, 1'003, 4'000}) {
      std::size_t const first = turn++ % 2 == 0 ? 17 : 0;
      auto const offsets      = make_offsets<Offset>(kind, items, first);
      bool const init         = turn % 3 == 0;
      std::string const what  = name + ", " + std::to_string(items) + " items, " + kind;
      if (turn % 4 == 1)
        expect_totals<Shape, true, Value>(offsets, first + items + turn % 5, init, what + ", reversed");
      else
        expect_totals<Shape, false, Value>(offsets, first + items + turn % 5, init, what);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(RowReduction, of_every_size) {
  for_each_seed(2, [] {
    expect_all<ShortShares, Affine, std::int32_t>("12 bytes");
    expect_all<LongChunks, Bicyclic, std::uint32_t>("8 bytes");
    expect_all<ManyShares, Record, std::int64_t>("64 bytes");
    expect_all<ShortShares, Affine64, std::uint64_t>("24 bytes");
    expect_all<LongChunks, Affine, std::int16_t>("offsets of 2 bytes");
  });
}

/// By the shape that calls take, whose shares have one chunk or several.
TEST(RowReduction, of_the_shape_of_calls) {
  for_each_seed(1, [] {
    for (std::string const kind : kinds) {
      expect_totals<native::rows::ReduceShape<Affine>, false, Affine>(make_offsets<std::int32_t>(kind, 9'001, 3), 9'004,
                                                                      false, kind);
      expect_totals<native::rows::ReduceShape<Bicyclic>, true, Bicyclic>(make_offsets<std::int64_t>(kind, 700, 0), 700,
                                                                         true, kind);
    }
  });
}

/// Rows without an item, of which there are more than shares have positions.
TEST(RowReduction, of_empty_rows) {
  for (std::size_t const n : {0, 5})
    for (std::size_t const rows : {1, 2, 31, 1'000, 30'000}) {
      expect_totals<ShortShares, false, Affine>(std::vector<int>(rows + 1, 0), n, false, "empty");
      expect_totals<LongChunks, false, Affine>(std::vector<int>(rows + 1, static_cast<int>(n)), n, true, "empty");
    }
}

/// Where items have numbers that 32 bits do not hold.
TEST(RowReduction, of_items_far_from_the_first) {
  Random random(3);
  for (std::size_t const first : {(std::size_t{1} << 32) - 1'000, (std::size_t{1} << 33) + 5}) {
    auto const offsets     = make_offsets<std::int64_t>("random", 2'001, first);
    std::size_t const rows = offsets.size() - 1;
    std::vector<std::uint32_t> items(2'001), totals(rows), expected(rows);
    for (std::uint32_t& item : items) item = static_cast<std::uint32_t>(random());
    for (std::size_t r = 0; r < rows; ++r)
      for (std::int64_t j = offsets[r]; j < offsets[r + 1]; ++j)
        expected[r] += items[static_cast<std::size_t>(j) - first];
    auto const address     = reinterpret_cast<std::uintptr_t>(items.data()) - first * sizeof(std::uint32_t);
    auto const* const from = reinterpret_cast<std::uint32_t const*>(address);
    auto const reduction   = sums_of(from, offsets, first + 2'001, totals.data());
    Scratch scratch        = Scratch::of<ShortShares, std::uint32_t>(first + 2'001);
    on_a_stream([&] { native::rows::reduce<ShortShares>(nullptr, core::Automatic{}, reduction, scratch.memory()); });
    ASSERT_EQ(totals, expected) << first;
  }
}

/// Where rows have fewer items than there may be, shares are shorter, and there may be more of them.
TEST(RowReduction, of_items_that_no_row_has) {
  for_each_seed(1, [] {
    for (int const first : {0, 1, 5})
      for (std::size_t const n : {30'000, 30'001, 30'020, 45'000}) {
        std::vector<int> offsets;
        for (int item = first; item <= 30'000; item += 3) offsets.push_back(item);
        expect_totals<ManyShares, false, Bicyclic>(offsets, n, false, std::to_string(first) + ", " + std::to_string(n));
        if (testing::Test::HasFailure()) return;
      }
  });
}

/// What a choice cannot serve it says before a total is written.
TEST(RowReduction, by_a_grid_that_does_not_serve_its_values) {
  std::vector<int> offsets;
  for (int item = 0; item <= 1'000; item += 10) offsets.push_back(item);
  std::vector<Record> const items(1'000, Record(1, 2, 3));
  std::vector<Record> totals(100, Record(4, 5, 6));
  auto const before    = totals;
  auto const reduction = core::row_reduction<Record, false>(
      core::Contiguous<Record const>{items.data()}, rows_of(offsets, items.size()), Then{},
      core::Strided<Record>{totals.data(), 1}, core::NoInit{}, core::Maybe<Record>(items[0]));
  KokkosScan::Options const options{.grid = KokkosScan::GridScan::one_wave};
  EXPECT_THROW(native::rows::reduce(nullptr, options, reduction, {}), std::invalid_argument);
  EXPECT_TRUE(totals == before);
}

/// Totals have no meaning then. But nothing else is written, no item outside is read, and it ends.
template <class Shape, class Value>
void expect_nothing_outside(std::vector<int> const& offsets, std::uint64_t seed) {
  std::size_t const rows = offsets.size() - 1, n = 2'500;
  Random random(seed);
  Value const other = Value::random(random);
  std::vector<Value> const items(n, Value::random(random));
  std::vector<Value> all(rows + 1'000, other);
  auto const reduction = core::row_reduction<Value, false>(
      core::Contiguous<Value const>{items.data()}, rows_of(offsets, n), Then{},
      core::Strided<Value>{all.data() + 500, 1}, core::NoInit{}, core::Maybe<Value>(items[0]));
  Scratch scratch = Scratch::of<Shape, Value>(n);
  model::Model const model({.seed = seed});
  try {
    native::rows::reduce<Shape>(nullptr, core::Automatic{}, reduction, scratch.memory());
  } catch (model::ModelError const& error) {
    ASSERT_EQ(error.kind(), model::Kind::shared_race) << error.what();
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k < 500 || k >= 500 + rows) {
      ASSERT_TRUE(all[k] == other) << k;
    }
}
TEST(RowReduction, of_offsets_that_descend) {
  Random random(7);
  for (std::uint64_t turn = 0; turn < 24; ++turn) {
    std::vector<int> offsets(2 + random.below(2'000));
    std::size_t const kind = turn % 3;
    for (std::size_t k = 0; k < offsets.size(); ++k)
      offsets[k] = kind == 0   ? static_cast<int>(random.between(-50, 3'000))
                   : kind == 1 ? static_cast<int>(k / 32 % 7 * 100)  // windows whose last row ends before their first
                               : 32 - static_cast<int>(k % 2);       // several rows that begin with the same item
    if (kind > 0) offsets.front() = 0, offsets.back() = 2'500;
    expect_nothing_outside<ShortShares, Affine>(offsets, turn);
    expect_nothing_outside<LongChunks, Record>(offsets, turn);
    expect_nothing_outside<ManyShares, Record>(offsets, turn);
    expect_nothing_outside<OneWarp, Record>(offsets, turn);
    expect_nothing_outside<native::rows::ReduceShape<Bicyclic>, Bicyclic>(offsets, turn);
    expect_nothing_outside<native::rows::ReduceShape<Record>, Record>(offsets, turn);
  }
}

}  // namespace
}  // namespace test
