// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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
  using Vector = Bytes<16>;

 public:
  static constexpr int columns = columns_, rows = rows_;
  static constexpr int shared_bytes = 16 + Size::threads * rows * columns * static_cast<int>(sizeof(Element));
  static constexpr bool is_packed   = false;
  static constexpr bool staged      = true;
  static constexpr int at_once      = columns > 1 ? 4 : 8;

  using Own = OwnColumns<false>;  // neighbours, some of which may be missing

  __device__ Staged(LineScan const& scan, Place const& place, Own const& own, int first_byte, Moves moves)
      : scan_(scan), place_(place), own_(own), elements_(shared_memory<Element>(first_byte)), moves_(moves) {}

  __device__ void begin(TileOf<LineScan> const& tile) {
    tile_           = tile;
    n_              = own_.has(0) ? rows_of_group<rows>(tile.rows, place_.group) : 0;
    bool const back = moves_ == Moves::flat && scan_.from.step < 0;
    step_           = back ? -pitch() : pitch();
    int const first = back ? tile.rows - 1 - place_.group * rows : place_.group * rows;
    shift_          = moves_ == Moves::flat ? into_vector(lowest(tile_.from, scan_.from.step)) : 0;
    first_          = shift_ + first * pitch() + place_.lane * columns;
    copy();
  }
  __device__ void end() const {
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
    __syncthreads();
    auto const put = [&](Dest* to, int place) { ::new (static_cast<void*>(to)) Dest(at<Dest>(place).load(0)); };
    if (moves_ == Moves::flat) {
      Dest* const dest  = lowest(tile_.dest, scan_.dest.step);
      Split const split = split_at(dest);
      for (int k = thread(); k < split.vectors; k += Size::threads)
        reinterpret_cast<Vector*>(dest + split.head)[k] = at<Vector>(0).load(k + (split.head > 0));
      for (int k = thread(); k < split.rest; k += Size::threads)
        put(dest + split.of_rest(k), shift_ + split.of_rest(k));
    } else {
      along_rows([&](int first, int rows_on, int column) {
        auto const step = rows_on * scan_.dest.step;
        Dest* dest      = tile_.dest + first * scan_.dest.step + column;
        int place       = first * pitch() + column;
        for (int row = first; row < tile_.rows; row += rows_on, dest += step, place += rows_on * pitch())
          put(dest, place);
      });
    }
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
    } else if (moves_ == Moves::flat) {
      From const* const from = lowest(tile_.from, scan_.from.step);
      Split const split      = split_at(from);
      bring(
          thread(), Size::threads, split.vectors, [&](int k) { return at<Vector>(0).from(k + (split.head > 0)); },
          [&](int k) { return reinterpret_cast<Vector const*>(from + split.head) + k; });
      bring(
          thread(), Size::threads, split.rest, [&](int k) { return at<From>(shift_ + split.of_rest(k)); },
          [&](int k) { return from + split.of_rest(k); });
    } else {
      along_rows([&](int first, int rows_on, int column) {
        bring(
            first, rows_on, tile_.rows, [&](int row) { return at<From>(row * pitch() + column); },
            [&](int row) { return tile_.from + row * scan_.from.step + column; });
      });
    }
  }
  /// Brings elements i, i + step and so on, of n: all of them are on their way at once, or where they cannot be copied
  /// so, a batch.
  template <class To, class Of>
  __device__ static void bring(int i, int step, int n, To const& to, Of const& from) {
    using T = std::remove_cvref_t<decltype(*from(0))>;
    if constexpr (can_copy_in<T>) {
#pragma unroll 4
      for (; i < n; i += step) copy_in(to(i), from(i));
    } else {
      constexpr int batch = 8;
      for (; i < n; i += batch * step) {
        Uninitialized<T> fetched[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k)
          if (i + k * step < n) fetched[k].put(*from(i + k * step));
#pragma unroll
        for (int k = 0; k < batch; ++k)
          if (i + k * step < n) to(i + k * step).store(0, fetched[k].value);
      }
    }
  }
  template <class Of>
  static constexpr bool can_be_vectors =
      sizeof(Of) == sizeof(Element) && 16 % sizeof(Of) == 0 && alignof(Of) == sizeof(Of);
  template <class Of>
  static constexpr int in_vector = 16 / static_cast<int>(sizeof(Of));
  /// Of an array of places.
  template <class Of>
  static constexpr bool are_side_by_side = sizeof(Of) == sizeof(Element) && can_be_packed<Of, columns>;

  __device__ int pitch() const { return place_.lanes * columns; }
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
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
  /// An array of the tile's elements: those before its vectors, the vectors, and how many elements are in none of them.
  struct Split {
    int head, vectors, rest, behind;  // how far the elements behind the vectors are behind those before

    __device__ int of_rest(int k) const { return k < head ? k : k + behind; }
  };
  /// Its vectors are those of places, too, if the first element is as far into one as the first place.
  template <class Of>
  __device__ Split split_at(Of const* array) const {
    int const n = tile_.rows * tile_.columns;
    if constexpr (can_be_vectors<Of>) {
      int const head = (in_vector<Of> - shift_) % in_vector<Of>;
      if (head <= n && into_vector(array) == shift_) {
        int const vectors = (n - head) / in_vector<Of>;
        return {head, vectors, n - vectors * in_vector<Of>, vectors * in_vector<Of>};
      }
    }
    return {0, 0, n, 0};
  }
  /// How many elements an address is behind that of a vector.
  template <class Of>
  __device__ static int into_vector(Of const* address) {
    if constexpr (can_be_vectors<Of>)
      return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % 16 / sizeof(Of));
    return 0;
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
  int n_, first_, step_, shift_;
};

}  // namespace KokkosScan::cuda::columns
