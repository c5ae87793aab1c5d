// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "flat.hpp"
#include "pieces.hpp"

namespace KokkosScan::cuda::columns {

/// In shared memory, row by row as they lie in global memory. A place holds an element, and then its result.
template <class LineScan, class Size, int columns_, int rows_>
class Staged {
  using T    = Types<LineScan>;
  using From = typename T::From;
  using Dest = typename T::Dest;
  struct alignas(alignof(From) > alignof(Dest) ? alignof(From) : alignof(Dest)) Element {
    unsigned char bytes[sizeof(From) > sizeof(Dest) ? sizeof(From) : sizeof(Dest)];
  };
  using Flat = columns::Flat<Element, Size::threads>;

 public:
  static constexpr int columns = columns_, rows = rows_;
  static constexpr int barrier_byte =
      static_cast<int>(core::round_up(Flat::room + Size::threads * rows * columns * sizeof(Element), 8));
  static constexpr int shared_bytes = barrier_byte + 8;
  static constexpr bool is_packed   = false;
  static constexpr bool staged      = true;
  static constexpr int at_once      = columns > 1 ? 4 : 8;

  using Own = OwnColumns<false>;  // neighbours, some of which may be missing

  /// Called by all threads before a barrier of the block.
  __device__ static void init(int first_byte) {
    if (threadIdx.x == 0) Flat::init(filled(first_byte));
  }
  __device__ Staged(LineScan const& scan, Place const& place, Own const& own, int first_byte, Moves moves)
      : scan_(scan),
        place_(place),
        own_(own),
        elements_(shared_memory<Element>(first_byte)),
        moves_(moves),
        flat_(elements_, filled(first_byte), moves == Moves::copied) {}

  __device__ void begin(TileOf<LineScan> const& tile) {
    tile_           = tile;
    n_              = own_.has(0) ? rows_of_group<rows>(tile.rows, place_.group) : 0;
    bool const back = is_flat() && scan_.from.step < 0;
    step_           = back ? -pitch() : pitch();
    int const first = back ? tile.rows - 1 - place_.group * rows : place_.group * rows;
    first_          = first * pitch() + place_.lane * columns;
    if (is_flat())
      first_ += flat_.begin(lowest(tile_.from, scan_.from.step), tile_.rows * tile_.columns);
    else
      copy();
  }
  __device__ void end() const {
    if (is_flat())
      flat_.end();
    else
      wait_until_copied_in();
    if (moves_ != Moves::own) __syncthreads();
  }
  __device__ int n() const { return n_; }
  template <class Columns>
  __device__ auto row(int i, Columns const& own) const {
    using Elements   = Neighbours<From, columns>;
    bool const whole = are_side_by_side<From> && own.has(columns - 1);
    Elements elements;
    if constexpr (are_side_by_side<From>)
      if (whole) elements = at<Elements>(first_ + i * step_).load(0);
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (!whole && own.has(v)) elements.put(v, at<From>(first_ + i * step_ + v).load(0));
    return elements;
  }
  template <class Columns>
  __device__ void put(int i, Columns const& own, Neighbours<Dest, columns> const& results) const {
    if (moves_ == Moves::own)
      write<columns>(tile_.dest + (place_.group * rows + i) * scan_.dest.step + place_.lane * columns,
                     OwnColumns<true>{1, columns}, results);
    else
      put_row<Dest>(i, own, results);
  }
  __device__ void store() const {
    if (moves_ == Moves::own) return;
    if (is_flat()) {
      flat_.end_results();
      __syncthreads();
      flat_.store(lowest(tile_.dest, scan_.dest.step), tile_.rows * tile_.columns);
      flat_.end_store();
      return;
    }
    __syncthreads();
    along_rows([&](int first, int rows_on, int column) {
      auto const step = rows_on * scan_.dest.step;
      Dest* dest      = tile_.dest + first * scan_.dest.step + column;
      int place       = first * pitch() + column;
      for (int row = first; row < tile_.rows; row += rows_on, dest += step, place += rows_on * pitch())
        ::new (static_cast<void*>(dest)) Dest(at<Dest>(place).load(0));
    });
  }

 private:
  __device__ void copy() const {
    if (moves_ == Moves::own) {
      constexpr int bytes    = columns * static_cast<int>(sizeof(From));
      From const* const from = tile_.from + place_.group * rows * scan_.from.step + place_.lane * columns;
      auto const row         = [&](int i) { return from + i * scan_.from.step; };
      if constexpr (are_side_by_side<From>) {
        using Row = Bytes<bytes>;
        bring(
            0, 1, n_, [&](int i) { return at<Row>(first_ + i * step_); },
            [&](int i) { return reinterpret_cast<Row const*>(row(i)); });
      } else {
#pragma unroll
        for (int v = 0; v < columns; ++v)
          bring(0, 1, n_, [&](int i) { return at<From>(first_ + i * step_ + v); }, [&](int i) { return row(i) + v; });
      }
    } else {
      along_rows([&](int first, int rows_on, int column) {
        bring(
            first, rows_on, tile_.rows, [&](int row) { return at<From>(row * pitch() + column); },
            [&](int row) { return tile_.from + row * scan_.from.step + column; });
      });
    }
  }
  /// Of an array of places.
  template <class Of>
  static constexpr bool are_side_by_side = sizeof(Of) == sizeof(Element) && can_be_packed<Of, columns>;

  __device__ int pitch() const { return place_.lanes * columns; }
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ bool is_flat() const { return columns == 1 && (moves_ == Moves::flat || moves_ == Moves::copied); }
  __device__ static Barrier filled(int first_byte) {
    return Barrier(shared_memory<std::uint64_t>(first_byte + barrier_byte));
  }
  template <class Of>
  __device__ Shared<Of> at(int place) const {
    return elements_.template from<Of>(place);
  }
  template <class Of, class Columns>
  __device__ void put_row(int i, Columns const& own, Neighbours<Of, columns> const& row) const {
    bool const whole = are_side_by_side<Of> && own.has(columns - 1);
    if constexpr (are_side_by_side<Of>)
      if (whole) at<Neighbours<Of, columns>>(first_ + i * step_).store(0, row);
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (!whole && own.has(v)) at<Of>(first_ + i * step_ + v).store(0, row.get(v));
  }
  template <class Of>
  __device__ Of* lowest(Of* first, std::ptrdiff_t step) const {
    return step < 0 ? first + (tile_.rows - 1) * step : first;
  }
  /// Calls f(first row, rows on, column) for each column of the tile in which the thread moves elements: neighbouring
  /// threads those of neighbouring columns.
  template <class F>
  __device__ void along_rows(F const& f) const {
    int const across = pitch() < Size::threads ? pitch() : Size::threads, rows_at_once = Size::threads / across;
    int const row = thread() / across;
    if (row < rows_at_once)
      for (int column = thread() % across; column < tile_.columns; column += across) f(row, rows_at_once, column);
  }

  LineScan const& scan_;
  Place const& place_;
  Own const& own_;
  Shared<Element> elements_;
  Moves moves_;
  TileOf<LineScan> tile_;
  Flat flat_;
  int n_, first_, step_;
};

}  // namespace KokkosScan::cuda::columns
