// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/wide.hpp"

// What users legitimately hand over and libraries tend to trip on.

// A value type in the namespace that holds functions of the library's own names: an unqualified call inside the library
// would find those.
namespace Kokkos::Experimental {
struct Metres {
  int value;
  KOKKOS_FUNCTION friend Metres operator+(Metres a, Metres b) { return {a.value + b.value}; }
};
}  // namespace Kokkos::Experimental

namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;
template <class T>
using View = Kokkos::View<T*, Kokkos::HostSpace>;

constexpr int n = 40'000;  // several tiles

/// A value that can be made but never assigned.
struct Constant {
  const int value;
};
struct AddConstants {
  KOKKOS_FUNCTION Constant operator()(Constant const& a, Constant const& b) const { return {a.value + b.value}; }
};

/// Comparable, but without bounds: Max has no identity for it.
struct Version {
  int major;
  int minor;
  KOKKOS_FUNCTION friend bool operator<(Version a, Version b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  }
};

int add(int left, int right) { return left + right; }

TEST(UnusualTypes, a_value_type_in_the_namespace_of_kokkos_own_scans) {
  using Kokkos::Experimental::Metres;
  View<Metres> const values("values", n);
  for (int i = 0; i < n; ++i) values(i) = {i % 7};
  Metres total{};
  inclusive_scan(Exec(), values, values, Total{total});
  int running = 0;
  for (int i = 0; i < n; ++i) ASSERT_EQ(values(i).value, running += i % 7) << i;
  EXPECT_EQ(total.value, running);
}

TEST(UnusualTypes, a_value_with_const_members) {
  std::vector<Constant> numbers(n, Constant{3}), sums(n, Constant{-1});
  View<Constant> const from(numbers.data(), n), dest(sums.data(), n);
  for (auto const& options : test::all_choices<host::Backend>()) {
    Handle const handle(Exec(), options);
    inclusive_scan(handle, from, dest, AddConstants{});
    for (int i = 0; i < n; ++i) ASSERT_EQ(dest(i).value, 3 * (i + 1)) << i;
    Constant total{-1};
    exclusive_scan(handle, from, dest, Constant{5}, AddConstants{}, Total{total});
    ASSERT_EQ(total.value, 3 * n + 5);
    for (int i = 0; i < n; ++i) ASSERT_EQ(dest(i).value, 3 * i + 5) << i;
  }
}

TEST(UnusualTypes, a_value_of_wide_alignment) {
  using Device = Kokkos::DefaultExecutionSpace;
  test::expect_scans_of_wide_values<Device, driver::Backend<Device>>();
  test::expect_scans_of_wide_values<Device, portable::Backend>();
}

TEST(UnusualTypes, a_maximum_of_values_without_bounds) {
  View<Version> const values("values", n), dest("dest", n);
  for (int i = 0; i < n; ++i) values(i) = {i / 1000, (i * 7) % 1000};
  Version largest{};
  inclusive_scan(Exec(), values, dest, Max{}, Total{largest});
  Version running = values(0);
  for (int i = 0; i < n; ++i) {
    if (running < values(i)) running = values(i);
    ASSERT_TRUE(!(dest(i) < running) && !(running < dest(i))) << i;
  }
  EXPECT_TRUE(!(largest < running) && !(running < largest));

  View<Version> const empty("empty", 0);
  EXPECT_THROW(inclusive_scan(Exec(), empty, empty, Max{}, Total{largest}), std::invalid_argument);
}

TEST(UnusualTypes, a_plain_function_as_the_operator) {
  View<int> const values("values", n);
  Kokkos::deep_copy(values, 2);
  inclusive_scan(Exec(), values, values, add);
  for (int i = 0; i < n; ++i) ASSERT_EQ(values(i), 2 * (i + 1)) << i;
}

TEST(UnusualTypes, one_input_for_all_elements_but_no_result_on_another) {
  int number    = 4;
  using Strided = Kokkos::View<int*, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Strided const always(&number, Kokkos::LayoutStride(n, 0));
  View<int> const dest("dest", n);
  inclusive_scan(Exec(), always, dest);
  for (int i = 0; i < n; ++i) ASSERT_EQ(dest(i), 4 * (i + 1)) << i;

  EXPECT_THROW(inclusive_scan(Exec(), dest, always), std::invalid_argument);
  EXPECT_EQ(number, 4);
}

/// No default constructor, so no zero; and an aggregate, whose 1 is not its one.
struct Length {
  int metres;
  KOKKOS_FUNCTION explicit Length(int m) : metres(m) {}
  KOKKOS_FUNCTION friend Length operator+(Length const& a, Length const& b) { return Length(a.metres + b.metres); }
};
struct Diagonal {
  int a, b;
  KOKKOS_FUNCTION friend Diagonal operator*(Diagonal const& l, Diagonal const& r) { return {l.a * r.a, l.b * r.b}; }
};
static_assert(!HasIdentity<Sum, Length> && !HasIdentity<Product, Diagonal>);
static_assert(HasIdentity<Sum, float> && HasIdentity<Product, Kokkos::complex<double>>);

TEST(UnusualTypes, sums_and_products_of_what_has_no_identity) {
  View<Length> const lengths(Kokkos::view_alloc("lengths", Kokkos::WithoutInitializing), n);
  View<Diagonal> const matrices("matrices", n);
  for (int i = 0; i < n; ++i) {
    lengths(i)  = Length(i % 3);
    matrices(i) = {i % 2 == 0 ? 1 : -1, 1};
  }
  inclusive_scan(Exec(), lengths, lengths);
  inclusive_scan(Exec(), matrices, matrices, Product{});
  EXPECT_EQ(lengths(n - 1).metres, n / 3 * 3 + (n % 3 == 2 ? 1 : 0));
  EXPECT_EQ(matrices(n - 1).a, n / 2 % 2 == 0 ? 1 : -1);
  Diagonal total{};
  EXPECT_THROW(inclusive_scan(Exec(), View<Diagonal>(), View<Diagonal>(), Product{}, Total{total}),
               std::invalid_argument);
}

}  // namespace
