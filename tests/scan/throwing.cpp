// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "src/host/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/spaces.hpp"
#include "support/thrown.hpp"

// Operators and transforms that throw, on the host: the caller gets the exception, and the next scan is right.
namespace {

using namespace KokkosScan;

template <class Exec>
class Throwing : public testing::Test {
 protected:
  using View = Kokkos::View<long*, Kokkos::HostSpace>;

  /// Adds, but not this value; and does nothing to any other.
  struct Plus {
    long refused;
    long operator()(long value) const {
      if (value == refused) throw std::domain_error("refused " + std::to_string(value));
      return value;
    }
    long operator()(long left, long right) const { return left + (*this)(right); }
  };

  template <class F>
  static void expect_thrown(long refused, F const& call) {
    EXPECT_EQ(test::thrown_by<std::domain_error>(call), "refused " + std::to_string(refused));
  }

  /// Each value occurs as an input alone: no sum of some of them is another. Those of a strided View are read twice.
  static void expect_all(auto const& exec, std::size_t n) {
    View const from("from", n), dest("dest", n);
    long const odd = 1'000'000'001;
    for (std::size_t const at : {std::size_t{1}, n / 2, n - 1}) {
      if (at >= n || (at == 1 && n < 2)) continue;
      SCOPED_TRACE("element " + std::to_string(at) + " of " + std::to_string(n));
      for (std::size_t i = 0; i < n; ++i) from(i) = 2;
      from(at) = odd;
      expect_thrown(odd, [&] { transform_inclusive_scan(exec, from, dest, Sum{}, Plus{odd}); });
      expect_thrown(odd, [&] { transform_exclusive_scan(exec, from, dest, 1L, std::plus<>(), Plus{odd}); });
      long total = 0;
      transform_inclusive_scan(exec, from, dest, Plus{-1}, Plus{-1}, Total{total});
      long const sum = 2 * static_cast<long>(n - 1) + odd;
      EXPECT_EQ(total, sum);
      EXPECT_EQ(dest(n - 1), sum);
    }
    for (std::size_t i = 0; i < n; ++i) from(i) = 2;
    if (n > 1) expect_thrown(2, [&] { inclusive_scan(exec, from, dest, Plus{2}); });
  }
};
TYPED_TEST_SUITE(Throwing, test::HostSpaces::Types);

TYPED_TEST(Throwing, reaches_the_caller) {
  std::size_t const tile = test::automatic_tile<TypeParam, long>();
  for (std::size_t const n : {std::size_t{1}, std::size_t{300}, tile, tile + 1, 9 * tile + 5})
    this->expect_all(TypeParam(), n);
}

TYPED_TEST(Throwing, of_every_choice) {
  for (Options const& options : test::all_choices<host::Backend>()) {
    SCOPED_TRACE(to_string(options.grid) + ", " + to_string(options.block));
    this->expect_all(Handle(TypeParam(), options), 40'000);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(Throwing, along_an_axis) {
  using Table = Kokkos::View<long**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Plus  = typename TestFixture::Plus;
  for (std::size_t const columns : {3U, 40U, 20000U}) {
    std::size_t const rows = std::max<std::size_t>(3, 900'000 / columns);
    Table const from("from", rows, columns), dest("dest", rows, columns);
    for (std::size_t const row : {std::size_t{0}, rows / 2, rows - 1}) {
      Kokkos::deep_copy(from, 2);
      from(row, columns / 2) = -5;
      this->expect_thrown(-5, [&] { transform_inclusive_scan(TypeParam(), from, dest, Sum{}, Plus{-5}, Axis{0}); });
      transform_inclusive_scan(TypeParam(), from, dest, Plus{-1}, Plus{-1}, Axis{0});
      EXPECT_EQ(dest(rows - 1, columns / 2), 2 * static_cast<long>(rows - 1) - 5);
    }
  }
}

}  // namespace
