// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "macros.hpp"

// Which bin a value falls into: of<Index>(value) is its number, or at least `count` for a value in none. Index is an
// unsigned integer that holds `count`. The same value falls into the same bin on every backend, however a compiler
// fuses multiplications and additions: no expression that decides has a product in a sum.
namespace KokkosScan::core {

/// Keys that are numbers of bins.
template <class Value_>
struct KeyBins {
  using Value = Value_;
  static_assert(std::is_integral_v<Value>);

  std::size_t count;

  template <class Index>
  KOKKOSSCAN_FUNCTION Index of(Value key) const {
    using Wide    = std::conditional_t<(sizeof(Value) > sizeof(Index)), std::uint64_t, Index>;
    Wide const at = static_cast<Wide>(key);  // of a negative key a large one
    if constexpr (sizeof(Wide) > sizeof(Index))
      return at < count ? static_cast<Index>(at) : static_cast<Index>(count);
    else
      return at;
  }
};

/// The upper half of a product.
KOKKOSSCAN_INLINE_FUNCTION std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  constexpr std::uint64_t low = 0xffffffffU;
  std::uint64_t const a0 = a & low, a1 = a >> 32, b0 = b & low, b1 = b >> 32;
  std::uint64_t const first = a1 * b0 + (a0 * b0 >> 32), second = a0 * b1 + (first & low);
  return a1 * b1 + (first >> 32) + (second >> 32);
#endif
}

/// Even bins of integers: the value `lower` + d falls into bin floor(d count / width), exactly.
template <class Value_>
struct EvenIntegerBins {
  using Value = Value_;
  static_assert(std::is_integral_v<Value>);

  std::size_t count;
  std::uint64_t lower;  // as a word of 64 bits
  std::uint64_t width;
  // count / width is a whole number and a rest, and scale / 2^64 is rest / width, rounded up where no width is larger
  // than 2^32: there (Granlund and Montgomery 1994) the product is right as it is, else it may be 1 too small.
  std::uint64_t whole, rest, scale;

  KOKKOSSCAN_FUNCTION static constexpr bool is_narrow(std::uint64_t width) { return width <= std::uint64_t{1} << 32; }

  template <class Index>
  KOKKOSSCAN_FUNCTION Index of(Value value) const {
    using Extended        = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
    std::uint64_t const d = static_cast<std::uint64_t>(static_cast<Extended>(value)) - lower;
    if (d >= width) return static_cast<Index>(count);  // of a value below `lower` d is as large as that, too
    if (is_narrow(width)) {
      std::uint64_t const low  = d * (scale & 0xffffffffU) >> 32;
      std::uint64_t const both = (low + d * (scale >> 32)) >> 32;
      return static_cast<Index>(d * whole + both);
    }
    std::uint64_t at = high_product(d, scale);
    // What remains, of 128 bits.
    std::uint64_t const product = d * rest, own = at * width, remains = product - own;
    std::uint64_t const high = high_product(d, rest) - high_product(at, width) - (product < own ? 1U : 0U);
    if (high != 0 || remains >= width) ++at;
    return static_cast<Index>(d * whole + at);
  }
};

/// For count > 0 and lower < upper, both as words of 64 bits.
template <class Value>
EvenIntegerBins<Value> even_integer_bins(std::size_t count, std::uint64_t lower, std::uint64_t upper) {
  std::uint64_t const width = upper - lower, rest = count % width;
  std::uint64_t scale = 0, remains = rest;
  for (int bit = 0; bit < 64; ++bit) {
    bool const carries = remains >> 63 != 0;
    remains <<= 1;
    scale <<= 1;
    if (carries || remains >= width) {
      remains -= width;
      ++scale;
    }
  }
  if (EvenIntegerBins<Value>::is_narrow(width) && remains != 0) ++scale;
  return {count, lower, width, count / width, rest, scale};
}

/// The whole part of a number that is not negative and small enough.
template <class Index, class Float>
KOKKOSSCAN_FUNCTION Index whole_part(Float number) {
  if constexpr (sizeof(Index) == 8) {
    return static_cast<Index>(static_cast<std::int64_t>(number));  // to which processors convert sooner
  } else {
#if defined(__CUDA_ARCH__)
    // They convert a quarter as many doubles as they add: what has no room in a sum is rounded down.
    if constexpr (sizeof(Float) == 8)
      return static_cast<Index>(__double2loint(__dadd_rd(number, 0x1p52)));
    else
#endif
      return static_cast<Index>(number);
  }
}

/// Even bins of floats: a value falls into bin floor((value - lower) * scale), scale being count / (upper - lower) and
/// each operation rounded once, as doubles; what is rounded up to `count` belongs to the last bin.
template <class Value_>
struct EvenFloatBins {
  using Value = Value_;

  std::size_t count;
  double lower, upper, scale;

  template <class Index>
  KOKKOSSCAN_FUNCTION Index of(Value const& given) const {
    double const value = static_cast<double>(given);
    return value >= lower && value < upper ? of_inner<Index>(value) : static_cast<Index>(count);
  }
  /// Of one that is in a bin.
  template <class Index>
  KOKKOSSCAN_FUNCTION Index of_inner(double value) const {
    double const difference = value - lower;
    Index const at          = whole_part<Index>(difference * scale);
    Index const last        = static_cast<Index>(count - 1);
    return at < last ? at : last;
  }
};

/// Whether the code that is being compiled is for a processor with units for doubles. Those for graphics have few.
#if defined(__CUDA_ARCH__)
inline constexpr bool has_fast_doubles =
    __CUDA_ARCH__ == 700 || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000;
#else
inline constexpr bool has_fast_doubles = true;
#endif

/// The same of values that a float holds, if need be found by floats, and by doubles where that could be another bin,
/// near its ends.
template <class Value_>
struct EvenNarrowFloatBins {
  using Value = Value_;

  EvenFloatBins<float> exact;
  std::size_t count;
  float lower, scale;
  float least, end;             // of the values that are in a bin, and behind them
  float least_rest, most_rest;  // of a bin, between which floats are sure

  template <class Index>
  KOKKOSSCAN_FUNCTION Index of(Value const& given) const {
    float const value = static_cast<float>(given);
    if (!(value >= least && value < end)) return static_cast<Index>(count);
    if constexpr (has_fast_doubles)
      return exact.of_inner<Index>(value);
    else
      return by_floats<Index>(value);
  }

  /// Of one that is in a bin.
  template <class Index>
  KOKKOSSCAN_FUNCTION Index by_floats(float value) const {
    float const place = (value - lower) * scale;
    Index const at    = whole_part<Index>(place > 0 ? place : 0.0F);
    float const rest  = place - static_cast<float>(at);  // perhaps fused, which is as near
    return rest > least_rest && rest < most_rest ? at : exact.of_inner<Index>(value);
  }
};

/// Bins between edges that ascend: bin k has the values from edges[k] on and below edges[k + 1].
template <class Value_, class Edges_>
struct EdgeBins {
  using Value = Value_;
  using Edges = Edges_;

  std::size_t count;
  Edges edges;  // count + 1

  template <class Index>
  KOKKOSSCAN_FUNCTION Index of(Value const& value) const {
    return of_edges<Index>(value, static_cast<Index>(count), [this](Index k) { return edges[k]; });
  }

  /// By a search among edges that edge(k) gives.
  template <class Index, class Edge>
  KOKKOSSCAN_FUNCTION static Index of_edges(Value const& value, Index count, Edge const& edge) {
    // So many edges are not above it for sure, and so many more may be. Where it goes on is added, not branched to: no
    // processor could foretell it.
    Index first = 0;
    for (Index rest = count + 1; rest > 1;) {
      Index const half = rest / 2;
      first += half & (Index{0} - Index{is_at_or_above(value, edge(first + half - 1))});
      rest -= half;
    }
    first += Index{is_at_or_above(value, edge(first))};
    return first == 0 ? count : first - 1;  // behind the last edge, too, that is `count`
  }

 private:
  template <class Edge>
  KOKKOSSCAN_FUNCTION static bool is_at_or_above(Value const& value, Edge const& edge) {
    if constexpr (std::is_integral_v<Value> && std::is_integral_v<Edge> &&
                  std::is_signed_v<Value> != std::is_signed_v<Edge>) {
      using Common = std::make_unsigned_t<std::common_type_t<Value, Edge>>;
      if constexpr (std::is_signed_v<Value>)
        return value >= 0 && static_cast<Common>(value) >= static_cast<Common>(edge);
      else
        return edge < 0 || static_cast<Common>(value) >= static_cast<Common>(edge);
    } else if constexpr (std::is_same_v<Value, Edge> || (std::is_integral_v<Value> && std::is_integral_v<Edge>)) {
      return value >= edge;
    } else {
      return static_cast<double>(value) >= static_cast<double>(edge);
    }
  }
};

}  // namespace KokkosScan::core
