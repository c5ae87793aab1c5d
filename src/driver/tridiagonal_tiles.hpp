// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

#include "../core/tridiagonal.hpp"

// Tridiagonal systems by teams of threads: each has a tile of rows in its scratch, which is folded into one segment, or
// solved when the last unknowns of all tiles are known. A thread folds a few neighbouring rows, some threads a few
// neighbouring segments, and so on up; on the way down the same again, now with unknowns that are known at both ends.
// Rows come in the order of memory and are gone through in theirs. Each array is read twice, but by tiles that have
// nothing before and behind them, which are folded and solved at once.
namespace KokkosScan::driver::tridiagonal {

using namespace core::tridiagonal;

/// How many rows a tile has: with all that is made of them they take less than the 40 KiB that Kokkos lends a team of
/// CUDA or HIP. An odd number for each thread, so that those of neighbouring threads lie in different banks.
template <class T>
struct TileShape {
  static constexpr unsigned threads    = sizeof(T) <= 8 ? 128 : 64;
  static constexpr unsigned per_thread = 7;
  static constexpr unsigned rows       = threads * per_thread;
  static constexpr unsigned fan        = 8;  // segments that one thread folds
  static constexpr unsigned segments   = threads + threads / fan + (threads > fan * fan ? 2 : 0) + 1;

  static constexpr std::size_t bytes = rows * sizeof(Row<T>) + segments * (sizeof(Segment<T>) + sizeof(T));
  static constexpr std::size_t lent  = bytes + 64;  // for alignment
  static_assert(lent <= 40 * 1024);
};

/// A row in a tile: where it is there, and where it comes from.
struct InTile {
  unsigned index;
  std::size_t line, i;
};

/// Tiles of whole lines, as many to each as it takes. They are read along the lines, or across: then a line has one
/// more row in the tile if that makes it odd, for the sake of banks. What is no row of a line says that its unknown is
/// 0.
template <class T_>
class TilesOfLines {
 public:
  using T = T_;

  TilesOfLines(Systems<T> const& systems, bool across)
      : systems_(systems),
        across_(across),
        line_rows_(static_cast<unsigned>(systems.shape.length) | static_cast<unsigned>(across ? 1 : 0)),
        lines_(TileShape<T>::rows / line_rows_),
        divisor_(across ? lines_ : line_rows_),
        inverse_(((1U << shift) + divisor_ - 1) / divisor_) {}

  static bool serves(Systems<T> const& systems, bool across) {
    return (systems.shape.length | static_cast<std::size_t>(across ? 1 : 0)) <= TileShape<T>::rows;
  }
  std::size_t lines() const { return lines_; }
  std::size_t tiles() const { return parts(systems_.shape.count(), lines_); }

  KOKKOS_FUNCTION unsigned rows(std::size_t) const { return lines_ * line_rows_; }
  KOKKOS_FUNCTION InTile at(std::size_t tile, unsigned e) const {
    unsigned const quotient = e * inverse_ >> shift, rest = e - quotient * divisor_;
    unsigned const line = across_ ? rest : quotient, i = across_ ? quotient : rest;
    return {line * line_rows_ + i, tile * lines_ + line, i};
  }
  KOKKOS_FUNCTION Row<T> row(InTile const& at) const {
    return is_row(at) ? systems_.row(systems_.place(at.line), at.i) : no_row<T>();
  }
  KOKKOS_FUNCTION void store(InTile const& at, T const& x) const {
    if (is_row(at)) systems_.store(systems_.place(at.line), at.i, x);
  }

 private:
  // Of numbers below 2^10, by others below it, products with the inverse are exact quotients.
  static constexpr unsigned shift = 20;
  static_assert(TileShape<T>::rows < 1U << 10);

  KOKKOS_FUNCTION bool is_row(InTile const& at) const {
    return at.i < systems_.shape.length && at.line < systems_.shape.count();
  }

  Systems<T> systems_;
  bool across_;
  unsigned line_rows_, lines_, divisor_, inverse_;
};

/// Of so many rows in all.
template <class T>
KOKKOS_FUNCTION unsigned rows_of_tile(std::size_t all, std::size_t tile) {
  std::size_t const left = all - tile * TileShape<T>::rows;
  return left < TileShape<T>::rows ? static_cast<unsigned>(left) : TileShape<T>::rows;
}

/// Tiles of all lines, one behind the other: none is shorter than a tile.
template <class T_>
struct TilesOfSystems {
  using T = T_;

  Systems<T> systems;

  std::size_t tiles() const { return parts(systems.rows(), TileShape<T>::rows); }

  KOKKOS_FUNCTION unsigned rows(std::size_t tile) const { return rows_of_tile<T>(systems.rows(), tile); }
  KOKKOS_FUNCTION InTile at(std::size_t tile, unsigned e) const {
    std::size_t const begin = tile * TileShape<T>::rows, length = systems.shape.length;
    std::size_t const line = systems.shape.count() == 1 ? 0 : begin / length, i = begin - line * length + e;
    return i < length ? InTile{e, line, i} : InTile{e, line + 1, i - length};
  }
  KOKKOS_FUNCTION Row<T> row(InTile const& at) const { return systems.row(systems.place(at.line), at.i); }
  KOKKOS_FUNCTION void store(InTile const& at, T const& x) const { systems.store(systems.place(at.line), at.i, x); }
};

/// Tiles of the rows that stand for segments.
template <class T_>
struct TilesOfSegments {
  using T = T_;

  SystemOfSegments<T> all;

  std::size_t tiles() const { return parts(all.count(), TileShape<T>::rows); }

  KOKKOS_FUNCTION unsigned rows(std::size_t tile) const { return rows_of_tile<T>(all.count(), tile); }
  KOKKOS_FUNCTION InTile at(std::size_t tile, unsigned e) const { return {e, 0, tile * TileShape<T>::rows + e}; }
  KOKKOS_FUNCTION Row<T> row(InTile const& at) const { return all.row(at.i); }
  KOKKOS_FUNCTION void store(InTile const& at, T const& x) const { all.store(at.i, x); }
};

/// A tile in the scratch of its team.
template <class Tiles, class Member>
class Tile {
  using T     = typename Tiles::T;
  using Shape = TileShape<T>;

 public:
  KOKKOS_FUNCTION Tile(Tiles const& tiles, std::size_t tile, Member const& member, int level)
      : tiles_(tiles),
        member_(member),
        tile_(tile),
        count_(tiles.rows(tile)),
        rank_(static_cast<unsigned>(member.team_rank())),
        threads_(static_cast<unsigned>(member.team_size())) {
    std::size_t const bytes = Shape::bytes;  // it is taken by reference
    auto* const memory      = static_cast<T*>(member.team_scratch(level).get_shmem_aligned(bytes, 32));
    lower_                  = memory;
    diagonal_               = lower_ + Shape::rows;
    upper_                  = diagonal_ + Shape::rows;
    right_                  = upper_ + Shape::rows;
    known_                  = right_ + Shape::rows;
    segments_               = reinterpret_cast<Segment<T>*>(known_ + Shape::segments);
  }

  /// Brings the rows. Some are asked for at once, and then put where they belong.
  KOKKOS_FUNCTION void load() {
    constexpr unsigned at_once = 4;
    for (unsigned e = rank_; e < count_; e += at_once * threads_) {
      Row<T> rows[at_once];
      unsigned index[at_once];
      for (unsigned k = 0; k < at_once; ++k)
        if (e + k * threads_ < count_) {
          InTile const at = tiles_.at(tile_, e + k * threads_);
          index[k]        = at.index;
          rows[k]         = tiles_.row(at);
        }
      for (unsigned k = 0; k < at_once; ++k)
        if (e + k * threads_ < count_) put(index[k], rows[k]);
    }
    member_.team_barrier();
  }

  /// Makes segments of all, up to one, which it returns.
  KOKKOS_FUNCTION Segment<T> const& fold() {
    unsigned const pieces = piece(count_);
    for (unsigned t = rank_; t < pieces; t += threads_) {
      unsigned const begin = t * Shape::per_thread, end = smaller(begin + Shape::per_thread, count_);
      Segment<T> folded = segment_of(get(begin));
      for (unsigned i = begin + 1; i < end; ++i) append(folded, get(i));
      segments_[t] = folded;
    }
    member_.team_barrier();
    levels_       = 0;
    unsigned here = 0;
    for (unsigned count = pieces; count > 1; count = group(count), ++levels_) {
      unsigned const up = above(here);
      for (unsigned t = rank_; t < group(count); t += threads_) {
        unsigned const begin = t * Shape::fan, end = smaller(begin + Shape::fan, count);
        Segment<T> folded = segments_[here + begin];
        for (unsigned k = begin + 1; k < end; ++k) append(folded, segments_[here + k]);
        segments_[up + t] = folded;
      }
      here = up;
      member_.team_barrier();
    }
    return segments_[here];
  }

  /// When all is folded: finds the unknowns, between the one before the tile and its last one, and stores them.
  KOKKOS_FUNCTION void solve(T const& before, T const& last) {
    unsigned const top = begin_of(levels_);
    if (rank_ == 0) known_[top] = last;
    member_.team_barrier();
    for (unsigned level = levels_; level-- > 0;) {
      unsigned const count = size_of(level);
      for (unsigned t = rank_; t < group(count); t += threads_)
        solve_segments(begin_of(level), t * Shape::fan, smaller(t * Shape::fan + Shape::fan, count),
                       known_before(begin_of(level + 1), t, before), known_[begin_of(level + 1) + t]);
      member_.team_barrier();
    }
    for (unsigned t = rank_; t < piece(count_); t += threads_)
      solve_rows(t * Shape::per_thread, smaller(t * Shape::per_thread + Shape::per_thread, count_),
                 known_before(0, t, before), known_[t]);
    member_.team_barrier();
    for (unsigned e = rank_; e < count_; e += threads_) {
      InTile const at = tiles_.at(tile_, e);
      tiles_.store(at, right_[at.index]);
    }
  }

 private:
  KOKKOS_FUNCTION static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }
  KOKKOS_FUNCTION static unsigned piece(unsigned count) { return (count + Shape::per_thread - 1) / Shape::per_thread; }
  KOKKOS_FUNCTION static unsigned group(unsigned count) { return (count + Shape::fan - 1) / Shape::fan; }
  /// Where the segments of each level begin.
  KOKKOS_FUNCTION static unsigned begin_of(unsigned level) {
    unsigned begin = 0;
    for (unsigned k = 0; k < level; ++k) begin = above(begin);
    return begin;
  }
  KOKKOS_FUNCTION static unsigned above(unsigned begin) {
    return begin == 0 ? Shape::threads
                      : (begin == Shape::threads ? Shape::threads + Shape::threads / Shape::fan : Shape::segments - 1);
  }
  KOKKOS_FUNCTION unsigned size_of(unsigned level) const {
    unsigned count = piece(count_);
    for (unsigned k = 0; k < level; ++k) count = group(count);
    return count;
  }
  KOKKOS_FUNCTION T known_before(unsigned begin, unsigned t, T const& before_tile) const {
    return t > 0 ? known_[begin + t - 1] : before_tile;
  }

  KOKKOS_FUNCTION Row<T> get(unsigned i) const { return {lower_[i], diagonal_[i], upper_[i], right_[i]}; }
  KOKKOS_FUNCTION void put(unsigned i, Row<T> const& row) {
    lower_[i]    = row.lower;
    diagonal_[i] = row.diagonal;
    upper_[i]    = row.upper;
    right_[i]    = row.right;
  }

  KOKKOS_FUNCTION void solve_segments(unsigned level, unsigned begin, unsigned end, T const& before, T x) {
    Segment<T>* const all = segments_ + level;
    T* const known        = known_ + level;
    Eliminated<T> done{T(0), T(0)};
    for (unsigned k = begin; k + 1 < end; ++k) {
      Row<T> const row  = row_before(all[k].last, all[k + 1]);
      done              = eliminate(k == begin ? behind_known(row, before) : without_lower(row, done));
      all[k].last.upper = done.upper;
      all[k].last.right = done.right;
    }
    known[end - 1] = x;
    for (unsigned k = end - 1; k-- > begin;)
      known[k] = x = solved(Eliminated<T>{all[k].last.upper, all[k].last.right}, x);
  }
  KOKKOS_FUNCTION void solve_rows(unsigned begin, unsigned end, T const& before, T x) {
    Eliminated<T> done{T(0), T(0)};
    for (unsigned i = begin; i + 1 < end; ++i) {
      done      = eliminate(i == begin ? behind_known(get(i), before) : without_lower(get(i), done));
      upper_[i] = done.upper;
      right_[i] = done.right;
    }
    right_[end - 1] = x;
    for (unsigned i = end - 1; i-- > begin;) right_[i] = x = solved(Eliminated<T>{upper_[i], right_[i]}, x);
  }

  Tiles const& tiles_;
  Member const& member_;
  std::size_t tile_;
  unsigned count_, rank_, threads_, levels_ = 0;
  T *lower_, *diagonal_, *upper_, *right_, *known_;
  Segment<T>* segments_;
};

/// A segment of each tile.
template <class Tiles>
struct FoldTiles {
  using T = typename Tiles::T;

  Tiles tiles;
  Segment<T>* segments;
  int scratch_level;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const index = static_cast<std::size_t>(member.league_rank());
    Tile<Tiles, Member> tile(tiles, index, member, scratch_level);
    tile.load();
    Segment<T> const& folded = tile.fold();
    if (member.team_rank() == 0) segments[index] = folded;
  }
};

/// The unknowns of each tile, of which the last one is known; or, where there are no such ends, has nothing behind it.
/// The tiles that were folded last come first: they may be near still.
template <class Tiles>
struct SolveTiles {
  using T = typename Tiles::T;

  Tiles tiles;
  T const* ends;
  int scratch_level;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const index = static_cast<std::size_t>(member.league_size() - 1 - member.league_rank());
    Tile<Tiles, Member> tile(tiles, index, member, scratch_level);
    tile.load();
    Segment<T> const& folded = tile.fold();
    T const last             = ends ? ends[index] : eliminate(folded.last).right;
    tile.solve(ends && index > 0 ? ends[index - 1] : T(0), last);
  }
};

}  // namespace KokkosScan::driver::tridiagonal
