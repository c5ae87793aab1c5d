// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace model {

constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

/// Folds one more fact into a fingerprint.
constexpr std::uint64_t mixed(std::uint64_t fingerprint, std::uint64_t fact) {
  fingerprint = (fingerprint ^ fact) * 0x9e3779b97f4a7c15U;
  return fingerprint ^ (fingerprint >> 29);
}

/// SplitMix64: every seed is a good one, and a draw costs a nanosecond.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { return mixed(state_ += 0x9e3779b97f4a7c15U); }

  /// A number below `end`.
  unsigned below(unsigned end) { return static_cast<unsigned>(((bits() >> 32) * end) >> 32); }

  bool one_in(unsigned n) { return below(n) == 0; }

  template <class T, unsigned n>
  T one_of(T const (&choices)[n]) {
    return choices[below(n)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace model
