// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "seeds.hpp"

// Mbarriers: phases end when all have come, who waits sees what these have done, and what is forbidden is found.
namespace KokkosScan::cuda {
namespace {

Barrier barrier(int which) { return Barrier(shared_memory<std::uint64_t>(8 * which)); }
constexpr int barriers_bytes = 64;

enum Forgotten { nothing, full_wait, empty_wait, full_arrival, publication_barrier };

/// Warp 0 hands numbers to warp 1, through a ring of two stages.
__global__ void hand_over(Forgotten forgotten, int* out, int n) {
  auto const ring = shared_memory<int>(barriers_bytes);
  if (threadIdx.x == 0)
    for (int stage = 0; stage < 2; ++stage) {
      barrier(stage).init(32);
      barrier(2 + stage).init(32);
    }
  if (forgotten != publication_barrier) __syncthreads();
  int const lane = static_cast<int>(threadIdx.x % 32);
  for (int i = 0; i < n; ++i) {
    int const stage       = i % 2;
    unsigned const parity = static_cast<unsigned>(i / 2 % 2);
    auto const own        = ring.from(32 * stage + lane);
    auto const others     = ring.from(32 * stage + 31 - lane);
    if (threadIdx.x < 32) {
      if (forgotten != empty_wait) barrier(2 + stage).wait(parity ^ 1);
      own.store(0, 100 * i + lane);
      if (forgotten != full_arrival || lane != 7) barrier(stage).arrive();
    } else {
      if (forgotten != full_wait) barrier(stage).wait(parity);
      out[32 * i + lane] = others.load(0);
      barrier(2 + stage).arrive();
    }
  }
}

std::function<void()> hand_over_without(Forgotten forgotten) {
  return [=] {
    constexpr int n = 7;
    std::vector<int> out(32 * n);
    launch(nullptr, {1, 64, barriers_bytes + 64 * sizeof(int)}, hand_over, forgotten, out.data(), n);
    for (int i = 0; i < 32 * n; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 100 * (i / 32) + 31 - i % 32) << i;
  };
}

TEST(Mbarriers, order_what_threads_write_and_read) { expect_no_fault(hand_over_without(nothing)); }

TEST(Mbarriers, missing_waits_are_races) {
  expect_any_fault(hand_over_without(full_wait));
  expect_any_fault(hand_over_without(empty_wait));
}

TEST(Mbarriers, a_missing_arrival_is_a_deadlock) {
  auto const run = hand_over_without(full_arrival);
  expect_fault(Kind::deadlock, run);
  Model const model({.seed = 1});
  expect_words(fault_of(run), {"threads 32-63", "waits at the mbarrier at byte 0", "misses 1 of 32 arrivals",
                               "parity 0", "mbarriers.cpp:"});
}

TEST(Mbarriers, are_initialised_before_a_barrier) {
  expect_fault(Kind::misused_mbarrier, hand_over_without(publication_barrier));
}

/// Three threads read a word, and one of them writes there when another one has come, or all have.
__global__ void write_behind(unsigned arrivals) {
  auto const word  = shared_memory<int>(barriers_bytes);
  unsigned const i = threadIdx.x;
  if (i == 0) {
    barrier(0).init(arrivals);
    word.store(0, 0);
  }
  __syncthreads();
  if (i % 32 != 0) return;
  (void)word.load(0);
  if (i == 64 || arrivals == 3) barrier(0).arrive();
  if (i != 32) return;
  barrier(0).wait(0);
  (void)word.load(0);
  word.store(0, 1);
}

TEST(Mbarriers, order_nothing_of_those_who_have_not_come) {
  auto const run = [](unsigned arrivals) { return launching({1, 96, barriers_bytes + 4}, write_behind, arrivals); };
  expect_no_fault(run(3));
  expect_fault(Kind::shared_race, run(1), 200);
}

enum class Wrong { not_initialised, initialised_twice, misaligned, no_arrivals, more_arrivals, parity, data, nothing };

__global__ void misuse(Wrong wrong) {
  bool const first = threadIdx.x == 0;
  if (first && wrong != Wrong::not_initialised) barrier(0).init(wrong == Wrong::no_arrivals ? 0 : 1);
  if (first && wrong == Wrong::initialised_twice) barrier(0).init(1);
  if (first && wrong == Wrong::misaligned) Barrier(shared_memory<std::uint64_t>(12)).init(1);
  __syncthreads();
  if (!first) return;
  if (wrong == Wrong::data) shared_memory<int>(4).store(0, 1);
  if (wrong == Wrong::parity) barrier(0).wait(2);
  barrier(0).arrive_and_expect(wrong == Wrong::more_arrivals ? 16 : 0);
  barrier(0).arrive();
}

TEST(Mbarriers, are_used_as_they_must_be) {
  auto const run = [](Wrong wrong) { return launching({1, 2, 64}, misuse, wrong); };
  expect_no_fault(run(Wrong::nothing));  // but for what it does, it does nothing wrong
  for (Wrong const wrong : {Wrong::not_initialised, Wrong::initialised_twice, Wrong::more_arrivals})
    expect_fault(Kind::misused_mbarrier, run(wrong));
  expect_fault(Kind::misaligned, run(Wrong::misaligned));
  for (Wrong const wrong : {Wrong::no_arrivals, Wrong::parity}) expect_fault(Kind::bad_argument, run(wrong));
  expect_fault(Kind::shared_race, run(Wrong::data));
}

/// Nobody waits for thread 1, which may poll when two phases have ended.
__global__ void sleep_through() {
  if (threadIdx.x == 0) barrier(0).init(1);
  __syncthreads();
  if (threadIdx.x == 1) return barrier(0).wait(0);
  barrier(0).arrive();
  barrier(0).arrive();
}

TEST(Mbarriers, may_be_missed) {
  int const seeds  = 200;
  int const missed = seeds_with(seeds, [] {
    auto const fault = fault_of(launching({1, 2, 64}, sleep_through));
    if (fault && fault->kind() != Kind::misused_mbarrier && fault->kind() != Kind::deadlock)
      ADD_FAILURE() << fault->what();
    return fault.has_value();
  });
  EXPECT_GT(missed, 0);
  EXPECT_LT(missed, seeds);
}

/// An arrival releases, and a wait acquires, words that blocks exchange.
__global__ void hand_over_a_word(bool waits, unsigned* word, unsigned* out) {
  if (threadIdx.x == 0) barrier(0).init(1);
  __syncthreads();
  if (threadIdx.x == 0) {
    store_relaxed(word, 1U);
    barrier(0).arrive();
  } else if (threadIdx.x == 32) {
    if (waits) barrier(0).wait(0);
    *out = load_relaxed(word);
  }
}

TEST(Mbarriers, order_words) {
  auto const seeds_with_old = [](bool waits) {
    return seeds_with(200, [=] {
      unsigned word = 0, out = 0;
      launch(nullptr, {1, 64, 64}, hand_over_a_word, waits, &word, &out);
      return out == 0;
    });
  };
  EXPECT_EQ(seeds_with_old(true), 0);
  EXPECT_GT(seeds_with_old(false), 0);
}

}  // namespace
}  // namespace KokkosScan::cuda
