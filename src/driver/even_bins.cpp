// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "even_bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace KokkosScan::driver {
namespace {

/// Whatever the compiler has been told of what floats are.
bool is_finite(double number) { return (std::bit_cast<std::uint64_t>(number) >> 52 & 0x7ff) != 0x7ff; }

/// The first float that is not below a finite double.
float first_float(double bound) {
  constexpr float most = std::numeric_limits<float>::max();
  if (bound > static_cast<double>(most)) return std::numeric_limits<float>::infinity();
  if (bound < -static_cast<double>(most)) return -most;
  float const near = static_cast<float>(bound);
  return static_cast<double>(near) < bound ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

}  // namespace

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", number);
  return text;
}

void throw_not_ascending(std::string const& label, std::string const& lower, std::string const& upper) {
  throw std::invalid_argument(label + ": lower is " + lower + " and upper is " + upper +
                              "; lower must be below upper, and both must be finite");
}

void throw_no_integer(std::string const& label, char const* name, std::string const& bound, std::string const& least,
                      std::string const& most) {
  throw std::invalid_argument(label + ": " + name + " is " + bound + ", and from has integers; a bound of those must " +
                              "be an integer from " + least + " to " + most);
}

core::EvenFloatBins<double> even_doubles(std::string const& label, std::size_t count, double lower, double upper) {
  if (!is_finite(lower) || !is_finite(upper) || !(lower < upper))
    throw_not_ascending(label, text_of(lower), text_of(upper));
  double const width = upper - lower;
  double const scale = static_cast<double>(count) / width;
  if (!is_finite(width) || !is_finite(scale) || scale == 0)
    throw std::invalid_argument(label + ": lower is " + text_of(lower) + " and upper is " + text_of(upper) +
                                "; no double holds the width of " + std::to_string(count) + " bins between them");
  return {count, lower, upper, scale};
}

core::EvenNarrowFloatBins<float> even_floats(std::string const& label, std::size_t count, double lower, double upper) {
  auto const exact = even_doubles(label, count, lower, upper);
  core::EvenNarrowFloatBins<float> bins{
      {count, exact.lower, exact.upper, exact.scale}, count, 0, 0, first_float(lower), first_float(upper), 1, 0};
  // How far a place that floats find may be from the one that doubles do: what rounding the bound may shift all of
  // them, and three roundings of the place; four times that, for what doubles round, and for good measure.
  double const bound = std::max(std::abs(lower), std::abs(upper));
  double const error = (bound * exact.scale + static_cast<double>(count)) * 0x1p-22;
  // Scales that are no proper floats have no places.
  bool const is_held = exact.scale > 0x1p-100 && exact.scale < 0x1p100 && bound < 0x1p120;
  if (is_held && error < 0.125) {
    bins.lower      = static_cast<float>(lower);
    bins.scale      = static_cast<float>(exact.scale);
    bins.least_rest = static_cast<float>(error);
    bins.most_rest  = static_cast<float>(1 - error);
  }
  return bins;
}

}  // namespace KokkosScan::driver
