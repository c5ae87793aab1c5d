// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/core/comparisons.hpp"
#include "merge_shape.hpp"

// Keys as a tile compares them. Those that have digits become the integer that they are sorted by when they are
// fetched, and what they were when they are stored: so a comparison is one of integers.
namespace KokkosScan::cuda::merge {

/// Compared as they are.
template <class Less>
struct ComparedKeys {
  static constexpr bool are_words = false;

  Less const& less;

  template <class Key>
  __device__ Key const& enter(Key const& key) const {
    return key;
  }
  template <class Key>
  __device__ Key const& leave(Key const& key) const {
    return key;
  }
  template <class Key>
  __device__ bool is_unusual(Key const&) const {
    return false;
  }
  template <class F>
  __device__ void with_less(bool, F const& f) const {
    f(less);
  }
};

template <class Bits>
struct ComparedKeys<core::LessInOrder<core::RadixOrder<Bits, false>>> {
  using Less = core::LessInOrder<core::RadixOrder<Bits, false>>;

  static constexpr bool are_words = true;

  Less const& less;

  __device__ Slot<Bits> enter(Slot<Bits> const& key) const { return {static_cast<Bits>(key.value ^ less.order.flip)}; }
  __device__ Slot<Bits> leave(Slot<Bits> const& key) const { return enter(key); }
  __device__ bool is_unusual(Slot<Bits> const&) const { return false; }
  template <class F>
  __device__ void with_less(bool, F const& f) const {
    f(KokkosScan::Less{});
  }
};

/// Floats as integers: numbers from 0 on in their order, which ends at twice the bits of infinity and 1, zeros being at
/// those bits and behind them; and what is no number.
template <class Bits>
struct LessOfNumbers {
  Bits infinity;
  __device__ bool operator()(Bits left, Bits right) const {
    return left < right && left < static_cast<Bits>(2 * infinity + 2) && !(left == infinity && right == infinity + 1);
  }
};
template <class Bits>
struct ComparedKeys<core::LessInOrder<core::RadixOrder<Bits, true>>> {
  using Order = core::RadixOrder<Bits, true>;
  using Less  = core::LessInOrder<Order>;

  static constexpr bool are_words = true;

  Less const& less;

  __device__ Slot<Bits> enter(Slot<Bits> const& key) const {
    Bits const turned = static_cast<Bits>(key.value ^ ((key.value & Order::sign) != 0 ? Order::all : Order::sign));
    return {static_cast<Bits>(static_cast<Bits>(turned ^ less.order.flip) - least())};
  }
  __device__ Slot<Bits> leave(Slot<Bits> const& key) const {
    Bits const turned = static_cast<Bits>(static_cast<Bits>(key.value + least()) ^ less.order.flip);
    return {static_cast<Bits>(turned ^ ((turned & Order::sign) != 0 ? Order::sign : Order::all))};
  }
  /// Whether an entered key may be equal to one that has other bits: -0.0, and what is no number.
  __device__ bool is_unusual(Slot<Bits> const& entered) const {
    Bits const infinity = less.order.infinity, minus_zero = less.order.flip != 0 ? infinity + 1 : infinity;
    return entered.value == minus_zero || entered.value > static_cast<Bits>(2 * infinity + 1);
  }
  /// Where no key is unusual, keys of which none is less are the same.
  template <class F>
  __device__ void with_less(bool any_unusual, F const& f) const {
    if (any_unusual)
      f(LessOfNumbers<Bits>{less.order.infinity});
    else
      f(KokkosScan::Less{});
  }

 private:
  __device__ Bits least() const { return static_cast<Bits>(Order::all ^ (less.order.infinity | Order::sign)); }
};

template <class Sort>
using KeysOf = ComparedKeys<typename Sort::Less>;

/// What the threads of a block say of their keys: each of its warps puts it down before a barrier.
class TileVote {
 public:
  __device__ TileVote(bool is_long, bool is_unusual) {
    std::uint32_t const own = (__any_sync(all_lanes, is_long) != 0 ? long_bit : 0U) |
                              (__any_sync(all_lanes, is_unusual) != 0 ? unusual_bit : 0U);
    if (lane() == 0) of_warps().store(warp(), own);
  }
  /// Behind the barrier.
  __device__ bool any_long() const { return any(long_bit); }
  __device__ bool any_unusual() const { return any(unusual_bit); }

 private:
  static constexpr std::uint32_t long_bit = 1, unusual_bit = 2;

  __device__ bool any(std::uint32_t bit) const {
    std::uint32_t all = 0;
    for (int w = 0; w < static_cast<int>(blockDim.x) / warp_size; ++w) all |= of_warps().load(w);
    return (all & bit) != 0;
  }
  __device__ static Shared<std::uint32_t> of_warps() { return shared_memory<std::uint32_t>(votes_byte); }
};

}  // namespace KokkosScan::cuda::merge
