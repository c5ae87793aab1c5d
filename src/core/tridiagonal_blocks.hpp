// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tridiagonal.hpp"

// Tridiagonal systems on hosts: blocks of rows, each folded into a segment from its first row to its last; the system
// of their last unknowns, which is folded in the same way until few are left for one thread; then each block by itself.
// Blocks are the same whoever solves them, and so are bits. A division waits for the one of the row before: several
// blocks, or lines, are gone through in step, so that one division waits beside the others.
namespace KokkosScan::core::tridiagonal {

inline constexpr std::size_t block_rows     = 64;
inline constexpr std::size_t rows_of_one    = 1024;  // that one thread solves from end to end
inline constexpr std::size_t blocks_in_step = 4;
inline constexpr std::size_t lines_in_step  = 8;    // neighbours share a line of the cache
inline constexpr std::size_t short_line     = 512;  // up to there what is kept of lines in step is on the stack

inline constexpr std::size_t parts(std::size_t count, std::size_t size) { return count / size + (count % size != 0); }

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
    Segment<T> folded[in_step];
    for (std::size_t k = 0; k < in_step; ++k) folded[k] = segment_of(row(block + k, 0));
    for (std::size_t i = 1; i < length; ++i)
      for (std::size_t k = 0; k < in_step; ++k) append(folded[k], row(block + k, i));
    for (std::size_t k = 0; k < in_step; ++k) segments[block + k] = folded[k];
  }

  template <std::size_t in_step>
  void solve_blocks(std::size_t block, std::size_t length) const {
    Eliminated<T> kept[block_rows][in_step];
    T x[in_step] = {};
    for (std::size_t k = 0; k < in_step; ++k) {
      x[k]           = ends[block + k];
      T const before = block + k > 0 ? ends[block + k - 1] : T(0);
      kept[0][k]     = eliminate(behind_known(row(block + k, 0), before));  // of one row it is not looked at
    }
    for (std::size_t i = 1; i + 1 < length; ++i)
      for (std::size_t k = 0; k < in_step; ++k)
        kept[i][k] = eliminate(without_lower(row(block + k, i), kept[i - 1][k]));
    for (std::size_t k = 0; k < in_step; ++k) store(block + k, length - 1, x[k]);
    for (std::size_t i = length - 1; i-- > 0;)
      for (std::size_t k = 0; k < in_step; ++k) store(block + k, i, x[k] = solved(kept[i][k], x[k]));
  }

  Row<T> row(std::size_t block, std::size_t i) const { return rows.row(block * block_rows + i); }
  void store(std::size_t block, std::size_t i, T const& x) const { rows.store(block * block_rows + i, x); }
};

/// A system of at most rows_of_one rows, from end to end.
template <class Rows>
void solve_alone(Rows const& rows) {
  using T             = typename Rows::T;
  std::size_t const n = rows.count();
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
  template <std::size_t in_step>
  void solve(std::size_t first, T* upper) const {
    std::size_t const n = systems.shape.length;
    LinePlace line[in_step];
    Eliminated<T> before[in_step] = {};
    for (std::size_t k = 0; k < in_step; ++k) line[k] = systems.place(first + k);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < in_step; ++k) {
        Row<T> const row       = systems.row(line[k], i);
        before[k]              = eliminate(without_lower(row, before[k]));
        upper[i * in_step + k] = before[k].upper;
        systems.store(line[k], i, before[k].right);
      }
    T x[in_step] = {};
    for (std::size_t k = 0; k < in_step; ++k) x[k] = before[k].right;
    for (std::size_t i = n - 1; i-- > 0;)
      for (std::size_t k = 0; k < in_step; ++k) {
        T& here = Systems<T>::element(systems.x, line[k], i);
        here = x[k] = solved({upper[i * in_step + k], here}, x[k]);
      }
  }
};

}  // namespace KokkosScan::core::tridiagonal
