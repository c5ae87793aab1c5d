// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "counted_new.hpp"
#include "places.hpp"
#include "recorder.hpp"

// After the first call of a size nothing is allocated; after Handle::reserve nothing at the first call either.
namespace {

using namespace contract;

/// Neither through operator new, nor through Kokkos, which a tool sees.
template <class F>
void expect_none(Place const& place, F const& call) {
  std::size_t const before = calls_of_new();
  call();
  EXPECT_TRUE(place.launch_allocates || calls_of_new() == before) << "operator new was called";

  Recorder const recorder;
  call();
  for (Event const& event : recorder.all())
    EXPECT_TRUE(event.kind != Event::Kind::allocation && event.kind != Event::Kind::deallocation) << event.name();
}

/// The caller's own, made once.
std::string const label = "a label too long for a short string";

void expect_none_after_the_first_call(bool host_total) {
  for (Place const& place : places())
    // In this order the second size finds scratch that is too small for it, and the third one that is too large.
    for (std::size_t const n : {Place::small, place.large, 2 * Place::small})
      for (Call const& call : place.calls(n))
        if (call.host_total == host_total) {
          if (testing::Test::HasFailure()) return;  // the first is enough
          SCOPED_TRACE(place.name + ", " + call.text() + ", " + std::to_string(n) + " values");
          call.run();
          expect_none(place, call.run);
          expect_none(place, [&] { call.run_labelled(label); });
        }
}

TEST(Allocations, none_after_the_first_call_of_a_size) { expect_none_after_the_first_call(false); }
TEST(Allocations, none_after_the_first_call_with_a_host_total) { expect_none_after_the_first_call(true); }

TEST(Allocations, none_when_two_sizes_alternate) {
  for (Place const& place : places()) {
    SCOPED_TRACE(place.name);
    Call const small = place.calls(Place::small)[0], large = place.calls(place.large)[0];
    auto const both = [&] {
      small.run();
      large.run();
    };
    both();
    expect_none(place, both);
  }
}

TEST(Allocations, none_at_all_after_reserve) {
  for (auto const& kind : {handles(), portable_handles()})
    for (Place const& place : kind)
      for (std::size_t const n : {Place::small, place.large}) {
        SCOPED_TRACE(place.name + ", " + std::to_string(n) + " values");
        // What Kokkos and this program take once and for all, whichever the handle.
        place.calls(n)[0].run_labelled(label);

        Place const reserved = place.reserved(n);
        Call const call      = reserved.calls(n)[0];
        expect_none(place, [&] { call.run_labelled(label); });
      }
}

TEST(Allocations, a_handle_frees_its_scratch) {
  std::size_t blocks = 0;
  for (auto const& kind : {handles(), portable_handles()})
    for (Place const& place : kind) {
      SCOPED_TRACE(place.name);
      Recorder const recorder;
      place.reserved(place.large);
      auto const taken = recorder.all(Event::Kind::allocation), freed = recorder.all(Event::Kind::deallocation);
      ASSERT_EQ(taken.size(), freed.size());
      std::set<void const*> places;
      for (Event const& event : taken) {
        EXPECT_EQ(event.name(), "KokkosScan::scratch");
        places.insert(event.data);
      }
      for (Event const& event : freed) EXPECT_EQ(places.erase(event.data), 1U);
      blocks += taken.size();
    }
  EXPECT_GT(blocks, 0U);
}

}  // namespace
