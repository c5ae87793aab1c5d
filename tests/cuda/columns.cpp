// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "columns.hpp"

#include "seeds.hpp"
#include "support/time.hpp"

// Columns in small tiles, so that there are several spans of chunks, and by walking. What is expected is made by a loop
// that associates as the kernels do: of floats every bit is compared.
namespace test {
namespace {

using KokkosScan::core::Kind;
using KokkosScan::core::LineShape;
using PlanKind = KokkosScan::cuda::columns::Plan::Kind;

ColumnsShape of(std::size_t rows, std::size_t length, std::size_t neighbours, std::size_t behind_row = 0) {
  return {LineShape{length, {rows > 1 ? 2U : 1U, rows > 1 ? rows / 2 : 1U, neighbours}}, behind_row};
}

template <class Numbers, class Value>
void expect_forms(ColumnsShape shape, PlanKind kind, std::string const& what, bool has_copies = true) {
  static std::size_t call = 0;
  if (is_sanitized && call++ % 3 != 0) return;
  SCOPED_TRACE(what + ", values of " + std::to_string(sizeof(Value)) + " bytes: " + std::to_string(shape.lines.rows()) +
               " x " + std::to_string(shape.lines.length) + " x " + std::to_string(shape.lines.extents[2]));
  ColumnScans scans;
  scans.has_copies = has_copies;
  EXPECT_TRUE((scans.of_elements_are_right<Numbers, Kind::inclusive, false, Value>(shape, 1)));
  EXPECT_EQ(scans.plan.kind, kind);
  EXPECT_TRUE((scans.of_elements_are_right<Numbers, Kind::exclusive, true, Value>(shape, 2))) << "exclusive, reversed";
  shape.in_place = true;
  EXPECT_TRUE((scans.of_elements_are_right<Numbers, Kind::inclusive, true, Value>(shape, 3))) << "reversed, in place";
  EXPECT_TRUE((scans.of_elements_are_right<Numbers, Kind::exclusive, false, Value, true>(shape, 4)))
      << "a start for each, in place";
}

/// At addresses that let a thread's elements be moved at once, and at others.
template <class Numbers, class Value>
void expect_addresses(ColumnsShape shape, PlanKind kind, bool has_copies = true) {
  expect_forms<Numbers, Value>(shape, kind, "aligned", has_copies);
  shape.from = sizeof(Value);
  expect_forms<Numbers, Value>(shape, kind, "from one on", has_copies);
  if (alignof(Value) < sizeof(Value)) {
    shape.from = shape.dest = alignof(Value);
    expect_forms<Numbers, Value>(shape, kind, "half of one on", has_copies);
    shape.from = sizeof(Value);
  }
  shape.from = 0;
  shape.dest = sizeof(Value);
  expect_forms<Numbers, Value>(shape, kind, "dest one on", has_copies);
  shape.dest       = 0;
  shape.behind_row = 1;
  expect_forms<Numbers, Value>(shape, kind, "odd rows", has_copies);
  shape.behind_row = 16;
  --shape.lines.extents[2];
  expect_forms<Numbers, Value>(shape, kind, "an odd number", has_copies);
}

template <class F>
void for_each_type(F const& f) {
  f(Nibbles{});
  f(AffineOf<std::uint16_t>{});
  f(AffineOf<std::uint32_t>{});
  f(AffineOf<std::uint64_t>{});
  f(RoomyAffine{});
}

TEST(Columns, of_which_each_thread_walks_down_its_own) {
  for_each_seed(seeds_of(2, 1), [] {
    for_each_type([]<class Value>(Value) {
      for (std::size_t const length : {1U, 2U, 3U, 8U, 9U, 29U, 70U})
        expect_addresses<WalkingNumbers, Value>(of(1, length, 48), PlanKind::walk);
      expect_addresses<WalkingNumbers, Value>(of(6, 13, 64), PlanKind::walk);
      expect_addresses<SmallNumbers, Value>(of(1, 1, 48), PlanKind::walk);  // too few rows for a tile
    });
  });
}

/// Rows wide enough for blocks that walk down by copies, and a device that has none.
TEST(Columns, of_wide_rows_at_any_address) {
  for_each_seed(seeds_of(2, 1), [] {
    for_each_type([]<class Value>(Value) {
      if constexpr (sizeof(Value) >= 2) {
        std::size_t const strip = 64 * 16 / sizeof(Value);
        for (std::size_t const length : {3U, 9U, 14U})
          expect_addresses<WalkingNumbers, Value>(of(1, length, 2 * strip + 16), PlanKind::walk);
        expect_addresses<WalkingNumbers, Value>(of(4, 8, strip + 16), PlanKind::walk);
        ColumnsShape odd = of(2, 14, strip + 16, 1);
        expect_forms<WalkingNumbers, Value>(odd, PlanKind::walk, "without copies", false);
      }
    });
  });
}

TEST(Columns, of_strips_that_blocks_walk_down) {
  for_each_seed(seeds_of(2, 1), [] {
    for_each_type([]<class Value>(Value) {
      for (std::size_t const length : {65U, 150U})
        expect_addresses<StripNumbers, Value>(of(1, length, 48), PlanKind::strips);
      expect_addresses<StripNumbers, Value>(of(4, 300, 16), PlanKind::strips);
    });
  });
}

TEST(Columns, by_tiles) {
  for_each_seed(seeds_of(2, 1), [] {
    for_each_type([]<class Value>(Value) {
      for (std::size_t const length : {33U, 150U}) {
        expect_addresses<SmallNumbers, Value>(of(1, length, 16), PlanKind::tiles);
        expect_addresses<SmallNumbers, Value>(of(1, length, 48), PlanKind::tiles);
      }
      expect_addresses<SmallNumbers, Value>(of(4, 40, 16), PlanKind::tiles);
    });
  });
}

TEST(Columns, of_narrow_rows) {
  for_each_seed(seeds_of(2, 1), [] {
    for_each_type([]<class Value>(Value) {
      if constexpr (sizeof(Value) <= 16)
        for (std::size_t const neighbours : {2U, 3U, 6U})
          for (std::size_t const behind_row : {0U, 1U})
            for (std::size_t const rows : {1U, 4U})
              expect_forms<SmallNumbers, Value>(of(rows, 1000, neighbours, behind_row), PlanKind::whole_rows, "narrow");
      if constexpr (sizeof(Value) <= 16)
        for (bool const has_copies : {true, false})
          expect_addresses<SmallNumbers, Value>(of(1, 400, 5), PlanKind::whole_rows, has_copies);
      if constexpr (sizeof(Value) <= 16)
        for (std::size_t const neighbours : {33U, 63U})
          expect_forms<WholeRowNumbers, Value>(of(1, 200, neighbours), PlanKind::whole_rows, "whole rows");
      if constexpr (sizeof(Value) == 8)
        for (bool const has_copies : {true, false})
          expect_addresses<WholeRowNumbers, Value>(of(1, 100, 41), PlanKind::whole_rows, has_copies);
    });
  });
}

/// So many chunks that what ends a span is needed.
TEST(Columns, of_many_spans) {
  for_each_seed(seeds_of(3, 2), [] {
    using Value = AffineOf<std::uint32_t>;
    for (std::size_t const length : {16 * 32U, 16 * 32 + 1U, 16 * 51 - 1U}) {
      expect_forms<SmallNumbers, Value>(of(1, length, 24), PlanKind::tiles, "tiles");
      expect_forms<SmallNumbers, Value>(of(1, 12 * length, 5), PlanKind::whole_rows, "narrow");
    }
  });
}

TEST(Columns, of_long_spans) {
  for_each_seed(2,
                [] { expect_forms<LongSpans, AffineOf<std::uint32_t>>(of(1, 8 * 100, 16), PlanKind::tiles, "tiles"); });
}

/// The last epoch of each, behind which it begins anew.
TEST(Columns, in_new_epochs) {
  for_each_seed(10, [] {
    ColumnScans scans;
    auto const expect_right = [&]<class Value>(Value, ColumnsShape const& shape, std::uint32_t salt) {
      EXPECT_TRUE((scans.of_elements_are_right<SmallNumbers, Kind::exclusive, false, Value>(shape, salt)))
          << sizeof(Value) << " bytes, " << shape.lines.extents[2] << " columns";
      scans.skip_to_the_last_epoch();
    };
    for (std::uint32_t time = 0; time < 3; ++time) {
      expect_right(AffineOf<std::uint32_t>{}, of(1, 200, 24), time);
      expect_right(AffineOf<std::uint16_t>{}, of(1, 200, 24), time);
      expect_right(Nibbles{}, of(1, 200, 48), time);
      expect_right(Nibbles{}, of(1, 700, 5), time);
    }
  });
}

/// A value that somebody made.
template <std::size_t words>
struct Made {
  static constexpr std::uint32_t seal = 0x600dU;
  std::uint32_t made                  = seal;
  std::uint32_t of[words - 1]         = {};
  bool operator==(Made const&) const  = default;
};
struct AddMade {
  static inline bool was_asked_of_nothing = false;
  template <std::size_t words>
  Made<words> operator()(Made<words> const& left, Made<words> const& right) const {
    if (left.made != left.seal || right.made != right.seal) was_asked_of_nothing = true;
    Made<words> sum;
    for (std::size_t k = 0; k + 1 < words; ++k) sum.of[k] = left.of[k] + right.of[k];
    return sum;
  }
};
template <class Numbers, std::size_t words>
void expect_only_values_are_combined(ColumnsShape const& shape, PlanKind kind) {
  using Value = Made<words>;
  std::vector<Value> elements(shape.size());
  for (std::uint32_t i = 0; i < elements.size(); ++i) elements[i].of[0] = i * 2654435761U;
  AddMade::was_asked_of_nothing = false;
  ColumnScans scans;
  EXPECT_TRUE((scans.are_right<Numbers, Kind::inclusive, false, Value, Value, Value, AddMade>(
      shape, elements, std::vector<Value>(shape.lines.count()))));
  EXPECT_EQ(scans.plan.kind, kind);
  EXPECT_FALSE(AddMade::was_asked_of_nothing) << shape.lines.length << " x " << shape.lines.extents[2];
}
/// Where threads have no rows, or no columns, as at the ends of a table, there is nothing to be combined.
TEST(Columns, of_nothing_but_values) {
  for_each_seed(2, [] {
    for (std::size_t const length : {33U, 150U, 203U}) {
      expect_only_values_are_combined<SmallNumbers, 2>(of(1, length, 15), PlanKind::tiles);
      expect_only_values_are_combined<SmallNumbers, 3>(of(1, length, 13), PlanKind::tiles);
      expect_only_values_are_combined<SmallNumbers, 6>(of(1, length, 13), PlanKind::tiles);
      expect_only_values_are_combined<SmallNumbers, 16>(of(1, length, 13), PlanKind::tiles);
      expect_only_values_are_combined<SmallNumbers, 2>(of(1, 7 * length, 5), PlanKind::whole_rows);
      expect_only_values_are_combined<SmallNumbers, 3>(of(1, 7 * length, 3), PlanKind::whole_rows);
      expect_only_values_are_combined<WholeRowNumbers, 3>(of(1, 2 * length, 33), PlanKind::whole_rows);
      expect_only_values_are_combined<StripNumbers, 2>(of(1, length, 47), PlanKind::strips);
      expect_only_values_are_combined<StripNumbers, 3>(of(1, length, 47), PlanKind::strips);
    }
  });
}

/// Elements of sizes and alignments that a place for their results does not share.
struct Color {
  std::uint16_t red, green, blue;
  explicit Color(float x) : red(static_cast<std::uint16_t>(10 * x)), green(red), blue(red) {}
  explicit operator float() const { return 0.1F * static_cast<float>(green); }
};
struct Point {
  float x, y, z;
  explicit Point(float at) : x(at), y(at), z(at) {}
  explicit operator double() const { return static_cast<double>(z) + x; }
};

/// Sums of floats, by the types of all three: every bit, wherever the elements begin.
template <class Value, class From, class Dest>
void expect_bits_of_sums(ColumnsShape shape) {
  auto const widen = [](From x) { return static_cast<Value>(x); };
  for (std::size_t const offset : {0, 1}) {
    shape.from = offset * sizeof(From);
    std::vector<From> elements;
    for (std::size_t i = 0; i < shape.size(); ++i)
      elements.push_back(static_cast<From>(100.F / static_cast<float>(1 + i * 7919 % 997)));
    std::vector<Value> const starts(shape.lines.count(), Value{3});
    ColumnScans scans;
    EXPECT_TRUE((scans.are_right<SmallNumbers, Kind::inclusive, false, Value, From, Dest>(shape, elements, starts,
                                                                                          std::plus<Value>(), widen)));
    EXPECT_TRUE((scans.are_right<SmallNumbers, Kind::exclusive, true, Value, From, Dest>(shape, elements, starts,
                                                                                         std::plus<Value>(), widen)));
  }
}
TEST(Columns, of_floats) {
  for_each_seed(seeds_of(3, 2), [] {
    for (ColumnsShape const& shape : {of(1, 300, 24), of(1, 2000, 5), of(2, 100, 16)}) {
      expect_bits_of_sums<float, float, float>(shape);
      expect_bits_of_sums<double, double, double>(shape);
      expect_bits_of_sums<double, float, float>(shape);
      expect_bits_of_sums<float, std::int8_t, double>(shape);
      expect_bits_of_sums<std::int64_t, std::int8_t, std::int16_t>(shape);
      expect_bits_of_sums<float, Color, float>(shape);
      expect_bits_of_sums<double, Point, double>(shape);
    }
  });
}

/// A Handle reserves what a scan of so many elements may need, whatever their lines look like.
template <class Value, class From>
void expect_reserved() {
  using namespace KokkosScan::core;
  using Scan =
      LineScan<Kind::inclusive, false, Value, From const, Value, KokkosScan::Sum, KokkosScan::Unchanged, NoInit>;
  int with_memory = 0;
  for (std::size_t rows = 1; rows < 100; rows += rows / 2 + 1)
    for (std::size_t neighbours = 2; neighbours < 5000; neighbours += neighbours / 9 + 1)
      for (std::size_t length = 20; length < 20'000'000 / neighbours; length += length / 5 + 1) {
        Scan const scan{{length, {1, rows, neighbours}}, {nullptr, 1, {0, 0, 1}}, {nullptr, 1, {0, 0, 1}}, {}, {}, {}};
        auto const needs = KokkosScan::cuda::columns::plan(scan).needs;
        auto const most  = KokkosScan::cuda::columns::most_needs<Value>(length * rows * neighbours);
        with_memory += needs.states > 0;
        ASSERT_EQ(needs.scratch, 0U);
        ASSERT_LE(needs.states, most.states) << rows << " x " << length << " x " << neighbours;
      }
  EXPECT_GT(with_memory, 100);
}
TEST(Columns, need_no_more_than_is_reserved) {
  expect_reserved<std::int8_t, std::int8_t>();
  expect_reserved<std::int8_t, std::int16_t>();
  expect_reserved<float, float>();
  expect_reserved<float, double>();
  expect_reserved<double, double>();
  expect_reserved<double, AffineOf<std::uint64_t>>();
  expect_reserved<AffineOf<std::uint64_t>, float>();
  expect_reserved<RoomyAffine, RoomyAffine>();
}

/// Elements of which two are moved at once, and values beside which those do not fit into shared memory.
struct Pair {
  double x, y;
};
struct Wide {
  double at[8];
  KOKKOSSCAN_FUNCTION explicit Wide(Pair const& pair) : at{pair.x, pair.y} {}
};
struct Left {
  KOKKOSSCAN_FUNCTION Wide operator()(Wide const& left, Wide const&) const { return left; }
};
TEST(Columns, of_wide_values_and_pairs_are_not_served) {
  using namespace KokkosScan::core;
  using Scan = LineScan<Kind::inclusive, false, Wide, Pair const, Wide, Left, KokkosScan::Unchanged, NoInit>;
  Scan scan{{100, {1, 1, 64}}, {nullptr, 64, {0, 0, 1}}, {nullptr, 64, {0, 0, 1}}, {}, {}, {}};
  auto const plan = KokkosScan::cuda::columns::plan(scan);
  EXPECT_EQ(plan.kind, PlanKind::none);
  on_a_stream([&] {
    KokkosScan::cuda::columns::run(nullptr, plan, scan, {}, KokkosScan::cuda::current_device);
  });  // compiles, and does nothing
}

/// What is not for these kernels.
TEST(Columns, serve_neighbours_alone) {
  using namespace KokkosScan::core;
  using Scan =
      LineScan<Kind::inclusive, false, float, float const, float, KokkosScan::Sum, KokkosScan::Unchanged, NoInit>;
  Scan scan{{100, {1, 1, 64}}, {nullptr, 64, {0, 0, 1}}, {nullptr, 64, {0, 0, 1}}, {}, {}, {}};
  auto const kind = [&] { return KokkosScan::cuda::columns::plan(scan).kind; };
  EXPECT_EQ(kind(), PlanKind::tiles);
  scan.from.strides[2] = 2;
  EXPECT_EQ(kind(), PlanKind::none);
  scan.from.strides[2] = 1;
  scan.dest.strides[2] = 100;
  EXPECT_EQ(kind(), PlanKind::none);
  scan.dest.strides[2]  = 1;
  scan.shape.extents[2] = 1;
  EXPECT_EQ(kind(), PlanKind::none);
}

}  // namespace
}  // namespace test
