// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "seeds.hpp"

// Words between blocks: what is stale somewhere without order, and nowhere with it.
namespace KokkosScan::cuda {
namespace {

/// What a thread of a litmus test does with a value in words[0], a flag in words[1], and a second flag.
using Action = void (*)(unsigned* words, unsigned* out);

constexpr unsigned all_lanes = ~0U;

struct Step {
  Step(Action what, unsigned by = 0) : action(what), lane(by) {}
  Action action;
  unsigned lane;
};
using Steps = std::vector<Step>;  // of a block

template <unsigned word>
void put(unsigned* words, unsigned*) {
  store_relaxed(words + word, word == 0 ? 42U : 1U);
}
template <unsigned word>
void release(unsigned* words, unsigned*) {
  store_release(words + word, 1U);
}
template <unsigned word, unsigned least = 1>
void await(unsigned* words, unsigned*) {
  while (load_relaxed(words + word) < least) pause();
}
template <unsigned word, unsigned least = 1>
void acquire(unsigned* words, unsigned*) {
  while (load_acquire(words + word) < least) pause();
}
template <unsigned word>
void get(unsigned* words, unsigned* out) {
  out[4 * word + blockIdx.x] = load_relaxed(words + word);
}
void add(unsigned* words, unsigned*) { fetch_add(words + 1, 1); }
void await_by_atomic(unsigned* words, unsigned*) {
  while (fetch_add(words + 1, 0) == 0) pause();
}
void fences(unsigned*, unsigned*) { fence(); }
void barrier(unsigned*, unsigned*) { __syncthreads(); }
void warp_barrier(unsigned*, unsigned*) { __syncwarp(); }
void shuffle(unsigned*, unsigned*) { (void)__shfl_sync(~0U, 1, 0); }

__global__ void litmus(std::vector<Steps> const* blocks, unsigned* words, unsigned* out) {
  for (Step const& step : (*blocks)[blockIdx.x])
    if (step.lane == all_lanes || step.lane == threadIdx.x) step.action(words, out);
}

/// What the blocks got: of word 0, and in the second half of word 1.
using Got = std::array<unsigned, 8>;
Got run(std::vector<Steps> const& blocks, int threads) {
  alignas(16) unsigned words[4] = {};
  Got got{};
  launch(nullptr, {static_cast<unsigned>(blocks.size()), threads, 0}, litmus, &blocks, words, got.data());
  return got;
}

/// For how many seeds the last block does not get the value that the first one put.
int seeds_with_stale(std::vector<Steps> const& blocks, int threads = 1) {
  return seeds_with(400, [&] { return run(blocks, threads)[blocks.size() - 1] != 42; },
                    {.resident = model::all_blocks});
}
void expect_stale(std::vector<Steps> const& blocks, int threads = 1) {
  EXPECT_GT(seeds_with_stale(blocks, threads), 0);
}
void expect_fresh(std::vector<Steps> const& blocks, int threads = 1) {
  EXPECT_EQ(seeds_with_stale(blocks, threads), 0);
}

// Block 0 writes a value and says so; block 1 waits for that and reads the value.
Steps const relaxed_writer{put<0>, put<1>}, releasing_writer{put<0>, release<1>},
    fencing_writer{put<0>, fences, put<1>}, relaxed_reader{await<1>, get<0>}, acquiring_reader{acquire<1>, get<0>},
    fencing_reader{await<1>, fences, get<0>};

TEST(Words, arrive_late_unless_both_sides_give_order) {
  for (auto const& reader : {relaxed_reader, acquiring_reader, fencing_reader}) expect_stale({relaxed_writer, reader});
  for (auto const& writer : {releasing_writer, fencing_writer}) expect_stale({writer, relaxed_reader});
}

TEST(Words, arrive_in_order_when_both_sides_give_it) {
  for (auto const& writer : {releasing_writer, fencing_writer})
    for (auto const& reader : {acquiring_reader, fencing_reader}) expect_fresh({writer, reader});
}

/// A fence before the value is none between the value and the flag; nor is one after the value was read.
TEST(Words, are_not_ordered_by_a_fence_elsewhere) {
  expect_stale({{fences, put<0>, put<1>}, acquiring_reader});
  expect_stale({releasing_writer, {await<1>, get<0>, fences}});
}

/// Lane 0 waits for the flag, and lane 1 reads the value.
Steps another_lane_reads(Action between) { return {acquire<1>, {between, all_lanes}, {get<0>, 1}}; }
/// Lane 1 writes the value, and lane 0 the flag.
Steps another_lane_writes(Action between) { return {{put<0>, 1}, {between, all_lanes}, release<1>}; }

TEST(Words, are_ordered_by_barriers_between_lanes) {
  for (Action const between : {barrier, warp_barrier}) {
    expect_fresh({releasing_writer, another_lane_reads(between)}, 32);
    expect_fresh({another_lane_writes(between), acquiring_reader}, 32);
  }
}

TEST(Words, are_not_ordered_by_shuffles) {
  expect_stale({releasing_writer, another_lane_reads(shuffle)}, 32);
  expect_stale({another_lane_writes(shuffle), acquiring_reader}, 32);
}

/// A thread's fence, and then another thread's relaxed store: the fence is to be by who stores.
TEST(Words, are_released_by_the_fence_of_who_stores) {
  Step const value(put<0>, 1), its_fence(fences, 1), meet(barrier, all_lanes);
  expect_stale({{value, its_fence, meet, put<1>}, acquiring_reader}, 32);
  expect_fresh({{value, its_fence, meet, fences, put<1>}, acquiring_reader}, 32);
}

/// Block 0 publishes to block 1, which publishes to block 2.
TEST(Words, are_ordered_through_a_third_block) {
  expect_fresh({releasing_writer, {acquire<1>, release<2>}, {acquire<2>, get<0>}});
  expect_stale({releasing_writer, {acquire<1>, put<2>}, {acquire<2>, get<0>}});
}

/// An atomic reads without acquiring, as a relaxed load does.
TEST(Words, are_acquired_by_an_atomic_and_a_fence) {
  expect_fresh({releasing_writer, {await_by_atomic, fences, get<0>}});
  expect_stale({releasing_writer, {await_by_atomic, get<0>}});
}

/// An atomic that finds a released value hands on what that released.
TEST(Words, are_handed_on_but_not_released_by_an_atomic) {
  expect_fresh({releasing_writer, {await<1>, add}, {acquire<1, 2>, get<0>}});
  expect_stale({{put<0>, add}, acquiring_reader});
}

TEST(Words, become_visible_in_any_order) {
  std::set<std::pair<bool, bool>> seen;
  for_seeds(1000, [&] {
    Got const got = run({relaxed_writer, {get<1>, get<0>}}, 1);
    seen.insert({got[1] != 0, got[5] != 0});
  });
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Words, are_buffered_by_who_stores) {
  EXPECT_GT(seeds_with(400,
                       [] {
                         Got const got = run({{put<0>, get<1>}, {put<1>, get<0>}}, 1);
                         return got[4] == 0 && got[1] == 0;
                       }),
            0);
}

/// Each block writes the word, and says that it has; who comes last writes it again.
__global__ void write_in_turn(unsigned* words, bool fenced) {
  store_relaxed(words, blockIdx.x + 1);
  if (fenced) fence();
  unsigned const before = fetch_increment(words + 1, gridDim.x - 1);
  if (fenced) fence();
  if (before == gridDim.x - 1) store_relaxed(words, 100U);
}

int seeds_with_the_last_overtaken(bool fenced) {
  return seeds_with(400, [&] {
    alignas(16) unsigned words[4] = {};
    launch(nullptr, {3, 1, 0}, write_in_turn, words, fenced);
    return words[0] != 100;
  });
}

TEST(Words, are_written_in_any_order_without_fences) {
  EXPECT_GT(seeds_with_the_last_overtaken(false), 0);
  EXPECT_EQ(seeds_with_the_last_overtaken(true), 0);
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

TEST(Words, are_new_at_once_to_who_wrote_them) {
  expect_no_fault(launching_on_words({4, 1, 0}, [](unsigned* words) {
    for (unsigned i = 1; i < 10; ++i) {
      store_relaxed(words + blockIdx.x, i);
      EXPECT_EQ(load_relaxed(words + blockIdx.x), i);
    }
  }));
}

TEST(Words, are_known_to_all_at_the_end_of_a_launch) {
  expect_no_fault([] {
    static unsigned word = 0;
    word                 = 0;
    launching(
        {8, 1, 0}, +[] {
          if (blockIdx.x == 3) store_relaxed(&word, 7U);
        })();
    launching({8, 1, 0}, +[] { EXPECT_EQ(load_relaxed(&word), 7U); })();
  });
}

__global__ void take_tickets(unsigned* counter, unsigned* taken, unsigned last) {
  taken[blockIdx.x * blockDim.x + threadIdx.x] = last == 0 ? fetch_add(counter, 3) : fetch_increment(counter, last);
}

TEST(Words, count_by_atomics) {
  for (auto const& row : {std::array{5U, 0U, 5U + 3 * 160}, {0U, 79U, 0U}})
    for_seeds(100, [&] {
      auto const [first, last, after] = row;
      unsigned counter                = first;
      std::vector<unsigned> taken(4 * 40), expected(4 * 40);
      launch(nullptr, {4, 40, 0}, take_tickets, &counter, taken.data(), last);
      std::sort(taken.begin(), taken.end());
      for (unsigned i = 0; i < expected.size(); ++i) expected[i] = last == 0 ? first + 3 * i : i / 2;
      EXPECT_EQ(taken, expected);
      EXPECT_EQ(counter, after);
    });
}

template <class Number>
struct alignas(2 * sizeof(Number)) Two {
  Number a, b;
};
using Wide = Two<std::uint64_t>;

template <class Word>
__global__ void write_whole(Word* word, int* torn) {
  for (std::uint32_t i = 0; i < 10; ++i)
    if (blockIdx.x == 0) {
      store_relaxed(word, Word{i, i});
    } else {
      Word const value = load_relaxed(word);
      if (value.a != value.b) ++*torn;
    }
}

template <class Word>
void expect_whole() {
  for_seeds(100, [] {
    Word word{};
    int torn = 0;
    launch(nullptr, {2, 1, 0}, write_whole<Word>, &word, &torn);
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(word.a + word.b, 18U);
  });
}

TEST(Words, of_8_and_16_bytes_are_whole) {
  expect_whole<Two<std::uint32_t>>();
  expect_whole<Wide>();
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

template <class Word>
__global__ void load_from(void const* address) {
  (void)load_relaxed(static_cast<Word const*>(address));
}

TEST(Words, are_aligned) {
  alignas(16) std::byte memory[32] = {};
  expect_fault(Kind::misaligned, [&] { launch(nullptr, {1, 1, 0}, load_from<Wide>, memory + 8); });
  expect_fault(Kind::misaligned, [] { launch(nullptr, {1, 1, 0}, load_from<unsigned>, nullptr); });
}

TEST(Words, are_not_plain_memory) {
  expect_fault(Kind::mixed_word_access, launching_on_words({1, 1, 0}, [](unsigned* word) {
                 (void)load_relaxed(word);
                 *word = 3;
                 (void)load_relaxed(word);
               }));
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
  for_seeds(20,
            [] {
              std::vector<std::uint64_t> words(3000);
              int wrong = 0;
              launch(nullptr, {5, 1, 0}, many_words, words.data(), 3000U, &wrong);
              EXPECT_EQ(wrong, 0);
            },
            {.resident = model::all_blocks});
}

}  // namespace
}  // namespace KokkosScan::cuda
