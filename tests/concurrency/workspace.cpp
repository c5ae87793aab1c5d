// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>

#include "../../src/driver/workspace.hpp"
#include "crews.hpp"

// Scratch under many host threads. Kokkos is linked but never started: ThreadSanitizer does not know libgomp's locks.
namespace {

using KokkosScan::driver::Workspace;

std::atomic<int> blocks{0}, most_blocks{0};

void* take(std::size_t bytes) {
  int const now = ++blocks;
  int most      = most_blocks;
  while (most < now && !most_blocks.compare_exchange_weak(most, now)) {
  }
  return std::malloc(bytes);
}
void give(void* block) {
  --blocks;
  std::free(block);
}

class Scratch : public testing::Test {
 protected:
  void SetUp() override { blocks = most_blocks = 0; }
  void TearDown() override { EXPECT_EQ(blocks, 0) << "not all was freed"; }
};

TEST_F(Scratch, is_never_shared_by_two_leases) {
  Workspace workspace("malloc", take, give);
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto const a = workspace.lease(100), b = workspace.lease(50), c = workspace.lease(100);
    EXPECT_EQ((std::set{a.data(), b.data(), c.data()}.size()), 3U);
  }
  EXPECT_EQ(blocks, 3) << "given back, they are there for the next";
}

TEST_F(Scratch, is_rounded_up_and_never_freed_between_calls) {
  Workspace workspace("malloc", take, give);
  for (int repetition = 0; repetition < 3; ++repetition)
    for (std::size_t const bytes : {1000U, 10U, 1010U, 1024U, 5000U, 8000U}) {
      auto const lease = workspace.lease(bytes);
      std::memset(lease.data(), 1, bytes);
    }
  // Freeing would fence. Rounding to powers of two bounds what a growing series of sizes leaves behind.
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(most_blocks, 2);
}

TEST_F(Scratch, of_nothing_is_nothing) {
  Workspace workspace("malloc", take, give);
  EXPECT_EQ(workspace.lease(0).data(), nullptr);
  EXPECT_EQ(most_blocks, 0);
}

TEST_F(Scratch, belongs_to_the_thread_that_leased_it) {
  constexpr int size = 4;
  Workspace workspace("malloc", take, give);
  std::atomic<int> spoiled{0};
  concurrency::threads(size).run([&](int worker) {
    std::mt19937 random(static_cast<unsigned>(worker));
    for (int repetition = 0; repetition < 2000; ++repetition) {
      std::size_t const bytes = 1 + random() % 300;
      auto const lease        = workspace.lease(bytes);
      auto* const data        = static_cast<unsigned char*>(lease.data());
      std::memset(data, worker, bytes);
      if (repetition % 16 == 0) std::this_thread::yield();
      for (std::size_t i = 0; i < bytes; ++i) spoiled += data[i] != worker;
    }
  });
  EXPECT_EQ(spoiled, 0);
  constexpr int rounded_sizes = 10;  // 1, 2, 4, ... 512
  EXPECT_LE(most_blocks, size * rounded_sizes) << "no more blocks of a size than calls at once";
}

TEST_F(Scratch, workspaces_may_come_and_go_in_any_thread) {
  concurrency::threads(4).run([&](int) {
    for (int repetition = 0; repetition < 200; ++repetition) {
      Workspace workspace("malloc", take, give);
      auto const lease = workspace.lease(16);
    }
  });
}

}  // namespace
