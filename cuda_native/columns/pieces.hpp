// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../machine.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "shape.hpp"

// Where the threads of a block have their pieces of a tile of columns: some rows of some columns each. A piece has
//
//   go_to(tile)       called before all else
//   load(), store()   called by all threads of the block, before the first row is read and behind the last result
//   n(), row(i)       how many rows it has, and the elements of one
//   put(i, results)   the results of a row, behind the last use of its elements
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

/// How the elements of a tile come into shared memory, and its results out of it. Each thread moves those of its own
/// piece, as many as are neighbours at once, where addresses allow that. Else neighbouring threads move neighbouring
/// elements, whoever has them: along the rows, or where rows lie one behind the other without regard to them.
enum class Moves { own, along_rows, flat };

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

/// What the rows of a piece combine to.
template <class Piece, class LineScan, class Own>
__device__ auto aggregate_of(Piece const& piece, LineScan const& scan, Own const& own) {
  using Value = typename LineScan::Value;
  Neighbours<Value, Piece::columns> aggregate;
  [[maybe_unused]] constexpr int at_once = Piece::at_once;  // for nvcc alone
#pragma unroll at_once
  for (int i = 0; i < (Piece::staged ? piece.n() : Piece::rows); ++i)
    if (i < piece.n()) {
      auto const row = piece.row(i);
#pragma unroll
      for (int v = 0; v < Piece::columns; ++v)
        if (own.has(v)) {
          Value const value = scan.make(row.get(v));
          aggregate.put(v, i > 0 ? scan.combine(aggregate.get(v), value) : value);
        }
    }
  return aggregate;
}

/// The results of a piece. `any`: whether `running` holds what comes before it.
template <class Piece, class LineScan, class Own>
__device__ void put_results(Piece& piece, LineScan const& scan, Own const& own, bool any,
                            Neighbours<typename LineScan::Value, Piece::columns>& running) {
  [[maybe_unused]] constexpr int at_once = Piece::at_once;
#pragma unroll at_once
  for (int i = 0; i < (Piece::staged ? piece.n() : Piece::rows); ++i)
    if (i < piece.n()) {
      auto const row = piece.row(i);
      piece.put(i, scan_row<Piece::columns>(scan, own, any, running, [&](int v) { return scan.make(row.get(v)); }));
      any = true;
    }
}

/// In registers, where the elements of a thread are moved at once.
template <class LineScan, class Size>
class InRegisters {
  using T = Types<LineScan>;

 public:
  static constexpr int columns = T::columns, rows = T::rows_of(Size::bytes);
  static constexpr int shared_bytes = 0;
  static constexpr bool is_packed   = can_be_packed<typename T::From, columns>;
  static constexpr bool staged      = false;  // what is in registers has names there
  static constexpr int at_once      = rows;

  using Own = OwnColumns<true>;

  __device__ InRegisters(LineScan const& scan, Place const& place, Own const& own, int, Moves)
      : scan_(scan), place_(place), own_(own) {}

  __device__ void go_to(TileOf<LineScan> const& tile) {
    n_    = own_.has(0) ? rows_of_group<rows>(tile.rows, place_.group) : 0;
    from_ = tile.from + place_.group * rows * scan_.from.step + place_.lane * columns;
    dest_ = tile.dest + place_.group * rows * scan_.dest.step + place_.lane * columns;
  }
  __device__ void load() {
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if (i < n_) row_[i] = read<columns>(from_ + i * scan_.from.step, own_);
  }
  __device__ int n() const { return n_; }
  __device__ auto const& row(int i) const { return row_[i]; }
  __device__ void put(int i, Neighbours<typename T::Dest, columns> const& results) const {
    write<columns>(dest_ + i * scan_.dest.step, own_, results);
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
