// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../machine.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "shape.hpp"

// Where the threads of a block have their pieces of a tile of columns: some rows of some columns each. A piece has
//
//   init(byte)        called by all threads before a barrier of the block
//   begin(tile)       has its elements brought; those of the tile before may still be in use
//   end(), store()    called by all threads of the block, before the first row is read and behind the last result
//   n(), row(i, own)       how many rows it has, and the elements of one: of the columns that are named
//   put(i, own, results)   the results of a row, behind the last use of its elements
namespace KokkosScan::cuda::columns {

/// A tile: its first elements, and how many rows and columns it has.
template <class LineScan>
struct TileOf {
  std::remove_const_t<typename LineScan::From> const* from;
  typename LineScan::Dest* dest;
  int rows, columns;
};

/// Tiles of the same columns, one for each chunk of rows.
struct Strip {
  std::size_t row, column;

  __device__ Strip(Tiling const& tiling, std::uint32_t at)
      : row(at / static_cast<std::uint32_t>(tiling.strips)),
        column(std::size_t{at % static_cast<std::uint32_t>(tiling.strips)} * static_cast<std::size_t>(tiling.strip)) {}

  template <class LineScan>
  __device__ TileOf<LineScan> tile(LineScan const& scan, Tiling const& tiling, std::uint32_t chunk) const {
    std::size_t const first = std::size_t{chunk} * static_cast<std::size_t>(tiling.rows());
    auto const extent       = [](std::size_t left, int most) {
      return left < static_cast<std::size_t>(most) ? static_cast<int>(left) : most;
    };
    return {scan.from.row(scan.shape, row) + column + static_cast<std::ptrdiff_t>(first) * scan.from.step,
            scan.dest.row(scan.shape, row) + column + static_cast<std::ptrdiff_t>(first) * scan.dest.step,
            extent(scan.shape.length - first, tiling.rows()), extent(scan.shape.extents[2] - column, tiling.strip)};
  }
};

/// Whether a thread has all rows and columns that it may have.
template <class LineScan>
__device__ bool is_full_piece(Tiling const& tiling, TileOf<LineScan> const& tile, Place const& place) {
  return tile.rows == tiling.rows() && tile.columns == tiling.strip && place.group < tiling.groups;
}

/// How the elements of a tile come into shared memory, and its results out of it. Each thread moves those of its own
/// piece, as many as are neighbours at once, where addresses allow that. Else neighbouring threads move neighbouring
/// elements, whoever has them: along the rows, or where rows lie one behind the other without regard to them; these the
/// device copies at once, if it can.
enum class Moves { own, along_rows, flat, copied };

template <class T, class LineScan>
Moves moves(LineScan const& scan, bool narrow) {
  if (!narrow && (!T::packs || are_packed<T>(scan))) return Moves::own;
  auto const width     = static_cast<std::ptrdiff_t>(scan.shape.extents[2]);
  bool const are_dense = scan.from.step == scan.dest.step && (scan.from.step == width || scan.from.step == -width);
  return narrow && are_dense ? Moves::flat : Moves::along_rows;
}

/// Where the shared memory of a block has what.
template <class Piece, class Size, class Value>
struct TileShape {
  using Exchange                    = columns::Exchange<Size::threads, Piece::columns, Value>;
  static constexpr int piece_byte   = static_cast<int>(core::round_up(Exchange::bytes, 128));
  static constexpr int ticket_byte  = static_cast<int>(core::round_up(piece_byte + Piece::shared_bytes, 16));
  static constexpr int shared_bytes = ticket_byte + 16;
  static_assert(shared_bytes <= 60 * 1024);  // every device has them
};

/// The row groups that a tile of so many rows has, and the rows of one.
template <int group_rows>
__device__ int groups_of(int rows) {
  return (rows + group_rows - 1) / group_rows;
}
template <int group_rows>
__device__ int rows_of_group(int rows, int group) {
  int const rest = rows - group * group_rows;
  return rest < 0 ? 0 : rest < group_rows ? rest : group_rows;
}

template <int rows>
struct AllRows {
  __device__ constexpr operator int() const { return rows; }
};

/// Calls f(own, n) with the columns and the rows of a thread. If it has all of both, their types say so: most tiles are
/// full, and what is asked for each element of several columns takes 3 to 6 % of the time of 2^20 x 256.
template <class Piece, class Own, class F>
__device__ void with_rows(Piece const& piece, Own const& own, bool is_full, F const& f) {
  if (Piece::staged && Piece::columns > 1 && is_full)
    f(AllColumns<Own>{own.stride}, AllRows<Piece::rows>());
  else
    f(own, piece.n());
}

/// Calls f(i, n) for the rows from the second on, some at a time: all that is read of them is under way at once.
template <class Piece, class Count, class F>
__device__ void for_rows_behind_first(Count n, F const& f) {
  constexpr int at_once = Piece::at_once;
  int i                 = 1;
  if constexpr (Piece::staged)
#pragma unroll 1
    for (; i + at_once <= n; i += at_once) f(i, AllRows<at_once>());
  if (i < n) f(i, n - i);
}
/// Calls take(row) for each of them; read(i) fetches a row.
template <class Piece, class Count, class Read, class Take>
__device__ void take_rows_behind_first(Count n, Read const& read, Take const& take) {
  for_rows_behind_first<Piece>(n, [&](int first, auto count) {
    std::remove_cvref_t<decltype(read(0))> rows[Piece::at_once];
#pragma unroll
    for (int k = 0; k < Piece::at_once; ++k)
      if (k < count) rows[k] = read(first + k);
#pragma unroll
    for (int k = 0; k < Piece::at_once; ++k)
      if (k < count) take(first + k, rows[k]);
  });
}

/// What the rows of a piece combine to.
template <class Piece, class LineScan, class Own>
__device__ auto aggregate_of(Piece const& piece, LineScan const& scan, Own const& own, bool is_full) {
  using Value = typename LineScan::Value;
  Neighbours<Value, Piece::columns> aggregate;
  with_rows(piece, own, is_full, [&](auto const& columns, auto n) {
    auto const read = [&](int i) { return piece.row(i, columns); };
    auto const take = [&](auto const& row, auto const& put) {
#pragma unroll
      for (int v = 0; v < Piece::columns; ++v)
        if (columns.has(v)) put(v, scan.make(row.get(v)));
    };
    if (n > 0) take(read(0), [&](int v, Value const& value) { aggregate.put(v, value); });
    take_rows_behind_first<Piece>(n, read, [&](int, auto const& row) {
      take(row, [&](int v, Value const& value) { aggregate.put(v, scan.combine(aggregate.get(v), value)); });
    });
  });
  return aggregate;
}

/// The results of a piece. `any`: whether `running` holds what comes before it.
template <class Piece, class LineScan, class Own>
__device__ void put_results(Piece& piece, LineScan const& scan, Own const& own, bool is_full, bool any,
                            Neighbours<typename LineScan::Value, Piece::columns>& running) {
  with_rows(piece, own, is_full, [&](auto const& columns, auto n) {
    auto const read = [&](int i) { return piece.row(i, columns); };
    auto const take = [&](int i, auto const& row, bool any_before) {
      piece.put(i, columns, scan_row<Piece::columns>(scan, columns, any_before, running, [&](int v) {
                  return scan.make(row.get(v));
                }));
    };
    if (n > 0) take(0, read(0), any);
    take_rows_behind_first<Piece>(n, read, [&](int i, auto const& row) { take(i, row, true); });
  });
}

/// In registers, where the elements of a thread are moved at once.
template <class LineScan, class Size>
class InRegisters {
  using T = Types<LineScan>;

 public:
  static constexpr int columns = T::columns, rows = T::rows_of(Size::bytes);
  static constexpr bool is_packed = can_be_packed<typename T::From, columns>;
  static constexpr bool staged    = false;  // what is in registers has names there
  static constexpr int at_once    = rows > 1 ? rows - 1 : 1;

  using Own                         = OwnColumns<true>;
  static constexpr int shared_bytes = 0;

  __device__ static void init(int) {}
  __device__ InRegisters(LineScan const& scan, Place const& place, Own const& own, int, Moves)
      : scan_(scan), place_(place), own_(own) {}

  __device__ void begin(TileOf<LineScan> const& tile) {
    n_    = own_.has(0) ? rows_of_group<rows>(tile.rows, place_.group) : 0;
    from_ = tile.from + place_.group * rows * scan_.from.step + place_.lane * columns;
    dest_ = tile.dest + place_.group * rows * scan_.dest.step + place_.lane * columns;
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if (i < n_) row_[i] = read<columns>(from_ + i * scan_.from.step, own_);
  }
  __device__ void end() const {}
  __device__ int n() const { return n_; }
  template <class Columns>
  __device__ auto const& row(int i, Columns const&) const {
    return row_[i];
  }
  template <class Columns>
  __device__ void put(int i, Columns const& own, Neighbours<typename T::Dest, columns> const& results) const {
    write<columns>(dest_ + i * scan_.dest.step, own, results);
  }
  __device__ void store() const {}

 private:
  LineScan const& scan_;
  Place const& place_;
  Own const& own_;
  int n_;
  typename T::From const* from_;
  typename T::Dest* dest_;
  Neighbours<typename T::From, columns> row_[rows];
};

}  // namespace KokkosScan::cuda::columns
