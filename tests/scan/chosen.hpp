// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problems.hpp"

// What compaction and runs are tested with: values in runs of equal neighbours, and predicates that choose some of
// them.
namespace test {

/// Chooses about so many of a hundred values, by all of their bytes.
struct Picks {
  unsigned percent;

  template <class Value>
  KOKKOS_FUNCTION bool operator()(Value const& value) const {
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&value);
    unsigned hash           = 2166136261U;
    for (std::size_t k = 0; k < sizeof(Value); ++k) hash = (hash ^ bytes[k]) * 16777619U;
    return (hash >> 8) % 100 < percent;
  }
};
template <class View>
struct Picked {
  Picks picks;
  View values;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return picks(values(i)); }
};

template <class View>
struct Move {
  View from, dest;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t position) const { dest(position) = from(i); }
};

struct SlotsOf {
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return static_cast<int>(i * 7919 % 5); }
};
struct IsThird {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 3 == 0; }
};
template <class View>
struct Fill {
  View begins;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t begin) const { begins(i) = begin; }
};

/// Values, each as often as a run of 1 to 4 of them is long, and sometimes of a hundred.
template <class Value>
std::vector<Value> make_runs(std::size_t n, std::uint64_t seed) {
  auto const values = make_values<OperatorOf<Value>, Value>(n, seed);
  Random random(seed);
  std::vector<Value> runs;
  for (std::size_t k = 0; runs.size() < n; ++k) {
    std::size_t const length = random.below(50) == 0 ? 100 : 1 + random.below(4);
    for (std::size_t i = 0; i < length && runs.size() < n; ++i) runs.push_back(values[k]);
  }
  return runs;
}

}  // namespace test
