// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ranker.hpp"

namespace KokkosScan::cuda::radix {

/// What is known of a digit and a tile, in one word: how many keys of the tile have it, or of all tiles up to it. Words
/// of earlier passes are as good as none.
struct DigitState {
  enum : std::uint64_t { aggregate = 1, inclusive = 2 };

  __device__ static std::uint64_t of(std::uint64_t count, int pass, std::uint64_t state) {
    return count << 8 | tag(pass) | state;
  }
  __device__ static bool is_of(std::uint64_t word, int pass) { return (word & 0xfcU) == tag(pass); }
  __device__ static bool is_inclusive(std::uint64_t word) { return (word & inclusive) != 0; }
  __device__ static std::uint64_t count(std::uint64_t word) { return word >> 8; }

 private:
  __device__ static std::uint64_t tag(int pass) { return static_cast<std::uint64_t>(pass + 1) << 2; }
};

/// How many keys of the tiles before tile k have a digit. Called for all digits at once, a thread to each; lanes go
/// back each on its own, since tiles publish what they know of all digits at a time.
__device__ inline std::uint64_t look_back(std::uint64_t const* of_digit, std::uint32_t k, int digits, int pass) {
  std::uint64_t sum = 0;
  while (k > 0) {
    std::uint64_t const word =
        load_relaxed(of_digit + static_cast<std::size_t>(k - 1) * static_cast<std::size_t>(digits));
    if (!DigitState::is_of(word, pass)) {
      pause();
      continue;
    }
    sum += DigitState::count(word);
    if (DigitState::is_inclusive(word)) break;
    --k;
  }
  return sum;
}

/// Four digits to a register.
template <int count>
class PackedDigits {
 public:
  __device__ void put(int i, int digit) { word_[i / 4] |= static_cast<std::uint32_t>(digit) << (i % 4 * 8); }
  __device__ int get(int i) const { return static_cast<int>(word_[i / 4] >> (i % 4 * 8) & 0xffU); }

 private:
  std::uint32_t word_[(count + 3) / 4] = {};
};

/// Sorts by one digit: takes each key, and its value, to its place in the other array.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, radix_blocks_per_sm)
    digit_pass_kernel(Sort const sort, Scratch const scratch, int const pass) {
  using S            = Shape<Sort>;
  using Bits         = typename Sort::Bits;
  auto const ticket  = shared_memory<std::uint32_t>(S::ticket_byte);
  auto const places  = shared_memory<std::uint64_t>(S::places_byte);
  auto const keys    = shared_memory<Bits>(S::moved_byte);
  auto const keys_at = core::of_pass(sort.keys, sort.other_keys, pass);
  int const d        = static_cast<int>(threadIdx.x);

  // ---- a tile; behind the last key stands what would be sorted behind it
  if (threadIdx.x == 0) ticket.store(0, static_cast<std::uint32_t>(fetch_add(scratch.tickets + pass, 1)));
  __syncthreads();
  std::uint32_t const k   = ticket.load(0);
  std::size_t const begin = static_cast<std::size_t>(k) * S::tile;
  int const n             = sort.n - begin < S::tile ? static_cast<int>(sort.n - begin) : S::tile;
  Bits key[S::items];
  int rank[S::items];
  load_items<Sort>(keys_at.from + begin + S::first_item(), n, sort.order.last(), key);
  auto const digit = [&](int i) { return sort.digit(key[i], pass); };

  // ---- how many keys have each digit, for the others
  Ranker<Sort> const ranker;
  ranker.count(digit, rank);
  __syncthreads();
  auto* const state = scratch.states + d;  // of the first tile
  auto* const own   = state + static_cast<std::size_t>(k) * S::digits;
  int count = 0, begin_of_digit = 0;
  ranker.sum(begin_of_digit, [&](int counted) {
    count = counted;  // of the last tile with what fills it, which nobody looks at
    store_relaxed(own, DigitState::of(static_cast<std::uint64_t>(count), pass,
                                      k == 0 ? DigitState::inclusive : DigitState::aggregate));
  });
  __syncthreads();

  // ---- the tile, sorted
  // Of what the compiler takes for other keys, or it would keep all digits from before, and no registers for it.
  Bits const nothing = static_cast<Bits>(hidden_zero());
  ranker.place([&](int i) { return sort.digit(static_cast<Bits>(key[i] ^ nothing), pass); }, rank);
#pragma unroll
  for (int i = 0; i < S::items; ++i) keys.store(rank[i], key[i]);

  // ---- where each digit goes
  if (d < S::digits) {
    std::uint64_t const before = look_back(state, k, S::digits, pass);
    if (k > 0)
      store_relaxed(own, DigitState::of(before + static_cast<std::uint64_t>(count), pass, DigitState::inclusive));
    places.store(d, scratch.bins[pass * S::digits + d] + before - static_cast<std::uint64_t>(begin_of_digit));
  }
  __syncthreads();
  auto const place_of = [&](int at, int of_digit) {
    return static_cast<std::size_t>(places.load(of_digit) + static_cast<std::uint64_t>(at));
  };
  auto const move = [&](auto const& at_of) {
#pragma unroll
    for (int i = 0; i < S::items; ++i)
      if (int const at = d + i * S::threads; at < n) at_of(i, at);
  };
  if constexpr (!Sort::has_values) {
#pragma unroll 4
    for (int at = d; at < n; at += S::threads) {
      Bits const sorted                                  = keys.load(at);
      keys_at.to[place_of(at, sort.digit(sorted, pass))] = sorted;
    }
  } else {
    using Value          = typename Sort::Value;
    auto const values_at = core::of_pass(sort.values, sort.other_values, pass);
    auto const values    = shared_memory<Value>(S::moved_byte);
    PackedDigits<S::items> digits;
    move([&](int i, int at) {
      Bits const sorted  = keys.load(at);
      int const of_digit = sort.digit(sorted, pass);
      digits.put(i, of_digit);
      keys_at.to[place_of(at, of_digit)] = sorted;
    });
    Value value[S::items];
    load_items<Sort>(values_at.from + begin + S::first_item(), n, Value{}, value);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::items; ++i) values.store(rank[i], value[i]);
    __syncthreads();
    move([&](int i, int at) { values_at.to[place_of(at, digits.get(i))] = values.load(at); });
  }
}

}  // namespace KokkosScan::cuda::radix
