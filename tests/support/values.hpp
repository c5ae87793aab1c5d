// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "monoids.hpp"
#include "random.hpp"

// Inputs of a test, made for an operator: no signed overflow, exact for every grouping even in floating point, and so
// that each element shows in all that follow it. A running maximum of uniform values, for example, would soon stand
// still and hide every error behind that place.
namespace test {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<Kokkos::complex<T>> = true;

/// Integers in place of floats: sums of fewer than 2^24 / 1000 of them, or of more of either sign, are exact.
template <class T>
T summand(Random& random) {
  if constexpr (is_complex<T>)
    return T(static_cast<double>(random.between(-1000, 1000)), static_cast<double>(random.between(-1000, 1000)));
  else if constexpr (std::floating_point<T> || (std::signed_integral<T> && sizeof(T) >= 4))
    return static_cast<T>(random.between(-1000, 1000));
  else
    return static_cast<T>(random());  // wraps around
}

template <class T>
class Factors {
 public:
  T operator()(Random& random) {
    bool const negative = random.one_in(2);
    if constexpr (is_complex<T>) {
      return random.one_in(2) ? T(negative ? -1 : 1, 0) : T(0, negative ? -1 : 1);
    } else if constexpr (std::floating_point<T>) {
      // 2 and 1/2 in turn: products of any range stay near 1 and exact.
      if (random.one_in(4)) {
        doubled_ = !doubled_;
        return static_cast<T>((negative ? -1 : 1) * (doubled_ ? 2.0 : 0.5));
      }
      return static_cast<T>(negative ? -1 : 1);
    } else if constexpr (std::signed_integral<T> && sizeof(T) >= 4) {
      return static_cast<T>(negative ? -1 : 1);
    } else {
      return static_cast<T>(random() | 1U);  // odd: no product becomes zero
    }
  }

 private:
  bool doubled_ = false;
};

/// From the lowest to the highest value, with noise, so that about every second element is a new maximum.
template <class T>
T rising(std::size_t i, std::size_t n, Random& random) {
  double const at = (static_cast<double>(i) + random.fraction() * 3) / (static_cast<double>(n) + 4);
  if constexpr (std::floating_point<T>) {
    return static_cast<T>((at - 0.5) * 1e6);
  } else {
    double const low  = static_cast<double>(std::numeric_limits<T>::min());
    double const high = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<T>(low + at * (high - low) * 0.999);
  }
}

/// A single bit now and then: all bits of T appear, one after the other, over the whole length.
template <class T>
T rare_bit(std::size_t i, std::size_t n, Random& random) {
  constexpr std::size_t bits = 8 * sizeof(T);
  if (n > bits && !random.one_in(n / bits)) return T{};
  return static_cast<T>(std::uint64_t{1} << ((i * bits / n + random.below(2)) % bits));
}

/// n values for that operator.
template <class Op, class T>
std::vector<T> make_values(std::size_t n, std::uint64_t seed) {
  using namespace KokkosScan;
  Random random(seed);
  Factors<T> factors;
  std::size_t const turn = random.below(n + n / 2 + 1);  // where a logical operator sees its one different value
  std::vector<T> values;
  values.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (Monoid<T>)
      values.push_back(T::random(random));
    else if constexpr (std::same_as<Op, Product>)
      values.push_back(factors(random));
    else if constexpr (std::same_as<Op, Max>)
      values.push_back(rising<T>(i, n, random));
    else if constexpr (std::same_as<Op, Min>)
      values.push_back(rising<T>(n - 1 - i, n, random));
    else if constexpr (std::same_as<Op, BitOr>)
      values.push_back(rare_bit<T>(i, n, random));
    else if constexpr (std::same_as<Op, BitAnd>)
      values.push_back(static_cast<T>(~rare_bit<T>(i, n, random)));
    else if constexpr (std::same_as<Op, BitXor>)
      values.push_back(static_cast<T>(random()));
    else if constexpr (std::same_as<Op, LogicalAnd>)
      values.push_back(static_cast<T>(i == turn ? 0 : random.between(1, 5)));
    else if constexpr (std::same_as<Op, LogicalOr>)
      values.push_back(static_cast<T>(i == turn ? random.between(1, 5) : 0));
    else
      values.push_back(summand<T>(random));
  }
  return values;
}

template <class T>
using Bytes = std::array<unsigned char, sizeof(T)>;

/// A value that is certainly not this one: what a place holds that a scan must overwrite with it.
template <class T>
T anything_but(T const& value) {
  if constexpr (std::same_as<T, bool>) return !value;
  auto bytes = std::bit_cast<Bytes<T>>(value);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(~byte);
  return std::bit_cast<T>(bytes);
}

}  // namespace test
