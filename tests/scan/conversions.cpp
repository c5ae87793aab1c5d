// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/random.hpp"
#include "support/spaces.hpp"

// Results that become another type where they are stored, on the host: each is what the same scan leaves in an array of
// the accumulator's type, converted once, in every bit. Where dest cannot hold what is to be combined later, tiles are
// scanned in other sweeps.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

struct Plus {
  template <class T>
  KOKKOS_FUNCTION T operator()(T left, T right) const {
    return left + right;
  }
};

template <class Sum_, class Stored_>
struct Pair {
  using Sum    = Sum_;
  using Stored = Stored_;
};

template <class Types>
class Conversions : public testing::Test {
 protected:
  using Value   = typename Types::Sum;
  using Stored  = typename Types::Stored;
  using Sums    = Kokkos::View<Value*, Kokkos::HostSpace>;
  using Results = Kokkos::View<Stored*, Kokkos::HostSpace>;
  using Strided = Kokkos::View<Stored*, Kokkos::LayoutStride, Kokkos::HostSpace>;

  /// Sums of them round, if they are no integers, and fit into either type.
  static Results values(std::size_t n) {
    Results const from("from", n);
    test::Random random(n);
    for (std::size_t i = 0; i < n; ++i) from(i) = static_cast<Stored>(random.fraction() * 1000 - 400);
    return from;
  }

  template <class Dest>
  static void expect_converted(Dest const& dest, Sums const& sums, char const* what) {
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = sums.extent(0); i-- > 0;)
      if (dest(i) != static_cast<Stored>(sums(i))) ++wrong, first = i;
    EXPECT_EQ(wrong, 0U) << "of " << sums.extent(0) << ", from " << first << " on; " << what;
  }

  template <class Op>
  static void expect_all(auto const& exec, std::size_t n) {
    Results const from = values(n), dest("dest", n);
    Sums const sums("sums", n);
    Value total{}, expected{};
    inclusive_scan(exec, from, sums, Op{}, 7, Total{expected});
    inclusive_scan(exec, from, dest, Op{}, 7, As<Value>{}, Total{total});
    expect_converted(dest, sums, "inclusive");
    EXPECT_EQ(total, expected);
    EXPECT_EQ(dest(n - 1), static_cast<Stored>(total));
    Kokkos::deep_copy(dest, from);
    inclusive_scan(exec, dest, dest, Op{}, 7, As<Value>{});
    expect_converted(dest, sums, "inclusive, in place");
    exclusive_scan(exec, from, sums, 7, Op{});
    exclusive_scan(exec, from, dest, 7, Op{}, As<Value>{});
    expect_converted(dest, sums, "exclusive");
  }

  template <class Op>
  static void expect_strided(std::size_t n) {
    Results const from = values(n);
    Sums const sums("sums", n);
    Strided const dest("dest", Kokkos::LayoutStride(n, 3));
    exclusive_scan(Exec(), from, sums, 7, Op{});
    Kokkos::deep_copy(dest, from);
    exclusive_scan(Exec(), dest, dest, 7, Op{}, As<Value>{});
    expect_converted(dest, sums, "strided, in place");
  }
};
using Types = testing::Types<Pair<double, float>, Pair<float, double>, Pair<std::int64_t, std::int32_t>>;
TYPED_TEST_SUITE(Conversions, Types);

TYPED_TEST(Conversions, of_all_lengths) {
  for (std::size_t const n : {1U, 2U, 255U, 256U, 1000U, 16'384U, 16'385U, 200'000U}) {
    this->template expect_all<Sum>(Exec(), n);
    this->template expect_strided<Sum>(n);
    this->template expect_all<Plus>(Exec(), n);
    this->template expect_strided<Plus>(n);
  }
}

/// Past the caches, in a chain.
TYPED_TEST(Conversions, larger_than_the_caches) {
  for (auto const reading : {host::Reading::straight, host::Reading::in_turns}) {
    test::Assume const machine({.last_level_bytes = 256 * 1024, .sharers = 64, .reading = reading});
    this->template expect_all<Sum>(Exec(), 300'000);
    this->template expect_all<Plus>(Exec(), 300'000);
  }
}

/// One pair stands for all where it takes long to compile.
using OnePair = Conversions<Pair<double, float>>;

TEST_F(OnePair, of_every_choice) {
  auto const expect_choices = []<class Backend>(std::type_identity<Backend>) {
    for (Options const& options : test::all_choices<Backend>()) {
      SCOPED_TRACE(to_string(options.grid) + ", " + to_string(options.block) + ", " + Backend::name);
      for (std::size_t const n : {300U, 40'000U}) expect_all<Plus>(Handle<Exec, Backend, Options>(Exec(), options), n);
    }
  };
  expect_choices(std::type_identity<host::Backend>());
  expect_choices(std::type_identity<portable::Backend>());
}

}  // namespace
