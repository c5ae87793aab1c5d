// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/random.hpp"

// As<T>{}: sums are made in a type that is not dest's, and each result is converted once, where it is stored.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultExecutionSpace;

/// Multiples of 1/8 whose sums are exact in double, and are not in float from 2^21 on.
constexpr int n = 50'003;
float value(int i) { return static_cast<float>((i * 7919) % 1000) + 0.125F * static_cast<float>(i % 8); }

struct Halve {
  KOKKOS_FUNCTION double operator()(float x) const { return 0.5 * static_cast<double>(x); }
};

template <class Layout>
class Results {
 public:
  using View = Kokkos::View<float*, Layout, Kokkos::SharedSpace>;

  Results() : from(make("from")), dest(make("dest")) {
    for (int i = 0; i < n; ++i) from(i) = value(i);
  }

  void expect(std::string const& what, bool inclusive, double factor, double init, double total) const {
    double sum = init;
    int wrong  = 0;
    for (int i = 0; i < n; ++i) {
      double const before = sum;
      sum += factor * static_cast<double>(value(i));
      wrong += dest(i) != static_cast<float>(inclusive ? sum : before);
    }
    EXPECT_EQ(wrong, 0) << what;
    EXPECT_EQ(total, sum) << what;
  }

  View from, dest;

 private:
  static View make(std::string const& name) {
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>)
      return View(name, Kokkos::LayoutStride(n, 3));
    else
      return View(name, n);
  }
};

template <class Layout, class Where>
void expect_all(std::string const& what, Where const& where) {
  Results<Layout> const r;
  double total = -1;
  inclusive_scan(where, r.from, r.dest, As<double>{}, Total{total});
  r.expect(what + ", inclusive", true, 1, 0, total);
  exclusive_scan(where, r.from, r.dest, 0.125, As<double>{}, Total{total});
  r.expect(what + ", exclusive", false, 1, 0.125, total);
  transform_exclusive_scan(where, r.from, r.dest, 3, Sum{}, Halve{}, Total{total}, As<double>{});
  r.expect(what + ", transformed", false, 0.5, 3, total);
  // An operator that no kernel is compiled for.
  inclusive_scan(
      where, r.from, r.dest, KOKKOS_LAMBDA(double left, double right) { return left + right; }, 0.5, As<double>{},
      Total{total});
  r.expect(what + ", lambda", true, 1, 0.5, total);
  Kokkos::deep_copy(r.dest, r.from);
  inclusive_scan(where, r.dest, r.dest, As<double>{}, Total{total});
  r.expect(what + ", in place", true, 1, 0, total);
}

TEST(Accumulators, of_contiguous_views) { expect_all<Kokkos::LayoutRight>("instance", Exec()); }
TEST(Accumulators, of_strided_views) { expect_all<Kokkos::LayoutStride>("instance", Exec()); }

template <class Backend>
void expect_by_all_choices() {
  for (Options const& options : test::all_choices<Backend>())
    expect_all<Kokkos::LayoutRight>(to_string(options.grid) + " x " + to_string(options.block),
                                    Handle<Exec, Backend, Options>(Exec(), options));
}
TEST(Accumulators, of_each_algorithm) { expect_by_all_choices<driver::Backend<Exec>>(); }
TEST(Accumulators, of_the_portable_backend) { expect_by_all_choices<portable::Backend>(); }

/// A wider one that is narrowed, and one that is narrower than dest and wraps around.
TEST(Accumulators, of_integers) {
  Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const from("from", n);
  Kokkos::View<std::int16_t*, Kokkos::SharedSpace> const narrow("narrow", n);
  Kokkos::View<std::int64_t*, Kokkos::SharedSpace> const wide("wide", n);
  for (int i = 0; i < n; ++i) from(i) = i * 12345 - 777;
  std::int64_t total = -1;
  inclusive_scan(Exec(), from, narrow, As<std::int64_t>{}, Total{total});
  std::uint32_t wrapped = 17;
  exclusive_scan(Exec(), from, wide, wrapped, As<std::uint32_t>{}, Total{wrapped});
  std::int64_t sum     = 0;
  std::uint32_t around = 17;
  int wrong_narrow     = 0;
  int wrong_wide       = 0;
  for (int i = 0; i < n; ++i) {
    sum += from(i);
    wrong_narrow += narrow(i) != static_cast<std::int16_t>(sum);
    wrong_wide += wide(i) != static_cast<std::int64_t>(around);
    around += static_cast<std::uint32_t>(from(i));
  }
  EXPECT_EQ(wrong_narrow, 0);
  EXPECT_EQ(wrong_wide, 0);
  EXPECT_EQ(total, sum);
  EXPECT_EQ(wrapped, around);
}

}  // namespace
