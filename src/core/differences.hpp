// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arrays.hpp"
#include "by_key.hpp"
#include "problem.hpp"

// Two arrays that are compared, in pieces: words of 16 bytes where elements are equal if their bytes are, else
// elements. Readers of pieces have
//
//   piece_bytes     the bytes that a piece has of each array
//   pieces()        how many there are
//   differs(p)      whether the arrays differ in piece p
//   first_in(p)     the first element in which they do, if they do
//   begin_of(p)     an element that piece p begins in
//   loose()         how many parts there are besides, which fill no word
//   first_of(k)     the element that loose part k belongs to if the arrays differ there, else nowhere
namespace KokkosScan::core {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Elements that are equal if and only if their bytes are.
template <class T>
inline constexpr bool is_equal_by_bytes = std::is_integral_v<T> || std::is_same_v<T, std::byte>;

/// The order of characters: that of their type, and of char as if it had no sign, as std::string has it.
struct CharacterLess {
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    if constexpr (std::is_same_v<T, char>)
      return static_cast<unsigned char>(left) < static_cast<unsigned char>(right);
    else
      return left < right;
  }
};

/// Neither comes before the other.
template <class Less>
struct Equivalent {
  Less less;
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return !less(left, right) && !less(right, left);
  }
};

/// The first n elements of two arrays.
template <class A_, class B_, class Equal_>
struct Compared {
  using A       = A_;
  using B       = B_;
  using Equal   = Equal_;
  using Element = ElementOf<A>;

  static constexpr bool by_bytes =
      is_equal_by_bytes<Element> && std::is_same_v<Equal, EqualTo> && is_side_by_side<A> && is_side_by_side<B>;

  A a;
  B b;
  [[no_unique_address]] Equal equal;
  std::size_t n;

  KOKKOSSCAN_FUNCTION bool differs(std::size_t i) const { return !equal(a[i], b[i]); }
};

/// Each element is a piece.
template <class Compared>
struct ElementReader {
  static constexpr std::size_t piece_bytes = sizeof(typename Compared::Element);

  Compared compared;

  KOKKOSSCAN_FUNCTION std::size_t pieces() const { return compared.n; }
  KOKKOSSCAN_FUNCTION bool differs(std::size_t p) const { return compared.differs(p); }
  KOKKOSSCAN_FUNCTION static std::size_t first_in(std::size_t p) { return p; }
  KOKKOSSCAN_FUNCTION static std::size_t begin_of(std::size_t p) { return p; }
  KOKKOSSCAN_FUNCTION static std::size_t loose() { return 0; }
  KOKKOSSCAN_FUNCTION static std::size_t first_of(std::size_t) { return nowhere; }
};

/// 16 bytes at an address that is a multiple of 16.
struct alignas(16) Word16 {
  std::uint64_t low, high;
};
KOKKOSSCAN_FUNCTION inline Word16 load_word(std::byte const* address) {
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<Word16 const*>(address);
#else
  Word16 word;
  __builtin_memcpy(&word, address, sizeof word);
  return word;
#endif
}

/// Words of `a`, and the bytes of `b` that belong to them: `shifted` where these lie in two words. A word is read where
/// all of it belongs to its array.
template <std::size_t element_bytes, bool shifted>
class WordReader {
 public:
  static constexpr std::size_t piece_bytes = sizeof(Word16);

  /// Of as many bytes each.
  WordReader(std::byte const* a, std::byte const* b, std::size_t bytes) : a_(a), b_(b), bytes_(bytes) {
    before_ = (piece_bytes - misalignment(a)) % piece_bytes;
    shift_  = misalignment(b + before_);
    if (shift_ > before_) before_ += piece_bytes;  // else the first word of b began before b
    std::size_t const behind = shifted ? piece_bytes - shift_ : 0;
    words_                   = bytes > before_ + behind ? (bytes - before_ - behind) / piece_bytes : 0;
  }
  static std::size_t misalignment(std::byte const* address) {
    return reinterpret_cast<std::uintptr_t>(address) % piece_bytes;
  }

  KOKKOSSCAN_FUNCTION std::size_t pieces() const { return words_; }
  KOKKOSSCAN_FUNCTION bool differs(std::size_t p) const {
    std::size_t const at = before_ + p * piece_bytes;
    Word16 const a       = load_word(a_ + at);
    if constexpr (!shifted) {
      Word16 const b = load_word(b_ + at);
      return ((a.low ^ b.low) | (a.high ^ b.high)) != 0;
    } else {
      Word16 const b = load_word(b_ + (at - shift_)), next = load_word(b_ + (at - shift_) + piece_bytes);
      bool const by_half        = shift_ >= 8;
      unsigned const bits       = static_cast<unsigned>(shift_ % 8) * 8;
      std::uint64_t const first = by_half ? b.high : b.low, middle = by_half ? next.low : b.high,
                          last = by_half ? next.high : next.low;
      // In two steps: of 64 bits a shift by 64 is not defined.
      std::uint64_t const low  = first >> bits | middle << 1 << (63 - bits);
      std::uint64_t const high = middle >> bits | last << 1 << (63 - bits);
      return ((a.low ^ low) | (a.high ^ high)) != 0;
    }
  }
  KOKKOSSCAN_FUNCTION std::size_t first_in(std::size_t p) const {
    std::size_t at = before_ + p * piece_bytes;
    for (std::size_t const end = at + piece_bytes; at < end && a_[at] == b_[at];) ++at;
    return at / element_bytes;
  }
  KOKKOSSCAN_FUNCTION std::size_t begin_of(std::size_t p) const { return (before_ + p * piece_bytes) / element_bytes; }

  KOKKOSSCAN_FUNCTION std::size_t loose() const { return bytes_ - words_ * piece_bytes; }
  KOKKOSSCAN_FUNCTION std::size_t first_of(std::size_t k) const {
    std::size_t const at = k < before_ ? k : k + words_ * piece_bytes;
    return a_[at] == b_[at] ? nowhere : at / element_bytes;
  }

 private:
  std::byte const *a_, *b_;
  std::size_t bytes_, before_, shift_, words_;
};

/// Calls f with the reader of two arrays.
template <class Compared, class F>
void with_reader(Compared const& compared, F const& f) {
  if constexpr (Compared::by_bytes) {
    constexpr std::size_t size = sizeof(typename Compared::Element);
    auto const* const a        = reinterpret_cast<std::byte const*>(compared.a.data);
    auto const* const b        = reinterpret_cast<std::byte const*>(compared.b.data);
    using Aligned              = WordReader<size, false>;
    if (Aligned::misalignment(a) == Aligned::misalignment(b))
      f(Aligned(a, b, compared.n * size));
    else
      f(WordReader<size, true>(a, b, compared.n * size));
  } else {
    f(ElementReader<Compared>{compared});
  }
}

// What becomes of the first difference, which is n where the first n elements are equal: of(first) is left in *result.

template <class Integer>
struct PutPlace {
  Integer* result;
  KOKKOSSCAN_FUNCTION Integer of(std::size_t first) const { return static_cast<Integer>(first); }
};

template <class Integer, class A, class B, class Less>
struct PutOrder {
  Integer* result;
  A a;
  B b;
  [[no_unique_address]] Less less;
  std::size_t a_length, b_length;

  KOKKOSSCAN_FUNCTION Integer of(std::size_t first) const {
    int sign = 0;
    if (first < a_length && first < b_length)
      sign = less(a[first], b[first]) ? -1 : 1;
    else if (a_length != b_length)
      sign = a_length < b_length ? -1 : 1;
    return static_cast<Integer>(sign);
  }
};

}  // namespace KokkosScan::core
