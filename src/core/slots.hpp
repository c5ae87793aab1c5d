// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include "arrays.hpp"
#include "length.hpp"
#include "sinks.hpp"

// Slots that many ask for: where those of each begin, and whether they are there. A scan with a sum that stands still
// at its highest value, and two results for each element.
namespace KokkosScan::core {

/// The largest number of a type; a constant, since a kernel may not call the functions of std::numeric_limits.
template <class Integer>
inline constexpr std::size_t highest_of = static_cast<std::size_t>(std::numeric_limits<Integer>::max());

/// As a number of that type, or its largest.
template <class Integer>
KOKKOSSCAN_FUNCTION Integer saturated(std::size_t slots) {
  constexpr std::size_t most = highest_of<Integer>;
  return static_cast<Integer>(slots < most ? slots : most);
}

/// A sum that stays the largest number where it would be larger: associative, since all that is added is positive. Of
/// few and narrow requests none can become that large; to look would make a chain of comparisons of the additions.
struct AddSlots {
  bool may_overflow;

  KOKKOSSCAN_FUNCTION std::size_t operator()(std::size_t left, std::size_t right) const {
    std::size_t const sum = left + right;
    if (may_overflow && sum < left) return static_cast<std::size_t>(-1);
    return sum;
  }
};

/// How many slots a request is for: of less than none, none.
struct RequestedSlots {
  template <class Integer>
  KOKKOSSCAN_FUNCTION std::size_t operator()(Integer const& request) const {
    return clamped(request, static_cast<std::size_t>(-1));
  }
};

/// How many slots there are, as a call says.
struct GivenCapacity {
  std::size_t slots;

  KOKKOSSCAN_FUNCTION std::size_t most() const { return slots; }
};
/// As an integer in memory says, but no more than that.
template <class Integer>
struct StoredCapacity {
  Integer const* address;
  std::size_t limit;

  KOKKOSSCAN_FUNCTION std::size_t most() const { return clamped(*address, limit); }
};

/// Where the slots of each request begin, and whether they are within the capacity. The level, if somebody asks, is how
/// many are taken in the end: what stands before the first request that is too much, or else through the last one.
template <bool keeps_level, class Begins, class Granted, class Capacity, class Asked = std::size_t>
struct ToSlots {
  using Total = Asked;
  using Begin = ElementOf<Begins>;
  using Grant = ElementOf<Granted>;

  static constexpr Uses uses = {.before = true, .own = false, .through = true};

  Begins begins;
  Granted granted;
  Capacity capacity;
  std::size_t* level;
  std::size_t end;

  KOKKOSSCAN_FUNCTION static Asked total_of(std::size_t through) { return saturated<Asked>(through); }
  KOKKOSSCAN_FUNCTION static Asked total_of_nothing() { return 0; }

  KOKKOSSCAN_FUNCTION void store(std::size_t i, std::size_t before, std::size_t, std::size_t through) const {
    std::size_t const most = capacity.most();
    bool const fits        = through <= most;
    put(begins[i], saturated<Begin>(before));
    put(granted[i], static_cast<Grant>(fits));
    if constexpr (keeps_level)
      if (fits ? i + 1 == end : before <= most) *level = fits ? through : before;
  }
};

}  // namespace KokkosScan::core
