// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>
#include <vector>

#include "seeds.hpp"

// Copies between global and shared memory: they happen at any time until somebody has waited for them, and what does
// not wait for them races with them.
namespace KokkosScan::cuda {
namespace {

constexpr int n            = 64;  // threads, and values of a piece
constexpr int barrier_byte = 2 * n * sizeof(int);
constexpr int shared_size  = barrier_byte + 8;

alignas(16) constexpr int zeros[16] = {};

Barrier filled() { return Barrier(shared_memory<std::uint64_t>(barrier_byte)); }

enum Forgotten {
  nothing,
  publication,
  wait_for_filled,
  announcement,
  fences,
  fence_of_one,
  barrier,
  wait_for_copy_out,
  wait_at_the_end
};

/// Doubles pieces of an array in one stage of shared memory, in and out by copies.
__global__ void twice(Forgotten forgotten, int const* from, int* to, int pieces) {
  auto const stage = shared_memory<int>(0);
  int const i      = static_cast<int>(threadIdx.x);
  if (i == 0) {
    filled().init(1);
    if (forgotten != publication) publish_barriers();
  }
  __syncthreads();
  for (int k = 0; k < pieces; ++k) {
    if (i == 0) {
      if (k > 0 && forgotten != wait_for_copy_out) wait_until_copied_out();
      filled().arrive_and_expect(forgotten == announcement ? 16 : n * sizeof(int));
      copy_in(stage, from + k * n, n * sizeof(int), filled());
    }
    if (forgotten != wait_for_filled) filled().wait(static_cast<unsigned>(k % 2));
    stage.store(i, 2 * stage.load(i));
    if (forgotten != fences && (forgotten != fence_of_one || i != 5)) fence_for_copies();
    if (forgotten != barrier) __syncthreads();
    if (i == 0) copy_out(to + k * n, stage, n * sizeof(int));
  }
  if (i == 0 && forgotten != wait_at_the_end) wait_until_copied_out();
}

std::function<void()> twice_without(Forgotten forgotten) {
  return [=] {
    constexpr int pieces = 5;
    alignas(16) int from[pieces * n], to[pieces * n];
    std::iota(from, from + pieces * n, 1);
    launch(nullptr, {1, n, shared_size}, twice, forgotten, from, to, pieces);
    for (int i = 0; i < pieces * n; ++i) ASSERT_EQ(to[i], 2 * from[i]) << i;
  };
}

TEST(Copies, come_and_go) { expect_no_fault(twice_without(nothing)); }

TEST(Copies, are_counted_by_mbarriers_that_they_know) {
  expect_fault(Kind::misused_mbarrier, twice_without(publication));
}

TEST(Copies, are_waited_for) {
  expect_any_fault(twice_without(wait_for_filled));
  expect_fault(Kind::shared_race, twice_without(wait_for_copy_out));
  expect_fault(Kind::deadlock, twice_without(announcement));
}

TEST(Copies, see_only_what_was_fenced_before_a_barrier) {
  expect_fault(Kind::shared_race, twice_without(fences));
  expect_fault(Kind::shared_race, twice_without(fence_of_one));
  expect_any_fault(twice_without(barrier));
  Model const model({.seed = 2});
  expect_words(fault_of(twice_without(fence_of_one)), {"a copy reads", "thread 5 wrote", "fence_for_copies"});
}

/// Adds up the pieces of an array, which come into one stage.
__global__ void add_up(Forgotten forgotten, int const* from, int* sums, int pieces) {
  auto const stage = shared_memory<int>(0);
  int const i      = static_cast<int>(threadIdx.x);
  if (i == 0) {
    filled().init(1);
    publish_barriers();
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < pieces; ++k) {
    if (i == 0) {
      filled().arrive_and_expect(n * sizeof(int));
      copy_in(stage, from + k * n, n * sizeof(int), filled());
    }
    filled().wait(static_cast<unsigned>(k % 2));
    sum += stage.load(i);
    if (forgotten != fences && (forgotten != fence_of_one || i != 5)) fence_for_copies();
    if (forgotten != barrier) __syncthreads();
  }
  sums[i] = sum;
}

TEST(Copies, write_only_what_was_read_and_fenced_before_a_barrier) {
  auto const without = [](Forgotten forgotten) {
    return [=] {
      constexpr int pieces = 5;
      alignas(16) int from[pieces * n];
      int sums[n];
      std::iota(from, from + pieces * n, 1);
      launch(nullptr, {1, n, shared_size}, add_up, forgotten, from, sums, pieces);
      for (int i = 0; i < n; ++i) ASSERT_EQ(sums[i], pieces * (i + 1 + n * (pieces - 1) / 2)) << i;
    };
  };
  expect_no_fault(without(nothing));
  expect_fault(Kind::shared_race, without(fences));
  expect_fault(Kind::shared_race, without(fence_of_one));
  expect_any_fault(without(barrier));
  Model const model({.seed = 2});
  expect_words(fault_of(without(fence_of_one)), {"a copy writes", "thread 5 read", "fence_for_copies"});
}

/// Each thread copies elements for itself, which others read then.
__global__ void turn_round(Forgotten forgotten, int const* from, int* to, int pieces) {
  auto const stage = shared_memory<int>(0);
  int const i      = static_cast<int>(threadIdx.x);
  for (int k = 0; k < pieces; ++k) {
    copy_in(stage.from(i), from + k * n + i);
    if (forgotten != wait_for_filled) wait_until_copied_in();
    __syncthreads();
    to[k * n + i] = stage.load(n - 1 - i);
    if (forgotten != barrier) __syncthreads();
  }
}

/// Nobody reads what is copied, nor waits for it.
__global__ void forget(int const* from, int* to) {
  int const i = static_cast<int>(threadIdx.x);
  copy_in(shared_memory<int>(0).from(i), from + i);
  to[i] = i;
}

TEST(Copies, that_a_thread_makes_for_itself_are_waited_for_and_come_no_earlier_than_a_barrier) {
  auto const without = [](Forgotten forgotten) {
    return [=] {
      constexpr int pieces = 5;
      int from[pieces * n], to[pieces * n];
      std::iota(from, from + pieces * n, 1);
      launch(nullptr, {1, n, shared_size}, turn_round, forgotten, from, to, pieces);
      for (int i = 0; i < pieces * n; ++i) ASSERT_EQ(to[i], i / n * n + n - i % n) << i;
    };
  };
  expect_no_fault(without(nothing));
  expect_any_fault(without(wait_for_filled));
  expect_fault(Kind::shared_race, without(barrier));
  expect_any_fault([] {
    int from[n], to[n];
    std::iota(from, from + n, 1);
    launch(nullptr, {1, n, shared_size}, forget, from, to);
  });
}

/// Some threads read a word, and then others, or in a warp one of its lanes; or none do, but a copy out. Then a copy in
/// writes there.
__global__ void read_in_turns(int readers, bool in_warp, bool by_copy, bool fenced, int const* from, int* to) {
  auto const word = shared_memory<int>(0);
  int const i     = static_cast<int>(threadIdx.x);
  if (i < 4) word.store(i, i);
  fence_for_copies();
  if (i == 0) {
    filled().init(1);
    publish_barriers();
  }
  __syncthreads();
  int const first = in_warp ? 1 : 32;
  if (i >= first && i < first + readers) (void)word.load(0);
  if (in_warp)
    __syncwarp();
  else
    __syncthreads();
  if (!by_copy && i < (in_warp ? 1 : readers)) {
    (void)word.load(0);
    if (fenced) fence_for_copies();
  }
  if (by_copy && i == 0) {
    copy_out(to, word, 16);
    wait_until_copied_out();
  }
  __syncthreads();
  if (i == 0) {
    filled().arrive_and_expect(16);
    copy_in(word, from, 16, filled());
  }
  filled().wait(0);
}

TEST(Copies, write_what_was_read_before_a_read_that_was_fenced) {
  alignas(16) static int to[4];
  auto const run = [](int readers, bool in_warp, bool by_copy, bool fenced) {
    return launching({1, n, shared_size}, read_in_turns, readers, in_warp, by_copy, fenced, zeros,
                     static_cast<int*>(to));
  };
  for (int const readers : {1, 2, 3, 20}) {
    for (bool const in_warp : {false, true}) {
      expect_no_fault(run(readers, in_warp, false, true));
      expect_fault(Kind::shared_race, run(readers, in_warp, false, false));
    }
    expect_fault(Kind::shared_race, run(readers, false, true, true));
  }
}

TEST(Copies, may_outlive_their_block) {
  EXPECT_GT(seeds_with_fault(Kind::shared_race, twice_without(wait_at_the_end), 200), 0);
}

/// A copy out is read when it was waited for, but its result may not be there yet.
__global__ void read_back(int* global, int* out) {
  shared_memory<int>(0).from(static_cast<int>(threadIdx.x)).store(0, 1);
  fence_for_copies();
  __syncthreads();
  if (threadIdx.x != 0) return;
  copy_out(global, shared_memory<int>(0), 16);
  wait_until_copied_out();
  *out = global[3];
}

TEST(Copies, may_appear_late) {
  auto const old = [] {
    alignas(16) int global[4] = {};
    int out                   = 0;
    launch(nullptr, {1, 4, 64}, read_back, static_cast<int*>(global), &out);
    EXPECT_EQ(global[3], 1);
    return out == 0;
  };
  int const seeds = 200, late = seeds_with(seeds, old);
  EXPECT_GT(late, 0);
  EXPECT_LT(late, seeds);
}

/// Reads shared memory while a copy writes there.
__global__ void overlap(int const* from, bool writes) {
  if (threadIdx.x < 4) shared_memory<int>(0).store(static_cast<int>(threadIdx.x), 7);
  fence_for_copies();
  if (threadIdx.x == 0) {
    filled().init(1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    filled().arrive_and_expect(16);
    copy_in(shared_memory<int>(0), from, 16, filled());
  }
  if (threadIdx.x == 33 && writes) shared_memory<int>(0).store(2, 1);
  if (threadIdx.x == 33 && !writes) (void)shared_memory<int>(0).load(2);
  filled().wait(0);
}

TEST(Copies, race_with_threads) {
  for (bool const writes : {true, false})
    expect_fault(Kind::shared_race, launching({1, 64, shared_size}, overlap, zeros, writes));
}

__global__ void copy(int const* from, int byte, unsigned bytes) {
  filled().init(1);
  publish_barriers();
  filled().arrive_and_expect(bytes);
  copy_in(shared_memory<int>(byte), from, bytes, filled());
  filled().wait(0);
}

TEST(Copies, are_of_whole_pieces_of_16_bytes) {
  auto const run = [](int first, int byte, unsigned bytes) {
    return launching({1, 1, shared_size}, copy, zeros + first, byte, bytes);
  };
  expect_no_fault(run(4, 16, 32));
  expect_fault(Kind::bad_argument, run(0, 0, 24));
  expect_fault(Kind::bad_argument, run(0, 0, 0));
  expect_fault(Kind::misaligned, run(1, 0, 16));
  expect_fault(Kind::misaligned, run(0, 8, 16));
  expect_fault(Kind::shared_out_of_range, run(0, barrier_byte - 16, 32));
}

TEST(Copies, of_devices_as_large_as_the_test_says) {
  EXPECT_EQ(current_device().multiprocessors, 3);
  Model const model({.multiprocessors = 7});
  EXPECT_EQ(current_device().multiprocessors, 7);
  EXPECT_TRUE(current_device().copies);
}

}  // namespace
}  // namespace KokkosScan::cuda
