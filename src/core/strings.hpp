// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arrays.hpp"
#include "segments.hpp"
#include "sinks.hpp"

// The ranks of strings, by names for parts of them (Karp, Miller and Rosenberg, Rapid identification of repeated
// patterns in strings, trees and arrays, STOC 1972). Parts of a word's width are sorted and numbered in their order; of
// two neighbours' names the name of a part that is twice as wide is made in the same way, until each string is one
// part. A part that is not there, behind the end of its string, has the name 0: so the shorter string is the smaller
// one.
//
// In every round there are half as many parts, and one more for each string: for parts of w characters string i has
// those from floor(offset(i) / w) + i on, which are never fewer than it needs. So places are known without a scan, and
// nobody need know how long strings are, but for how many rounds there are.
namespace KokkosScan::core {

/// How many rounds' parts a character type has in a word of 64 bits, behind which stands how many of them there are.
template <class Character>
struct Word64 {
  static constexpr int character_bits = static_cast<int>(sizeof(Character)) * 8;
  /// One of 8 bytes leaves no room for a count, nor is there need of one where a part has a character.
  static constexpr bool has_count         = sizeof(Character) < 8;
  static constexpr std::size_t characters = (has_count ? 7 : 8) / sizeof(Character);
  static constexpr int count_bits         = has_count ? std::bit_width(characters) : 0;
  static constexpr int bits               = static_cast<int>(characters) * character_bits + count_bits;

  /// The bits of a character, in the order of its type; char has no sign.
  KOKKOSSCAN_FUNCTION static std::uint64_t bits_of(Character c) {
    if constexpr (std::is_same_v<Character, bool>) {
      return c ? 1 : 0;
    } else {
      using Bits                    = std::make_unsigned_t<Character>;
      constexpr std::uint64_t flips = std::is_signed_v<Character> && !std::is_same_v<Character, char>;
      return std::uint64_t{static_cast<Bits>(c)} ^ flips << (character_bits - 1);
    }
  }
};

/// Where strings stand in a text: from an offset up to the next, of which the first `most` characters count.
template <class Integer>
struct Strings {
  Offsets<Integer> offsets;
  std::size_t text, most;

  KOKKOSSCAN_FUNCTION std::size_t count() const { return offsets.segments; }
  KOKKOSSCAN_FUNCTION std::size_t begin(std::size_t i) const { return offsets.clamped(i, text); }
  KOKKOSSCAN_FUNCTION std::size_t length(std::size_t i) const {
    std::size_t const from = begin(i), to = offsets.clamped(i + 1, text), all = from < to ? to - from : 0;
    return all < most ? all : most;
  }
};

/// A part of a string.
struct Part {
  std::size_t string, number;
};

/// The parts of all strings, of so many characters, doubled so often: so they are found without a division.
template <class Integer, std::size_t characters>
struct PartsOfStrings {
  Strings<Integer> strings;
  int doublings;
  bool only_first;  // of each string, and nothing else

  std::size_t width() const { return characters << doublings; }
  std::size_t places() const { return only_first ? strings.count() : whole(strings.text) + strings.count(); }
  /// How many whole parts so many characters have.
  KOKKOSSCAN_FUNCTION std::size_t whole(std::size_t length) const { return length / characters >> doublings; }
  KOKKOSSCAN_FUNCTION std::size_t place(std::size_t string, std::size_t number) const {
    return only_first ? string : whole(strings.begin(string)) + string + number;
  }
  KOKKOSSCAN_FUNCTION bool is_there(Part const& part) const {
    std::size_t const length = strings.length(part.string);
    return length > 0 && part.number <= whole(length - 1);
  }
  /// What stands at a place: perhaps no part that is there.
  KOKKOSSCAN_FUNCTION Part at(std::size_t place) const {
    if (only_first) return {place, 0};
    std::size_t first = 0;  // the string is among so many from there on
    for (std::size_t count = strings.count(); count > 1;) {
      std::size_t const half = count / 2;
      first += this->place(first + half, 0) <= place ? half : 0;
      count -= half;
    }
    return {first, place - this->place(first, 0)};  // before the first string it is a number that none has
  }
  /// What stands at a place, given what stands before it: the string that begins there, if one does.
  KOKKOSSCAN_FUNCTION Part behind(Part const& part, std::size_t place) const {
    if (only_first) return {place, 0};
    std::size_t const next = part.string + 1;
    if (next < strings.count() && this->place(next, 0) <= place) return {next, place - this->place(next, 0)};
    return {part.string, part.number + 1};
  }
};

/// make(place, part) for so many places a worker, who looks for the string of the first of them alone.
template <class Make>
struct AtPlaces {
  Make make;
  std::size_t places, together;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t place     = k * together;
    std::size_t const end = places - place < together ? places : place + together;
    for (Part part = make.parts.at(place);;) {
      make(place, part);
      if (++place == end) return;
      part = make.parts.behind(part, place);
    }
  }
};

/// What is sorted: a key for each place, and the place.
template <class Index>
struct KeysOfParts {
  std::uint64_t* keys;
  Index* places;
  KOKKOSSCAN_FUNCTION void put(std::size_t place, std::uint64_t key) const {
    keys[place]   = key;
    places[place] = static_cast<Index>(place);
  }
};

/// Keys of the narrowest parts: their characters.
template <class Index, class Integer, class Text>
struct MakeWords {
  using Character = ElementOf<Text>;
  using Word      = Word64<Character>;

  KeysOfParts<Index> to;
  PartsOfStrings<Integer, Word::characters> parts;
  Text text;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t place, Part const& part) const {
    std::uint64_t key   = 0;
    std::uint64_t count = 0;
    if (parts.is_there(part)) {
      std::size_t const begin = part.number * Word::characters, from = parts.strings.begin(part.string) + begin;
      std::size_t const left = parts.strings.length(part.string) - begin;
      for (std::size_t k = 0; k < Word::characters; ++k) {
        if constexpr (Word::characters > 1) key <<= Word::character_bits;
        if (k < left) key |= Word::bits_of(text[from + k]), ++count;
      }
      if constexpr (Word::has_count) key = key << Word::count_bits | count;
    }
    to.put(place, key);
  }
};

/// Keys of parts that are twice as wide: the names of their halves.
template <class Index, class Parts>
struct MakePairs {
  KeysOfParts<Index> to;
  Parts parts, halves;
  Index const* names;  // of halves, from 0 on
  int name_bits;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t place, Part const& part) const {
    std::uint64_t key = 0;
    if (parts.is_there(part)) {
      std::size_t const number = 2 * part.number;
      key                      = name({part.string, number}) << name_bits | name({part.string, number + 1});
    }
    to.put(place, key);
  }
  KOKKOSSCAN_FUNCTION std::uint64_t name(Part const& half) const {
    return halves.is_there(half) ? std::uint64_t{names[halves.place(half.string, half.number)]} + 1 : 0;
  }
};

/// Adds up to how many keys there are before one that are smaller, each counted once.
template <class Index>
struct NewKeys {
  std::uint64_t const* keys;
  KOKKOSSCAN_FUNCTION Index load(std::size_t i) const { return i > 0 && keys[i] != keys[i - 1] ? Index{1} : Index{0}; }
};
/// Names go where their parts stand.
template <class Index>
struct PutNames {
  static constexpr Uses uses = {false, false, true};
  Index const* places;
  Index* names;
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Index const&, Index const&, Index const& through) const {
    names[places[i]] = through;
  }
};

/// The names of whole strings are their ranks, and the largest one tells how many are distinct.
template <class Index, class Ranks, class Count>
struct TakeRanks {
  Index const *names, *largest;
  Ranks ranks;
  Count* distinct;  // null if nobody asks
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    put(ranks[i], static_cast<ElementOf<Ranks>>(names[i]));
    if (i == 0 && distinct) put(*distinct, static_cast<Count>(static_cast<Count>(*largest) + 1));
  }
};
template <class Count>
struct PutNone {
  Count* distinct;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t) const { put(*distinct, Count{0}); }
};

}  // namespace KokkosScan::core
