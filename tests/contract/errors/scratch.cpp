// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <cstddef>
#include <stdexcept>

#include "thrown.hpp"

// Under the sanitizers an allocation that is too large ends the program unless told otherwise.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" char const* __tsan_default_options() { return "allocator_may_return_null=1"; }

// Scratch that cannot be had is a std::runtime_error with the call and the reason.
namespace {

using namespace contract;
using KokkosScan::GridScan;
using KokkosScan::Options;

using Host     = KokkosScan::Handle<Kokkos::DefaultHostExecutionSpace, KokkosScan::host::Backend, Options>;
using Portable = KokkosScan::Handle<Exec, KokkosScan::portable::Backend, Options>;

constexpr std::size_t far_too_many = std::size_t{1} << 60;

template <class Handle, class T>
void expect_no_room(GridScan grid, std::size_t n) {
  SCOPED_TRACE(to_string(grid) + ", " + std::to_string(n) + " values of " + std::to_string(sizeof(T)) + " bytes");
  Handle const handle({}, Options{.grid = grid});
  std::string const message = thrown_by<std::runtime_error>([&] { handle.template reserve<T>(n); });
  EXPECT_TRUE(says(message, {"KokkosScan: ", ") for scratch failed: "}));
}

struct Wide {
  double content[8];
};

template <class Handle>
void expect_no_room_for_far_too_many() {
  // 2 n bytes and more, or a tile's share of it, are beyond any machine.
  expect_no_room<Handle, int>(GridScan::hillis_steele, far_too_many);
  expect_no_room<Handle, Wide>(GridScan::hierarchical, far_too_many / 8);
  // 2^60 values of 8 bytes, twice, are 2^64 bytes, and so are twice 2^57 of 64: the product must not wrap around to a
  // block of no bytes.
  expect_no_room<Handle, double>(GridScan::hillis_steele, far_too_many);
  expect_no_room<Handle, Wide>(GridScan::hillis_steele, far_too_many / 8);
}

TEST(Scratch, that_cannot_be_had_is_an_error) {
  expect_no_room_for_far_too_many<Host>();
  expect_no_room<Host, Wide>(GridScan::lookback, far_too_many / 8);
  expect_no_room_for_far_too_many<Portable>();
  expect_no_room<Portable, Wide>(GridScan::automatic, far_too_many / 8);
}

TEST(Scratch, that_cannot_be_had_in_a_call_leaves_everything_as_it_was) {
  Poisoned const memory(400);
  Host const handle({}, {.grid = GridScan::hillis_steele});
  // Never touched beyond what is there: the scratch fails first.
  Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const endless(memory.at<int>(0), far_too_many);
  std::string const message =
      thrown_by<std::runtime_error>([&] { KokkosScan::exclusive_scan(handle, endless, endless, 0); });
  EXPECT_TRUE(says(message, {") for scratch failed: "}));
  EXPECT_TRUE(memory.untouched());
}

TEST(Scratch, that_could_not_be_had_does_not_spoil_the_handle) {
  Host const handle({}, {.grid = GridScan::hillis_steele});
  handle.reserve<int>(10);
  thrown_by<std::runtime_error>([&] { handle.reserve<int>(far_too_many); });
  Kokkos::View<int[10], Kokkos::HostSpace> const values("values");
  Kokkos::deep_copy(values, 1);
  int total = 0;
  ASSERT_NO_THROW(KokkosScan::exclusive_scan(handle, values, values, 0, KokkosScan::Sum{}, KokkosScan::Total{total}));
  EXPECT_EQ(total, 10);
  EXPECT_EQ(values(9), 9);
}

}  // namespace
