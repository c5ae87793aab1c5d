// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../src/core/lines.hpp"
#include "../../src/core/memory.hpp"
#include "../tile_states.hpp"
#include "../tuning.hpp"

// How columns are divided among threads and blocks: by types and shape alone, never by the device or by addresses, for
// that is part of the bits of a float.
namespace KokkosScan::cuda::columns {

/// The widest elements of values of that size; none where they are too large.
constexpr int most_width(std::size_t value_bytes) {
  auto const bytes = static_cast<int>(value_bytes);
  return bytes > 64 ? 0 : std::max(bytes, std::min(16, 2 * bytes));
}

/// What the types of a scan of lines say.
template <class LineScan>
struct Types {
  using Value = typename LineScan::Value;
  using From  = std::remove_const_t<typename LineScan::From>;
  using Dest  = typename LineScan::Dest;

  /// Of the widest of them; an element and its result may have one place.
  static constexpr int width = static_cast<int>(std::max(
      sizeof(Value), core::round_up(std::max(sizeof(From), sizeof(Dest)), std::max(alignof(From), alignof(Dest)))));
  /// The columns of a thread, of up to 16 bytes of a row together.
  static constexpr int columns = width <= 16 && std::has_single_bit(sizeof(Value)) &&
                                         std::has_single_bit(sizeof(From)) && std::has_single_bit(sizeof(Dest))
                                     ? 16 / width
                                     : 1;

  /// Whether there is something to be moved at once.
  static constexpr bool packs = columns > 1 ||
                                ((sizeof(From) == 8 || sizeof(From) == 16) && alignof(From) < sizeof(From)) ||
                                ((sizeof(Dest) == 8 || sizeof(Dest) == 16) && alignof(Dest) < sizeof(Dest));

  /// Where elements are much wider than their values, tiles have few of them, and publish more than is worth it; wide
  /// ones beside such as can be moved at once would not fit into shared memory.
  static constexpr bool serves = width <= most_width(sizeof(Value)) && !(packs && width > 32);

  /// The rows of a thread that has so many bytes.
  static constexpr int rows_of(int bytes) { return std::max(1, bytes / (columns * width)); }
  /// Of one that has so many columns in shared memory: an odd number, or pieces of different threads would meet at the
  /// same banks.
  static constexpr int odd_rows_of(int bytes, int of_columns) {
    return (std::max(1, bytes / (of_columns * width)) - 1) | 1;
  }
  static constexpr bool can_be_staged = width <= 16;
  /// At addresses that are known modulo 16; of single bytes that would take longer than to walk without.
  static constexpr bool can_be_copied = columns <= 8 && alignof(From) <= 16 && alignof(Dest) <= 16;
};

/// Of tiles of wide values less is left beside what row groups exchange.
template <class Numbers>
constexpr int tile_bytes(std::size_t value_bytes) {
  return value_bytes > 16 ? Numbers::tile_bytes * 2 / 3 : Numbers::tile_bytes;
}
/// Tiles, and those of strips: their threads, how many bytes each of them has, and the blocks that a multiprocessor is
/// to have.
template <class Numbers, std::size_t value_bytes>
struct TileSize {
  static constexpr int threads = Numbers::tile_threads, bytes = tile_bytes<Numbers>(value_bytes),
                       blocks_per_sm = Numbers::tile_blocks_per_sm;
};
template <class Numbers>
struct StripSize {
  static constexpr int threads = Numbers::strip_threads, bytes = Numbers::strip_bytes,
                       blocks_per_sm        = Numbers::strip_blocks_per_sm,
                       staged_blocks_per_sm = Numbers::staged_strip_blocks_per_sm;
};

/// What so many threads' values need among the states.
constexpr std::size_t carry_bytes(std::size_t values, std::size_t value_bytes) {
  std::size_t const bytes = core::bytes_of(values, value_bytes <= 4 ? 8 : core::round_up(value_bytes, 8) * 2);
  return States::bytes(bytes / sizeof(Slot) + 1);
}

/// Tiles of columns: a chunk of rows, and a strip of neighbours. All tiles of a chunk lie `across`.
struct Tiling {
  int lanes          = 1;  // threads side by side
  int groups         = 1;  // of rows, in a tile
  int group_rows     = 1;
  int strip          = 1;  // columns of a tile
  std::size_t strips = 1;  // of a row of neighbours
  std::size_t across = 1;
  std::size_t chunks = 1;
  std::uint32_t span = 1;  // chunks of it
  KOKKOSSCAN_FUNCTION int rows() const { return groups * group_rows; }
  KOKKOSSCAN_FUNCTION std::size_t tiles() const { return across * chunks; }
  /// Tiles and ends of spans, of which each has a state, and a value to a column.
  std::size_t places() const { return across * (chunks + chunks / span); }

  static Tiling of(core::LineShape const& shape, int lanes, int columns, int group_rows, int threads, int span_tiles,
                   int span_chunks_least) {
    Tiling tiling;
    tiling.lanes      = lanes;
    tiling.groups     = threads / lanes;
    tiling.group_rows = group_rows;
    tiling.strip      = lanes * columns;
    tiling.strips     = core::Tiles{shape.extents[2], static_cast<std::size_t>(tiling.strip)}.count();
    tiling.across     = shape.rows() * tiling.strips;
    tiling.chunks     = core::Tiles{shape.length, static_cast<std::size_t>(tiling.rows())}.count();
    auto const wanted = static_cast<std::size_t>(span_tiles) / tiling.across;
    tiling.span       = static_cast<std::uint32_t>(std::max(wanted, static_cast<std::size_t>(span_chunks_least)));
    return tiling;
  }
};

/// How a scan of lines is run, decided once; `none` where it is not one of columns.
struct Plan {
  enum class Kind { none, walk, strips, tiles, whole_rows };

  Kind kind         = Kind::none;
  Tiling tiling     = {};
  core::Needs needs = {};
  bool is_served() const { return kind != Kind::none; }
};

inline constexpr std::size_t blocks_most = 0x7fffffff;

template <class Numbers = ColumnNumbers, class LineScan>
Plan plan(LineScan const& scan) {
  using T     = Types<LineScan>;
  using Tiles = TileSize<Numbers, sizeof(typename T::Value)>;
  Plan plan;
  if constexpr (T::serves) {
    auto const& shape            = scan.shape;
    std::size_t const neighbours = shape.extents[2];
    if (neighbours < 2 || scan.from.strides[2] != 1 || scan.dest.strides[2] != 1) return plan;
    // Threads of different rows would share no sector.
    bool const fill_sectors = shape.rows() == 1 || neighbours * T::width >= 32;
    bool const are_many     = shape.count() >= Numbers::walk_row_bytes / T::width;
    bool const are_short    = shape.length <= static_cast<std::size_t>(T::rows_of(Numbers::strip_bytes));
    if (fill_sectors && (are_many || are_short)) {
      if (core::Tiles{shape.count(), Numbers::walk_threads}.count() <= blocks_most) plan.kind = Plan::Kind::walk;
      return plan;
    }
    std::size_t const lanes = core::Tiles{neighbours, static_cast<std::size_t>(T::columns)}.count();
    auto const balanced     = [&](std::size_t most) {
      return core::Tiles{lanes, core::Tiles{lanes, most}.count()}.count();
    };
    // Of one table, strips of which most rows begin or end within a sector are slower than whole rows.
    bool const break_sectors = neighbours * T::width % 16 != 0 || balanced(Numbers::tile_lanes) % 2 != 0;
    int const fewer_columns =
        shape.rows() == 1 && break_sectors ? Numbers::narrow_columns_most : Numbers::narrow_columns;
    bool const is_narrow = T::can_be_staged && neighbours < static_cast<std::size_t>(fewer_columns);
    auto const tiling_of = [&]<class Size>(Size, std::size_t lanes, int columns, int rows) {
      return Tiling::of(shape, static_cast<int>(lanes), columns, rows, Size::threads,
                        is_narrow ? Numbers::narrow_span_tiles : Numbers::span_tiles, Numbers::span_chunks_least);
    };
    auto const wide = [&]<class Size>(Size size, std::size_t most, int rows) {
      return tiling_of(size, balanced(most), T::columns, rows);
    };
    if (is_narrow) {
      plan.tiling = tiling_of(Tiles(), neighbours, 1, T::odd_rows_of(Tiles::bytes, 1));
      // Many rows of a few short lines would each be a block.
      if (shape.rows() > 1 && shape.length * 4 < static_cast<std::size_t>(plan.tiling.rows())) return plan;
    } else {
      plan.tiling = wide(Tiles(), Numbers::tile_lanes, T::odd_rows_of(Tiles::bytes, T::columns));
      if (plan.tiling.across >= Numbers::strips_least && plan.tiling.chunks > 1) {
        for (std::size_t most = Numbers::tile_lanes; most <= Numbers::strip_lanes_most; most *= 2)
          if (auto const wider = wide(StripSize<Numbers>(), most, T::rows_of(Numbers::strip_bytes));
              most == Numbers::tile_lanes || wider.across >= Numbers::wide_strips_least)
            plan.tiling = wider;
        plan.tiling.span = 1;
        if (plan.tiling.across <= blocks_most) plan.kind = Plan::Kind::strips;
        return plan;
      }
    }
    if (plan.tiling.tiles() > blocks_most / (Tiles::threads / warp_size)) return plan;  // its warps are counted
    plan.kind = is_narrow ? Plan::Kind::whole_rows : Plan::Kind::tiles;
    if (plan.tiling.chunks > 1)
      plan.needs = {.scratch = 0,
                    .states  = carry_bytes(plan.tiling.places() * plan.tiling.lanes,
                                           sizeof(typename T::Value) * (plan.tiling.strip / plan.tiling.lanes))};
  }
  return plan;
}

/// What no scan of n elements needs more of, whatever the shape of the lines and the other types. There are at most
/// 2.25 times as many chunks, with the ends of spans, as the rows of all chunks but a last short one would make, and
/// twice as many strips as are full.
template <class Value, class Numbers = ColumnNumbers>
core::Needs most_needs(std::size_t n) {
  constexpr std::size_t width = std::max(1, most_width(sizeof(Value)));
  constexpr std::size_t bytes = tile_bytes<Numbers>(sizeof(Value));
  constexpr std::size_t items = std::max<std::size_t>(2, bytes / width), threads = Numbers::tile_threads;
  // Of tiles of columns, and of narrow ones: of both an odd number, and so up to one less.
  constexpr std::size_t rows   = std::max<std::size_t>(2, bytes / std::max<std::size_t>(16, width)) - 1;
  constexpr std::size_t chunk  = threads / Numbers::tile_lanes * rows;
  constexpr std::size_t narrow = threads / (Numbers::narrow_columns_most - 1) * (items - 1);
  auto const part              = [&](std::size_t halves, std::size_t of) { return (n / of + 1) * halves / 2 + 1; };
  constexpr bool can_be_narrow = sizeof(Value) <= 16;
  std::size_t const values     = std::max(part(9, chunk), can_be_narrow ? part(5, narrow) : 0);
  return {.scratch = 0, .states = carry_bytes(values, sizeof(Value))};
}

}  // namespace KokkosScan::cuda::columns
