// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../src/driver/workspace.hpp"
#include "counted_graph.hpp"
#include "workers.hpp"

// Scratch under many host threads. Kokkos is linked but never started: ThreadSanitizer does not know libgomp's locks.
namespace {

struct Space {};

std::atomic<int> blocks{0}, most_blocks{0};
std::atomic<std::size_t> bytes_kept{0}, allocations{0};

using KokkosScan::exec::GraphCount;
using test::Graph;

/// Memory that counts its blocks.
struct Source {
  static std::string source() { return "malloc"; }
  static void* allocate(Space, std::string const&, std::size_t bytes) {
    int const now = ++blocks;
    int most      = most_blocks;
    while (most < now && !most_blocks.compare_exchange_weak(most, now)) {
    }
    ++allocations;
    bytes_kept += bytes;
    return std::malloc(bytes);
  }
  static void free(Space, std::string const& label, void* block, std::size_t bytes) {
    free_unused(label, block, bytes);
  }
  static void free_unused(std::string const&, void* block, std::size_t bytes) {
    --blocks;
    bytes_kept -= bytes;
    std::free(block);
  }
  static void clear(Space, void* block, std::size_t bytes) { std::memset(block, 0, bytes); }

  using Capture = Graph*;
  static void keep(Graph* graph, GraphCount const& graphs) {
    ++*graphs;
    graph->uses.push_back(graphs);
  }
};

using Workspace = KokkosScan::driver::Workspace<Space, Source>;

struct Kept {
  Workspace workspace{"test", Workspace::Content::anything};
  auto lease(std::size_t bytes, Graph* graph = nullptr) { return workspace.lease({}, bytes, graph); }
  void use(std::size_t bytes) { auto const lease = workspace.lease({}, bytes, nullptr); }
};

class Scratch : public testing::Test {
 protected:
  void SetUp() override {
    blocks = most_blocks = 0;
    bytes_kept = allocations = 0;
  }
  void TearDown() override { EXPECT_EQ(blocks, 0) << "not all was freed"; }
};

TEST_F(Scratch, is_never_shared_by_two_leases) {
  Kept workspace;
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto const a = workspace.lease(100), b = workspace.lease(50), c = workspace.lease(100);
    EXPECT_EQ((std::set{a.data(), b.data(), c.data()}.size()), 3U);
  }
  EXPECT_EQ(blocks, 3) << "given back, they are there for the next";
}

TEST_F(Scratch, is_reused_by_whatever_fits) {
  Kept workspace;
  workspace.use(1 << 20);
  for (std::size_t const bytes : {1000U, 10U, 1010U, 1U << 20}) {
    auto const lease = workspace.lease(bytes);
    std::memset(lease.data(), 1, bytes);
  }
  EXPECT_EQ(allocations, 1U);
}

/// Sizes that grow by 1 % a call, as those of a mesh that is refined.
TEST_F(Scratch, that_grows_under_concurrent_calls_is_bounded_by_their_number) {
  Kept workspace;
  for (double bytes = 1000; bytes < 1e9; bytes *= 1.01) {
    auto const needed = static_cast<std::size_t>(bytes);
    {
      auto const a = workspace.lease(needed);
      auto const b = workspace.lease(needed / 2);
      auto const c = workspace.lease(needed);
    }
    ASSERT_LE(blocks, 3);
    ASSERT_LE(bytes_kept, 3 * (needed + needed / 4));
  }
}

TEST_F(Scratch, of_a_sequence_that_repeats_itself_is_soon_there) {
  Kept workspace;
  std::size_t before = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    if (repetition == 2) before = allocations;
    workspace.use(100);
    {
      auto const outer = workspace.lease(10'000);
      auto const inner = workspace.lease(3'000);
    }
    workspace.use(5'000);
  }
  EXPECT_EQ(allocations, before);
}

TEST_F(Scratch, that_a_graph_uses_stays_as_long_as_the_graph) {
  Kept workspace;
  workspace.use(1000);
  auto graph     = std::make_unique<Graph>();
  void* of_graph = nullptr;
  for (int call = 0; call < 3; ++call) {
    auto const lease = workspace.lease(1000, graph.get());
    of_graph         = lease.data();
  }
  for (std::size_t bytes = 2000; bytes < 100'000; bytes *= 2) auto const lease = workspace.lease(bytes);
  EXPECT_EQ(blocks, 2) << "the last, and that of the graph";
  EXPECT_EQ(workspace.lease(1000).data(), of_graph) << "calls in order may use it, too";
  workspace.workspace.release({});
  EXPECT_EQ(blocks, 1) << "that of the graph";
  graph.reset();
  workspace.use(2000);
  EXPECT_EQ(blocks, 1) << "the last";
  workspace.workspace.release({});
  EXPECT_EQ(blocks, 0);
}

TEST_F(Scratch, is_not_taken_anew_for_a_graph_and_nothing_is_freed_for_it) {
  Kept workspace;
  Graph graph;
  workspace.use(1000);
  EXPECT_THROW(workspace.lease(2000, &graph), std::runtime_error);
  EXPECT_EQ(blocks, 1);
  EXPECT_EQ(allocations, 1U);
}

TEST_F(Scratch, that_is_to_hold_zeros_does) {
  Workspace workspace("test", Workspace::Content::zeros);
  for (std::size_t bytes = 100; bytes < 10'000; bytes *= 3) {
    auto const lease = workspace.lease({}, bytes, nullptr);
    auto* const data = static_cast<unsigned char*>(lease.data());
    for (std::size_t i = 0; i < lease.bytes(); ++i) ASSERT_EQ(data[i], 0);
    std::memset(data, 1, bytes);
  }
}

TEST_F(Scratch, is_released_but_for_what_a_call_has) {
  Kept workspace;
  auto const held = workspace.lease(1000);
  workspace.use(1000);
  workspace.workspace.release({});
  EXPECT_EQ(blocks, 1);
  std::memset(held.data(), 1, 1000);
}

TEST_F(Scratch, of_nothing_is_nothing) {
  Kept workspace;
  EXPECT_EQ(workspace.lease(0).data(), nullptr);
  EXPECT_EQ(most_blocks, 0);
}

TEST_F(Scratch, belongs_to_the_thread_that_leased_it) {
  constexpr int size = 4;
  Kept workspace;
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
  EXPECT_LE(most_blocks, size) << "no more blocks than calls at once";
}

TEST_F(Scratch, workspaces_may_come_and_go_in_any_thread) {
  concurrency::threads(4).run([&](int) {
    for (int repetition = 0; repetition < 200; ++repetition) {
      Kept workspace;
      auto const lease = workspace.lease(16);
    }
  });
}

}  // namespace
