// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arrays.hpp"
#include "bins.hpp"

// A histogram as every backend sees it: elements, which bin each falls into, what it weighs, and counters, which are
// words of bits whether their numbers have signs or not.
namespace KokkosScan::core {

/// Each element weighs 1.
struct NoWeights {};

/// Counts n elements: counts[k] becomes the weight of those that fall into bin k.
template <class From_, class Bins_, class Word_, class Weights_ = NoWeights>
struct Histogram {
  using From    = From_;
  using Value   = ElementOf<From>;
  using Bins    = Bins_;
  using Word    = Word_;
  using Weights = Weights_;
  static_assert(std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>);

  static constexpr bool has_weights = !std::is_same_v<Weights, NoWeights>;

  From from;
  Bins bins;
  Weights weights;
  Strided<Word> counts;
  std::size_t n;

  /// What element i weighs; sums of integers are right whatever their signs, since they wrap.
  KOKKOSSCAN_FUNCTION Word weight(std::size_t i) const {
    if constexpr (has_weights)
      return static_cast<Word>(weights[i]);
    else
      return 1;
  }
};

}  // namespace KokkosScan::core
