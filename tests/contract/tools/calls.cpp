// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/handle.hpp>
#include <KokkosScan/scan.hpp>

#include "executors.hpp"
#include "recorder.hpp"

// What a tool sees of each call: kernels of its label on the caller's instance. No call waits, or copies, unless a
// total on the host was asked for: then it waits once, on that instance. After the first call of a size nothing is
// allocated, after Handle::reserve nothing at the first call either.
namespace {

using namespace contract;
using enum Event::Kind;

/// The caller's own, made once.
std::string const label = "a label too long for a short string";

/// Neither through operator new, nor through Kokkos, which a tool sees.
template <class F>
void expect_no_allocation(Executor const& executor, F const& run) {
  std::size_t const before = calls_of_new();
  run();
  EXPECT_TRUE(executor.launch_allocates || calls_of_new() == before) << "operator new was called";

  Recorder const recorder;
  run();
  EXPECT_TRUE(recorder.none_of({allocation, deallocation}));
}

/// A call of n values that was made before, under a label.
template <class F>
void expect_seen(Executor const& executor, Call const& call, std::size_t n, std::string const& name, F const& run) {
  expect_no_allocation(executor, run);

  Recorder const recorder;
  run();
  auto const kernels = recorder.all(kernel), fences = recorder.all(fence);
  EXPECT_TRUE(!kernels.empty() || (n == 0 && !call.host_total)) << "no kernel";
  EXPECT_TRUE(kernels.size() <= 1 || !executor.one_launch) << kernels.size() << " kernels";
  EXPECT_TRUE(recorder.none_of({other_kernel})) << "shown as something other than a parallel_scan";
  EXPECT_EQ(fences.size(), call.host_total ? 1U : 0U);
  for (Event const& event : kernels) EXPECT_EQ(event.name(), name);
  for (Event const& event : fences) EXPECT_EQ(event.name().substr(0, name.size()), name);
  for (auto const& events : {kernels, fences})
    for (Event const& event : events) {
      EXPECT_EQ(event.device, executor.device);
      EXPECT_TRUE(event.ended) << event.name() << " began and did not end";
    }
  EXPECT_TRUE(recorder.none_of({copy}) || (call.host_total && !executor.host));
}

void expect_calls_seen(std::vector<Executor> const& executors) {
  for (Executor const& executor : executors)
    // In this order the third size finds scratch that is too small for it, and the last one that is too large.
    for (std::size_t const n : {std::size_t{0}, Executor::small, executor.large, 2 * Executor::small})
      for (Call const& call : executor.calls(n)) {
        if (testing::Test::HasFailure()) return;  // the first is enough
        SCOPED_TRACE(executor.name + ", " + call.text() + ", " + std::to_string(n) + " values");
        call.run();  // at a first call Kokkos may have to wait for memory of its own
        expect_seen(executor, call, n, call.function, call.run);
        expect_seen(executor, call, n, label, [&] { call.run_labelled(label); });
      }
}

TEST(Calls, on_instances) { expect_calls_seen(instances()); }
TEST(Calls, on_handles) { expect_calls_seen(handles()); }
TEST(Calls, on_portable_handles) { expect_calls_seen(portable_handles()); }

TEST(FirstCalls, of_a_size_are_quiet) {
  std::size_t tried = 0;
  for (Executor const& executor : handles()) {
    if (!executor.host) continue;  // memory of a device cannot be had without waiting
    // One handle, so that its scratch grows.
    Executor const fresh = executor.reserved(0);
    for (std::size_t const n : {Executor::small, 2 * Executor::small, executor.large}) {
      SCOPED_TRACE(executor.name + ", " + std::to_string(n) + " values");
      Call const call = fresh.calls(n)[0];
      Recorder const recorder;
      call.run();
      EXPECT_TRUE(recorder.none_of({fence, copy}));
      ++tried;
    }
  }
  if (tried == 0) GTEST_SKIP() << "no execution space of the host";
}

TEST(Allocations, none_when_two_sizes_alternate) {
  for (Executor const& executor : executors()) {
    SCOPED_TRACE(executor.name);
    Call const small = executor.calls(Executor::small)[0], large = executor.calls(executor.large)[0];
    auto const both = [&] { small.run(), large.run(); };
    both();
    expect_no_allocation(executor, both);
  }
}

TEST(Allocations, none_at_all_after_reserve) {
  for (auto const& kind : {handles(), portable_handles()})
    for (Executor const& executor : kind)
      for (std::size_t const n : {Executor::small, executor.large}) {
        SCOPED_TRACE(executor.name + ", " + std::to_string(n) + " values");
        // What Kokkos and this program take once and for all, whichever the handle.
        executor.calls(n)[0].run_labelled(label);

        Executor const reserved = executor.reserved(n);
        Call const call         = reserved.calls(n)[0];
        expect_no_allocation(executor, [&] { call.run_labelled(label); });
      }
}

TEST(Copies, of_what_the_total_overwrites_and_nothing_else) {
  using Exec  = Kokkos::DefaultExecutionSpace;
  using Place = Kokkos::View<int, Exec>;
  KokkosScan::Handle<Exec, KokkosScan::portable::Backend> const handle;
  Kokkos::View<int*, Exec> const from("from", 10), dest("dest", 10);
  Place const init("init"), count("count"), elsewhere("elsewhere");
  auto const copies_for = [&](Place const& total) {
    Kokkos::deep_copy(from, 1);
    Kokkos::deep_copy(init, 5);
    Kokkos::deep_copy(count, 8);
    std::size_t copies = 0;
    {
      Recorder const recorder;
      KokkosScan::exclusive_scan(handle, from, dest, init, KokkosScan::Length{count}, KokkosScan::Total{total});
      copies = recorder.all(copy).size();
    }
    int last = 0, sum = 0;
    Kokkos::deep_copy(last, Kokkos::subview(dest, 7));
    Kokkos::deep_copy(sum, total);
    EXPECT_EQ(last, 12);
    EXPECT_EQ(sum, 13);
    return copies;
  };
  EXPECT_EQ(copies_for(elsewhere), 0U);
  EXPECT_EQ(copies_for(init), 1U);
  EXPECT_EQ(copies_for(count), 1U);
}

}  // namespace
