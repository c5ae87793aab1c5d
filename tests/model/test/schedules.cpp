// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "seeds.hpp"

// Who runs when: what must not matter, what hangs, and that a seed says it all.
namespace KokkosScan::cuda {
namespace {

using model::Start;

constexpr unsigned line_of_the_wait = __LINE__ + 10;

/// Each block waits for the one before it, whose number is taken from a counter or is its own index.
__global__ void chain(bool ticket, unsigned* words, unsigned* counter) {
  auto const shared = shared_memory<unsigned>(0);
  if (threadIdx.x == 0) shared.store(0, ticket ? fetch_add(counter, 1) : blockIdx.x);
  __syncthreads();
  unsigned const block = shared.load(0);
  if (threadIdx.x == 0) {
    if (block > 0)
      while (load_relaxed(words + block - 1) == 0) pause();
    store_relaxed(words + block, block + 1);
  }
  __syncthreads();
}

std::function<void()> chain_of(unsigned blocks, bool ticket = true) {
  return [=] {
    std::vector<unsigned> words(blocks), expected(blocks);
    std::iota(expected.begin(), expected.end(), 1);
    unsigned counter = 0;
    launch(nullptr, {blocks, 33, 4}, chain, ticket, words.data(), &counter);
    EXPECT_EQ(words, expected);
  };
}
std::function<void()> const counted = chain_of(12), in_order = chain_of(12, false);

TEST(Schedules, hang_a_kernel_that_expects_blocks_to_start_in_order) {
  for (unsigned const resident : {1U, 2U, 7U}) {
    expect_fault(Kind::deadlock, in_order, 20, {.resident = resident, .start = Start::descending});
    expect_no_fault(in_order, 20, {.resident = resident, .start = Start::ascending});
  }
  expect_no_fault(in_order, 20, {.resident = model::all_blocks, .start = Start::descending});
  EXPECT_GT(seeds_with_fault(Kind::deadlock, in_order, 50), 5);
}

TEST(Schedules, do_not_hang_one_that_counts_its_blocks) {
  expect_no_fault(counted);
  expect_no_fault(counted, 50, {.resident = 1, .start = Start::descending});
}

TEST(Schedules, say_who_waits_for_whom_in_a_deadlock) {
  Model const model({.seed = 17, .resident = 2, .start = Start::descending});
  std::string const line = std::to_string(line_of_the_wait);
  expect_words(
      fault_of(in_order),
      {"block 10, thread 0: paused (", "schedules.cpp:" + line + ") after a poll of a word (",
       "thread 0 at a word of 4 bytes", "now 0x0 after 0 writes", "block 11, threads 1-32: waits at __syncthreads",
       "not started: block 0-9", "seed 17", "descending order"});
}

void expect_deadlock_unless(bool comes, std::function<void()> const& run) {
  Settings const settings{.resident = model::all_blocks};
  comes ? expect_no_fault(run, 200, settings) : expect_fault(Kind::deadlock, run, 100, settings);
}

/// All lanes poll until one of their words is there. Word 31 comes last, and the others never.
__global__ void window(unsigned* words, bool comes) {
  unsigned const lane = threadIdx.x;
  if (blockIdx.x == 0) {
    while (!__any_sync(~0U, load_relaxed(words + lane) != 0)) pause();
  } else if (lane == 0 && comes) {
    for (int i = 0; i < 10; ++i) __nanosleep(1);
    store_relaxed(words + 31, 1U);
  }
}

TEST(Schedules, tell_a_warp_that_waits_in_vain_from_one_that_waits) {
  for (bool const comes : {true, false})
    expect_deadlock_unless(comes, [=] {
      std::vector<unsigned> words(32);
      launch(nullptr, {2, 32, 0}, window, words.data(), comes);
    });
}

/// One lane polls and pauses, and the others learn of it by a shuffle or by shared memory.
__global__ void one_polls(unsigned* word, bool by_shuffle, bool comes) {
  if (blockIdx.x == 1) {
    if (comes && threadIdx.x == 3) store_relaxed(word, 1U);
    return;
  }
  auto const shared = shared_memory<unsigned>(0);
  for (unsigned there = 0; !there;) {
    if (threadIdx.x == 0) {
      there = load_relaxed(word);
      if (!there) pause();
    }
    if (by_shuffle) {
      there = __shfl_sync(~0U, there, 0);
    } else {
      if (threadIdx.x == 0) shared.store(0, there);
      __syncthreads();
      there = shared.load(0);
      __syncthreads();
    }
  }
}

TEST(Schedules, tell_so_for_loops_with_shuffles_and_barriers) {
  for (bool const by_shuffle : {true, false})
    for (bool const comes : {true, false})
      expect_deadlock_unless(comes, [=] {
        unsigned word = 0;
        launch(nullptr, {2, 32, 4}, one_polls, &word, by_shuffle, comes);
      });
}

/// Polls one word after the other, without anybody writing anything in between.
TEST(Schedules, take_no_walk_over_words_for_a_deadlock) {
  expect_no_fault(launching_on_words({3, 40, 0}, [](unsigned* words) {
    for (int i = 0; i < 300; ++i) {
      (void)load_relaxed(words + i);
      pause();
    }
  }));
}

/// Polls a word that nobody writes a few times, and then does without.
TEST(Schedules, take_a_few_polls_for_no_deadlock) {
  expect_no_fault(launching_on_words({3, 40, 0}, [](unsigned* words) {
    for (int i = 0; i < 20 && load_relaxed(words) == 0; ++i) pause();
  }));
}

/// Two blocks that wait for each other.
TEST(Schedules, find_a_circle) {
  expect_fault(Kind::deadlock, launching_on_words({2, 64, 0}, [](unsigned* words) {
                 while (load_relaxed(words + 1 - blockIdx.x) == 0) pause();
                 store_relaxed(words + blockIdx.x, 1U);
               }));
}

TEST(Schedules, take_no_busy_block_for_an_endless_one) {
  expect_no_fault(launching_on_words({1, 2, 0},
                                     [](unsigned* word) {
                                       for (int i = 0; i < 1000; ++i) {
                                         for (int j = 0; j < 100; ++j) (void)load_relaxed(word);
                                         __syncthreads();
                                       }
                                     }),
                  3);
}

template <bool atomics>
__global__ void no_pause(unsigned* word) {
  while ((atomics ? fetch_add(word, 0) : load_relaxed(word)) == 0) {
  }
}
__global__ void sleeps_for_ever(unsigned* word) {
  while (load_relaxed(word) == 0) {
    pause();
    store_relaxed(word + 1, load_relaxed(word + 1) + 1);
  }
}

TEST(Schedules, end) {
  expect_fault(Kind::endless, launching_on_words({1, 2, 0}, no_pause<false>), 5);
  expect_fault(Kind::endless, launching_on_words({1, 2, 0}, no_pause<true>), 5);
  expect_fault(Kind::endless, launching_on_words({1, 1, 0}, sleeps_for_ever), 5, {.most_turns = 10000});
}

// The schedule itself, as the recorder sees it.

struct Blocks {
  std::vector<unsigned> started;
  unsigned most_at_once = 0;
};

Blocks blocks_of(Settings settings, unsigned blocks) {
  Blocks seen;
  std::map<unsigned, unsigned> threads_left;
  settings.recorder = [&](model::Event const& event) {
    if (!threads_left.count(event.block)) {
      seen.started.push_back(event.block);
      threads_left[event.block] = 33;
    }
    if (event.what == model::Event::What::thread_end) --threads_left[event.block];
    auto const resident =
        std::count_if(threads_left.begin(), threads_left.end(), [](auto const& left) { return left.second > 0; });
    seen.most_at_once = std::max(seen.most_at_once, static_cast<unsigned>(resident));
  };
  Model const model(settings);
  chain_of(blocks)();
  return seen;
}

TEST(Schedules, keep_to_the_number_of_resident_blocks) {
  for (unsigned const resident : {1U, 2U, 7U, model::all_blocks}) {
    unsigned most = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      most = std::max(most, blocks_of({.seed = seed, .resident = resident}, 20).most_at_once);
    EXPECT_EQ(most, std::min(resident, 20U));
  }
}

TEST(Schedules, start_blocks_in_the_order_that_is_asked_for) {
  std::vector<unsigned> up(20), down(20);
  std::iota(up.begin(), up.end(), 0);
  std::iota(down.rbegin(), down.rend(), 0);
  EXPECT_EQ(blocks_of({.resident = 1, .start = Start::ascending}, 20).started, up);
  EXPECT_EQ(blocks_of({.resident = 1, .start = Start::descending}, 20).started, down);
  auto any = blocks_of({.resident = 1, .start = Start::shuffled}, 20).started;
  EXPECT_NE(any, up);
  EXPECT_NE(any, down);
  std::sort(any.begin(), any.end());
  EXPECT_EQ(any, up);
}

TEST(Schedules, follow_from_the_seed) {
  std::set<std::uint64_t> traces;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::uint64_t trace[2];
    for (std::uint64_t& t : trace) {
      auto const elsewhere = std::vector<int>(seed * 100);  // so that addresses differ
      Model const model({.seed = seed});
      counted();
      chain_of(20)();
      t = model.trace();
    }
    EXPECT_EQ(trace[0], trace[1]);
    traces.insert(trace[0]);
  }
  EXPECT_EQ(traces.size(), 50U);
}

TEST(Schedules, differ_from_launch_to_launch) {
  std::set<std::vector<unsigned>> schedules;
  std::vector<unsigned> schedule;
  Model const model({.seed = 1, .resident = model::all_blocks, .recorder = [&](model::Event const& event) {
                       schedule.push_back(event.block * 100 + event.thread);
                     }});
  for (int i = 0; i < 10; ++i) {
    counted();
    schedules.insert(std::exchange(schedule, {}));
  }
  EXPECT_EQ(schedules.size(), 10U);
  EXPECT_EQ(model.launches(), 10U);
}

/// How often blocks take turns, how often the first thread of a block is its last to end, and how far the first block
/// comes before the second begins.
TEST(Schedules, differ_in_character) {
  unsigned fewest_changes = ~0U, most_changes = 0;
  int first_is_last = 0, first_is_first = 0, ahead = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    unsigned changes = 0, block = ~0U;
    std::map<unsigned, std::vector<unsigned>> ended;
    std::set<unsigned> begun;
    bool is_ahead           = false;
    auto const count_events = [&](model::Event const& event) {
      begun.insert(event.block);
      if (event.block != block) ++changes;
      block = event.block;
      if (event.what == model::Event::What::thread_end) ended[event.block].push_back(event.thread);
      if (ended[event.block].size() == 33 && begun.size() == 1) is_ahead = true;
    };
    Model const model({.seed = seed, .resident = model::all_blocks, .recorder = count_events});
    counted();
    fewest_changes = std::min(fewest_changes, changes);
    most_changes   = std::max(most_changes, changes);
    for (auto const& [_, threads] : ended) {
      first_is_first += threads.front() == 0;
      first_is_last += threads.back() == 0;
    }
    ahead += is_ahead;
  }
  EXPECT_LT(fewest_changes, 3U * 12);
  EXPECT_GT(most_changes, 30U * 12);
  EXPECT_GT(first_is_first, 0);
  EXPECT_GT(first_is_last, 0);
  EXPECT_GT(ahead, 0);
}

TEST(Schedules, of_a_fault_can_be_repeated) {
  auto const text = [](std::uint64_t seed) {
    Model const model({.seed = seed, .resident = 1, .start = Start::descending});
    auto const fault = fault_of(in_order);
    return std::pair(std::string(fault ? to_string(fault->kind()) : ""), model.turns());
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) EXPECT_EQ(text(seed), text(seed));
}

TEST(Schedules, without_a_model_are_those_of_seed_0) {
  static std::vector<unsigned> words;
  auto const run = [] {
    words.assign(2, 0);
    launching({2, 1, 0}, +[] { store_relaxed(&words[blockIdx.x], fetch_add(&words[blockIdx.x], 1)); })();
    return words;
  };
  EXPECT_EQ(Model::current(), nullptr);
  auto const without = run();
  Model const model({.seed = 0});
  EXPECT_EQ(run(), without);
  EXPECT_EQ(Model::current(), &model);
}

}  // namespace
}  // namespace KokkosScan::cuda
