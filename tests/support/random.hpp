// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace test {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine, which the distributions of <random> do not
/// promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z               = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  /// In [0, end). The bias for ends far below 2^64 does not matter here.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>((*this)() % end); }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low) + 1));
  }
  /// In [0, 1).
  double fraction() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  bool one_in(std::size_t chances) { return below(chances) == 0; }

  template <class T, std::size_t count>
  T const& pick(T const (&values)[count]) {
    return values[below(count)];
  }

 private:
  std::uint64_t state_;
};

/// A seed or the like that the caller may set.
inline std::uint64_t number_from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);
  return text ? std::stoull(text) : otherwise;
}

/// How often a test repeats something: less with KOKKOSSCAN_REPETITIONS=N, for slow tools.
inline int repetitions_up_to(int most) {
  auto const limit = static_cast<std::uint64_t>(most);
  return static_cast<int>(std::min(limit, number_from_environment("KOKKOSSCAN_REPETITIONS", limit)));
}

/// Whether a test makes the call of that number, of the many in which it crosses everything with everything: with
/// KOKKOSSCAN_EVERY_NTH=N each n-th, for slow builds. N shares no factor with the lengths of what is crossed.
inline bool is_made(std::size_t call) { return call % number_from_environment("KOKKOSSCAN_EVERY_NTH", 1) == 0; }

}  // namespace test
