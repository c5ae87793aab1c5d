// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <vector>

#include "seeds.hpp"

// Words between blocks: what is stale somewhere without order, and nowhere with it.
namespace KokkosScan::cuda {
namespace {

enum class Writer { relaxed, release, fence };
enum class Reader { relaxed, acquire, fence };

/// Block 0 writes a value and says so; block 1 waits for that and reads the value.
template <Writer writer, Reader reader>
__global__ void pass_a_message(unsigned* words, unsigned* out) {
  unsigned* const value = words;
  unsigned* const flag  = words + 1;
  if (blockIdx.x == 0) {
    store_relaxed(value, 42U);
    if (writer == Writer::fence) fence();
    if (writer == Writer::release)
      store_release(flag, 1U);
    else
      store_relaxed(flag, 1U);
  } else {
    while ((reader == Reader::acquire ? load_acquire(flag) : load_relaxed(flag)) == 0) pause();
    if (reader == Reader::fence) fence();
    *out = load_relaxed(value);
  }
}

template <class Kernel>
int seeds_with_stale(Kernel kernel, unsigned blocks = 2, int threads = 1, unsigned fresh = 42, int seeds = 400) {
  return seeds_with(seeds,
                    [&] {
                      alignas(16) unsigned words[16] = {};
                      unsigned out                   = ~0U;
                      launch(nullptr, {blocks, threads, 0}, kernel, words, &out);
                      EXPECT_NE(out, ~0U);
                      return out != fresh;
                    },
                    {.resident = model::all_blocks});
}

TEST(Words, arrive_late_unless_both_sides_give_order) {
  EXPECT_GT(seeds_with_stale(pass_a_message<Writer::relaxed, Reader::relaxed>), 0);
  EXPECT_GT(seeds_with_stale(pass_a_message<Writer::relaxed, Reader::acquire>), 0);
  EXPECT_GT(seeds_with_stale(pass_a_message<Writer::relaxed, Reader::fence>), 0);
  EXPECT_GT(seeds_with_stale(pass_a_message<Writer::release, Reader::relaxed>), 0);
  EXPECT_GT(seeds_with_stale(pass_a_message<Writer::fence, Reader::relaxed>), 0);
}

TEST(Words, arrive_in_order_when_both_sides_give_it) {
  EXPECT_EQ(seeds_with_stale(pass_a_message<Writer::release, Reader::acquire>), 0);
  EXPECT_EQ(seeds_with_stale(pass_a_message<Writer::release, Reader::fence>), 0);
  EXPECT_EQ(seeds_with_stale(pass_a_message<Writer::fence, Reader::acquire>), 0);
  EXPECT_EQ(seeds_with_stale(pass_a_message<Writer::fence, Reader::fence>), 0);
}

/// A fence before the value is none between the value and the flag; nor is one after the value was read.
__global__ void fence_too_early(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    fence();
    store_relaxed(words, 42U);
    store_relaxed(words + 1, 1U);
  } else {
    while (load_acquire(words + 1) == 0) pause();
    *out = load_relaxed(words);
  }
}
__global__ void fence_too_late(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 42U);
    store_release(words + 1, 1U);
  } else {
    while (load_relaxed(words + 1) == 0) pause();
    *out = load_relaxed(words);
    fence();
  }
}

TEST(Words, are_not_ordered_by_a_fence_elsewhere) {
  EXPECT_GT(seeds_with_stale(fence_too_early), 0);
  EXPECT_GT(seeds_with_stale(fence_too_late), 0);
}

enum class Between { nothing, barrier, warp_barrier, shuffle };

template <Between between>
__device__ void hand_over() {
  if (between == Between::barrier) __syncthreads();
  if (between == Between::warp_barrier) __syncwarp();
  if (between == Between::shuffle) (void)__shfl_sync(~0U, 1, 0);
}

/// In block 1, lane 0 waits for the flag, and lane 1 reads the value.
template <Between between>
__global__ void another_lane_reads(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      store_relaxed(words, 42U);
      store_release(words + 1, 1U);
    }
  } else {
    if (threadIdx.x == 0)
      while (load_acquire(words + 1) == 0) pause();
    hand_over<between>();
    if (threadIdx.x == 1) *out = load_relaxed(words);
  }
}

/// In block 0, lane 1 writes the value, and lane 0 the flag.
template <Between between>
__global__ void another_lane_writes(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 1) store_relaxed(words, 42U);
    hand_over<between>();
    if (threadIdx.x == 0) store_release(words + 1, 1U);
  } else if (threadIdx.x == 0) {
    while (load_acquire(words + 1) == 0) pause();
    *out = load_relaxed(words);
  }
}

TEST(Words, are_ordered_by_barriers_between_lanes) {
  EXPECT_EQ(seeds_with_stale(another_lane_reads<Between::barrier>, 2, 32), 0);
  EXPECT_EQ(seeds_with_stale(another_lane_reads<Between::warp_barrier>, 2, 32), 0);
  EXPECT_EQ(seeds_with_stale(another_lane_writes<Between::barrier>, 2, 32), 0);
  EXPECT_EQ(seeds_with_stale(another_lane_writes<Between::warp_barrier>, 2, 32), 0);
}

TEST(Words, are_not_ordered_by_shuffles) {
  EXPECT_GT(seeds_with_stale(another_lane_reads<Between::shuffle>, 2, 32), 0);
  EXPECT_GT(seeds_with_stale(another_lane_writes<Between::shuffle>, 2, 32), 0);
}

/// Each thread's fence, and then another thread's relaxed store: the fence is to be by who stores.
template <bool own>
__global__ void fence_of_another_thread(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 1) {
      store_relaxed(words, 42U);
      fence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      if (own) fence();
      store_relaxed(words + 1, 1U);
    }
  } else if (threadIdx.x == 0) {
    while (load_acquire(words + 1) == 0) pause();
    *out = load_relaxed(words);
  }
}

TEST(Words, are_released_by_the_fence_of_who_stores) {
  EXPECT_GT(seeds_with_stale(fence_of_another_thread<false>, 2, 32), 0);
  EXPECT_EQ(seeds_with_stale(fence_of_another_thread<true>, 2, 32), 0);
}

/// Block 0 tells block 1, which tells block 2.
template <bool released>
__global__ void relay(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 42U);
    store_release(words + 1, 1U);
  } else if (blockIdx.x == 1) {
    while (load_acquire(words + 1) == 0) pause();
    if (released)
      store_release(words + 2, 1U);
    else
      store_relaxed(words + 2, 1U);
  } else {
    while (load_acquire(words + 2) == 0) pause();
    *out = load_relaxed(words);
  }
}

TEST(Words, are_ordered_through_a_third_block) {
  EXPECT_EQ(seeds_with_stale(relay<true>, 3), 0);
  EXPECT_GT(seeds_with_stale(relay<false>, 3), 0);
}

/// An atomic that finds a released value hands on what that released.
__global__ void through_an_atomic(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 42U);
    store_release(words + 1, 1U);
  } else if (blockIdx.x == 1) {
    while (load_relaxed(words + 1) == 0) pause();
    fetch_add(words + 1, 1);
  } else {
    while (load_acquire(words + 1) != 2) pause();
    *out = load_relaxed(words);
  }
}
__global__ void by_an_atomic(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 42U);
    fetch_add(words + 1, 1);
  } else {
    while (load_acquire(words + 1) == 0) pause();
    *out = load_relaxed(words);
  }
}

/// An atomic reads without acquiring, as a relaxed load does.
template <bool fenced>
__global__ void wait_by_an_atomic(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 42U);
    store_release(words + 1, 1U);
  } else {
    while (fetch_add(words + 1, 0) == 0) pause();
    if (fenced) fence();
    *out = load_relaxed(words);
  }
}

TEST(Words, are_acquired_by_an_atomic_and_a_fence) {
  EXPECT_EQ(seeds_with_stale(wait_by_an_atomic<true>), 0);
  EXPECT_GT(seeds_with_stale(wait_by_an_atomic<false>), 0);
}

TEST(Words, are_handed_on_but_not_released_by_an_atomic) {
  EXPECT_EQ(seeds_with_stale(through_an_atomic, 3), 0);
  EXPECT_GT(seeds_with_stale(by_an_atomic), 0);
}

__global__ void write_two(unsigned* words, unsigned* out) {
  if (blockIdx.x == 0) {
    store_relaxed(words, 1U);
    store_relaxed(words + 1, 1U);
  } else {
    unsigned const second = load_relaxed(words + 1);
    unsigned const first  = load_relaxed(words);
    *out                  = first * 2 + second;
  }
}

TEST(Words, become_visible_in_any_order) {
  std::array<int, 4> seen{};
  seeds_with(1000, [&] {
    alignas(16) unsigned words[4] = {};
    unsigned out                  = 0;
    launch(nullptr, {2, 1, 0}, write_two, words, &out);
    ++seen[out];
    return false;
  });
  for (int const count : seen) EXPECT_GT(count, 0);
}

/// Each block writes its own word and reads the other's.
__global__ void store_then_load(unsigned* words, unsigned* out) {
  store_relaxed(words + blockIdx.x, 1U);
  out[blockIdx.x] = load_relaxed(words + 1 - blockIdx.x);
}

TEST(Words, are_buffered_by_who_stores) {
  EXPECT_GT(seeds_with(400,
                       [] {
                         alignas(16) unsigned words[4] = {};
                         unsigned out[2]               = {};
                         launch(nullptr, {2, 1, 0}, store_then_load, words, out);
                         return out[0] == 0 && out[1] == 0;
                       }),
            0);
}

/// Each block writes the word, and says that it has; who comes last writes it again.
template <bool fenced>
__global__ void write_in_turn(unsigned* words) {
  store_relaxed(words, blockIdx.x + 1);
  if (fenced) fence();
  unsigned const before = fetch_increment(words + 1, gridDim.x - 1);
  if (fenced) fence();
  if (before == gridDim.x - 1) store_relaxed(words, 100U);
}

int seeds_with_the_last_overtaken(void (*kernel)(unsigned*)) {
  return seeds_with(400, [&] {
    alignas(16) unsigned words[4] = {};
    launch(nullptr, {3, 1, 0}, kernel, words);
    return words[0] != 100;
  });
}

TEST(Words, are_written_in_any_order_without_fences) {
  EXPECT_GT(seeds_with_the_last_overtaken(write_in_turn<false>), 0);
  EXPECT_EQ(seeds_with_the_last_overtaken(write_in_turn<true>), 0);
}

__global__ void count_up(unsigned* word, unsigned* out) {
  if (blockIdx.x == 0)
    for (unsigned i = 1; i <= 20; ++i) store_relaxed(word, i);
  else
    for (unsigned i = 0; i < 20; ++i) out[i] = load_relaxed(word);
}

TEST(Words, never_go_back_and_are_old_at_times) {
  int old = seeds_with(200, [] {
    unsigned word = 0;
    std::vector<unsigned> out(20);
    launch(nullptr, {2, 1, 0}, count_up, &word, out.data());
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    EXPECT_EQ(word, 20U);
    return out.front() != out.back();
  });
  EXPECT_GT(old, 0);
}

__global__ void own_words(unsigned* words, int* wrong) {
  unsigned* const mine = words + blockIdx.x;
  for (unsigned i = 1; i < 10; ++i) {
    store_relaxed(mine, i);
    if (load_relaxed(mine) != i) ++*wrong;
  }
}

TEST(Words, are_new_at_once_to_who_wrote_them) {
  EXPECT_EQ(seeds_with(100,
                       [] {
                         alignas(16) unsigned words[4] = {};
                         int wrong                     = 0;
                         launch(nullptr, {4, 1, 0}, own_words, words, &wrong);
                         return wrong != 0;
                       }),
            0);
}

__global__ void write_one(unsigned* words, unsigned value) {
  if (blockIdx.x == 3) store_relaxed(words, value);
}
__global__ void read_one(unsigned* words, unsigned* out) { out[blockIdx.x] = load_relaxed(words); }

TEST(Words, are_known_to_all_at_the_end_of_a_launch) {
  EXPECT_EQ(seeds_with(100,
                       [] {
                         unsigned word = 0;
                         std::vector<unsigned> out(8);
                         launch(nullptr, {8, 1, 0}, write_one, &word, 7U);
                         launch(nullptr, {8, 1, 0}, read_one, &word, out.data());
                         return std::any_of(out.begin(), out.end(), [](unsigned seen) { return seen != 7; });
                       }),
            0);
}

__global__ void take_tickets(unsigned* counter, unsigned* taken, unsigned last) {
  taken[blockIdx.x * blockDim.x + threadIdx.x] = last == 0 ? fetch_add(counter, 3) : fetch_increment(counter, last);
}

TEST(Words, count_by_atomics) {
  seeds_with(100, [] {
    unsigned counter = 5;
    std::vector<unsigned> taken(4 * 40), expected(4 * 40);
    launch(nullptr, {4, 40, 0}, take_tickets, &counter, taken.data(), 0U);
    std::sort(taken.begin(), taken.end());
    for (unsigned i = 0; i < expected.size(); ++i) expected[i] = 5 + 3 * i;
    EXPECT_EQ(taken, expected);
    EXPECT_EQ(counter, 5U + 3 * 160);

    counter = 0;
    launch(nullptr, {4, 40, 0}, take_tickets, &counter, taken.data(), 79U);
    std::sort(taken.begin(), taken.end());
    for (unsigned i = 0; i < expected.size(); ++i) expected[i] = i / 2;
    EXPECT_EQ(taken, expected);
    EXPECT_EQ(counter, 0U);
    return false;
  });
}

struct alignas(16) Wide {
  std::uint32_t a, b, c, d;
};
struct alignas(8) Half {
  std::uint32_t a, b;
};

template <class Word>
__global__ void write_whole(Word* word, int* torn) {
  for (std::uint32_t i = 0; i < 10; ++i)
    if (blockIdx.x == 0) {
      Word value{};
      value.a = value.b = i;
      store_relaxed(word, value);
    } else {
      Word const value = load_relaxed(word);
      if (value.a != value.b) ++*torn;
    }
}

TEST(Words, of_8_and_16_bytes_are_whole) {
  EXPECT_EQ(seeds_with(100,
                       [] {
                         Wide wide{};
                         Half half{};
                         int torn = 0;
                         launch(nullptr, {2, 1, 0}, write_whole<Wide>, &wide, &torn);
                         launch(nullptr, {2, 1, 0}, write_whole<Half>, &half, &torn);
                         EXPECT_EQ(wide.a + wide.b + half.a + half.b, 36U);
                         return torn != 0;
                       }),
            0);
}

__global__ void mix_sizes(std::uint64_t* word, int first, int second) {
  auto const touch = [&](int how) {
    if (how == 0) (void)load_relaxed(reinterpret_cast<std::uint32_t*>(word));
    if (how == 1) (void)load_relaxed(reinterpret_cast<std::uint32_t*>(word) + 1);
    if (how == 2) (void)load_relaxed(word);
    if (how == 3) store_relaxed(reinterpret_cast<Wide*>(word), Wide{});
    if (how == 4) fetch_add(reinterpret_cast<std::uint32_t*>(word) + 3, 1);
  };
  touch(first);
  touch(second);
}

TEST(Words, of_one_place_have_one_size) {
  alignas(16) std::uint64_t words[2] = {};
  auto const run                     = [&](int first, int second) {
    return [&words, first, second] { launch(nullptr, {1, 1, 0}, mix_sizes, words, first, second); };
  };
  for (auto const& [first, second] : {std::pair{0, 2}, {2, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {3, 1}, {3, 4}, {4, 3}})
    expect_fault(Kind::mixed_word_size, run(first, second), 5);
  for (auto const& [first, second] : {std::pair{0, 1}, {2, 4}, {0, 0}, {3, 3}}) expect_no_fault(run(first, second), 5);
}

__global__ void load_from(unsigned const* place) { (void)load_relaxed(place); }
__global__ void load_wide_from(Wide const* place) { (void)load_relaxed(place); }

TEST(Words, are_aligned) {
  alignas(16) std::byte memory[32] = {};
  expect_fault(Kind::misaligned, [&] {
    launch(nullptr, {1, 1, 0}, load_wide_from, static_cast<Wide const*>(static_cast<void*>(memory + 8)));
  });
  expect_fault(Kind::misaligned, [] { launch(nullptr, {1, 1, 0}, load_from, static_cast<unsigned const*>(nullptr)); });
}

__global__ void write_plainly(unsigned* word) {
  (void)load_relaxed(word);
  *word = 3;
  (void)load_relaxed(word);
}

TEST(Words, are_not_plain_memory) {
  expect_fault(Kind::mixed_word_access, [] {
    unsigned word = 0;
    launch(nullptr, {1, 1, 0}, write_plainly, &word);
  });
}

/// So many words that the tables grow, each written by one block and read by the next.
__global__ void many_words(std::uint64_t* words, unsigned count, int* wrong) {
  for (unsigned i = 0; i < count; ++i)
    if (i % gridDim.x == blockIdx.x) {
      std::uint64_t before = 0;
      if (i > 0)
        while ((before = load_acquire(words + i - 1)) == 0) pause();
      if (i > 1 && load_relaxed(words + i / 2) != i / 2 + 1) ++*wrong;
      if (before != i) ++*wrong;
      store_release(words + i, std::uint64_t(i + 1));
    }
}

TEST(Words, can_be_many) {
  seeds_with(20,
             [] {
               std::vector<std::uint64_t> words(3000);
               int wrong = 0;
               launch(nullptr, {5, 1, 0}, many_words, words.data(), 3000U, &wrong);
               EXPECT_EQ(wrong, 0);
               return false;
             },
             {.resident = model::all_blocks});
}

}  // namespace
}  // namespace KokkosScan::cuda
