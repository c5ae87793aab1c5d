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

  __device__ void go_to(TileOf<LineScan> const& tile) {
    tile_           = tile;
    n_              = own_.has(0) ? rows_of_group<rows>(tile.rows, place_.group) : 0;
    bool const back = moves_ == Moves::flat && scan_.from.step < 0;
    step_           = back ? -pitch() : pitch();
    int const first = back ? tile.rows - 1 - place_.group * rows : place_.group * rows;
    shift_          = moves_ == Moves::flat ? into_vector(lowest(tile_.from, scan_.from.step)) : 0;
    first_          = shift_ + first * pitch() + place_.lane * columns;
  }
  __device__ void load() const {
    if (moves_ == Moves::own) {
      From const* const from = tile_.from + place_.group * rows * scan_.from.step + place_.lane * columns;
      in_batches(
          0, 1, n_, [&](int i) { return read<columns>(from + i * scan_.from.step, OwnColumns<true>{1, columns}); },
          [&](int i, auto const& elements) { put_row<From>(i, elements); });
      return;
    }
    auto const fetch = [](From const& from) {
      Uninitialized<From> element;
      element.put(from);
      return element;
    };
    auto const put = [&](int place, Uninitialized<From> const& of) { at<From>(place).store(0, of.value); };
    if (moves_ == Moves::flat) {
      From const* const from = lowest(tile_.from, scan_.from.step);
      Split const split      = split_at(from);
      in_batches(
          thread(), Size::threads, split.vectors,
          [&](int k) { return load_at_once(reinterpret_cast<Vector const*>(from + split.head) + k); },
          [&](int k, Vector const& vector) { at<Vector>(0).store(k + (split.head > 0), vector); });
      in_batches(
          thread(), Size::threads, split.rest, [&](int k) { return fetch(from[split.of_rest(k)]); },
          [&](int k, auto const& of) { put(shift_ + split.of_rest(k), of); });
    } else {
      along_rows([&](int first, int rows_on, int column) {
        From const* const from = tile_.from + column;
        in_batches(
            first, rows_on, tile_.rows, [&](int row) { return fetch(from[row * scan_.from.step]); },
            [&](int row, auto const& of) { put(row * pitch() + column, of); });
      });
    }
    __syncthreads();
  }
  __device__ int n() const { return n_; }
  __device__ auto row(int i) const {
    using Elements = Neighbours<From, columns>;
    if constexpr (are_side_by_side<From>)
      if (own_.has(columns - 1)) return at<Elements>(first_ + i * step_).load(0);
    Elements elements;
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (own_.has(v)) elements.put(v, at<From>(first_ + i * step_ + v).load(0));
    return elements;
  }
  __device__ void put(int i, Neighbours<Dest, columns> const& results) const {
    if (moves_ == Moves::own)
      write<columns>(tile_.dest + (place_.group * rows + i) * scan_.dest.step + place_.lane * columns,
                     OwnColumns<true>{1, columns}, results);
    else
      put_row<Dest>(i, results);
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
        for (int row = first; row < tile_.rows; row += rows_on)
          put(tile_.dest + row * scan_.dest.step + column, row * pitch() + column);
      });
    }
  }

 private:
  static constexpr int batch = 8;
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
  template <class Of>
  __device__ void put_row(int i, Neighbours<Of, columns> const& row) const {
    if constexpr (are_side_by_side<Of>)
      if (own_.has(columns - 1)) return at<Neighbours<Of, columns>>(first_ + i * step_).store(0, row);
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (own_.has(v)) at<Of>(first_ + i * step_ + v).store(0, row.get(v));
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

  /// All that begin() fetches of a batch is on its way at once.
  template <class Begin, class End>
  __device__ static void in_batches(int first, int step, int n, Begin const& begin, End const& end) {
    for (int i = first; i < n; i += batch * step) {
      std::remove_cvref_t<decltype(begin(i))> fetched[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if (i + k * step < n) fetched[k] = begin(i + k * step);
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if (i + k * step < n) end(i + k * step, fetched[k]);
    }
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
