// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "problems.hpp"

// The forms of parallel_scan, and what Kokkos takes a functor for.
namespace test {
namespace {

struct Through {};

using Exec  = Kokkos::DefaultExecutionSpace;
using Longs = Kokkos::View<std::int64_t*, Exec>;

/// 0, 0, 1, 3, 6, ... and the sum of 0 ... n - 1.
void expect_sums(Longs const& sums, std::int64_t total) {
  auto const found   = to_vector(sums, std::int64_t{});
  std::int64_t start = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], start) << i;
    start += static_cast<std::int64_t>(i);
  }
  EXPECT_EQ(total, start);
  Kokkos::deep_copy(sums, -1);
}

/// Neither value_type nor init nor join, and other call operators beside.
struct Plain {
  Longs sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t& update, bool final) const {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  }
  KOKKOS_FUNCTION void operator()(Through, std::size_t) const {}
  KOKKOS_FUNCTION void operator()(std::size_t) const {}
};
struct Ints {
  Longs sums;
  KOKKOS_FUNCTION void operator()(int const i, std::int64_t& update, bool const final) const {
    if (final) sums(i) = update;
    update += i;
  }
};
/// Whose value type the total alone can tell.
struct Generic {
  Longs sums;
  template <class Update>
  KOKKOS_FUNCTION void operator()(std::size_t i, Update& update, bool final) const {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  }
};

TEST(ParallelScanForms, labels_lengths_policies_and_totals) {
  std::size_t const n = 1000;
  Longs const sums("sums", n);
  std::int64_t const sum = 999 * 500;
  KokkosScan::parallel_scan(n, Plain{sums});
  expect_sums(sums, sum);
  KokkosScan::parallel_scan("label", 1000, Ints{sums});
  expect_sums(sums, sum);
  std::int64_t total = -1;
  KokkosScan::parallel_scan(1000U, Ints{sums}, total);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(std::string("label"), n, Generic{sums}, total = -1);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(std::integral_constant<int, 1000>(), Ints{sums}, KokkosScan::Total{total = -1});
  expect_sums(sums, total);

  Kokkos::RangePolicy<Exec> const policy(0, n);
  KokkosScan::parallel_scan(policy, Ints{sums});
  expect_sums(sums, sum);
  KokkosScan::parallel_scan("label", policy, Ints{sums}, total = -1);
  expect_sums(sums, total);
  Kokkos::View<std::int64_t, Exec> const place("place");
  KokkosScan::parallel_scan(policy, Ints{sums}, place);
  Kokkos::deep_copy(total, place);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(policy, Ints{sums}, KokkosScan::Total{place});
  Kokkos::deep_copy(total, place);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(policy, Ints{sums}, Kokkos::View<std::int64_t, Exec>("dropped"));
  expect_sums(sums, sum);
  // Not for a device to write: waited for.
  Kokkos::View<std::int64_t, Kokkos::HostSpace> const on_host("on host");
  KokkosScan::parallel_scan("label", n, Ints{sums}, on_host);
  expect_sums(sums, on_host());

  KokkosScan::Handle const handle{Exec()};
  KokkosScan::parallel_scan("label", handle, n, Ints{sums}, total = -1);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(Exec(), policy, Ints{sums}, total = -1);
  expect_sums(sums, total);
  Kokkos::parallel_scan(n, Ints{sums}, total = -1);  // which the others take the place of
  expect_sums(sums, total);
}

/// Whatever the arguments are, variables or constants. Of the functions that parallel_scan has, one alone hands on to
/// Kokkos, and what it takes is a NestedScan.
template <class First, class... Rest>
void expect_ours(Longs const& sums, First&& first, Rest&&... rest) {
  static_assert(!KokkosScan::driver::NestedScan<std::remove_cvref_t<First>, Rest&&..., Ints>);
  KokkosScan::parallel_scan(static_cast<First&&>(first), static_cast<Rest&&>(rest)..., Ints{sums});
  expect_sums(sums, 999 * 500);
  std::int64_t total = -1;
  static_assert(!KokkosScan::driver::NestedScan<std::remove_cvref_t<First>, Rest&&..., Plain, std::int64_t&>);
  KokkosScan::parallel_scan(static_cast<First&&>(first), static_cast<Rest&&>(rest)..., Plain{sums}, total);
  expect_sums(sums, total);
}
TEST(ParallelScanForms, none_but_ranges_within_kernels_go_to_kokkos) {
  Longs const sums("sums", 1000);
  std::string label       = "label";
  char const* const words = "label";
  int n                   = 1000;
  unsigned many           = 1000;
  Kokkos::RangePolicy<Exec> policy(0, 1000);
  auto const expect = [&](auto&... labels) {
    expect_ours(sums, labels..., n);
    expect_ours(sums, labels..., many);
    expect_ours(sums, labels..., sums.extent(0));
    expect_ours(sums, labels..., policy);
    expect_ours(sums, labels..., std::as_const(policy));
    expect_ours(sums, labels..., 1000);
    // Kokkos knows no such error.
    EXPECT_THROW(KokkosScan::parallel_scan(labels..., n = -1, Ints{sums}), std::invalid_argument);
    n = 1000;
  };
  expect();
  expect(label);
  expect(std::as_const(label));
  expect(words);
}

/// Counts, from 100 on.
struct From100 {
  Longs indices;
  KOKKOS_FUNCTION void init(std::int64_t& update) const { update = 100; }
  KOKKOS_FUNCTION void join(std::int64_t& dest, std::int64_t src) const { dest += src - 100; }
  template <class Index>
  KOKKOS_FUNCTION void operator()(Index i, std::int64_t& update, bool final) const {
    static_assert(sizeof(Index) == 1);
    if (final) indices(update - 100) = i;
    ++update;
  }
};
template <class Index>
void expect_narrow(int begin, int end) {
  Longs const indices("indices", static_cast<std::size_t>(end - begin));
  std::int64_t total = -1;
  using Policy       = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>;
  KokkosScan::parallel_scan(Policy(static_cast<Index>(begin), static_cast<Index>(end)), From100{indices}, total);
  EXPECT_EQ(total, 100 + end - begin);
  auto const found = to_vector(indices, std::int64_t{});
  for (int i = begin; i < end; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i - begin)], i);
}
TEST(ParallelScanForms, narrow_indices_and_an_init_of_ones_own) {
  expect_narrow<std::int8_t>(-100, 120);
  expect_narrow<std::int8_t>(-128, 127);
  expect_narrow<std::uint8_t>(3, 255);
  expect_narrow<std::int8_t>(-5, -5);  // the total of nothing is init
  expect_narrow<std::uint8_t>(7, 7);
}

TEST(ParallelScanForms, nothing_to_scan) {
  std::int64_t total = -1;
  KokkosScan::parallel_scan(0, Ints(), total);
  EXPECT_EQ(total, 0);
  Kokkos::View<std::int64_t, Exec> const place("place");
  Kokkos::deep_copy(place, 7);
  KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec>(5, 5), Ints(), place);
  Kokkos::deep_copy(total, place);
  EXPECT_EQ(total, 0);
  KokkosScan::parallel_scan(0, Ints());
  EXPECT_THROW(KokkosScan::parallel_scan(-1, Ints()), std::invalid_argument);
}

/// With a work tag, init and join without one are not the scan's: so Kokkos has it.
struct ForTwo {
  Longs sums;
  KOKKOS_FUNCTION void init(std::int64_t& update) const { update = 5; }
  KOKKOS_FUNCTION void join(std::int64_t& dest, std::int64_t const& src) const { dest = dest < src ? src : dest; }
  KOKKOS_FUNCTION void operator()(Through, std::size_t i, std::int64_t& update, bool final) const {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  }
};
/// Bytes wrap around.
struct OfBytes {
  Kokkos::View<char*, Exec> sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, char& update, bool final) const {
    update = static_cast<char>(update + 7);
    if (final) sums(i) = update;
  }
};
TEST(ParallelScanForms, what_kokkos_takes_a_functor_for) {
  std::size_t const n = 70000;
  Longs const sums("sums", n);
  std::int64_t total = -1;
  KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec, Through>(0, n), ForTwo{sums}, total);
  expect_sums(sums, total);
  Kokkos::parallel_scan(Kokkos::RangePolicy<Exec, Through>(0, n), ForTwo{sums}, total = -1);
  expect_sums(sums, total);
  Kokkos::View<char*, Exec> const bytes("bytes", n);
  KokkosScan::parallel_scan(n, OfBytes{bytes});
  auto const found = to_vector(bytes, char{});
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i], static_cast<char>(7 * (i + 1)));
}

/// Sums that round.
struct Tenths {
  Kokkos::View<double*, Exec> sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& update, bool final) const {
    update += 0.1 * static_cast<double>(i % 1000);
    if (final) sums(i) = update;
  }
};
TEST(ParallelScanForms, the_total_is_what_the_last_call_leaves) {
  for (std::size_t const n : {1U, 100U, 16384U, 100'001U, 1'000'003U}) {
    Kokkos::View<double*, Exec> const sums("sums", n);
    double total = -1, last = 0;
    KokkosScan::parallel_scan(n, Tenths{sums}, total);
    Kokkos::deep_copy(last, Kokkos::subview(sums, n - 1));
    EXPECT_EQ(total, last) << n;
    Kokkos::View<double, Exec> const place("place");
    KokkosScan::parallel_scan(n, Tenths{sums}, place);
    Kokkos::deep_copy(total, place);
    EXPECT_EQ(total, last) << n;
  }
}

/// Notes whether another call is under way.
struct Alone {
  Kokkos::View<int, Exec> busy, disturbed;
  KOKKOS_FUNCTION void operator()(std::size_t, int&, bool final) const {
    if (!final) return;
    for (int k = 0; k < 1000; ++k) {
      if (Kokkos::atomic_exchange(busy.data(), 1) != 0) Kokkos::atomic_store(disturbed.data(), 1);
      Kokkos::atomic_store(busy.data(), 0);
    }
  }
};
TEST(ParallelScanForms, kernels_of_one_instance_run_one_after_the_other) {
#ifdef KOKKOS_ENABLE_THREADS
  if (std::is_same_v<Exec, Kokkos::Threads>) GTEST_SKIP() << "Kokkos::Threads has one caller";
#endif
  Alone const alone{Kokkos::View<int, Exec>("busy"), Kokkos::View<int, Exec>("disturbed")};
  Exec const exec;
  std::atomic<int> waiting{2};
  auto const scans = [&] {
    --waiting;
    while (waiting > 0) std::this_thread::yield();
    for (int k = 0; k < 1000; ++k) KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec>(exec, 0, 1), alone);
  };
  std::thread other(scans);
  scans();
  other.join();
  int disturbed = 1;
  Kokkos::deep_copy(disturbed, alone.disturbed);
  EXPECT_EQ(disturbed, 0);
}

/// What a kernel would have among its parameters.
struct SeesProblems {
  static inline std::size_t bytes = 1'000'000;

  template <class Choice, class Problem>
  static KokkosScan::core::NeedsAlone plan(Exec const&, Choice const&, Problem const&) {
    return {};
  }
  template <class Choice, class Problem>
  static void run(Exec const&, std::string const&, Choice const&, KokkosScan::core::NeedsAlone const&,
                  Problem const& problem, KokkosScan::core::Memory const&) {
    bytes = sizeof(problem);
  }
  template <class Problem>
  static void run_empty(Exec const&, std::string const&, Problem const&) {}
};
struct Large {
  std::byte members[1000];
  KOKKOS_FUNCTION void operator()(std::size_t, int&, bool) const {}
};
TEST(ParallelScanForms, a_functor_is_among_the_parameters_of_a_kernel_once) {
  KokkosScan::parallel_scan(KokkosScan::Handle<Exec, SeesProblems>(), 8, Large());
  EXPECT_LT(SeesProblems::bytes, sizeof(Large) + 100);
}

void wait_for_all(char const*, std::uint32_t, std::uint64_t*) { Kokkos::fence("a tool's"); }
TEST(ParallelScanForms, a_tool_may_wait_for_the_instance_before_the_kernel) {
  std::int64_t total = 0;
  Longs const sums("sums", 100);
  Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(wait_for_all);
  KokkosScan::parallel_scan(100, Ints{sums}, total);
  Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(nullptr);
  expect_sums(sums, total);
}

struct OnSerial {
  using execution_space = Kokkos::DefaultHostExecutionSpace;
};
struct OnDevice {
  using device_type = Kokkos::DefaultHostExecutionSpace::device_type;
};
TEST(ParallelScanForms, a_length_goes_to_the_space_of_the_functor) {
  using KokkosScan::driver::space_of_functor;
  static_assert(std::is_same_v<decltype(space_of_functor<OnSerial>()), Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<decltype(space_of_functor<OnDevice>()), Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<decltype(space_of_functor<Plain>()), Exec>);
}

/// Two sums in each row: of the threads of a team, and of the lanes of a thread.
struct Nested {
  Kokkos::View<int**, Exec> by_team, by_lanes;
  Kokkos::View<int*, Exec> totals;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<Exec>::member_type const& team) const {
    int const row = team.league_rank(), n = static_cast<int>(by_team.extent(1));
    auto const sum = [&](Kokkos::View<int**, Exec> const& dest) {
      return [&dest, row](int i, int& update, bool final) {
        update += i;
        if (final) dest(row, i) = update;
      };
    };
    int total = 0;
    KokkosScan::parallel_scan(Kokkos::TeamThreadRange(team, n), sum(by_team));
    KokkosScan::parallel_scan(Kokkos::TeamThreadRange(team, n), sum(by_team), total);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      totals(row) = total;
      KokkosScan::parallel_scan(Kokkos::ThreadVectorRange(team, n), sum(by_lanes));
    });
  }
};
TEST(ParallelScanForms, within_kernels_it_is_kokkos) {
  Nested const nested{Kokkos::View<int**, Exec>("by team", 9, 20), Kokkos::View<int**, Exec>("by lanes", 9, 20),
                      Kokkos::View<int*, Exec>("totals", 9)};
  Kokkos::parallel_for(Kokkos::TeamPolicy<Exec>(9, 1), nested);
  auto const by_team  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nested.by_team);
  auto const by_lanes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nested.by_lanes);
  for (int total : to_vector(nested.totals, 0)) EXPECT_EQ(total, 190);
  for (int row = 0; row < 9; ++row)
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(by_team(row, i), i * (i + 1) / 2);
      EXPECT_EQ(by_lanes(row, i), i * (i + 1) / 2);
    }
}

}  // namespace
}  // namespace test
