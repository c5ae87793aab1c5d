// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "executors.hpp"
#include "recorder.hpp"

// No call waits, or copies, unless a total on the host was asked for: then it waits once, on the caller's instance.
namespace {

using namespace contract;

template <class F>
void expect_quiet(F const& call) {
  Recorder const recorder;
  call();
  for (Event const& event : recorder.all())
    EXPECT_TRUE(event.kind != Event::Kind::fence && event.kind != Event::Kind::copy) << event.name();
}

template <class F>
void expect_one_fence(Executor const& executor, std::string const& label, F const& call) {
  Recorder const recorder;
  call();
  auto const fences = recorder.all(Event::Kind::fence);
  EXPECT_EQ(fences.size(), 1U);
  for (Event const& fence : fences) {
    EXPECT_EQ(fence.name().substr(0, label.size()), label);
    EXPECT_EQ(fence.device, executor.device);
    EXPECT_TRUE(fence.ended);
  }
  EXPECT_TRUE(!executor.host || recorder.all(Event::Kind::copy).empty());
}

template <class F>
void for_each_call(F const& f) {
  for (Executor const& executor : executors())
    for (std::size_t const n : {std::size_t{0}, Executor::small, executor.large})
      for (Call const& call : executor.calls(n)) {
        if (testing::Test::HasFailure()) return;  // the first is enough
        SCOPED_TRACE(executor.name + ", " + call.text() + ", " + std::to_string(n) + " values");
        call.run();  // at a first call Kokkos may have to wait for memory of its own
        f(executor, call);
      }
}

TEST(Quiet, calls_without_a_host_total) {
  for_each_call([](Executor const&, Call const& call) {
    if (call.host_total) return;
    expect_quiet(call.run);
    expect_quiet([&] { call.run_labelled("label"); });
  });
}

TEST(Quiet, calls_with_a_host_total_wait_once) {
  for_each_call([](Executor const& executor, Call const& call) {
    if (!call.host_total) return;
    expect_one_fence(executor, call.function, call.run);
    expect_one_fence(executor, "label", [&] { call.run_labelled("label"); });
  });
}

TEST(Quiet, first_calls_of_a_size) {
  std::size_t tried = 0;
  for (Executor const& executor : handles()) {
    if (!executor.host) continue;  // memory of a device cannot be had without waiting
    // One handle, so that its scratch grows.
    Executor const fresh = executor.reserved(0);
    for (std::size_t const n : {Executor::small, 2 * Executor::small, executor.large}) {
      SCOPED_TRACE(executor.name + ", " + std::to_string(n) + " values");
      expect_quiet(fresh.calls(n)[0].run);
      ++tried;
    }
  }
  if (tried == 0) GTEST_SKIP() << "no execution space of the host";
}

}  // namespace
