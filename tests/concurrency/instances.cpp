// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../../src/driver/instances.hpp"
#include "counted_graph.hpp"
#include "workers.hpp"

// The scratch of instances without a Handle, which come and go while their work is still under way: none may get at
// what another's kernels still use, and what is kept for those that are gone is bounded. Kokkos is linked but never
// started.
namespace {

using test::Graph;

/// A device that works off its streams in any order among them, later than it is told.
class Device {
 public:
  using Queue = std::deque<std::function<void()>>;

  std::uint64_t add_stream() {
    std::lock_guard const lock(mutex_);
    return ++streams_;
  }
  void enqueue(std::uint64_t stream, std::function<void()> work) {
    std::lock_guard const lock(mutex_);
    queues_[stream].push_back(std::move(work));
  }
  /// Some of what is enqueued, or all of it.
  void work(std::size_t count) {
    for (; count > 0; --count) {
      std::lock_guard const lock(mutex_);
      if (queues_.empty()) return;
      auto queue = queues_.begin();
      std::advance(queue, random_() % queues_.size());
      queue->second.front()();
      queue->second.pop_front();
      if (queue->second.empty()) queues_.erase(queue);
    }
  }
  void work_off() {
    while (busy_streams() > 0) work(1000);
  }
  std::size_t busy_streams() {
    std::lock_guard const lock(mutex_);
    return queues_.size();
  }

  /// A kernel that takes its time: what it writes first must be there when it ends.
  void run_kernel(std::uint64_t stream, void* data, std::size_t bytes) {
    auto const mark = static_cast<int>(++kernels_ % 251);
    enqueue(stream, [=] { std::memset(data, mark, bytes); });
    enqueue(stream, [=, this] {
      auto const* const found = static_cast<unsigned char*>(data);
      for (std::size_t i = 0; i < bytes; ++i) spoiled += found[i] != mark;
    });
  }

  void* allocate(std::size_t bytes) {
    kept += bytes;
    return std::malloc(bytes);
  }
  void free(void* data, std::size_t bytes) {
    kept -= bytes;
    std::memset(data, 0xee, bytes);
    std::free(data);
  }

  std::atomic<std::size_t> kept{0}, spoiled{0};

 private:
  std::mutex mutex_;
  std::minstd_rand random_;
  std::uint64_t streams_ = 0;
  std::atomic<unsigned> kernels_{0};
  std::map<std::uint64_t, Queue> queues_;
};

Device& device() {
  static Device one;
  return one;
}

struct Stream {
  std::uint64_t number    = device().add_stream();
  Graph* graph            = nullptr;  // that it is captured into
  Stream()                = default;
  Stream(Stream const&)   = delete;
  void operator=(Stream&) = delete;
};

struct StreamMemory {
  static constexpr bool instances_differ = true;

  static std::string source() { return "malloc"; }
  static void* allocate(Stream const&, std::string const&, std::size_t bytes) { return device().allocate(bytes); }
  static void free(Stream const& stream, std::string const&, void* data, std::size_t bytes) {
    device().enqueue(stream.number, [=] { device().free(data, bytes); });
  }
  static void free_unused(std::string const&, void* data, std::size_t bytes) { device().free(data, bytes); }
  static void clear(Stream const& stream, void* data, std::size_t bytes) {
    device().enqueue(stream.number, [=] { std::memset(data, 0, bytes); });
  }

  using Capture = Graph*;
  static Graph* capture_of(Stream const& stream) { return stream.graph; }
  static void keep(Graph* graph, KokkosScan::exec::GraphCount const& graphs) {
    ++*graphs;
    graph->uses.push_back(graphs);
  }

  class Key {
   public:
    explicit Key(Stream const& stream) : number_(stream.number) {}
    friend bool operator==(Key const&, Key const&) = default;

   private:
    std::uint64_t number_;
  };
  class Mark {
   public:
    bool record(Stream const& stream) {
      auto const passed = std::make_shared<std::atomic<bool>>(false);
      std::lock_guard const lock(mutex_);
      device().enqueue(stream.number, [passed] { *passed = true; });
      last_ = passed;
      return true;
    }
    bool is_passed() const { return *last_; }

   private:
    std::mutex mutex_;
    std::shared_ptr<std::atomic<bool>> last_;
  };
};

}  // namespace

template <>
struct KokkosScan::driver::ScratchOf<Stream> {
  using type = StreamMemory;
};

namespace {

using KokkosScan::core::Needs;
using Instances = KokkosScan::driver::Instances<Stream>;
using Leases    = KokkosScan::driver::Leases<Stream>;

constexpr std::size_t largest = 1000;

void scan(Stream const& stream, std::size_t bytes) {
  Leases const leases(stream, Needs{.scratch = bytes, .states = bytes});
  device().run_kernel(stream.number, leases.memory().scratch, bytes);
  device().run_kernel(stream.number, leases.memory().states, bytes);
}

/// What the instances that are kept, and those that are at work, may have.
std::size_t bound(std::size_t busy) { return (Instances::kept + busy + 1) * 2 * (largest + largest / 4 + 256); }

TEST(InstancesWithoutHandle, come_and_go) {
  std::minstd_rand random;
  Stream const lasting;
  for (int repetition = 0; repetition < 10'000; ++repetition) {
    std::size_t const busy = device().busy_streams();
    auto const stream      = std::make_unique<Stream>();  // soon at the address of the last
    for (unsigned calls = random() % 4; calls > 0; --calls) scan(*stream, 1 + random() % largest);
    if (random() % 8 == 0) scan(lasting, largest);
    device().work(random() % 40);
    ASSERT_LE(device().kept, bound(busy + 2));
  }
  device().work_off();
  EXPECT_EQ(device().spoiled, 0U);
}

TEST(InstancesWithoutHandle, come_and_go_in_several_threads) {
  concurrency::threads(4).run([&](int worker) {
    std::minstd_rand random(static_cast<unsigned>(worker + 1));
    for (int repetition = 0; repetition < 1000; ++repetition) {
      Stream const stream;
      for (unsigned calls = random() % 4; calls > 0; --calls) scan(stream, 1 + random() % largest);
      device().work(random() % 40);
    }
  });
  device().work_off();
  EXPECT_EQ(device().spoiled, 0U);
}

void capture(Stream& stream, Graph& graph, std::size_t bytes) {
  scan(stream, bytes);
  stream.graph = &graph;
  {
    Leases const leases(stream, Needs{.scratch = bytes, .states = bytes});
  }
  stream.graph = nullptr;
}

TEST(InstancesWithoutHandle, keep_what_a_graph_uses) {
  Graph graph;
  Stream captured;
  capture(captured, graph, largest);
  void* const of_graph = Leases(captured, Needs{.scratch = largest}).memory().scratch;
  for (int others = 0; others < 100; ++others) {
    Stream const stream;
    scan(stream, largest);
    device().work_off();
  }
  EXPECT_EQ(Leases(captured, Needs{.scratch = largest}).memory().scratch, of_graph);
}

TEST(InstancesWithoutHandle, whose_graphs_are_gone_leave_nothing_behind) {
  for (int repetition = 0; repetition < 1000; ++repetition) {
    Graph graph;
    Stream captured;
    capture(captured, graph, largest);
    device().work_off();
    ASSERT_LE(device().kept, bound(0));
  }
}

}  // namespace
