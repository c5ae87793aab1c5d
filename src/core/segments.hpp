// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "by_key.hpp"
#include "length.hpp"
#include "memory.hpp"

// Scans of segments: of the elements between an offset and the next, each by itself. They are runs; where runs begin
// stands in a bit for each element, which is made of the offsets, before the scan or by it (boundaries.hpp). So the
// cost does not depend on how long segments are; bits in memory are an eighth of a byte more an element.
namespace KokkosScan::core {

inline constexpr std::size_t bits_of_word = 32;
/// Of an array of so many elements, of what is behind the last one, and what shares 16 bytes with them.
KOKKOSSCAN_FUNCTION constexpr std::size_t words_of_boundaries(std::size_t n) {
  return round_up(n / bits_of_word + 2, 16 / sizeof(std::uint32_t));
}

inline std::size_t begin_of_boundaries(Needs const& needs) { return round_up(needs.scratch, 128); }
inline std::size_t begin_of_first_offsets(Needs const& needs, std::size_t n) {
  return round_up(begin_of_boundaries(needs) + words_of_boundaries(n) * sizeof(std::uint32_t), 128);
}
/// What a scan needs, and behind it the boundaries of segments of n elements; and the first offset of each word of
/// them, if their totals are wanted.
inline Needs with_boundaries(Needs needs, std::size_t n, bool of_totals) {
  std::size_t const words = begin_of_first_offsets(needs, n);
  needs.scratch           = words + (of_totals ? words_of_boundaries(n) * sizeof(std::size_t) : 0);
  return needs;
}

/// The bits in the opposite order.
KOKKOSSCAN_FUNCTION inline std::uint64_t turned(std::uint64_t bits) {
  std::uint64_t const masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int k = 0; k < 6; ++k) bits = (bits >> (1 << k) & masks[k]) | (bits & masks[k]) << (1 << k);
  return bits;
}

/// For each element of an array, and for what is behind the last one, whether an offset points there; and from which
/// element on a scan goes, upwards or downwards.
template <bool backward_>
struct Boundaries {
  static constexpr bool backward = backward_;

  std::uint32_t const* words;
  std::size_t first;

  KOKKOSSCAN_FUNCTION bool at(std::size_t element) const {
    return (words[element / bits_of_word] >> (element % bits_of_word) & 1U) != 0;
  }
  KOKKOSSCAN_FUNCTION std::size_t element(std::size_t i) const { return backward ? first - i : first + i; }
  KOKKOSSCAN_FUNCTION bool before(std::size_t i) const { return at(element(i) + (backward ? 1 : 0)); }
  KOKKOSSCAN_FUNCTION bool behind(std::size_t i) const { return at(element(i) + (backward ? 0 : 1)); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { first = element(count); }

  /// before() of as many as 64, from i on; word(k) gives word k.
  template <class Word>
  KOKKOSSCAN_FUNCTION std::uint64_t before(std::size_t i, std::size_t count, Word const& word) const {
    std::size_t const begin = lowest(i, count), shift = begin % bits_of_word, k = begin / bits_of_word;
    std::uint64_t bits = std::uint64_t{word(k)} >> shift;
    if (shift + count > 32) bits |= std::uint64_t{word(k + 1)} << (32 - shift);
    if (shift + count > 64) bits |= std::uint64_t{word(k + 2)} << (64 - shift);
    if (count < 64) bits &= (std::uint64_t{1} << count) - 1;
    return backward ? turned(bits) >> (64 - count) : bits;
  }
  KOKKOSSCAN_FUNCTION std::uint64_t before(std::size_t i, std::size_t count) const {
    return before(i, count, [this](std::size_t k) { return words[k]; });
  }
  /// The words that hold those of `count` elements, however many.
  KOKKOSSCAN_FUNCTION MarkWords words_of(std::size_t i, std::size_t count) const {
    std::size_t const begin = lowest(i, count);
    return {words, begin / bits_of_word, (begin + count - 1) / bits_of_word + 1};
  }

 private:
  KOKKOSSCAN_FUNCTION std::size_t lowest(std::size_t i, std::size_t count) const {
    return backward ? element(i + count - 1) + 1 : element(i);
  }
};

/// The offsets of segments: one more than there are segments, or none.
template <class Integer_>
struct Offsets {
  using Integer = Integer_;

  Strided<Integer const> offsets;
  std::size_t segments;

  /// As a place in an array of so many elements.
  KOKKOSSCAN_FUNCTION std::size_t clamped(std::size_t k, std::size_t most) const {
    return core::clamped(offsets[k], most);
  }
  /// The first of these offsets that is not less than an element; `to`, if there is none.
  KOKKOSSCAN_FUNCTION std::size_t find(std::size_t from, std::size_t to, std::size_t element) const {
    std::size_t count = to > from ? to - from : 0;
    while (count > 0) {
      std::size_t const half = count / 2;
      bool const less        = clamped(from + half, static_cast<std::size_t>(-1)) < element;
      if (less) from += half + 1;
      count = less ? count - half - 1 : half;
    }
    return from;
  }
  KOKKOSSCAN_FUNCTION std::size_t find(std::size_t from, std::size_t element) const {
    return find(from, segments + 1, element);
  }
  /// The segment of an element, given the first offsets of the words of the boundaries: of several that begin there,
  /// the one that is not empty.
  KOKKOSSCAN_FUNCTION std::size_t segment_of(std::size_t element, std::size_t const* first_of_words) const {
    auto const* const word   = first_of_words + element / bits_of_word;
    std::size_t const behind = find(word[0], word[1], element + 1);
    return behind > segments ? segments - 1 : behind > 0 ? behind - 1 : 0;
  }
};

/// Some words of the boundaries. Who makes them looks for the first offset that points there, and goes on from it.
/// Where many segments are empty it looks for the next other offset, so that no word takes much longer than any.
template <class Integer>
struct MakeBoundaries {
  static constexpr int most_alike = 64;

  Offsets<Integer> offsets;
  std::size_t n;
  std::uint32_t* words;
  std::size_t* first_of_words;  // the first offset that points there, or behind; null where nobody asks
  std::size_t begin, end;       // of the words that somebody will read
  std::size_t words_each;

  std::size_t count() const { return (end - begin + words_each - 1) / words_each; }

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t const first = begin + k * words_each, last = end - first < words_each ? end : first + words_each;
    std::size_t next = offsets.find(0, first * bits_of_word);
    for (std::size_t w = first; w < last; ++w) {
      if (first_of_words) first_of_words[w] = next;
      words[w] = word(w, next);
    }
  }

 private:
  KOKKOSSCAN_FUNCTION std::uint32_t word(std::size_t w, std::size_t& next) const {
    std::uint32_t bits = 0;
    for (int walked = 1; next <= offsets.segments; ++walked) {
      std::size_t const element = offsets.clamped(next, n);
      if (element / bits_of_word != w) break;
      bits |= std::uint32_t{1} << (element % bits_of_word);
      if (element == n) break;  // whatever comes behind
      next = walked % most_alike == 0 ? offsets.find(next, element + 1) : next + 1;
    }
    return bits;
  }
};

/// The values of an array of so many elements, in segments. An engine that makes the words of their boundaries as it
/// goes needs none in memory.
template <class T, class From, class Op, class Init, class Integer, bool backward>
struct FromSegments {
  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = false;
  static constexpr bool sees_marks    = true;

  Boundaries<backward> boundaries;
  From from;
  Op op;
  Init init;
  Offsets<Integer> offsets;
  std::size_t elements;

  template <int>
  KOKKOSSCAN_FUNCTION From const& array_at() const {
    return from;
  }
  /// Where segments begin.
  template <class Word>
  KOKKOSSCAN_FUNCTION std::uint64_t marks(std::size_t i, std::size_t count, Word const& word) const {
    return boundaries.before(i, count, word) | (i == 0 ? 1U : 0U);
  }
  KOKKOSSCAN_FUNCTION std::uint64_t marks(std::size_t i, std::size_t count) const {
    return boundaries.before(i, count) | (i == 0 ? 1U : 0U);
  }
  KOKKOSSCAN_FUNCTION MarkWords mark_words(std::size_t i, std::size_t count) const {
    return boundaries.words_of(i, count);
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Keyed<T> make(std::size_t, bool begins, Element const& element) const {
    return begin_or_go_on<T>(begins, element, op, init);
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Keyed<T> advance(Keyed<T> const& before, std::size_t, bool begins, Element const& element) const {
    return behind_element<T>(before, begins, element, op, init);
  }
  KOKKOSSCAN_FUNCTION Keyed<T> load(std::size_t i) const { return make(i, i == 0 || boundaries.before(i), from[i]); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    boundaries.skip(count);
    from.skip(count);
  }
};

/// The total of each segment that is not empty. Empty ones no scan comes to.
template <class T, class Totals, class Integer, bool backward>
struct ToTotals {
  using Stored = ElementOf<Totals>;

  static constexpr Uses uses = {.before = false, .own = false, .through = true};

  Totals totals;
  Offsets<Integer> offsets;
  Boundaries<backward> boundaries;
  std::size_t const* first_of_words;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const&, Keyed<T> const&, Keyed<T> const& through) const {
    if (boundaries.behind(i)) put_total(offsets.segment_of(boundaries.element(i), first_of_words), through.value());
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { boundaries.skip(count); }

  /// The same of neighbouring elements, given what is combined through each, and what that is made into behind the last
  /// of a segment: where segments end in one loop.
  template <class Finish>
  void store_all(std::size_t begin, std::size_t end, T const* through, Finish const& finish) const {
    std::size_t segment = offsets.segment_of(boundaries.element(begin), first_of_words);
    for (std::size_t i = begin; i < end; i += 64) {
      std::size_t const count = end - i < 64 ? end - i : 64;
      for (std::uint64_t ends = boundaries.before(i + 1, count); ends != 0; ends &= ends - 1) {
        std::size_t const k = i + static_cast<std::size_t>(std::countr_zero(ends)), element = boundaries.element(k);
        if constexpr (backward)
          while (segment > 0 && offsets.clamped(segment, element + 1) > element) --segment;
        else
          while (segment + 1 < offsets.segments && offsets.clamped(segment + 1, element + 1) <= element) ++segment;
        put_total(segment, finish(through[k - begin]));
      }
    }
  }

 private:
  KOKKOSSCAN_FUNCTION void put_total(std::size_t segment, T const& total) const {
    core::put(totals[segment], static_cast<Stored>(total));
  }
};

/// How many elements segments hold, and how many others an array has before them: between the first offset and the last
/// one, of an array of so many elements.
template <class Integer, bool backward>
struct StoredSegments {
  static constexpr bool moves = true;

  Integer const* first_address;
  Integer const* last_address;
  std::size_t most;

  KOKKOSSCAN_FUNCTION std::size_t last() const { return clamped(*last_address, most); }
  KOKKOSSCAN_FUNCTION std::size_t first() const { return clamped(*first_address, last()); }
  KOKKOSSCAN_FUNCTION std::size_t length() const { return last() - first(); }
  KOKKOSSCAN_FUNCTION std::size_t others(std::size_t, std::size_t) const { return backward ? most - last() : first(); }
};

}  // namespace KokkosScan::core
