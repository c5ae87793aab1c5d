// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "by_key.hpp"
#include "rows.hpp"

// What the items of each ragged row combine to, without their scan. The order of rows and items (rows.hpp) is divided
// into shares; whoever has one puts the totals of the rows that begin and end in it, and leaves what it knows of the
// row that began before it and of the one that goes on behind it. A scan of what is left, one value to a share, then
// puts the totals of the rows that several shares have.
namespace KokkosScan::core {

/// op of operands that are given in the opposite order: of a row that is taken from its end.
template <class Op, bool turned>
struct InOrder {
  Op op;

  template <class Value>
  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const {
    if constexpr (turned)
      return static_cast<Value>(op(right, left));
    else
      return static_cast<Value>(op(left, right));
  }
  template <class Value>
  KOKKOSSCAN_FUNCTION Value operator()(Value const& left, Value const& right) const {
    return combine(left, right);
  }
};

/// Rows, of which each has a total: `start` op all of its items, and that of an empty one is `of_empty`.
template <class Value_, class From_, class Offsets_, class Op, bool reversed, class Totals_, class Start, class Empty>
struct RowReduction {
  using Value   = Value_;
  using From    = From_;
  using Offsets = Offsets_;
  using Totals  = Totals_;
  using Inner   = InOrder<Op, reversed>;

  From from;
  Rows<Offsets> rows;
  Inner inner;
  Totals totals;
  Start start;
  Empty of_empty;

  /// In the order of memory.
  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const { return inner.combine(left, right); }
  /// What no row has, or an empty one.
  KOKKOSSCAN_FUNCTION Value nothing() const { return *value_of_start<Value>(of_empty); }

  KOKKOSSCAN_FUNCTION void put_empty(std::size_t row) const { put_stored(row, nothing()); }
  KOKKOSSCAN_FUNCTION void put_total(std::size_t row, Value const& items) const {
    if constexpr (std::is_same_v<Start, NoInit>)
      put_stored(row, items);
    else
      put_stored(row, static_cast<Value>(inner.op(*value_of_start<Value>(start), items)));
  }

 private:
  KOKKOSSCAN_FUNCTION void put_stored(std::size_t row, Value const& value) const {
    core::put(totals[row], static_cast<ElementOf<Totals>>(value));
  }
};

template <class Value, bool reversed, class From, class Offsets, class Op, class Totals, class Start, class Empty>
auto row_reduction(From const& from, Rows<Offsets> const& rows, Op const& op, Totals const& totals, Start const& start,
                   Empty const& of_empty) {
  using Reduction = RowReduction<Value, From, Offsets, Op, reversed, Totals, Start, Empty>;
  return Reduction{from, rows, typename Reduction::Inner{op}, totals, start, of_empty};
}

/// What a share leaves. Its last items, those of the row that goes on behind it, begin a run unless that row began
/// before the share; where there are none, nothing begins one. Of the row that began before, if it ends in the share,
/// there may be items in it.
template <class Value>
struct RowEnds {
  Keyed<Value> last;
  Maybe<Value> first;
  bool ends;
  std::size_t row;  // that ends, and began before
};

template <class Value>
struct FromRowEnds {
  RowEnds<Value> const* ends;

  KOKKOSSCAN_FUNCTION Keyed<Value> load(std::size_t share) const { return ends[share].last; }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { ends += count; }
};

/// What stands before a share is what those before it have of the row that ends in it.
template <class Reduction>
struct ToRowEnds {
  using Value = typename Reduction::Value;

  static constexpr Uses uses = {.before = true, .own = false, .through = false};

  Reduction reduction;
  RowEnds<Value> const* ends;

  KOKKOSSCAN_FUNCTION void store(std::size_t share, Keyed<Value> const& before, Keyed<Value> const&,
                                 Keyed<Value> const&) const {
    RowEnds<Value> const& here = ends[share];
    if (!here.ends) return;
    Value const items = here.first ? reduction.combine(before.value(), *here.first) : before.value();
    reduction.put_total(here.row, items);
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { ends += count; }
};

/// The scan of what so many shares have left.
template <class Reduction>
auto scan_of_row_ends(Reduction const& reduction, RowEnds<typename Reduction::Value>* ends, std::size_t shares) {
  using Value  = typename Reduction::Value;
  using Within = WithinRuns<Value, typename Reduction::Inner>;
  return Problem<Keyed<Value>, FromRowEnds<Value>, Within, ToRowEnds<Reduction>>{
      {ends}, {reduction, ends}, shares, {reduction.inner}, {}, nullptr};
}

}  // namespace KokkosScan::core
