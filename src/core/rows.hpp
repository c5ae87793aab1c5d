// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "arrays.hpp"
#include "length.hpp"

// Ragged rows: row r has the items from offsets(r) up to offsets(r + 1). Work on them is divided along one order of
// items and rows: the items of a row, and behind them its end (the merge path of offsets and items: Green, McColl and
// Bader 2012; of the rows of matrices: Merrill and Garland 2016). The end of row r stands at r + offsets(r + 1) -
// offsets(0), which grows with every row, be it empty or not. So a binary search finds the row of any position, and
// shares of as many positions are shares of as much work: neither one long row nor millions of empty ones make somebody
// work alone.
namespace KokkosScan::core {

/// The order of so many rows and their items, as whoever works has read it.
template <class Offsets>
struct RowOrder {
  Offsets offsets;
  std::size_t rows;
  std::size_t first, last;  // of the items

  KOKKOSSCAN_FUNCTION std::size_t size() const { return rows + (last - first); }
  /// Behind the last item of a row. Of offsets that descend or leave the items it is one of these all the same.
  KOKKOSSCAN_FUNCTION std::size_t end_of(std::size_t row) const {
    std::size_t const end = clamped(offsets[row + 1], last);
    return end > first ? end : first;
  }
  /// Where in the order a row ends.
  KOKKOSSCAN_FUNCTION std::size_t place_of_end(std::size_t row) const { return row + (end_of(row) - first); }
  /// The rows among which that of a position is.
  KOKKOSSCAN_FUNCTION std::size_t least_row(std::size_t position) const {
    std::size_t const items = last - first;
    return position > items ? position - items : 0;
  }
  KOKKOSSCAN_FUNCTION std::size_t most_row(std::size_t position) const { return position < rows ? position : rows; }
  /// The first row that does not end before a position.
  KOKKOSSCAN_FUNCTION std::size_t row_at(std::size_t position) const {
    std::size_t row = least_row(position), behind = most_row(position);
    while (row < behind) {
      std::size_t const middle = row + (behind - row) / 2;
      if (place_of_end(middle) < position)
        row = middle + 1;
      else
        behind = middle;
    }
    return row;
  }
};

/// Rows whose offsets stand in memory: one more than there are rows. Their items are those from the first offset up to
/// the last, or up to as many as there may be.
template <class Offsets>
struct Rows {
  Offsets offsets;
  std::size_t rows;
  std::size_t most = static_cast<std::size_t>(-1) / 4;

  KOKKOSSCAN_FUNCTION RowOrder<Offsets> in_order() const {
    std::size_t const last = clamped(offsets[rows], most);
    return {offsets, rows, clamped(offsets[0], last), last};
  }
};

/// Leaves the row of each item.
template <class Array>
struct PutOwner {
  using Stored = ElementOf<Array>;

  Array owner;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t row, std::size_t item) const {
    put(owner[item], static_cast<Stored>(row));
  }
};

}  // namespace KokkosScan::core
