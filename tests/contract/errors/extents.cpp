// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <utility>

#include "thrown.hpp"

// Lengths that do not fit to each other, and scans of nothing.
namespace {

using namespace contract;
using namespace KokkosScan;
using Lengths = std::pair<std::size_t, std::size_t>;

/// Calls f(name, call) for each function of the API; call(exec, from, dest) is that call with init where it needs one.
template <class F>
void for_each_function(F const& f) {
  f("KokkosScan::inclusive_scan", [](auto const&... args) { inclusive_scan(args...); });
  f("KokkosScan::exclusive_scan", [](auto const&... args) { exclusive_scan(args..., 0); });
  f("KokkosScan::transform_inclusive_scan",
    [](auto const&... args) { transform_inclusive_scan(args..., Sum{}, Unchanged{}); });
  f("KokkosScan::transform_exclusive_scan",
    [](auto const&... args) { transform_exclusive_scan(args..., 0, Sum{}, Unchanged{}); });
}

TEST(Extents, of_a_shorter_dest_are_refused_by_each_function) {
  Poisoned const memory(200);
  for_each_function([&](std::string const& name, auto const& call) {
    for (auto const& n : {Lengths{11, 10}, Lengths{11, 0}, Lengths{1, 0}})
      expect_refused(memory,
                     {name + ": ", "from.extent(0) is " + std::to_string(n.first),
                      "dest.extent(0) is " + std::to_string(n.second)},
                     [&] { call(Exec(), memory.view<int>(0, n.first), memory.view<int>(20, n.second)); });
  });
  auto const from = memory.view<int>(0, 4), dest = memory.view<int>(20, 3);
  expect_refused(memory, {"row map: "}, [&] { inclusive_scan("row map", Exec(), from, dest); });
  int total = 17;
  expect_refused(memory, {}, [&] { exclusive_scan(Exec(), from, dest, 0, Sum{}, Total{total}); });
  expect_refused(memory, {}, [&] { exclusive_scan(Exec(), from, dest, 0, Sum{}, Total{memory.place<int>(40)}); });
  EXPECT_EQ(total, 17);
}

/// What is behind is nobody's business.
TEST(Extents, of_a_longer_dest_are_fine) {
  for_each_function([](char const* name, auto const& call) {
    for (auto const& n : {Lengths{10, 11}, Lengths{0, 1}, Lengths{1, 20}}) {
      Kokkos::View<int*, Exec> const ones("ones", n.first), results("results", n.second);
      Kokkos::deep_copy(ones, 1);
      Kokkos::deep_copy(results, -77);
      EXPECT_NO_THROW(call(Exec(), ones, results)) << name;
      auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
      for (std::size_t i = 0; i < n.second; ++i) EXPECT_EQ(got(i) == -77, i >= n.first) << name << ", element " << i;
    }
  });
}

TEST(Extents, of_offsets_must_be_one_more_than_of_counts) {
  Poisoned const memory(200);
  int total = 17;
  for (auto const& n : {Lengths{10, 10}, Lengths{10, 0}, Lengths{1, 1}})
    expect_refused(memory,
                   {"KokkosScan::offsets_from_counts: ", "counts.extent(0) is " + std::to_string(n.first),
                    "offsets.extent(0) is " + std::to_string(n.second)},
                   [&] {
                     offsets_from_counts(Exec(), memory.view<int>(0, n.first), memory.view<int>(20, n.second),
                                         Total{total});
                   });
  EXPECT_EQ(total, 17);
}

/// Has no identity.
struct Left {
  KOKKOS_FUNCTION int operator()(int left, int) const { return left; }
};

TEST(EmptyScan, without_identity_and_init_has_no_total) {
  Poisoned const memory(200);
  auto const none = memory.view<int>(0, 0);
  int total       = 17;
  expect_refused(memory, {"KokkosScan::inclusive_scan: from is empty", "init", "identity"},
                 [&] { inclusive_scan(Exec(), none, none, Left{}, Total{total}); });
  EXPECT_EQ(total, 17);
  expect_refused(memory, {}, [&] { inclusive_scan(Exec(), none, none, Left{}, Total{memory.place<int>(40)}); });
  EXPECT_NO_THROW(inclusive_scan(Exec(), none, none, Left{}));
  EXPECT_NO_THROW(inclusive_scan(Exec(), none, none, Left{}, 5, Total{total}));
  EXPECT_EQ(total, 5);
  EXPECT_TRUE(memory.untouched());
}

}  // namespace
