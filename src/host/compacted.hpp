// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../core/compaction.hpp"
#include "marks.hpp"
#include "simd/functions.hpp"

// Where what is chosen of a tile goes: straight to its place, past the caches, or to an array that is taken from its
// end. `T` is an integer as wide as the elements; all write nothing but what is appended.
//
//   append(count, write)   write(to) puts so many elements, no more than most_appended, at `to`
//   finish()               behind the last of them
//
// Elements for which there is no kernel go from word to word, straight.
namespace KokkosScan::host {

inline constexpr std::size_t most_appended = 1024;

template <class T>
class Straight {
 public:
  explicit Straight(T* to) : to_(to) {}
  template <class Write>
  void append(std::size_t count, Write const& write) {
    write(to_);
    to_ += count;
  }
  void finish() {}

 private:
  T* to_;
};

/// Whole lines at a time, which are gathered as far behind the begin of one as they stand in memory.
template <class T>
class ByLines {
 public:
  explicit ByLines(T* to) : to_(to), begin_(reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % line), end_(begin_) {}
  template <class Write>
  void append(std::size_t count, Write const& write) {
    write(gathered_ + end_);
    end_ += count;
    std::size_t const whole = end_ / line * line;
    if (whole == 0) return;
    streaming.copy(reinterpret_cast<std::byte*>(to_), reinterpret_cast<std::byte const*>(gathered_ + begin_),
                   (whole - begin_) * sizeof(T));
    std::copy(gathered_ + whole, gathered_ + end_, gathered_);
    to_ += whole - begin_;
    begin_ = 0;
    end_ -= whole;
  }
  void finish() {
    std::memcpy(static_cast<void*>(to_), gathered_ + begin_, (end_ - begin_) * sizeof(T));
    streaming.finish();
  }

 private:
  static constexpr std::size_t line = line_bytes / sizeof(T);
  simd::Streaming const& streaming  = simd::all_functions().streaming;
  T* to_;
  std::size_t begin_, end_;  // of what is gathered
  alignas(line_bytes) T gathered_[line + most_appended];
};

/// `to`: where the first one goes, the others before it.
template <class T>
class Turned {
 public:
  explicit Turned(T* to) : to_(to) {}
  template <class Write>
  void append(std::size_t count, Write const& write) {
    write(gathered_);
    for (std::size_t k = 0; k < count; ++k) std::memcpy(static_cast<void*>(to_ - k), gathered_ + k, sizeof(T));
    to_ -= count;
  }
  void finish() {}

 private:
  T* to_;
  T gathered_[most_appended];
};

/// Some elements at a time of a tile, with how many are chosen of them: f(i, chosen) for those from i on.
template <class F>
void for_each_part(Tile tile, simd::Chosen chosen, F const& f) {
  auto const count_of = simd::all_functions().compactions.count;
  for (std::size_t i = tile.begin; i < tile.end; i += most_appended) {
    std::size_t const n = std::min(most_appended, tile.end - i), set = count_of(chosen.marks, words_of_marks(n));
    f(i, simd::Chosen{chosen.marks, chosen.inverted, chosen.inverted ? n - set : set});
    chosen.marks += most_appended / marks_of_word;
  }
}

/// Has what is chosen written by write(i, chosen, to), chosen.count being how many there is room for.
template <class Output, class T, class Write>
void emit(T* to, Tile tile, simd::Chosen const& chosen, Write const& write) {
  Output output(to);
  std::size_t left = chosen.count;
  for_each_part(tile, chosen, [&](std::size_t i, simd::Chosen part) {
    part.count = std::min(part.count, left);
    left -= part.count;
    output.append(part.count, [&](T* at) { write(i, part, at); });
  });
  output.finish();
}

template <class F>
[[gnu::always_inline]] inline void for_each_bit(std::uint64_t bits, std::size_t i, F const& f) {
  for (; bits != 0; bits &= bits - 1) f(i + static_cast<std::size_t>(std::countr_zero(bits)));
}
/// f(i, bits) for each word of what is chosen of a tile.
template <class F>
[[gnu::always_inline]] inline void for_each_word(Tile tile, simd::Chosen const& chosen, F const& f) {
  std::uint64_t const* word = chosen.marks;
  std::size_t i             = tile.begin;
  for (; i + marks_of_word <= tile.end; i += marks_of_word) f(i, *word++ ^ chosen.inverted);
  if (i < tile.end) f(i, (*word ^ chosen.inverted) & ~std::uint64_t{0} >> (marks_of_word - (tile.end - i)));
}
template <class F>
[[gnu::always_inline]] inline void for_each_chosen(Tile tile, simd::Chosen const& chosen, F const& f) {
  for_each_word(tile, chosen, [&](std::size_t i, std::uint64_t bits) { for_each_bit(bits, i, f); });
}

template <class Array>
inline constexpr bool is_forwards = core::is_side_by_side<Array> && !core::is_backward<Array>;

/// From so many marks in a word on, elements are copied run by run.
inline constexpr int dense_marks = 52;

/// The elements of a word whose bit is set. They may go to where the first of them lie, or before them.
template <class T>
void copy_runs(T const* elements, std::uint64_t bits, T* to) {
  while (bits != 0) {
    int const first = std::countr_zero(bits), length = std::countr_one(bits >> first);
    std::memmove(static_cast<void*>(to), static_cast<void const*>(elements + first),
                 static_cast<std::size_t>(length) * sizeof(T));
    to += length;
    bits = first + length < 64 ? bits & ~std::uint64_t{0} << (first + length) : 0;
  }
}

/// What is chosen of a tile, of elements for which there is no kernel, from a place on. They may go to where they lie,
/// or before.
template <class From, class Dest>
void copy_words(From const& from, core::Bounded<Dest> const& dest, Tile tile, simd::Chosen const& chosen,
                std::size_t place) {
  for_each_word(tile, chosen, [&](std::size_t i, std::uint64_t bits) {
    if constexpr (is_forwards<From> && is_forwards<Dest> &&
                  std::is_same_v<core::ElementOf<From>, core::ElementOf<Dest>>)
      if (int const count = std::popcount(bits);
          count >= dense_marks && place + static_cast<std::size_t>(count) <= dest.extent) {
        copy_runs(&from[i], bits, &dest.array[place]);
        place += static_cast<std::size_t>(count);
        return;
      }
    for_each_bit(bits, i, [&](std::size_t k) { dest.put(place++, from[k]); });
  });
}

}  // namespace KokkosScan::host
