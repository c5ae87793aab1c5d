// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

// Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M), which sorts any number of words
// by comparisons that do not depend on them: registers have no addresses.
namespace KokkosScan::cuda::merge {

struct Exchange {
  int low, high;
};

/// put(low, high) for each comparison, one behind the other.
template <class Put>
constexpr void for_each_exchange(int n, Put const& put) {
  int top = 1;
  while (2 * top < n) top *= 2;
  for (int p = top; p > 0; p /= 2) {
    int q = top, r = 0, d = p;
    while (true) {
      for (int i = 0; i + d < n; ++i)
        if ((i & p) == r) put(i, i + d);
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
}
template <int n>
constexpr int exchanges = [] {
  int count = 0;
  for_each_exchange(n, [&](int, int) { ++count; });
  return count;
}();
template <int n>
struct Network {
  Exchange exchange[exchanges<n>] = {};

  constexpr Network() {
    int k = 0;
    for_each_exchange(n, [&](int low, int high) { exchange[k++] = {low, high}; });
  }
};
template <int n>
constexpr Network<n> network{};

template <int low, int high, class Word, int n>
__device__ void exchange(Word (&word)[n]) {
  Word const a = word[low], b = word[high];
  word[low]  = b < a ? b : a;
  word[high] = b < a ? a : b;
}
template <class Word, int n>
__device__ void sort_network(Word (&word)[n]) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (exchange<network<n>.exchange[k].low, network<n>.exchange[k].high>(word), ...);
  }(std::make_index_sequence<static_cast<std::size_t>(exchanges<n>)>{});
}

}  // namespace KokkosScan::cuda::merge
