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
/// back each on its own, since tiles publish what they know of all digits at a time. So many states are asked for
/// before the first of them is there.
template <int at_once = 4>
__device__ std::uint64_t look_back(std::uint64_t const* of_digit, std::uint32_t k, int digits, int pass) {
  std::uint64_t sum = 0;
  while (k > 0) {
    std::uint64_t word[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      std::uint32_t const tile = k > static_cast<std::uint32_t>(i) ? k - 1 - static_cast<std::uint32_t>(i) : 0;
      word[i] = load_relaxed(of_digit + static_cast<std::size_t>(tile) * static_cast<std::size_t>(digits));
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (!DigitState::is_of(word[i], pass)) {
        pause();
        break;
      }
      sum += DigitState::count(word[i]);
      if (DigitState::is_inclusive(word[i])) return sum;
      --k;
    }
  }
  return sum;
}

/// Takes what lies sorted in shared memory to where it goes: element k of the tile to address(digit of k) + k elements.
template <class S, class T, class Address, class Digit>
__device__ void move_items(Shared<T> const& sorted, int n, Address const& address, Digit const& digit) {
  int const own      = static_cast<int>(threadIdx.x);
  auto const element = [](std::uintptr_t array, int k) {
    return in_global_memory<T>(array + static_cast<unsigned>(k) * std::uintptr_t{sizeof(T)});
  };
  if (n < S::tile) {
#pragma unroll
    for (int i = 0; i < S::items; ++i)
      if (int const k = own + i * S::threads; k < n) {
        T const item                         = sorted.load(k);
        *element(address(digit(i, item)), k) = item;
      }
    return;
  }
  constexpr int at_once = 5;  // loads that are on their way together
#pragma unroll
  for (int first = 0; first < S::items; first += at_once) {
    T item[at_once];
    T* to[at_once];
#pragma unroll
    for (int i = 0; i < at_once && first + i < S::items; ++i) item[i] = sorted.load(own + (first + i) * S::threads);
#pragma unroll
    for (int i = 0; i < at_once && first + i < S::items; ++i)
      to[i] = element(address(digit(first + i, item[i])), own + (first + i) * S::threads);
#pragma unroll
    for (int i = 0; i < at_once && first + i < S::items; ++i) *to[i] = item[i];
  }
}

/// Sorts by one digit: takes each key, and its value, to its place in the other array.
template <class S, class Sort = typename S::Sort>
__global__ void __launch_bounds__(S::threads, radix_blocks_per_sm)
    digit_pass_kernel(Sort const sort, Scratch const scratch, int const pass) {
  begin_behind_previous_grid();
  using Bits          = typename Sort::Bits;
  auto const ticket   = shared_memory<std::uint32_t>(S::ticket_byte);
  auto const places   = shared_memory<std::uintptr_t>(S::places_byte);
  auto const keys     = shared_memory<Bits>(S::moved_byte);
  auto const keys_at  = core::of_pass(sort.keys, sort.other_keys, pass);
  auto const digit_of = sort.digit_of(pass);
  int const d         = static_cast<int>(threadIdx.x);

  // ---- a tile; behind the last key stands what would be sorted behind it
  if (threadIdx.x == 0) ticket.store(0, static_cast<std::uint32_t>(fetch_add(scratch.tickets + pass, 1)));
  __syncthreads();
  std::uint32_t const k   = ticket.load(0);
  std::size_t const begin = static_cast<std::size_t>(k) * S::tile;
  int const n             = sort.n - begin < S::tile ? static_cast<int>(sort.n - begin) : S::tile;
  int const first         = first_item(S::items);
  Bits key[S::items];
  if (n == S::tile)
    load_items(keys_at.from + begin + first, key);
  else
    load_items(keys_at.from + begin + first, n - first, S::items, sort.order.last(), key);

  // ---- how many keys have each digit, for the others
  Ranker<S> const ranker;
  typename Ranker<S>::Digits digits;
  typename Ranker<S>::Ranks ranks;
  ranker.count([&](int i) { return digit_of(key[i]); }, digits, ranks);
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
  ranker.place(digits, ranks);
#pragma unroll
  for (int i = 0; i < S::items; ++i) keys.store(ranks.get(i), key[i]);

  // ---- where each digit goes
  if (d < S::digits) {
    std::uint64_t const before = look_back(state, k, S::digits, pass);
    if (k > 0)
      store_relaxed(own, DigitState::of(before + static_cast<std::uint64_t>(count), pass, DigitState::inclusive));
    // Of the first element of the tile, if it had that digit: addresses of the array, whatever is subtracted.
    std::uint64_t const place =
        scratch.bins[pass * S::digits + d] + before - static_cast<std::uint64_t>(begin_of_digit);
    places.store(d, global_address(keys_at.to) + place * sizeof(Bits));
    if constexpr (Sort::has_values)
      places.store(S::digits + d, global_address(core::of_pass(sort.values, sort.other_values, pass).to) +
                                      place * sizeof(typename Sort::Value));
  }
  __syncthreads();
  auto const address = [&](int of_digit) { return places.load(of_digit); };
  if constexpr (!Sort::has_values) {
    move_items<S>(keys, n, address, [&](int, Bits sorted) { return static_cast<int>(digit_of(sorted)); });
  } else {
    using Value       = typename Sort::Value;
    auto const values = shared_memory<Value>(S::moved_byte);
    typename Ranker<S>::Digits moved;
    move_items<S>(keys, n, address, [&](int i, Bits sorted) {
      std::uint32_t const of_digit = digit_of(sorted);
      moved.add(i, of_digit);
      return static_cast<int>(of_digit);
    });
    Value value[S::items];
    auto const* const from = core::of_pass(sort.values, sort.other_values, pass).from + begin + first;
    if (n == S::tile)
      load_items(from, value);
    else
      load_items(from, n - first, S::items, Value{}, value);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::items; ++i) values.store(ranks.get(i), value[i]);
    __syncthreads();
    move_items<S>(values, n, address, [&](int i, Value const&) { return S::digits + moved.get(i); });
  }
}

}  // namespace KokkosScan::cuda::radix
