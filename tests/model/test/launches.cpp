// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "seeds.hpp"

// What a launch passes to its threads and back, and what the recorder sees of it.
namespace KokkosScan::cuda {
namespace {

__global__ void throws(unsigned thread) {
  __syncwarp();
  if (threadIdx.x == thread) throw std::runtime_error("by thread " + std::to_string(thread));
  __syncthreads();
}
__global__ void launches_another() { launch(nullptr, {1, 1, 0}, throws, 1U); }

auto const run_to_the_end = launching({3, 64, 0}, throws, ~0U);

TEST(Launch, passes_on_what_a_kernel_throws) {
  for_seeds(20, [] {
    EXPECT_THROW(launch(nullptr, {3, 64, 0}, throws, 40U), std::runtime_error);
    run_to_the_end();  // and goes on
  });
}

TEST(Launch, takes_turns_between_host_threads) {
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    threads.emplace_back([seed] {
      std::uint64_t trace = 0;
      for (int i = 0; i < 20; ++i) {
        Model const model({.seed = seed});
        run_to_the_end();
        EXPECT_TRUE(trace == 0 || trace == model.trace());
        trace = model.trace();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Launch, refuses_what_no_device_can_do) {
  auto const run = [](Grid grid) { return [grid] { launch(nullptr, grid, throws, ~0U); }; };
  expect_no_fault(run({1, 1024, 0}), 1);
  for (Grid const grid : {Grid{0, 1, 0}, {1, 0, 0}, {1, 1025, 0}, {1, -1, 0}, {1, 32, 1 << 20}})
    expect_fault(Kind::bad_argument, run(grid), 1);
  expect_fault(Kind::bad_argument, [] { launch(nullptr, {1, 1, 0}, launches_another); }, 1);
}

/// Arguments of several kinds, converted as in a call, and the thread's own copies.
__global__ void takes(double factor, std::vector<int> values, double* out) {
  values[threadIdx.x] += 1;
  __syncthreads();
  out[threadIdx.x] = factor * std::accumulate(values.begin(), values.end(), 0);
}

TEST(Launch, gives_each_thread_its_own_arguments) {
  std::vector<double> out(4);
  launch(nullptr, {1, 4, 0}, takes, 2, std::vector<int>(4), out.data());
  EXPECT_EQ(out, std::vector<double>(4, 2.0));
}

/// Deep in its stack, and with much on it.
int sum_to(int n) {
  volatile int here[16] = {n};
  if (n % 16 == 0) __syncthreads();
  return n == 0 ? 0 : here[0] + sum_to(n - 1);
}
__global__ void deep(int* out) { out[threadIdx.x] = sum_to(static_cast<int>(100 + threadIdx.x / 100)); }

TEST(Launch, gives_each_thread_a_stack) {
  std::vector<int> out(100);
  for_seeds(5, [&] { launch(nullptr, {1, 100, 0}, deep, out.data()); });
  EXPECT_EQ(out, std::vector<int>(100, 5050));
}

__global__ void a_bit_of_everything(unsigned* words) {
  auto const shared = shared_memory<unsigned>(0);
  if (threadIdx.x == 1) shared.store(2, 7U);
  __syncthreads();
  if (threadIdx.x == 0) {
    store_release(words, shared.load(2));
    fence();
    fetch_add(words, 1);
    (void)load_acquire(words);
  }
  (void)__any_sync(3U, 1);
}

TEST(Recorder, sees_everything_in_order) {
  using What = model::Event::What;
  std::vector<model::Event> events;
  {
    Model const model({.recorder = [&](model::Event const& event) { events.push_back(event); }});
    unsigned word = 0;
    launch(nullptr, {1, 2, 16}, a_bit_of_everything, &word);
  }
  std::map<What, int> count;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].step, i);
    EXPECT_EQ(events[i].block, 0U);
    ++count[events[i].what];
    if (events[i].what == What::shared_store) {
      EXPECT_EQ(events[i].thread, 1U);
      EXPECT_EQ(events[i].at, 8U);
      EXPECT_EQ(events[i].bytes, 4U);
      EXPECT_EQ(events[i].epoch, 0U);
    }
    if (events[i].what == What::word_store) {
      EXPECT_EQ(events[i].epoch, 1U);
      EXPECT_NE(std::string(events[i].where.file).find("launches.cpp"), std::string::npos);
    }
  }
  EXPECT_EQ(count, (std::map<What, int>{{What::block_start, 1},
                                        {What::shared_load, 1},
                                        {What::shared_store, 1},
                                        {What::word_load, 1},
                                        {What::word_store, 1},
                                        {What::atomic, 1},
                                        {What::fence, 1},
                                        {What::barrier, 2},
                                        {What::warp, 2},
                                        {What::thread_end, 2}}));
}

__global__ void from_lane_3(int* out) { out[threadIdx.x] = __shfl_sync(~0U, 1, 3); }

TEST(Recorder, knows_where_a_shuffle_comes_from) {
  int shuffles = 0;
  Model const model({.recorder = [&](model::Event const& event) {
    if (event.what != model::Event::What::warp) return;
    ++shuffles;
    EXPECT_EQ(event.call, model::Call::shfl);
    EXPECT_EQ(event.source, 3U);
    EXPECT_EQ(event.at, 0xffffffffU);
  }});
  std::vector<int> out(32);
  launch(nullptr, {1, 32, 0}, from_lane_3, out.data());
  EXPECT_EQ(shuffles, 32);
}

}  // namespace
}  // namespace KokkosScan::cuda
