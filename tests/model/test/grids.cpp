// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "seeds.hpp"

// Grids on a stream: that they start early, what they must wait for, and what is known to them then.
namespace KokkosScan::cuda {
namespace {

using model::Duty;
using model::Site;
using model::Stream;

constexpr unsigned blocks = 3;

/// What the kernels of a test say to each other besides, and to the test.
struct Seen {
  bool lets[blocks] = {};  // a thread of each block, which is enough
  unsigned ended    = 0;   // threads of the first grid
  unsigned early = 0, too_early = 0, stale = 0;
};

/// The first grid: lets the next one start, and then takes its time.
__global__ void writes(unsigned* values, bool lets, Seen* seen) {
  seen->lets[blockIdx.x] = true;
  if (lets) let_next_grid_start();
  for (int i = 0; i < 4; ++i) __syncwarp();
  values[blockIdx.x] = 7;
  for (int i = 0; i < 4; ++i) __syncwarp();
  ++seen->ended;
}
/// The next one counts what it finds.
enum class Waits { first, too_late, never };
template <Waits waits>
__global__ void reads(unsigned const* values, Seen* seen) {
  if (seen->ended < 32 * blocks) ++seen->early;
  if (!std::all_of(seen->lets, seen->lets + blocks, [](bool let) { return let; })) ++seen->too_early;
  if constexpr (waits == Waits::first) begin_behind_previous_grid();
  unsigned const found = values[threadIdx.x % blocks];
  __syncwarp();
  if constexpr (waits == Waits::too_late) begin_behind_previous_grid();
  if (found != 7) ++seen->stale;
}
/// Both, and what was seen.
template <Waits waits>
Seen run(bool lets = true) {
  Seen seen;
  unsigned values[blocks] = {};
  Stream stream;
  launch(nullptr, {blocks, 32}, writes, values, lets, &seen);
  launch(nullptr, {blocks, 32}, reads<waits>, values, &seen);
  stream.finish();
  return seen;
}

TEST(Grids, start_early_but_not_before_all_blocks_let_them) {
  int const early = seeds_with(200, [] {
    Seen const seen = run<Waits::first>();
    EXPECT_EQ(seen.too_early, 0U);
    EXPECT_EQ(seen.stale, 0U);
    return seen.early > 0;
  });
  EXPECT_GT(early, 50);
  EXPECT_LT(early, 200);
  EXPECT_EQ(seeds_with(100, [] { return run<Waits::first>(false).early > 0; }), 0) << "nobody let them";
}

TEST(Grids, that_read_before_they_wait_find_what_was_there_before) {
  int const stale = seeds_with(200, [] { return run<Waits::too_late>().stale > 0; });
  EXPECT_GT(stale, 20);
  EXPECT_LT(stale, 200);
}

TEST(Grids, that_do_not_wait_are_found_by_every_seed) {
  expect_fault(Kind::grid_order, [] { run<Waits::never>(); });
  expect_words(fault_of([] { run<Waits::never>(); }), {"ends, and has not waited for the previous grid"});
  Settings const settings{.omissions = [](Duty duty, Site const&) { return duty == Duty::wait_for_grid; }};
  expect_fault(Kind::grid_order, [] { run<Waits::first>(); }, 50, settings);
}

/// Of a block too that finds nothing to do.
__global__ void leaves_at_once(unsigned* values) {
  if (blockIdx.x == 1) return;
  begin_behind_previous_grid();
  values[blockIdx.x] = 7;
}
__global__ void begins(unsigned*) { begin_behind_previous_grid(); }

TEST(Grids, may_not_end_without_having_waited) {
  expect_fault(Kind::grid_order, [] {
    unsigned values[blocks] = {};
    Stream stream;
    launch(nullptr, {blocks, 32}, begins, values);
    launch(nullptr, {blocks, 32}, leaves_at_once, values);
    stream.finish();
  });
}

/// What is wrong before the wait, whatever it finds.
__global__ void loads(unsigned* words) {
  (void)load_relaxed(words);
  begin_behind_previous_grid();
}
__global__ void adds(unsigned* words) {
  fetch_add(words, 1);
  begin_behind_previous_grid();
}
__global__ void copies(unsigned* words) {
  Barrier const copied(shared_memory<std::uint64_t>(0));
  copied.init(1);
  publish_barriers();
  copy_in(shared_memory<unsigned>(16), words, 16, copied);
  begin_behind_previous_grid();
}
__global__ void lets_first(unsigned*) {
  let_next_grid_start();
  wait_for_previous_grid();
}

TEST(Grids, come_to_nothing_before_they_have_waited) {
  for (auto* const kernel : {loads, adds, copies, lets_first})
    expect_fault(Kind::grid_order, [=] {
      alignas(16) unsigned words[4] = {};
      Stream stream;
      launch(nullptr, {1, 1, 64}, begins, words);
      launch(nullptr, {1, 1, 64}, kernel, words);
      stream.finish();
    });
}

/// Shared memory, barriers and mbarriers are their own.
__global__ void prepares(unsigned* out) {
  auto const shared = shared_memory<unsigned>(0);
  shared.store(static_cast<int>(threadIdx.x), threadIdx.x);
  __syncthreads();
  begin_behind_previous_grid();
  out[threadIdx.x] = shared.load(31 - static_cast<int>(threadIdx.x));
}

TEST(Grids, may_prepare_what_is_their_own) {
  expect_no_fault([] {
    std::vector<unsigned> out(32);
    Stream stream;
    launch(nullptr, {1, 32, 128}, begins, out.data());
    launch(nullptr, {1, 32, 128}, prepares, out.data());
    stream.finish();
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], 31 - i);
  });
}

/// Words, relaxed; copies; and plain stores where words were: what one grid does in a way the next does in another.
__global__ void counts(unsigned* words) {
  begin_behind_previous_grid();
  fetch_add(words, 1);
}
__global__ void stores(unsigned* words) {
  begin_behind_previous_grid();
  if (blockIdx.x == 0 && threadIdx.x == 0) words[0] *= 2;
}
__global__ void copies_out(unsigned* words) {
  begin_behind_previous_grid();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) shared_memory<unsigned>(0).store(i, words[i] + 1);
  fence_for_copies();
  copy_out(words, shared_memory<unsigned>(0), 16);
  wait_until_copied_out();
}

TEST(Grids, know_all_that_the_previous_one_wrote) {
  expect_no_fault([] {
    alignas(16) unsigned words[4] = {};
    Stream stream;
    for (auto* const kernel : {counts, stores, counts, copies_out, counts, copies_out, stores, stores})
      launch(nullptr, {blocks, 4, 16}, kernel, words);
    stream.finish();
    EXPECT_EQ(words[0], (((12U * 2 + 12) + 1 + 12) + 1) * 4);
    EXPECT_EQ(words[3], 2U);
  });
}

/// Each grid adds up what the previous one left, each block for its own place, with no more order than the wait gives.
__global__ void steps(unsigned const* from, unsigned* to) {
  begin_behind_previous_grid();
  unsigned sum = 0;
  for (unsigned i = 0; i < blocks; ++i) sum += from[i];
  __syncwarp();
  if (threadIdx.x == 0) to[blockIdx.x] = sum;
}

TEST(Grids, of_a_chain_follow_each_other) {
  expect_no_fault([] {
    std::vector<unsigned> values(blocks, 1), others(blocks);
    Stream stream;
    for (int i = 0; i < 10; ++i)
      launch(nullptr, {blocks, 32}, steps, i % 2 == 0 ? values.data() : others.data(),
             i % 2 == 0 ? others.data() : values.data());
    stream.finish();
    EXPECT_EQ(values, std::vector<unsigned>(blocks, 59049));
  });
}

__global__ void adds_one(unsigned* values) {
  begin_behind_previous_grid();
  ++values[threadIdx.x];
}

/// A block takes the memory of an ended one, which had fewer threads.
TEST(Grids, have_blocks_of_any_size) {
  expect_no_fault(
      [] {
        std::vector<unsigned> values(1024);
        Stream stream;
        for (int const threads : {1, 33, 32, 256, 1, 1024, 64}) launch(nullptr, {2, threads}, adds_one, values.data());
        stream.finish();
        EXPECT_EQ(values[0], 14U);
        EXPECT_EQ(values[1023], 2U);
      },
      20);
}

__global__ void waits_for_nobody(unsigned* words) {
  let_next_grid_start();
  while (load_acquire(words) == 0) pause();
}

TEST(Grids, that_never_end_are_named_with_who_waits_for_them) {
  for_seeds(20, [] {
    unsigned word = 0;
    Stream stream;
    launch(nullptr, {1, 1}, waits_for_nobody, &word);
    launch(nullptr, {1, 1}, begins, &word);
    auto const fault = fault_of([&] { stream.finish(); });
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind(), Kind::deadlock);
    expect_words(fault, {"nobody can move", "after a poll of a word"});
  });
}

__global__ void throws(unsigned*) {
  begin_behind_previous_grid();
  throw std::runtime_error("by a kernel");
}

TEST(Grids, pass_on_what_is_thrown_and_run_once) {
  unsigned value = 0;
  Stream stream;
  launch(nullptr, {1, 1}, counts, &value);
  launch(nullptr, {1, 1}, throws, &value);
  launch(nullptr, {1, 1}, counts, &value);
  EXPECT_EQ(value, 0U) << "before it is to finish";
  EXPECT_THROW(stream.finish(), std::runtime_error);
  EXPECT_EQ(value, 1U);
  stream.finish();
  EXPECT_EQ(value, 1U);
  EXPECT_THROW(launch(nullptr, {0, 1}, counts, &value), ModelError);
}

}  // namespace
}  // namespace KokkosScan::cuda
