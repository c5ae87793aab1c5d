// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../machine.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "shape.hpp"

// Where the threads of a block have their pieces of a tile of columns: some rows of some columns each. A piece has
//
//   load(), store()   called by all threads of the block, before the first value and behind the last result
//   value(i, v)       in its row i the element of its column v
//   put(i, results)   the results of a row, behind the last use of its values
namespace KokkosScan::cuda::columns {

/// A tile: its first elements, and how many rows and columns it has.
template <class LineScan>
struct TileOf {
  std::remove_const_t<typename LineScan::From> const* from;
  typename LineScan::Dest* dest;
  int rows, columns;
};

/// In registers, moved at once (packed) or one by one.
template <class LineScan, class Numbers, bool packed>
class InRegisters {
  using T = Types<LineScan, Numbers>;

 public:
  static constexpr int columns = T::columns, rows = T::tile_rows;
  // More columns take more registers.
  static constexpr int blocks_per_sm = columns <= 4 ? Numbers::tile_blocks_per_sm : 2;
  static constexpr int shared_bytes  = 0;

  using Own = OwnColumns<packed>;

  __device__ InRegisters(LineScan const& scan, TileOf<LineScan> const& tile, Place const& place, Own const& own, int n,
                         int)
      : scan_(scan),
        own_(own),
        n_(n),
        from_(tile.from + place.group * rows * scan.from.step + first(place)),
        dest_(tile.dest + place.group * rows * scan.dest.step + first(place)) {}

  /// Of the columns of a thread.
  __device__ static int first(Place const& place) { return packed ? place.lane * columns : place.lane; }

  __device__ void load() {
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if (i < n_) row_[i] = read<columns>(from_ + i * scan_.from.step, own_);
  }
  __device__ auto value(int i, int v) const { return scan_.make(row_[i].get(v)); }
  __device__ void put(int i, Neighbours<typename T::Dest, columns> const& results) const {
    write<columns>(dest_ + i * scan_.dest.step, own_, results);
  }
  __device__ void store() const {}

 private:
  LineScan const& scan_;
  Own own_;
  int n_;
  typename T::From const* from_;
  typename T::Dest* dest_;
  Neighbours<typename T::From, columns> row_[rows];
};

/// In shared memory, for narrow rows, of a column each: global memory is read and written along the rows, element by
/// element by neighbouring threads. A place holds an element, and then its result.
template <class LineScan, class Numbers>
class Staged {
  using T = Types<LineScan, Numbers>;
  struct alignas(alignof(typename T::From) > alignof(typename T::Dest) ? alignof(typename T::From)
                                                                       : alignof(typename T::Dest)) Element {
    unsigned char bytes[sizeof(typename T::From) > sizeof(typename T::Dest) ? sizeof(typename T::From)
                                                                            : sizeof(typename T::Dest)];
  };

 public:
  static constexpr int columns = 1, rows = T::staged_rows, blocks_per_sm = Numbers::tile_blocks_per_sm;
  static constexpr int shared_bytes = Numbers::tile_threads * rows * static_cast<int>(sizeof(Element));

  using Own = OwnColumns<false>;

  __device__ Staged(LineScan const& scan, TileOf<LineScan> const& tile, Place const& place, Own const&, int,
                    int first_byte)
      : scan_(scan),
        tile_(tile),
        elements_(shared_memory<Element>(first_byte)),
        first_(place.group * rows * tile.columns + place.lane) {}

  __device__ static int first(Place const& place) { return place.lane; }

  __device__ void load() const {
    for_each(
        [&](std::ptrdiff_t row, int column) {
          Uninitialized<typename T::From> element;
          element.put(tile_.from[row * scan_.from.step + column]);
          return element;
        },
        [&](int e, std::ptrdiff_t, int, Uninitialized<typename T::From> const& element) {
          place<typename T::From>(e).store(0, element.value);
        });
    __syncthreads();
  }
  __device__ auto value(int i, int) const {
    return scan_.make(place<typename T::From>(first_ + i * tile_.columns).load(0));
  }
  __device__ void put(int i, Neighbours<typename T::Dest, 1> const& results) const {
    place<typename T::Dest>(first_ + i * tile_.columns).store(0, results.get(0));
  }
  __device__ void store() const {
    __syncthreads();
    for_each([](std::ptrdiff_t, int) { return 0; },
             [&](int e, std::ptrdiff_t row, int column, int) {
               ::new (static_cast<void*>(tile_.dest + row * scan_.dest.step + column))
                   typename T::Dest(place<typename T::Dest>(e).load(0));
             });
  }

 private:
  template <class Of>
  __device__ Shared<Of> place(int e) const {
    return elements_.template from<Of>(e);
  }
  /// For elements of the tile, in the order of rows: all that begin() fetches of several is on its way at once.
  template <class Begin, class End>
  __device__ void for_each(Begin const& begin, End const& end) const {
    constexpr int at_once = 8, threads = Numbers::tile_threads;
    int const n = tile_.rows * tile_.columns, rows_on = threads / tile_.columns, columns_on = threads % tile_.columns;
    int e = static_cast<int>(threadIdx.x), row = e / tile_.columns, column = e % tile_.columns;
    while (e < n) {
      std::remove_cvref_t<decltype(begin(std::ptrdiff_t{}, int{}))> fetched[at_once];
      int at_row[at_once], at_column[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        at_row[k]    = row;
        at_column[k] = column;
        if (e + k * threads < n) fetched[k] = begin(row, column);
        row += rows_on;
        column += columns_on;
        if (column >= tile_.columns) {
          column -= tile_.columns;
          ++row;
        }
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        if (e + k * threads < n) end(e + k * threads, at_row[k], at_column[k], fetched[k]);
      e += at_once * threads;
    }
  }

  LineScan const& scan_;
  TileOf<LineScan> const& tile_;
  Shared<Element> elements_;
  int first_;
};

}  // namespace KokkosScan::cuda::columns
