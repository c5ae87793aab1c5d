// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/rows.hpp>
#include <KokkosScan/slots.hpp>
#include <stdexcept>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

// What calls for slots refuse before anything is written, and what functions of the user's throw.
namespace test {
namespace {

using KokkosScan::allocate_slots;
using KokkosScan::Total;

using Any     = Kokkos::DefaultExecutionSpace;
using Numbers = Kokkos::View<int*, Any::memory_space>;

TEST(SlotCalls, what_is_wrong_is_said_before_anything_is_written) {
  Numbers const requests("requests", 10), begins("begins", 10), granted("granted", 10), few("few", 9);
  Kokkos::deep_copy(requests, 1);
  Kokkos::deep_copy(begins, 77);
  Kokkos::deep_copy(granted, 77);
  auto const refusal = [](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  EXPECT_TRUE(says(refusal([&] { allocate_slots(Any(), requests, -3, begins, granted); }),
                   {"KokkosScan::allocate_slots", "capacity is -3"}));
  EXPECT_TRUE(says(refusal([&] { allocate_slots(Any(), requests, 5, few, granted); }),
                   {"requests.extent(0) is 10", "begins.extent(0) is 9"}));
  EXPECT_TRUE(says(refusal([&] { allocate_slots("mine", Any(), requests, 5, begins, few); }),
                   {"mine", "requests.extent(0) is 10", "granted.extent(0) is 9"}));
  EXPECT_TRUE(
      says(refusal([&] { allocate_slots(Any(), requests, 5, begins, begins); }), {"begins", "granted", "overlap"}));
  EXPECT_TRUE(
      says(refusal([&] { allocate_slots(Any(), requests, 5, begins, requests); }), {"requests", "granted", "overlap"}));
  EXPECT_TRUE(says(refusal([&] {
                     allocate_slots(Any(), Kokkos::subview(begins, std::pair(0, 9)), 5,
                                    Kokkos::subview(begins, std::pair(1, 10)), granted);
                   }),
                   {"requests", "begins", "by being the same View"}));
  EXPECT_TRUE(says(refusal([&] { allocate_slots(Any(), requests, Kokkos::subview(begins, 3), begins, granted); }),
                   {"capacity", "begins", "overlap"}));
  auto const third = Kokkos::subview(granted, 3);
  EXPECT_TRUE(says(refusal([&] { allocate_slots(Any(), requests, 5, begins, granted, Total{third}); }),
                   {"granted", "the total", "overlap"}));
  KokkosScan::Arena<Numbers> const arena(Numbers("memory", 5));
  EXPECT_TRUE(says(refusal([&] { arena.allocate(Any(), requests, few, granted); }),
                   {"KokkosScan::Arena::allocate", "begins.extent(0) is 9"}));
  EXPECT_TRUE(says(refusal([&] { arena.allocate("mine", Any(), requests, few, granted); }), {"mine"}));
  expect_same(std::vector<int>(10, 77), to_vector(begins, 0), "begins");
  expect_same(std::vector<int>(10, 77), to_vector(granted, 0), "granted");
}

TEST(SlotCalls, results_may_be_longer_and_a_total_on_the_host) {
  Numbers const begins("begins", 8), granted("granted", 9);
  Kokkos::deep_copy(begins, 77);
  Kokkos::deep_copy(granted, 77);
  auto const requests = to_view<Numbers>(std::vector<int>{2, 0, 3, 4, 0, 1});
  unsigned char asked = 0;
  allocate_slots(Any(), requests, 5U, begins, granted, Total{asked});
  EXPECT_EQ(10, asked);
  expect_same({0, 2, 2, 5, 9, 9, 77, 77}, to_vector(begins, 0), "begins");
  expect_same({1, 1, 1, 0, 0, 0, 77, 77, 77}, to_vector(granted, 0), "granted");
  std::int64_t none = 5;
  allocate_slots(Any(), Numbers(), 5, begins, granted, Total{none});
  EXPECT_EQ(0, none);
}

TEST(SlotCalls, a_function_that_throws_on_a_host) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<int*, Kokkos::HostSpace> const offsets("offsets", 2);
  offsets(1)      = 100'000;
  auto const call = [&] {
    KokkosScan::for_each_slot(Host(), offsets, [](std::size_t, std::size_t item) {
      if (item == 70'000) throw std::runtime_error("item 70000");
    });
  };
  EXPECT_TRUE(says(thrown_by<std::runtime_error>(call), {"item 70000"}));
}

}  // namespace
}  // namespace test
