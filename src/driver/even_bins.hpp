// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/bins.hpp"

// The bins that lie evenly between two bounds. What throws, and what is made of doubles, is compiled in even_bins.cpp.
namespace KokkosScan::driver {

std::string text_of(double number);

[[noreturn, gnu::cold]] void throw_not_ascending(std::string const& label, std::string const& lower,
                                                 std::string const& upper);
[[noreturn, gnu::cold]] void throw_no_integer(std::string const& label, char const* name, std::string const& bound,
                                              std::string const& least, std::string const& most);

/// Whether a bound is one of a type of integers; what it is then.
template <class Integer>
bool to_integer(double bound, Integer& result) {
  constexpr double end   = 2 * static_cast<double>(std::numeric_limits<Integer>::max() / 2 + 1);
  constexpr double first = std::is_signed_v<Integer> ? -end : 0.0;
  if (!(bound >= first && bound < end)) return false;
  result = static_cast<Integer>(bound);
  return static_cast<double>(result) == bound;
}

/// A bound of integers, which may be written as any number.
template <class Integer, class Bound>
Integer integer_bound(std::string const& label, char const* name, Bound const& bound) {
  Integer result{};
  std::string text;
  if constexpr (std::is_integral_v<Bound>) {
    auto const number = +bound;
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
    text = std::to_string(number);
  } else {
    if (driver::to_integer(static_cast<double>(bound), result)) return result;
    text = text_of(static_cast<double>(bound));
  }
  using Limits = std::numeric_limits<Integer>;
  throw_no_integer(label, name, text, std::to_string(Limits::min()), std::to_string(Limits::max()));
}

/// Throws where bounds of floats are none.
core::EvenFloatBins<double> even_doubles(std::string const& label, std::size_t count, double lower, double upper);
core::EvenNarrowFloatBins<float> even_floats(std::string const& label, std::size_t count, double lower, double upper);

/// The bins of a type of values; at least one.
template <class Value, class Lower, class Upper>
auto even_bins(std::string const& label, std::size_t count, Lower const& lower, Upper const& upper) {
  if constexpr (std::is_integral_v<Value>) {
    using Wide       = std::conditional_t<std::is_unsigned_v<Value> && sizeof(Value) == 8, std::uint64_t, std::int64_t>;
    Wide const first = driver::integer_bound<Wide>(label, "lower", lower);
    Wide const end   = driver::integer_bound<Wide>(label, "upper", upper);
    if (!(first < end)) throw_not_ascending(label, std::to_string(first), std::to_string(end));
    return core::even_integer_bins<Value>(count, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end));
  } else if constexpr (sizeof(Value) == sizeof(double)) {
    auto const bins = even_doubles(label, count, static_cast<double>(lower), static_cast<double>(upper));
    return core::EvenFloatBins<Value>{bins.count, bins.lower, bins.upper, bins.scale};
  } else {
    auto const of = even_floats(label, count, static_cast<double>(lower), static_cast<double>(upper));
    return core::EvenNarrowFloatBins<Value>{of.exact, of.count, of.lower,      of.scale,
                                            of.least, of.end,   of.least_rest, of.most_rest};
  }
}

}  // namespace KokkosScan::driver
