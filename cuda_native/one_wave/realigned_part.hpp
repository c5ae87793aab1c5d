// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "../element_units.hpp"
#include "../realigned.hpp"

namespace KokkosScan::cuda::one_wave {

/// The units that a lane has of a full part, one in each round, in an array where they begin at any byte. They are
/// moved in the order of memory; of an array that is taken backwards, rounds and lanes follow each other downwards.
template <class Unit, int count, int rounds, class Array>
class RealignedPart {
  using Words = UnitWords<Unit>;
  using Byte  = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(std::declval<Array const&>()[0])>>,
                                   unsigned char const, unsigned char>;

  static constexpr bool backward = core::is_backward<Array>;
  static constexpr int step      = (backward ? -warp_size : warp_size) * Words::bytes;  // from round to round
  static constexpr int last      = rounds - 1;

 public:
  /// `first`: the element with which the lane's first unit begins.
  __device__ RealignedPart(Array const& array, std::size_t first) {
    auto* const lowest = reinterpret_cast<Byte*>(place_of_unit<count>(array, first));
    shift_             = static_cast<int>(reinterpret_cast<std::uintptr_t>(lowest) % sizeof(Unit));
    covering_          = lowest - shift_;
  }

  /// Of an array of n elements. Only the part's first unit and its last can be at an end of it.
  __device__ void load(Array const& array, std::size_t n) {
    auto* const low      = reinterpret_cast<Byte*>(&array[backward ? n - 1 : 0]);
    auto* const high     = reinterpret_cast<Byte*>(&array[backward ? 0 : n - 1] + 1);
    auto const address   = [&](int r, int half) { return covering_ + r * step + half * Words::bytes; };
    constexpr int lowest = backward ? last : 0, highest = last - lowest;
    Words row[rounds][2];
#pragma unroll
    for (int r = 0; r < rounds; ++r)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        if (r != (half == 0 ? lowest : highest))
          row[r][half] = load_at_once(reinterpret_cast<Words const*>(address(r, half)));
    row[lowest][0]  = load_within<Unit>(address(lowest, 0), low, high);
    row[highest][1] = load_within<Unit>(address(highest, 1), low, high);
    with_whole_words<Unit>(shift_, [&](auto whole) {
#pragma unroll
      for (int r = 0; r < rounds; ++r) shift_down<whole.value>(row[r], shift_);
    });
#pragma unroll
    for (int r = 0; r < rounds; ++r) own_[r] = row[r][0];
  }

  __device__ Unit get(int r) const { return turned<backward, count>(own_[r].unit()); }
  __device__ void put(int r, Unit const& unit) { own_[r] = Words::of(turned<backward, count>(unit)); }

  /// All lanes. Each stores the aligned unit that it shares with the lane before it, and asks that for its share. Of
  /// what the part shares with its neighbours, it stores its own bytes alone.
  __device__ void store() const {
    Words before = own_[0];  // of the first unit, before which is none of ours: any
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      Words const others = shuffle(own_[r], (lane() + warp_size - 1) % warp_size);
      if (lane() != 0) before = others;
      Words const whole = shared_unit<backward>(before, own_[r], shift_);
      Byte* const to    = covering_ + r * step + (backward ? Words::bytes : 0);
      if (r > 0 || lane() > 0)
        store_words(to, whole);
      else
        store_bytes(to, whole, backward ? 0 : shift_, backward ? shift_ : Words::bytes);
      before = others;  // of the last lane, for the first one
    }
    if (lane() == warp_size - 1)  // behind the last unit: any
      store_bytes(covering_ + last * step + (backward ? 0 : Words::bytes),
                  shared_unit<backward>(own_[last], own_[last], shift_), backward ? shift_ : 0,
                  backward ? Words::bytes : shift_);
  }

 private:
  Byte* covering_;  // the aligned unit in which the lane's first one begins
  int shift_;
  Words own_[rounds];
};

/// The same of an array whose elements need it not.
template <class Unit, int count, class Array>
class AlignedPart {
 public:
  __device__ AlignedPart(Array const& array, std::size_t first) : array_(array), first_(first) {}
  __device__ void load(Array const&, std::size_t) {}
  __device__ Unit get(int r) const {
    return read_unit<Unit, count>(array_, first_ + static_cast<std::size_t>(r * warp_size * count));
  }

 private:
  Array const& array_;
  std::size_t first_;
};

}  // namespace KokkosScan::cuda::one_wave
