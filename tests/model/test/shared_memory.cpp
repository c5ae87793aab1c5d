// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>
#include <tuple>
#include <vector>

#include "seeds.hpp"

// Shared memory: every forgotten barrier is found, and no other.
namespace KokkosScan::cuda {
namespace {

enum class Forgotten { nothing, before_write, after_write };

constexpr unsigned line_of_the_load  = __LINE__ + 12;
constexpr unsigned line_of_the_store = line_of_the_load + 2;

/// Kogge-Stone in place, with two barriers for each step.
__global__ void kogge_stone(Forgotten forgotten, int const* in, int* out) {
  auto const tile = shared_memory<int>(0);
  int const i     = static_cast<int>(threadIdx.x);
  int const n     = static_cast<int>(blockDim.x);
  int sum         = in[i];
  tile.store(i, sum);
  __syncthreads();
  for (int stride = 1; stride < n; stride *= 2) {
    if (i >= stride) sum += tile.load(i - stride);
    if (forgotten != Forgotten::before_write) __syncthreads();
    tile.store(i, sum);
    if (forgotten != Forgotten::after_write) __syncthreads();
  }
  out[i] = sum;
}

std::function<void()> kogge_stone_of(int n, Forgotten forgotten) {
  return [=] {
    std::vector<int> in(static_cast<std::size_t>(n)), out(in.size()), expected(in.size());
    std::iota(in.begin(), in.end(), 1);
    std::partial_sum(in.begin(), in.end(), expected.begin());
    launch(nullptr, {1, n, in.size() * sizeof(int)}, kogge_stone, forgotten, in.data(), out.data());
    EXPECT_EQ(out, expected);
  };
}

TEST(SharedMemory, needs_each_barrier_of_kogge_stone_and_no_other) {
  for (int const n : {1, 2, 33, 128}) {
    expect_no_fault(kogge_stone_of(n, Forgotten::nothing), 50);
    if (n > 1) expect_fault(Kind::shared_race, kogge_stone_of(n, Forgotten::before_write));
    if (n > 2) expect_fault(Kind::shared_race, kogge_stone_of(n, Forgotten::after_write));
  }
}

TEST(SharedMemory, races_name_both_threads_and_both_places) {
  Model const model({.seed = 4});
  expect_words(fault_of(kogge_stone_of(2, Forgotten::before_write)),
               {"byte 0 ", "thread 0 ", "thread 1 ", "shared_memory.cpp:" + std::to_string(line_of_the_load),
                "shared_memory.cpp:" + std::to_string(line_of_the_store), "seed 4"});
}

/// All threads count at one place, which one clears before and one reads behind.
__global__ void count(Forgotten forgotten, int* out) {
  auto const counter = shared_memory<int>(0);
  if (threadIdx.x == 0) counter.store(0, 5);
  __syncthreads();
  if (threadIdx.x == 0) counter.store(0, 0);
  if (forgotten != Forgotten::after_write) __syncthreads();
  counter.fetch_add(0, 1);
  if (forgotten != Forgotten::before_write) __syncthreads();
  if (threadIdx.x == 1) *out = counter.load(0);
  if (forgotten == Forgotten::before_write && threadIdx.x == 2) counter.store(0, 0);
}

TEST(SharedMemory, additions_need_no_barrier_between_each_other) {
  auto const counted = [](Forgotten forgotten) {
    return [=] {
      int out = 0;
      launch(nullptr, {1, 77, sizeof(int)}, count, forgotten, &out);
      EXPECT_EQ(out, 77);
    };
  };
  expect_no_fault(counted(Forgotten::nothing), 50);
  expect_fault(Kind::shared_race, counted(Forgotten::before_write));
  expect_fault(Kind::shared_race, counted(Forgotten::after_write));
}

__global__ void read_unwritten(unsigned written, unsigned read) {
  auto const memory = shared_memory<unsigned>(0);
  if (blockIdx.x == 0) memory.store(static_cast<int>(written), 1U);
  if (blockIdx.x == gridDim.x - 1) (void)memory.load(static_cast<int>(read));
}

TEST(SharedMemory, is_written_before_it_is_read_and_keeps_nothing_for_the_next_block) {
  expect_fault(Kind::shared_uninitialised, launching({1, 1, 64}, read_unwritten, 2U, 3U));
  expect_fault(Kind::shared_uninitialised, launching({2, 1, 64}, read_unwritten, 3U, 3U));
  expect_no_fault(launching({1, 1, 64}, read_unwritten, 3U, 3U));
}

struct Pair {
  double a;
  char b;
};

template <class T>
__global__ void touch(int byte, int i, bool store) {
  auto const memory = shared_memory<T>(byte);
  if (store)
    memory.store(i, T{});
  else
    (void)memory.load(i);
}

TEST(SharedMemory, has_bounds) {
  for (bool const store : {false, true}) {
    for (auto const& [bytes, byte, i] : {std::tuple{64U, 0, 16}, {64U, 0, -1}, {64U, 64, 0}, {0U, 0, 0}, {66U, 64, 0}})
      expect_fault(Kind::shared_out_of_range, launching({1, 1, bytes}, touch<int>, byte, i, store), 3);
    expect_fault(Kind::shared_out_of_range, launching({1, 1, 40}, touch<Pair>, 32, 0, store), 3);
    expect_fault(Kind::misaligned, launching({1, 1, 64}, touch<Pair>, 4, 0, store), 3);
  }
  expect_no_fault(launching({1, 1, 64}, touch<int>, 0, 15, true), 3);
  expect_no_fault(launching({1, 1, 48}, touch<Pair>, 16, 1, true), 3);
}

template <class T>
__global__ void neighbours(bool same) {
  auto const memory = shared_memory<T>(0);
  memory.store(same ? 0 : static_cast<int>(threadIdx.x), T(1));
}

TEST(SharedMemory, is_watched_byte_by_byte) {
  expect_no_fault(launching({1, 64, 64}, neighbours<std::uint8_t>, false), 20);
  expect_no_fault(launching({1, 64, 128}, neighbours<std::uint16_t>, false), 20);
  expect_no_fault(launching({1, 64, 512}, neighbours<double>, false), 20);
  expect_fault(Kind::shared_race, launching({1, 64, 64}, neighbours<std::uint8_t>, true));
  expect_fault(Kind::shared_race, launching({1, 64, 512}, neighbours<double>, true));
}

/// Four bytes by thread 0 as one value, and by the others one by one.
__global__ void ints_as_bytes(bool barrier, unsigned char* out) {
  auto const ints  = shared_memory<int>(0);
  auto const bytes = ints.template from<unsigned char>(1);
  int const i      = static_cast<int>(threadIdx.x);
  if (i == 0) ints.store(1, 0x04030201);
  if (barrier) __syncthreads();
  if (i < 4) out[i] = bytes.load(i);
  if (barrier) __syncthreads();
  if (i < 4) bytes.store(i, static_cast<unsigned char>(out[i] + 1));
  if (barrier) __syncthreads();
  if (i == 5) out[4] = static_cast<unsigned char>(ints.load(1) >> 24);
}

TEST(SharedMemory, can_be_seen_as_another_type) {
  unsigned char out[5];
  auto const run = [&](bool barrier) { launch(nullptr, {1, 8, 8}, ints_as_bytes, barrier, out); };
  expect_no_fault([&] {
    run(true);
    for (unsigned char i = 0; i < 5; ++i) EXPECT_EQ(out[i], i + 1);
  });
  for_seeds(50, [&] {
    auto const fault = fault_of([&] { run(false); });
    EXPECT_TRUE(fault && (fault->kind() == Kind::shared_race || fault->kind() == Kind::shared_uninitialised));
  });
}

enum class Order { none, shuffle, vote, word, warp, halves, block };

/// Each lane passes its value to the one `distance` further on.
__global__ void pass_on(Order order, int distance, unsigned* word) {
  auto const memory = shared_memory<int>(0);
  int const i       = static_cast<int>(threadIdx.x);
  int const n       = static_cast<int>(blockDim.x);
  memory.store(i, i);
  if (order == Order::shuffle) (void)__shfl_sync(~0U, 1, 0);
  if (order == Order::vote) (void)__all_sync(~0U, 1);
  if (order == Order::word) {
    fetch_add(word, 1);
    while (load_acquire(word) < blockDim.x) pause();
  }
  if (order == Order::warp) __syncwarp();
  if (order == Order::halves) __syncwarp(i % 32 < 16 ? 0xffffU : 0xffff0000U);
  if (order == Order::block) __syncthreads();
  (void)memory.load((i + distance) % n);
}

std::function<void()> passing_on(Order order, int threads, int distance) {
  return [=] {
    unsigned word = 0;
    launch(nullptr, {1, threads, 256 * sizeof(int)}, pass_on, order, distance, &word);
  };
}

/// Most see a race; who comes too early sees bytes that nobody wrote. It is a fault in any case.
void expect_disorder(Order order, int threads, int distance) {
  int races = 0, unwritten = 0;
  for_seeds(60, [&] {
    auto const fault = fault_of(passing_on(order, threads, distance));
    EXPECT_TRUE(fault);
    if (fault) ++(fault->kind() == Kind::shared_race ? races : unwritten);
  });
  EXPECT_TRUE(order == Order::none || races > 0);
}

TEST(SharedMemory, is_ordered_in_a_warp_by_its_barrier_only) {
  expect_no_fault(passing_on(Order::warp, 32, 1), 50);
  expect_no_fault(passing_on(Order::block, 32, 1), 50);
  for (Order const order : {Order::none, Order::shuffle, Order::vote, Order::word}) expect_disorder(order, 32, 1);
}

TEST(SharedMemory, is_not_ordered_by_the_barrier_of_other_lanes) {
  expect_no_fault(passing_on(Order::halves, 32, 0), 50);
  expect_disorder(Order::halves, 32, 16);
  expect_disorder(Order::warp, 64, 32);
  expect_disorder(Order::warp, 64, 1);
  expect_no_fault(passing_on(Order::block, 64, 1), 50);
}

/// Lanes 0 and 1 meet, then 1 and 2: so 2 comes after 0.
__global__ void in_a_chain(bool second) {
  auto const memory   = shared_memory<int>(0);
  unsigned const lane = threadIdx.x;
  if (lane == 0) memory.store(0, 1);
  if (lane < 2) __syncwarp(3);
  if (second && (lane == 1 || lane == 2)) __syncwarp(6);
  if (lane == 2) memory.store(0, 2);
}

TEST(SharedMemory, is_ordered_through_a_third_lane) {
  expect_no_fault(launching({1, 32, 4}, in_a_chain, true));
  expect_fault(Kind::shared_race, launching({1, 32, 4}, in_a_chain, false));
}

/// A barrier orders what comes before it with what comes after, and no more.
__global__ void both_after(bool whole_block) {
  auto const memory = shared_memory<int>(0);
  for (int i = 0; i < 3; ++i) whole_block ? __syncthreads() : __syncwarp();
  if (threadIdx.x == 7) memory.store(0, 1);
  if (threadIdx.x == 9) memory.store(0, 2);
}

TEST(SharedMemory, is_not_ordered_behind_a_barrier) {
  for (bool const whole_block : {true, false})
    expect_fault(Kind::shared_race, launching({1, 32, 4}, both_after, whole_block));
}

/// Many read, and `reader` once more behind a barrier or beside it, when `writer` writes.
__global__ void many_read(bool barrier, unsigned reader, unsigned writer) {
  auto const memory = shared_memory<int>(0);
  if (threadIdx.x == 0) memory.store(0, 1);
  __syncthreads();
  (void)memory.load(0);
  barrier ? __syncthreads() : __syncwarp();
  if (threadIdx.x == reader) (void)memory.load(0);
  if (threadIdx.x == writer) memory.store(0, 2);
}

TEST(SharedMemory, remembers_all_who_read) {
  for (unsigned const both : {0U, 70U}) expect_no_fault(launching({1, 96, 4}, many_read, true, both, both), 20);
  for (unsigned const reader : {0U, 5U, 40U, 95U})
    for (unsigned const writer : {1U, 41U, 94U})
      expect_fault(Kind::shared_race, launching({1, 96, 4}, many_read, true, reader, writer), 20);
  expect_no_fault(launching({1, 32, 4}, many_read, false, 7U, 7U), 20);
  expect_fault(Kind::shared_race, launching({1, 64, 4}, many_read, false, 7U, 7U));
}

/// A value that has no default constructor and no assignment.
struct Fixed {
  int const value;
};

__global__ void keep(int* out) {
  auto const memory = shared_memory<Fixed>(16);
  memory.store(3, Fixed{5});
  memory.store(3, Fixed{memory.load(3).value + 1});
  *out = memory.from(3).load(0).value;
}

TEST(SharedMemory, holds_values_without_assignment) {
  int out = 0;
  launch(nullptr, {1, 1, 64}, keep, &out);
  EXPECT_EQ(out, 6);
}

}  // namespace
}  // namespace KokkosScan::cuda
