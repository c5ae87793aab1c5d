// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <stdexcept>

#include "thrown.hpp"

namespace {

using namespace contract;
using KokkosScan::Sum;
using KokkosScan::Unchanged;

/// Calls f(name, call) for each function of the API; call(exec, from, dest) is that call with init where it needs one.
template <class F>
void for_each_function(F const& f) {
  f("KokkosScan::inclusive_scan", [](auto const&... args) { KokkosScan::inclusive_scan(args...); });
  f("KokkosScan::exclusive_scan", [](auto const&... args) { KokkosScan::exclusive_scan(args..., 0); });
  f("KokkosScan::transform_inclusive_scan",
    [](auto const&... args) { KokkosScan::transform_inclusive_scan(args..., Sum{}, Unchanged{}); });
  f("KokkosScan::transform_exclusive_scan",
    [](auto const&... args) { KokkosScan::transform_exclusive_scan(args..., 0, Sum{}, Unchanged{}); });
}

TEST(Extents, of_a_shorter_dest_are_refused_by_each_function) {
  for_each_function([](char const* name, auto const& call) {
    for (auto const& [from, dest] : {std::pair{11, 10}, std::pair{11, 0}, std::pair{1, 0}}) {
      Poisoned const memory(200);
      auto const m = static_cast<std::size_t>(from), n = static_cast<std::size_t>(dest);
      std::string const message = thrown_by<std::invalid_argument>(
          [&, call = call] { call(Exec(), memory.view<int>(0, m), memory.view<int>(20, n)); });
      EXPECT_TRUE(says(message, {std::string(name) + ": ", "from.extent(0) is " + std::to_string(from),
                                 "dest.extent(0) is " + std::to_string(dest)}));
      EXPECT_TRUE(memory.untouched()) << name;
    }
  });
}

TEST(Extents, of_a_shorter_dest_are_refused_under_the_callers_label) {
  Poisoned const memory(200);
  std::string const message = thrown_by<std::invalid_argument>(
      [&] { KokkosScan::inclusive_scan("row map", Exec(), memory.view<int>(0, 4), memory.view<int>(20, 3)); });
  EXPECT_TRUE(says(message, {"row map: "}));
}

TEST(Extents, of_a_shorter_dest_leave_the_total_alone) {
  Poisoned const memory(200);
  int total = 17;
  thrown_by<std::invalid_argument>([&] {
    KokkosScan::exclusive_scan(Exec(), memory.view<int>(0, 4), memory.view<int>(20, 3), 0, Sum{},
                               KokkosScan::Total{total});
  });
  EXPECT_EQ(total, 17);
  Kokkos::View<int, Exec::memory_space, Kokkos::MemoryUnmanaged> const place(memory.at<int>(40));
  thrown_by<std::invalid_argument>([&] {
    KokkosScan::exclusive_scan(Exec(), memory.view<int>(0, 4), memory.view<int>(20, 3), 0, Sum{},
                               KokkosScan::Total{place});
  });
  EXPECT_TRUE(memory.untouched());
}

/// What is behind is nobody's business.
TEST(Extents, of_a_longer_dest_are_fine) {
  for_each_function([](char const* name, auto const& call) {
    for (auto const& [from, dest] : {std::pair{10, 11}, std::pair{0, 1}, std::pair{1, 20}}) {
      Kokkos::View<int*, Exec> const ones("ones", static_cast<std::size_t>(from));
      Kokkos::View<int*, Exec> const results("results", static_cast<std::size_t>(dest));
      Kokkos::deep_copy(ones, 1);
      Kokkos::deep_copy(results, -77);
      EXPECT_NO_THROW(call(Exec(), ones, results)) << name;
      auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
      for (int i = 0; i < dest; ++i) EXPECT_EQ(got(i) == -77, i >= from) << name << ", element " << i << " of " << dest;
    }
  });
}

TEST(Extents, of_offsets_must_be_one_more_than_of_counts) {
  for (auto const& [counts, offsets] : {std::pair{10, 10}, std::pair{10, 0}, std::pair{1, 1}}) {
    Poisoned const memory(200);
    auto const m = static_cast<std::size_t>(counts), n = static_cast<std::size_t>(offsets);
    int total = 17;

    std::string const message = thrown_by<std::invalid_argument>([&] {
      KokkosScan::offsets_from_counts(Exec(), memory.view<int>(0, m), memory.view<int>(20, n),
                                      KokkosScan::Total{total});
    });
    EXPECT_TRUE(says(message, {"KokkosScan::offsets_from_counts: ", "counts.extent(0) is " + std::to_string(counts),
                               "offsets.extent(0) is " + std::to_string(offsets)}));
    EXPECT_TRUE(memory.untouched());
    EXPECT_EQ(total, 17);
  }
}

// ---------------------------------------------------------------- nothing to scan

/// Has no identity.
struct Left {
  KOKKOS_FUNCTION int operator()(int left, int) const { return left; }
};

TEST(EmptyScan, without_identity_and_init_has_no_total) {
  Poisoned const memory(200);
  auto const none = memory.view<int>(0, 0);
  Kokkos::View<int, Exec::memory_space, Kokkos::MemoryUnmanaged> const place(memory.at<int>(40));
  int total = 17;

  std::string const message = thrown_by<std::invalid_argument>(
      [&] { KokkosScan::inclusive_scan(Exec(), none, none, Left{}, KokkosScan::Total{total}); });
  EXPECT_TRUE(says(message, {"KokkosScan::inclusive_scan: from is empty", "init", "identity"}));
  EXPECT_EQ(total, 17);

  thrown_by<std::invalid_argument>(
      [&] { KokkosScan::inclusive_scan(Exec(), none, none, Left{}, KokkosScan::Total{place}); });
  EXPECT_TRUE(memory.untouched());
}

TEST(EmptyScan, without_identity_is_fine_with_init_or_without_total) {
  Poisoned const memory(200);
  auto const none = memory.view<int>(0, 0);
  int total       = 17;
  EXPECT_NO_THROW(KokkosScan::inclusive_scan(Exec(), none, none, Left{}));
  EXPECT_NO_THROW(KokkosScan::inclusive_scan(Exec(), none, none, Left{}, 5, KokkosScan::Total{total}));
  EXPECT_EQ(total, 5);
  EXPECT_TRUE(memory.untouched());
}

}  // namespace
