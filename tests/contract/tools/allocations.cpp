// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "counted_new.hpp"
#include "executors.hpp"
#include "recorder.hpp"

// After the first call of a size nothing is allocated; after Handle::reserve nothing at the first call either.
namespace {

using namespace contract;

/// Neither through operator new, nor through Kokkos, which a tool sees.
template <class F>
void expect_none(Executor const& executor, F const& call) {
  std::size_t const before = calls_of_new();
  call();
  EXPECT_TRUE(executor.launch_allocates || calls_of_new() == before) << "operator new was called";

  Recorder const recorder;
  call();
  for (Event const& event : recorder.all())
    EXPECT_TRUE(event.kind != Event::Kind::allocation && event.kind != Event::Kind::deallocation) << event.name();
}

/// The caller's own, made once.
std::string const label = "a label too long for a short string";

void expect_none_after_the_first_call(bool host_total) {
  for (Executor const& executor : executors())
    // In this order the second size finds scratch that is too small for it, and the third one that is too large.
    for (std::size_t const n : {Executor::small, executor.large, 2 * Executor::small})
      for (Call const& call : executor.calls(n))
        if (call.host_total == host_total) {
          if (testing::Test::HasFailure()) return;  // the first is enough
          SCOPED_TRACE(executor.name + ", " + call.text() + ", " + std::to_string(n) + " values");
          call.run();
          expect_none(executor, call.run);
          expect_none(executor, [&] { call.run_labelled(label); });
        }
}

TEST(Allocations, none_after_the_first_call_of_a_size) { expect_none_after_the_first_call(false); }
TEST(Allocations, none_after_the_first_call_with_a_host_total) { expect_none_after_the_first_call(true); }

TEST(Allocations, none_when_two_sizes_alternate) {
  for (Executor const& executor : executors()) {
    SCOPED_TRACE(executor.name);
    Call const small = executor.calls(Executor::small)[0], large = executor.calls(executor.large)[0];
    auto const both = [&] {
      small.run();
      large.run();
    };
    both();
    expect_none(executor, both);
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
        expect_none(executor, [&] { call.run_labelled(label); });
      }
}

TEST(Allocations, a_handle_frees_its_scratch) {
  std::size_t blocks = 0;
  for (auto const& kind : {handles(), portable_handles()})
    for (Executor const& executor : kind) {
      SCOPED_TRACE(executor.name);
      Recorder const recorder;
      executor.reserved(executor.large);
      auto const taken = recorder.all(Event::Kind::allocation), freed = recorder.all(Event::Kind::deallocation);
      ASSERT_EQ(taken.size(), freed.size());
      std::set<void const*> addresses;
      for (Event const& event : taken) {
        EXPECT_EQ(event.name(), "KokkosScan::scratch");
        addresses.insert(event.data);
      }
      for (Event const& event : freed) EXPECT_EQ(addresses.erase(event.data), 1U);
      blocks += taken.size();
    }
  EXPECT_GT(blocks, 0U);
}

}  // namespace
