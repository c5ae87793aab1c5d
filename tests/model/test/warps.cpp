// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <vector>

#include "seeds.hpp"

// Shuffles, votes and barriers: what they return, and who has to come.
namespace KokkosScan::cuda {
namespace {

template <class T>
T value_of(unsigned thread) {
  return static_cast<T>(static_cast<T>(thread) * T(1234567) - T(2) / T(4));
}

enum class Shuffle { from, up, down, xored };

template <class T>
__global__ void shuffle_all(Shuffle shuffle, T* out, int by, int width) {
  T const mine = value_of<T>(threadIdx.x);
  switch (shuffle) {
    case Shuffle::from: out[threadIdx.x] = __shfl_sync(~0U, mine, by, width); break;
    case Shuffle::up: out[threadIdx.x] = __shfl_up_sync(~0U, mine, static_cast<unsigned>(by), width); break;
    case Shuffle::down: out[threadIdx.x] = __shfl_down_sync(~0U, mine, static_cast<unsigned>(by), width); break;
    case Shuffle::xored: out[threadIdx.x] = __shfl_xor_sync(~0U, mine, by, width); break;
  }
}

/// By the words of the CUDA C++ Programming Guide.
int source(Shuffle shuffle, int lane, int by, int width) {
  int const first = lane / width * width;
  int const place = lane % width;
  if (shuffle == Shuffle::from) return first + by % width;
  if (shuffle == Shuffle::up) return place - by < 0 ? lane : lane - by;
  if (shuffle == Shuffle::down) return place + by >= width ? lane : lane + by;
  int const other = lane ^ by;
  return other / width > lane / width ? lane : other;
}

template <class T>
void check_shuffles() {
  for (Shuffle const shuffle : {Shuffle::from, Shuffle::up, Shuffle::down, Shuffle::xored})
    for (int const width : {1, 2, 4, 8, 16, 32})
      for (int const by : {0, 1, 3, 7, 16, 31})
        for_seeds(5, [&] {
          std::vector<T> out(64), expected;
          for (int i = 0; i < 64; ++i)
            expected.push_back(value_of<T>(static_cast<unsigned>(i / 32 * 32 + source(shuffle, i % 32, by, width))));
          launch(nullptr, {1, 64, 0}, shuffle_all<T>, shuffle, out.data(), by, width);
          ASSERT_EQ(out, expected) << "width " << width << ", by " << by;
        });
}

TEST(Warps, shuffle_all_types) {
  check_shuffles<int>();
  check_shuffles<unsigned>();
  check_shuffles<long>();
  check_shuffles<unsigned long long>();
  check_shuffles<float>();
  check_shuffles<double>();
}

__global__ void scan_warp(int* out) {
  int const lane = static_cast<int>(threadIdx.x % 32);
  int sum        = 1;
  for (int distance = 1; distance < 32; distance *= 2) {
    int const before = __shfl_up_sync(~0U, sum, static_cast<unsigned>(distance));
    if (lane >= distance) sum += before;
  }
  out[threadIdx.x] = sum;
}

TEST(Warps, scan) {
  for_seeds(100, [] {
    std::vector<int> out(96);
    launch(nullptr, {1, 96, 0}, scan_warp, out.data());
    for (int i = 0; i < 96; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i % 32 + 1);
  });
}

__global__ void vote(unsigned mask, unsigned* ballots, int* any, int* all, unsigned voters) {
  unsigned const lane = threadIdx.x % 32;
  if (!(mask >> lane & 1)) return;
  int const mine       = (voters >> lane & 1) ? 4 : 0;
  ballots[threadIdx.x] = __ballot_sync(mask, mine);
  any[threadIdx.x]     = __any_sync(mask, mine);
  all[threadIdx.x]     = __all_sync(mask, mine);
}

TEST(Warps, vote_with_full_and_partial_masks) {
  for (unsigned const mask : {~0U, 0xffffU, 0xaaaaaaaaU, 0x80000000U, 0x00f0000fU})
    for (unsigned const voters : {0U, ~0U, 0x8000ffffU, 0x00500005U})
      for_seeds(10, [&] {
        std::vector<unsigned> ballots(64);
        std::vector<int> any(64), all(64);
        launch(nullptr, {1, 64, 0}, vote, mask, ballots.data(), any.data(), all.data(), voters);
        for (unsigned i = 0; i < 64; ++i)
          if (mask >> i % 32 & 1) {
            EXPECT_EQ(ballots[i], mask & voters);
            EXPECT_EQ(any[i] != 0, (mask & voters) != 0);
            EXPECT_EQ(all[i] != 0, (mask & voters) == mask);
          }
      });
}

/// Even and odd lanes go different ways, and each half shuffles for itself.
__global__ void two_ways(int* out) {
  int const lane = static_cast<int>(threadIdx.x);
  int got        = 0;
  if (lane % 2) {
    for (int i = 0; i < 3; ++i) got += __shfl_sync(0xaaaaaaaaU, lane, 2 * i + 1);
  } else {
    got = __shfl_sync(0x55555555U, lane, 30);
  }
  out[lane] = __shfl_xor_sync(~0U, got, 1);
}

TEST(Warps, may_go_several_ways) {
  for_seeds(100, [] {
    std::vector<int> out(32);
    launch(nullptr, {1, 32, 0}, two_ways, out.data());
    for (int i = 0; i < 32; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i % 2 ? 30 : 9);
  });
}

__global__ void ask_who_is_not_there(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xffffU, static_cast<int>(threadIdx.x), 8);
}

TEST(Warps, get_garbage_from_lanes_that_are_not_there) {
  std::vector<std::vector<int>> seen;
  for_seeds(10, [&] {
    std::vector<int> out(16);
    launch(nullptr, {1, 32, 0}, ask_who_is_not_there, out.data());
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], static_cast<int>(i + 8));
    seen.emplace_back(out.begin() + 8, out.end());
  });
  EXPECT_NE(seen[0], seen[1]);
}

__global__ void words_of_the_language(int* out) {
  int i    = 0;
  out[i++] = __popc(0xf0f1U);
  out[i++] = __clz(1);
  out[i++] = __clz(0);
  out[i++] = __clz(-1);
  out[i++] = __ffs(0);
  out[i++] = __ffs(1);
  out[i++] = __ffs(static_cast<int>(0x80000000U));
  out[i++] = static_cast<int>(__byte_perm(0x33221100U, 0x77665544U, 0x7041U));
  out[i++] = __dp4a(static_cast<int>(0xff027f80U), 0x01030105, 7);
  out[i++] = static_cast<int>(threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.y + blockIdx.z);
  out[i++] = static_cast<int>(blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z);
  __nanosleep(10);
}

TEST(Warps, speak_the_language) {
  std::vector<int> out(11);
  launch(nullptr, {1, 1, 0}, words_of_the_language, out.data());
  EXPECT_EQ(out, (std::vector<int>{9, 31, 32, 0, 0, 1, 32, 0x77004411, 7 - 128 * 5 + 127 + 2 * 3 - 1, 0, 1}));
}

__global__ void where_am_i(int* out) {
  int const before = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  __syncthreads();
  int const after = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[before]     = after + static_cast<int>(gridDim.x);
}

TEST(Warps, know_their_indices_at_every_turn) {
  for_seeds(50, [] {
    std::vector<int> out(7 * 40);
    launch(nullptr, {7, 40, 0}, where_am_i, out.data());
    for (int i = 0; i < 7 * 40; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 7);
  });
}

// Who does not come.

enum Fault {
  none,
  leaves_before_barrier,
  never_comes_to_barrier,
  other_barrier,
  waits_for_its_warp,
  leaves_before_shuffle,
  other_call,
  other_mask,
  not_named,
};

__global__ void meet_with(Fault fault_of_5) {
  Fault const fault = threadIdx.x == 5 ? fault_of_5 : none;
  if (fault == leaves_before_barrier) return;
  if (fault == other_barrier)
    __syncthreads();
  else if (fault == waits_for_its_warp)
    __syncwarp();
  else if (fault != never_comes_to_barrier)
    __syncthreads();
  if (fault == leaves_before_shuffle) return;
  if (fault == other_call)
    (void)__any_sync(~0U, 1);
  else if (fault == other_mask)
    (void)__shfl_sync(0x7fffffffU, 1, 0);
  else
    (void)__shfl_sync(fault_of_5 == not_named ? ~32U : ~0U, 1, 0);
}

std::function<void()> meeting(Fault fault, int threads = 64) { return launching({1, threads, 0}, meet_with, fault); }

TEST(Divergence, is_found_where_one_does_not_come) {
  expect_no_fault(meeting(none), 50);
  for (int fault = leaves_before_barrier; fault <= not_named; ++fault)
    expect_fault(Kind::divergence, meeting(static_cast<Fault>(fault)));
  expect_no_fault(meeting(none, 40));  // 24 lanes never were
}

/// Of a last warp with 8 lanes all may name those that never were, or none; what such a lane is asked for is anything.
__global__ void meet_in_last_warp(bool const alike, bool const asks, unsigned* got) {
  unsigned const mask = !alike && threadIdx.x == 33 ? 0xffU : ~0U;
  if (threadIdx.x >= 32) got[threadIdx.x - 32] = __shfl_sync(mask, 7U, asks ? 8 : 0);
}
TEST(Divergence, of_lanes_that_never_were) {
  std::vector<unsigned> got(8);
  expect_no_fault(launching({1, 40, 0}, meet_in_last_warp, true, false, got.data()));
  EXPECT_EQ(got, std::vector<unsigned>(8, 7));
  expect_fault(Kind::divergence, launching({1, 40, 0}, meet_in_last_warp, false, false, got.data()));
  Model const model({.seed = 1});
  launching({1, 40, 0}, meet_in_last_warp, true, true, got.data())();
  EXPECT_NE(got, std::vector<unsigned>(8, 7));
}

TEST(Divergence, is_found_early) {
  auto const says = [](std::string const& words, auto const& run) {
    EXPECT_GT(seeds_with(400,
                         [&] {
                           auto const fault = fault_of(run);
                           return fault && std::string(fault->what()).find(words) != std::string::npos;
                         }),
              0)
        << words;
  };
  says("for threads that have ended", meeting(leaves_before_barrier, 6));
  says("ends, and others wait at __syncthreads", meeting(leaves_before_barrier));
  says("0x00000020 have ended", meeting(leaves_before_shuffle, 32));
  says("ends, and others wait for it at __shfl_sync", meeting(leaves_before_shuffle));
  says("0xffffffdf, which is not among them", meeting(not_named));
}

TEST(Divergence, names_who_waits_where) {
  Model const model({.seed = 3, .resident = 1});
  expect_words(fault_of(meeting(waits_for_its_warp)),
               {"threads 0-4, 6-63: waits at __syncthreads (", "thread 5: waits at __syncwarp for lanes 0xffffffff"});
}

__global__ void odd_width(int width) { (void)__shfl_sync(~0U, 1, 0, width); }

TEST(Warps, have_widths_that_are_powers_of_two) {
  for (int const width : {0, 3, 33, 64, -1})
    expect_fault(Kind::bad_argument, launching({1, 32, 0}, odd_width, width), 3);
}

}  // namespace
}  // namespace KokkosScan::cuda
