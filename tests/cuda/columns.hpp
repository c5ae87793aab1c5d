// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_native/columns/scan.hpp"
#include "scans.hpp"

// Scans of columns by the kernels in the execution model.
namespace test {

/// Small blocks and tiles, so that few rows are several spans of chunks.
struct SmallNumbers {
  static constexpr int walk_threads               = 32;
  static constexpr int walk_bytes                 = 32;
  static constexpr std::size_t walk_row_bytes     = 1 << 30;
  static constexpr int strip_threads              = 64;
  static constexpr int strip_bytes                = 32;
  static constexpr int strip_blocks_per_sm        = 1;
  static constexpr int staged_strip_blocks_per_sm = 1;
  static constexpr std::size_t strips_least       = 1 << 30;
  static constexpr std::size_t wide_strips_least  = 1 << 30;
  static constexpr std::size_t strip_lanes_most   = 8;
  static constexpr int copied_walk_threads        = 128;
  static constexpr int copied_walk_blocks_per_sm  = 1;
  static constexpr int copied_walk_bytes          = 32;
  static constexpr int copied_walk_stages         = 3;
  static constexpr int tile_threads               = 64;
  static constexpr int tile_bytes                 = 32;
  static constexpr int tile_blocks_per_sm         = 1;
  static constexpr int tile_lanes                 = 8;
  static constexpr int narrow_columns             = 7;
  static constexpr int narrow_columns_most        = 7;
  static constexpr int span_tiles                 = 4;
  static constexpr int narrow_span_tiles          = 4;
  static constexpr int span_chunks_least          = 2;
};
/// Whole rows of more columns than a warp has lanes.
struct WholeRowNumbers : SmallNumbers {
  static constexpr int tile_threads   = 128;
  static constexpr int narrow_columns = 64, narrow_columns_most = 64;
};
/// Spans in which a thread polls several tiles.
struct LongSpans : SmallNumbers {
  static constexpr int tile_threads = 32;
  static constexpr int span_tiles = 32, narrow_span_tiles = 32;
};
struct WalkingNumbers : SmallNumbers {
  static constexpr std::size_t walk_row_bytes = 1;
};
struct StripNumbers : SmallNumbers {
  static constexpr std::size_t strips_least = 1, wide_strips_least = 2;
  static constexpr int strip_threads = 32, tile_lanes = 2;
  static constexpr std::size_t strip_lanes_most = 4;
};

/// Where the lines are: rows of so many neighbours, each with so many elements of others behind it, and the whole so
/// many bytes behind a multiple of 128.
struct ColumnsShape {
  KokkosScan::core::LineShape lines;
  std::size_t behind_row = 0;
  std::size_t from = 0, dest = 0;
  bool in_place = false;

  std::size_t pitch() const { return lines.extents[2] + behind_row; }
  std::size_t size() const { return lines.count() / lines.extents[2] * lines.length * pitch(); }
  std::size_t at(std::size_t row, std::size_t i, std::size_t column) const {
    return (row * lines.length + i) * pitch() + column;
  }

  template <class Element>
  KokkosScan::core::Lines<Element> of(Element* data, bool reversed) const {
    auto const step = static_cast<std::ptrdiff_t>(pitch()), row = static_cast<std::ptrdiff_t>(lines.length) * step;
    return {reversed ? data + row - step : data,
            reversed ? -step : step,
            {static_cast<std::ptrdiff_t>(lines.extents[1]) * row, row, 1}};
  }
};

/// How the kernels associate a column whose values are these: the results.
template <class Value, class Op>
class ByTiling {
 public:
  /// The columns of the threads of a lane.
  ByTiling(KokkosScan::cuda::columns::Tiling const& tiling, std::size_t lane, Op const& op)
      : tiling_(tiling), lane_(lane), op_(op) {}

  std::vector<Value> scan(std::vector<Value> const& values, std::optional<Value> const& start, bool exclusive) {
    auto const rows  = static_cast<std::size_t>(tiling_.rows());
    auto const group = static_cast<std::size_t>(tiling_.group_rows);
    std::vector<Value> aggregates, results;
    std::vector<std::optional<Value>> through;
    for (std::size_t k = 0; k < tiling_.chunks; ++k) {
      std::size_t const begin = k * rows, end = std::min(begin + rows, values.size());
      std::vector<Value> groups;
      for (std::size_t i = begin; i < end; ++i)
        if ((i - begin) % group == 0)
          groups.push_back(values[i]);
        else
          groups.back() = op_(groups.back(), values[i]);
      auto const [before_groups, total] = exchanged(groups);

      std::size_t const span = k / tiling_.span, anchor = span > 1 ? (span - 1) * tiling_.span : 0;
      std::optional<Value> before = anchor > 0 ? through[span - 2] : start;
      if (k > anchor) before = combine(before, folded(aggregates, anchor, k));
      aggregates.push_back(total);
      if ((k + 1) % tiling_.span == 0) through.push_back(combine(before, total));
      for (std::size_t i = begin; i < end; ++i) {
        std::size_t const g = (i - begin) / group;
        if ((i - begin) % group == 0 && g > 0) running_ = combine(before, *before_groups[g]);
        if (i == begin) running_ = before;
        if (exclusive) results.push_back(*running_);
        running_ = combine(running_, values[i]);
        if (!exclusive) results.push_back(*running_);
      }
    }
    return results;
  }

 private:
  Value combine(std::optional<Value> const& left, Value const& right) const { return left ? op_(*left, right) : right; }

  /// What stands before each of the groups, and what all of them combine to: a network in each warp, and the totals of
  /// the warps one after the other.
  struct Exchanged {
    std::vector<std::optional<Value>> before;
    Value total;
  };
  Exchanged exchanged(std::vector<Value> const& groups) const {
    auto const lanes   = static_cast<std::size_t>(tiling_.lanes);
    auto const warp_of = [&](std::size_t g) { return lanes > 32 ? g : (g * lanes + lane_) / 32; };
    std::vector<std::optional<Value>> before;
    std::optional<Value> of_warps;
    for (std::size_t first = 0; first < groups.size();) {
      std::size_t end = first;
      while (end < groups.size() && warp_of(end) == warp_of(first)) ++end;
      auto const through = network(
          {groups.begin() + static_cast<std::ptrdiff_t>(first), groups.begin() + static_cast<std::ptrdiff_t>(end)});
      for (std::size_t g = first; g < end; ++g)
        before.push_back(g == first ? of_warps : combine(of_warps, through[g - first - 1]));
      of_warps = combine(of_warps, through.back());
      first    = end;
    }
    return {before, *of_warps};
  }
  std::vector<Value> network(std::vector<Value> values) const {
    for (std::size_t delta = 1; delta < values.size(); delta *= 2)
      for (std::size_t g = values.size(); g-- > delta;) values[g] = op_(values[g - delta], values[g]);
    return values;
  }
  Value folded(std::vector<Value> const& aggregates, std::size_t first, std::size_t k) const {
    auto const groups      = static_cast<std::size_t>(tiling_.groups);
    std::size_t const each = (k - first + groups - 1) / groups;
    std::vector<Value> pieces;
    for (std::size_t c = first; c < k; ++c)
      if ((c - first) % each == 0)
        pieces.push_back(aggregates[c]);
      else
        pieces.back() = op_(pieces.back(), aggregates[c]);
    return exchanged(pieces).total;
  }

  KokkosScan::cuda::columns::Tiling tiling_;
  std::size_t lane_;
  Op op_;
  std::optional<Value> running_;
};

/// The memory of one scan after the other.
class ColumnScans {
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };

 public:
  KokkosScan::cuda::columns::Plan plan;  // of the last scan
  bool has_copies = true;                // the device

  /// An exclusive scan has a start: of each line, or one for all.
  template <class Numbers, KokkosScan::core::Kind kind, bool reversed, class Value, class From = Value,
            class Dest = Value, class Op = FollowedBy, class Unary = KokkosScan::Unchanged, bool start_of_each = false>
  bool are_right(ColumnsShape const& shape, std::vector<From> const& elements, std::vector<Value> const& starts,
                 Op const& op = {}, Unary const& unary = {}) {
    using namespace KokkosScan::core;
    constexpr bool exclusive = kind == Kind::exclusive;
    Dest const guard         = static_cast<Dest>(starts[0]);
    std::vector<From> early  = elements;  // until a kernel brings them
    std::reverse(early.begin(), early.end());
    Displaced<From> const from(early, shape.from);
    Displaced<Dest> const apart(std::vector<Dest>(shape.size(), guard), shape.dest);
    Displaced<Value> const first(starts, 0);
    Dest* dest = apart.data();
    if constexpr (std::is_same_v<From, Dest>)
      if (shape.in_place) dest = from.data();
    auto const start = [&] {
      if constexpr (!exclusive)
        return NoInit{};
      else if constexpr (start_of_each)
        return Lines<Value const>{first.data(),
                                  0,
                                  {static_cast<std::ptrdiff_t>(shape.lines.extents[1] * shape.lines.extents[2]),
                                   static_cast<std::ptrdiff_t>(shape.lines.extents[2]), 1}};
      else
        return Maybe<Value>(starts[0]);
    }();
    using Start = std::remove_const_t<decltype(start)>;
    LineScan<kind, reversed, Value, From const, Dest, Op, Unary, Start> const scan{
        shape.lines, shape.of<From const>(from.data(), reversed), shape.of<Dest>(dest, reversed), op, unary, start};

    plan = KokkosScan::cuda::columns::plan<Numbers>(scan);
    if (!plan.is_served()) return false;
    if (states_.size() * sizeof(Line) < plan.needs.states) states_.assign(plan.needs.states / sizeof(Line) + 1, Line{});
    auto const device = [&] {
      auto device   = KokkosScan::cuda::current_device();
      device.copies = has_copies;
      return device;
    };
    on_a_stream_behind(elements, from.data(), [&] {
      KokkosScan::cuda::columns::run<Numbers>(nullptr, plan, scan,
                                              {nullptr, states_.data(), states_.size() * sizeof(Line)}, device);
    });

    std::vector<Dest> expected(shape.size(), guard);
    if (dest != apart.data())
      if constexpr (std::is_same_v<From, Dest>) expected = elements;
    for (std::size_t r = 0; r < shape.lines.rows(); ++r)
      for (std::size_t c = 0; c < shape.lines.extents[2]; ++c) {
        auto const at = [&](std::size_t i) { return shape.at(r, reversed ? shape.lines.length - 1 - i : i, c); };
        std::vector<Value> values;
        for (std::size_t i = 0; i < shape.lines.length; ++i) values.push_back(unary(elements[at(i)]));
        std::optional<Value> before;
        if (exclusive) before = starts[start_of_each ? r * shape.lines.extents[2] + c : 0];
        KokkosScan::cuda::columns::Tiling tiling = plan.tiling;
        if (plan.kind == KokkosScan::cuda::columns::Plan::Kind::walk) {  // as if in one piece
          tiling            = {};
          tiling.group_rows = static_cast<int>(shape.lines.length);
        }
        auto const strip   = static_cast<std::size_t>(tiling.strip);
        auto const lane    = c % strip / (strip / static_cast<std::size_t>(tiling.lanes));
        auto const results = ByTiling<Value, Op>(tiling, lane, op).scan(values, before, exclusive);
        for (std::size_t i = 0; i < results.size(); ++i) expected[at(i)] = static_cast<Dest>(results[i]);
      }
    return std::equal(expected.begin(), expected.end(), dest) && from.has_been_left_alone_outside() &&
           apart.has_been_left_alone_outside() && first.has_been_left_alone_outside();
  }

  /// By an operator that does not commute.
  template <class Numbers, KokkosScan::core::Kind kind, bool reversed, class Value, bool start_of_each = false>
  bool of_elements_are_right(ColumnsShape const& shape, std::uint32_t salt) {
    auto const some = [&](std::size_t n, std::uint32_t from) {
      std::vector<Value> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(element<Value>(i * 40503U + from, i * 2654435761U + from));
      return values;
    };
    return are_right<Numbers, kind, reversed, Value, Value, Value, FollowedBy, KokkosScan::Unchanged, start_of_each>(
        shape, some(shape.size(), salt), some(shape.lines.count(), salt + 7));
  }

  void skip_to_the_last_epoch() {
    auto* const header = static_cast<KokkosScan::cuda::States::Header*>(static_cast<void*>(states_.data()));
    header->next       = KokkosScan::cuda::States::behind(KokkosScan::cuda::Tag::epochs - 2);
  }

 private:
  std::vector<Line> states_;
};

}  // namespace test
