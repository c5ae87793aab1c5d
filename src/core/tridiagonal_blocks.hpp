// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "memory.hpp"
#include "tridiagonal.hpp"

// Tridiagonal systems on hosts: blocks of rows, each folded into a segment from its first row to its last; the system
// of their last unknowns, which is folded in the same way until few are left for one thread; then each block by itself.
// Blocks are the same whoever solves them, and so are bits. A division waits for the one of the row before: several
// blocks, or lines, are gone through in step, so that one division waits beside the others.
namespace KokkosScan::core::tridiagonal {

inline constexpr std::size_t block_rows     = 64;
inline constexpr std::size_t rows_of_one    = 1024;  // that one thread solves from end to end
inline constexpr std::size_t blocks_in_step = 8;
inline constexpr std::size_t lines_in_step  = 8;    // neighbours share a line of the cache
inline constexpr std::size_t short_line     = 512;  // up to there what is kept of lines in step is on the stack

/// How many rows the systems of segments have, one made of the other.
struct Levels {
  std::array<std::size_t, 24> counts{};
  std::size_t size = 0;

  /// Of blocks of so many rows, down to a system of at most so many.
  static Levels of(std::size_t n, std::size_t block, std::size_t most) {
    Levels levels;
    while (n > most) levels.counts[levels.size++] = n = parts(n, block);
    return levels;
  }
  std::size_t all() const {
    std::size_t sum = 0;
    for (std::size_t const count : counts) sum += count;
    return sum;
  }
};

/// Rows of several blocks, or what they become, and their segments: the k-th of each side by side, so that one
/// instruction does the same for several.
template <class T, std::size_t in_step>
struct RowsInStep {
  T lower[in_step], diagonal[in_step], upper[in_step], right[in_step];

  Row<T> get(std::size_t k) const { return {lower[k], diagonal[k], upper[k], right[k]}; }
  void put(std::size_t k, Row<T> const& row) {
    lower[k]    = row.lower;
    diagonal[k] = row.diagonal;
    upper[k]    = row.upper;
    right[k]    = row.right;
  }
};
template <class T, std::size_t in_step>
struct SegmentsInStep {
  RowsInStep<T, in_step> last;
  T before[in_step], end[in_step], right[in_step];

  Segment<T> get(std::size_t k) const { return {last.get(k), before[k], end[k], right[k]}; }
  void put(std::size_t k, Segment<T> const& segment) {
    last.put(k, segment.last);
    before[k] = segment.before;
    end[k]    = segment.end;
    right[k]  = segment.right;
  }
};

/// Blocks of the rows of one system, by groups of neighbours; the last group may have fewer.
template <class Rows>
struct Blocks {
  using T = typename Rows::T;

  Rows rows;
  Segment<T>* segments;  // one of each block
  T const* ends;         // the last unknown of each block, when it is known

  std::size_t groups() const { return parts(rows.count(), block_rows * blocks_in_step); }

  void fold(std::size_t group) const {
    for_each_block(group, [&]<std::size_t in_step>(Number<in_step>, std::size_t block, std::size_t length) {
      fold_blocks<in_step>(block, length);
    });
  }
  void solve(std::size_t group) const {
    for_each_block(group, [&]<std::size_t in_step>(Number<in_step>, std::size_t block, std::size_t length) {
      solve_blocks<in_step>(block, length);
    });
  }

 private:
  template <std::size_t n>
  struct Number {};

  /// f(how many at once, the first, the length of each)
  template <class F>
  void for_each_block(std::size_t group, F const& f) const {
    std::size_t const n = rows.count(), first = group * blocks_in_step;
    if (n - first * block_rows >= blocks_in_step * block_rows) return f(Number<blocks_in_step>(), first, block_rows);
    for (std::size_t block = first; block * block_rows < n; ++block)
      f(Number<1>(), block, std::min(block_rows, n - block * block_rows));
  }

  template <std::size_t in_step>
  void fold_blocks(std::size_t block, std::size_t length) const {
    if (length == 0) return;  // none is, which compilers cannot see
    RowsInStep<T, in_step> all[block_rows];
    bring(all, block, length);
    SegmentsInStep<T, in_step> folded;
    for (std::size_t k = 0; k < in_step; ++k) folded.put(k, segment_of(all[0].get(k)));
    for (std::size_t i = 1; i < length; ++i)
      for (std::size_t k = 0; k < in_step; ++k) {
        Segment<T> segment = folded.get(k);
        append(segment, all[i].get(k));
        folded.put(k, segment);
      }
    for (std::size_t k = 0; k < in_step; ++k) segments[block + k] = folded.get(k);
  }

  template <std::size_t in_step>
  void solve_blocks(std::size_t block, std::size_t length) const {
    if (length == 0) return;  // none is, which compilers cannot see
    RowsInStep<T, in_step> all[block_rows];
    bring(all, block, length);
    T upper[in_step] = {}, right[in_step] = {};
    for (std::size_t k = 0; k < in_step; ++k)
      all[0].put(k, behind_known(all[0].get(k), block + k > 0 ? ends[block + k - 1] : T(0)));
    for (std::size_t k = 0; k < in_step; ++k) all[0].lower[k] = T(0);
    for (std::size_t i = 0; i + 1 < length; ++i)
      for (std::size_t k = 0; k < in_step; ++k) {
        Eliminated<T> const done = eliminate(without_lower(all[i].get(k), Eliminated<T>{upper[k], right[k]}));
        all[i].upper[k] = upper[k] = done.upper;
        all[i].right[k] = right[k] = done.right;
      }
    for (std::size_t k = 0; k < in_step; ++k) all[length - 1].right[k] = right[k] = ends[block + k];
    for (std::size_t i = length - 1; i-- > 0;)
      for (std::size_t k = 0; k < in_step; ++k)
        all[i].right[k] = right[k] = solved(Eliminated<T>{all[i].upper[k], all[i].right[k]}, right[k]);
    for (std::size_t k = 0; k < in_step; ++k)
      for (std::size_t i = 0; i < length; ++i) rows.store((block + k) * block_rows + i, all[i].right[k]);
  }

  /// In the order of memory.
  template <std::size_t in_step>
  void bring(RowsInStep<T, in_step>* all, std::size_t block, std::size_t length) const {
    for (std::size_t k = 0; k < in_step; ++k)
      for (std::size_t i = 0; i < length; ++i) all[i].put(k, rows.row((block + k) * block_rows + i));
  }
};

/// A system of at most rows_of_one rows, from end to end.
template <class Rows>
void solve_alone(Rows const& rows) {
  using T             = typename Rows::T;
  std::size_t const n = rows.count();
  if (n == 0) return;  // it is not, which compilers cannot see
  Eliminated<T> kept[rows_of_one];
  for (std::size_t i = 0; i < n; ++i)
    kept[i] = eliminate(i == 0 ? rows.row(0) : without_lower(rows.row(i), kept[i - 1]));
  T x = kept[n - 1].right;
  rows.store(n - 1, x);
  for (std::size_t i = n - 1; i-- > 0;) rows.store(i, x = solved(kept[i], x));
}

/// Lines, by groups of neighbours; the last group may have fewer. Right sides are kept where the unknowns will be.
template <class T>
struct LinesInStep {
  Systems<T> systems;
  T* uppers;  // of long lines: room for what is kept of each row

  std::size_t groups() const { return parts(systems.shape.count(), lines_in_step); }
  static std::size_t kept(std::size_t length, std::size_t lines) {
    return length > short_line ? bytes_of(length, parts(lines, lines_in_step) * lines_in_step) : 0;
  }

  void operator()(std::size_t group) const {
    std::size_t const begin = group * lines_in_step, end = std::min(begin + lines_in_step, systems.shape.count());
    T on_stack[short_line * lines_in_step];
    T* const upper = systems.shape.length > short_line ? uppers + begin * systems.shape.length : on_stack;
    if (end - begin == lines_in_step)
      solve<lines_in_step>(begin, upper);
    else
      for (std::size_t line = begin; line < end; ++line) solve<1>(line, upper);
  }

 private:
  /// Neighbouring lines of one array.
  template <class Element, std::size_t in_step>
  struct Neighbours {
    Element* first[in_step];
    std::ptrdiff_t step;

    Neighbours(Systems<T> const& systems, Lines<Element> const& lines, std::size_t line) : step(lines.step) {
      for (std::size_t k = 0; k < in_step; ++k) first[k] = &Systems<T>::element(lines, systems.place(line + k), 0);
    }
    Element& at(std::size_t k, std::size_t i) const { return first[k][static_cast<std::ptrdiff_t>(i) * step]; }
  };

  template <std::size_t in_step>
  void solve(std::size_t line, T* kept) const {
    Neighbours<T const, in_step> const lower(systems, systems.lower, line), diagonal(systems, systems.diagonal, line),
        upper(systems, systems.upper, line), right(systems, systems.right, line);
    Neighbours<T, in_step> const x(systems, systems.x, line);
    std::size_t const n = systems.shape.length;
    Eliminated<T> done[in_step];
    for (std::size_t k = 0; k < in_step; ++k) done[k] = {T(0), T(0)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < in_step; ++k) {
        Row<T> const row{i > 0 ? lower.at(k, i) : T(0), diagonal.at(k, i), i + 1 < n ? upper.at(k, i) : T(0),
                         right.at(k, i)};
        done[k]               = eliminate(without_lower(row, done[k]));
        kept[i * in_step + k] = done[k].upper;
        x.at(k, i)            = done[k].right;
      }
    T behind[in_step];
    for (std::size_t k = 0; k < in_step; ++k) behind[k] = done[k].right;
    for (std::size_t i = n - 1; i-- > 0;)
      for (std::size_t k = 0; k < in_step; ++k)
        x.at(k, i) = behind[k] = solved(Eliminated<T>{kept[i * in_step + k], x.at(k, i)}, behind[k]);
  }
};

}  // namespace KokkosScan::core::tridiagonal
