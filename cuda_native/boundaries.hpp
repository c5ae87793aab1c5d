// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "../src/core/segments.hpp"
#include "machine.hpp"
#include "tuning.hpp"
#include "warp.hpp"

// Where segments begin, as bits, made of their offsets: each warp makes some words. Its lanes look for the first offset
// that points there, all together, and go on from it, an offset to a lane. So nobody waits for a row of loads, each of
// which waits for the one before it, and offsets are read side by side. By a kernel for those that follow; in one wave
// each warp makes those of its own part.
namespace KokkosScan::cuda::boundaries {

inline constexpr int warps = 8;  // of a block

/// The first of these offsets that is not less than an element; `segments + 1`, if there is none. All lanes.
template <class Integer>
__device__ std::size_t find(core::Offsets<Integer> const& offsets, std::size_t from, std::size_t element) {
  std::size_t count = offsets.segments + 1 - from;
  while (count > 0) {
    // Each lane asks the last one of a share. Where they ascend, lanes that see less are the first ones.
    std::size_t const share = (count + warp_size - 1) / warp_size;
    std::size_t const last  = static_cast<std::size_t>(lane() + 1) * share - 1;
    bool const is_less      = last < count && offsets.clamped(from + last, static_cast<std::size_t>(-1)) < element;
    std::size_t const less  = static_cast<std::size_t>(__popc(__ballot_sync(all_lanes, is_less))) * share;
    from += less;
    count -= less;
    count = count < share - 1 ? count : share - 1;  // the last one of its share is known not to be less
  }
  return from;
}

/// The words that a warp makes, in shared memory; of each, if somebody asks, the first offset that points there.
class Words {
 public:
  __device__ explicit Words(Shared<std::uint32_t> bits) : Words(bits, shared_memory<std::size_t>(0), false) {}
  __device__ Words(Shared<std::uint32_t> bits, Shared<std::size_t> first_offsets, bool with_first_offsets)
      : bits_(bits), first_offsets_(first_offsets), with_first_offsets_(with_first_offsets) {}

  __device__ void clear(int count) const {
    for (int w = lane(); w < count; w += warp_size) {
      bits_.store(w, 0);
      if (with_first_offsets_) first_offsets_.store(w, none);
    }
    __syncwarp();
  }
  /// Takes some offsets of each lane, from k on, as places among the bits; not those that are negative. They ascend
  /// from lane to lane. All lanes.
  template <int count>
  __device__ void put(int const (&place)[count], std::size_t k) {
    constexpr int bits_each = core::bits_of_word;
    auto const word         = [&](int j) { return place[j] < 0 ? -1 : place[j] / bits_each; };
    // A word between a lane's first and its last is the lane's own.
    int const first             = word(0);
    int last                    = first;
    std::uint32_t bits_of_first = 0, bits_of_last = 0;
    int before = __shfl_up_sync(all_lanes, word(count - 1), 1);
    if (lane() == 0) before = last_word_;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      int const own = word(j);
      if (j > 0 && own != last) {
        if (last == first)
          bits_of_first = bits_of_last;
        else if (last >= 0)  // or offsets descend
          bits_.store(last, bits_of_last);
        last         = own;
        bits_of_last = 0;
      }
      if (own >= 0) bits_of_last |= std::uint32_t{1} << (place[j] % bits_each);
      if (with_first_offsets_ && own >= 0 && own != (j > 0 ? word(j - 1) : before))
        first_offsets_.store(own, k + static_cast<std::size_t>(j));
    }
    // Those at their ends are several lanes' together.
#pragma unroll
    for (int delta = 1; delta < warp_size; delta *= 2) {
      int const other            = __shfl_up_sync(all_lanes, last, static_cast<unsigned>(delta));
      std::uint32_t const others = __shfl_up_sync(all_lanes, bits_of_last, static_cast<unsigned>(delta));
      if (lane() >= delta && other == last) bits_of_last |= others;
    }
    int const last_before           = __shfl_up_sync(all_lanes, last, 1);
    std::uint32_t const bits_before = __shfl_up_sync(all_lanes, bits_of_last, 1);
    int const first_behind          = __shfl_down_sync(all_lanes, first, 1);
    if (first >= 0 && first != last)
      bits_.store(first, bits_.load(first) | bits_of_first | (lane() > 0 && last_before == first ? bits_before : 0));
    if (last >= 0 && (lane() == warp_size - 1 || first_behind != last))
      bits_.store(last, bits_.load(last) | bits_of_last);
    last_word_ = __shfl_sync(all_lanes, last, warp_size - 1);
    __syncwarp();
  }
  /// Moves them out; `behind` is the first offset that points behind them.
  __device__ void store(std::uint32_t* words, std::size_t* first_offsets, int count, std::size_t behind) const {
    for (int w = lane(); w < count; w += warp_size) words[w] = bits_.load(w);
    if (!with_first_offsets_) return;
    // A word to which none points has that of the next one, so they are gone through from the last one on.
    for (int end = count; end > 0; end -= warp_size) {
      int const w       = end - 1 - lane();
      std::size_t first = w >= 0 ? first_offsets_.load(w) : none;
      if (lane() == 0 && first == none) first = behind;
      Uninitialized<std::size_t> nearest;
      nearest.put(first);
      nearest = scan_warp(nearest, warp_size, [](std::size_t l, std::size_t r) { return r == none ? l : r; });
      if (w >= 0) first_offsets[w] = nearest.value;
      behind = shuffle(nearest, warp_size - 1).value;
    }
  }

 private:
  enum : std::size_t { none = static_cast<std::size_t>(-1) };

  Shared<std::uint32_t> bits_;
  Shared<std::size_t> first_offsets_;
  bool with_first_offsets_;
  int last_word_ = -1;  // to which an offset points so far
};

/// Makes `count` words from word w on, of the boundaries of an array of n elements, and returns the first offset that
/// points behind them. All lanes; they see the words.
template <class Integer>
__device__ std::size_t make(Words& words, core::Offsets<Integer> const& offsets, std::size_t n, std::size_t w,
                            int count) {
  constexpr int each      = boundaries_offsets_at_once;
  std::size_t const begin = w * core::bits_of_word, end = begin + static_cast<std::size_t>(count) * core::bits_of_word;
  words.clear(count);
  std::size_t next = boundaries::find(offsets, 0, begin);
  for (bool goes_on = true; goes_on;) {
    std::size_t const k = next + static_cast<std::size_t>(lane() * each);
    std::size_t element[each];  // all on their way before the first is needed
#pragma unroll
    for (int j = 0; j < each; ++j) {
      std::size_t const own = k + static_cast<std::size_t>(j);
      element[j]            = own <= offsets.segments ? offsets.clamped(own, n) : end;
    }
    int place[each];  // none of those that point elsewhere, which are the last ones if offsets ascend
#pragma unroll
    for (int j = 0; j < each; ++j)
      place[j] = element[j] >= begin && element[j] < end ? static_cast<int>(element[j] - begin) : -1;
    words.put(place, k);
    // Where many segments are empty, all of them are passed at once.
    Uninitialized<std::size_t> lowest, highest;
    lowest.put(element[0]);
    highest.put(element[each - 1]);
    lowest  = shuffle(lowest, 0);
    highest = shuffle(highest, warp_size - 1);
    goes_on = highest.value >= begin && highest.value < end && highest.value < n;
    if (goes_on) {
      next += each * warp_size;
      if (lowest.value == highest.value) next = boundaries::find(offsets, next, highest.value + 1);
    } else {
#pragma unroll
      for (int j = 0; j < each; ++j) next += static_cast<std::size_t>(__popc(__ballot_sync(all_lanes, place[j] >= 0)));
    }
  }
  return next;
}

template <class Integer>
__global__ void __launch_bounds__(warps* warp_size)
    boundaries_kernel(core::MakeBoundaries<Integer> const make, int const words_each) {
  begin_behind_previous_grid();
  std::size_t const w =
      make.begin + (static_cast<std::size_t>(blockIdx.x) * warps + static_cast<std::size_t>(whole_warp())) *
                       static_cast<std::size_t>(words_each);
  if (w >= make.end) return;
  std::size_t const rest = make.end - w;
  int const count        = rest < static_cast<std::size_t>(words_each) ? static_cast<int>(rest) : words_each;
  int const own          = whole_warp() * words_each;
  Words words(shared_memory<std::uint32_t>(0).from(own),
              shared_memory<std::size_t>(warps * words_each * int{sizeof(std::uint32_t)}).from(own),
              make.first_of_words != nullptr);
  std::size_t const next = boundaries::make(words, make.offsets, make.n, w, count);
  words.store(make.words + w, make.first_of_words ? make.first_of_words + w : nullptr, count, next);
}

/// How many of so many words a warp makes. Long rows of them save searches; short ones keep all of a device busy.
constexpr int words_of_warp(std::size_t count) {
  constexpr std::size_t most = boundaries_most_words / warp_size;
  return static_cast<int>(std::clamp(count / (boundaries_warps * warp_size), std::size_t{1}, most)) * warp_size;
}

/// Enqueues it.
template <class Integer>
void run(Stream stream, core::MakeBoundaries<Integer> const& make) {
  std::size_t const count = make.end - make.begin;
  int const words_each    = boundaries::words_of_warp(count);
  std::size_t const each  = static_cast<std::size_t>(warps) * static_cast<std::size_t>(words_each);
  std::size_t const bytes = sizeof(std::uint32_t) + (make.first_of_words ? sizeof(std::size_t) : 0);
  launch(stream, Grid{static_cast<unsigned>((count + each - 1) / each), warps * warp_size, each * bytes},
         boundaries_kernel<Integer>, make, words_each);
}

}  // namespace KokkosScan::cuda::boundaries
