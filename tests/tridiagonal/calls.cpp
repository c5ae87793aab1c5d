// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "support/spaces.hpp"
#include "support/thrown.hpp"
#include "systems.hpp"

// What a call takes, what it refuses before anything is written, and that threads change no bit.
namespace test::tridiagonal {
namespace {

using KokkosScan::Axis;
using KokkosScan::tridiagonal_solve;

using Exec  = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using View  = Kokkos::View<double*, Space>;

View brought(std::vector<double> const& values) {
  View const view("values", values.size());
  Kokkos::deep_copy(view, Kokkos::View<double const*, Kokkos::HostSpace>(values.data(), values.size()));
  return view;
}
std::vector<double> taken(View const& view) {
  std::vector<double> values(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(values.data(), values.size()), view);
  return values;
}

struct Views {
  View lower, diagonal, upper, right, x;
  explicit Views(System<double> const& s)
      : lower(brought(s.lower)),
        diagonal(brought(s.diagonal)),
        upper(brought(s.upper)),
        right(brought(s.right)),
        x("x", s.size()) {}
};

TEST(TridiagonalCalls, by_instance_by_handle_and_with_a_label) {
  auto const s = make<double>(Kind::dominant, 5000, 1);
  Views const v(s);
  tridiagonal_solve(Exec(), v.lower, v.diagonal, v.upper, v.right, v.x);
  auto const first = taken(v.x);
  EXPECT_LT(residual(s, first).by_norm, 8);
  auto const again = [&](auto const&... exec) {
    Kokkos::deep_copy(v.x, 0.0);
    tridiagonal_solve(exec..., v.lower, v.diagonal, v.upper, v.right, v.x);
    auto const found = taken(v.x);
    EXPECT_EQ(std::memcmp(found.data(), first.data(), sizeof(double) * first.size()), 0);
  };
  KokkosScan::Handle const handle{Exec()};
  again(handle);
  again("a label", handle);
  again("a label", Exec());
  Kokkos::View<double const*, Space> const lower = v.lower, right = v.right;
  Kokkos::deep_copy(v.x, 0.0);
  tridiagonal_solve(Exec(), lower, v.diagonal, v.upper, right, v.x);
  EXPECT_EQ(taken(v.x), first);
}

TEST(TridiagonalCalls, x_may_be_any_other) {
  for (Way const way : {Way::call, Way::tiles})
    for (std::size_t const n : {1U, 600U, 3000U}) {
      auto const s = make<double>(Kind::dominant, n, n);
      std::vector<double> expected;
      for (int which = 4; which >= 0; --which) {
        Views const v(s);
        View const all[] = {v.lower, v.diagonal, v.upper, v.right, v.x};
        solve(way, Exec(), v.lower, v.diagonal, v.upper, v.right, all[which]);
        auto const found = taken(all[which]);
        if (which == 4) expected = found;
        EXPECT_EQ(std::memcmp(found.data(), expected.data(), sizeof(double) * n), 0) << which << ", " << n;
      }
    }
}

TEST(TridiagonalCalls, nothing_is_solved_of_nothing) {
  View const none, some("some", 3);
  tridiagonal_solve(Exec(), none, none, none, none, none);
  Kokkos::deep_copy(some, 7.0);
  tridiagonal_solve(Exec(), some, none, some, some, some);
  EXPECT_EQ(taken(some), std::vector<double>(3, 7.0));
  Kokkos::View<double**, Space> const flat("flat", 0, 5), empty("empty", 5, 0);
  for (int const axis : {0, 1}) {
    tridiagonal_solve(Exec(), flat, flat, flat, flat, flat, Axis{axis});
    tridiagonal_solve(Exec(), empty, empty, empty, empty, empty, Axis{axis});
  }
}

TEST(TridiagonalCalls, what_is_wrong_is_said_before_anything_is_written) {
  View const a("a", 10), b("b", 12);
  Kokkos::deep_copy(b, 7.0);
  auto const shorter = Kokkos::subview(b, std::pair(0, 9));
  auto const said    = [&](auto const&... views) {
    return thrown_by<std::invalid_argument>([&] { tridiagonal_solve("the label", Exec(), views...); });
  };
  EXPECT_TRUE(says(said(shorter, a, a, a, b), {"the label", "lower", "9", "diagonal", "10"}));
  EXPECT_TRUE(says(said(a, a, shorter, a, b), {"upper", "9", "diagonal", "10"}));
  EXPECT_TRUE(says(said(a, a, a, shorter, b), {"right", "9", "diagonal", "10"}));
  EXPECT_TRUE(says(said(a, a, a, a, shorter), {"x", "9", "diagonal", "10"}));
  auto const later = Kokkos::subview(b, std::pair(1, 11)), first = Kokkos::subview(b, std::pair(0, 10));
  EXPECT_TRUE(says(said(a, a, a, first, later), {"right", "x", "overlap"}));
  EXPECT_TRUE(says(said(first, a, a, a, later), {"lower", "x", "overlap"}));
  EXPECT_TRUE(says(said(a, first, a, a, later), {"diagonal", "x", "overlap"}));
  EXPECT_TRUE(says(said(a, a, first, a, later), {"upper", "x", "overlap"}));
  EXPECT_EQ(taken(b), std::vector<double>(12, 7.0));
  Kokkos::View<double**, Space> const c("c", 3, 4), d("d", 3, 3);
  auto const along = [&](int axis, auto const& x) {
    return thrown_by<std::invalid_argument>([&] { tridiagonal_solve(Exec(), c, c, c, c, x, Axis{axis}); });
  };
  EXPECT_TRUE(says(along(2, c), {"Axis is 2", "rank 2"}));
  EXPECT_TRUE(says(along(-1, c), {"Axis is -1"}));
  EXPECT_TRUE(says(along(0, d), {"diagonal.extent(1) is 4", "x.extent(1) is 3"}));
}

#ifdef KOKKOS_ENABLE_OPENMP
/// Instances of one to four threads, as far as there are so many.
TEST(TridiagonalCalls, threads_change_no_bit) {
  Kokkos::OpenMP const whole;
  std::vector<Kokkos::OpenMP> execs{whole};
  if (threads_of(whole) >= 2)
    for (auto const& exec : Kokkos::Experimental::partition_space(whole, 1, 1)) execs.push_back(exec);
  using Host = Kokkos::View<double*, Kokkos::HostSpace>;
  for (std::size_t const n : {5000U, 200'000U}) {
    auto const s     = make<double>(Kind::dominant, n, n);
    auto const array = [&](std::vector<double> const& values) {
      Host const view("values", n);
      std::copy(values.begin(), values.end(), view.data());
      return view;
    };
    Host const lower = array(s.lower), diagonal = array(s.diagonal), upper = array(s.upper), right = array(s.right);
    std::vector<double> first;
    for (auto const& exec : execs) {
      Host const x("x", n);
      tridiagonal_solve(exec, lower, diagonal, upper, right, x);
      std::vector<double> const found(x.data(), x.data() + n);
      if (first.empty()) first = found;
      EXPECT_EQ(std::memcmp(found.data(), first.data(), sizeof(double) * n), 0) << threads_of(exec);
    }
  }
}
#endif

}  // namespace
}  // namespace test::tridiagonal
