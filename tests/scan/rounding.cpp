// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "src/host/tuning.hpp"
#include "support/random.hpp"

// Sums of floats that round, against sums in long double. The rounding errors of a sum of depth d behave as a random
// walk, at most a few times sqrt(d) units of the sum of magnitudes (Higham and Mary 2019).
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class T>
class Rounding : public testing::Test {
 protected:
  void expect_accurate(auto const& exec, std::size_t tile) {
    std::size_t const n = 9 * tile + 77;
    Kokkos::View<T*, Kokkos::HostSpace> const from("from", n), dest("dest", n);
    test::Random random(n);
    for (std::size_t i = 0; i < n; ++i)
      from(i) = static_cast<T>((random.fraction() - 0.3) * std::exp(random.fraction()));

    exclusive_scan(exec, from, dest, T(0.1));
    driver::instance(exec).fence("test");

    long double exact = T(0.1), magnitude = exact;
    double const depth = static_cast<double>(tile + n / tile + 1);
    double const unit  = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    for (std::size_t i = 0; i < n; ++i) {
      long double const allowed = 6 * std::sqrt(depth) * unit * static_cast<double>(magnitude);
      ASSERT_LE(std::abs(static_cast<long double>(dest(i)) - exact), allowed) << "element " << i << " of " << n;
      exact += from(i);
      magnitude += std::abs(from(i));
    }
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Rounding, Types);

TYPED_TEST(Rounding, of_the_automatic_choice) {
  this->expect_accurate(Exec(), host::tile_length(BlockScan::automatic, sizeof(TypeParam)));
}

TYPED_TEST(Rounding, of_the_networks) {
  for (BlockScan const block :
       {BlockScan::kogge_stone, BlockScan::brent_kung, BlockScan::blelloch, BlockScan::three_phase})
    this->expect_accurate(Handle(Exec(), Options{.block = block}), host::tile_length(block, sizeof(TypeParam)));
}

TYPED_TEST(Rounding, of_hillis_steele) {
  this->expect_accurate(Handle(Exec(), Options{.grid = GridScan::hillis_steele}), 2048);
}

/// -0 + -0 is -0, and an exclusive scan begins with init as it is.
TYPED_TEST(Rounding, keeps_the_sign_of_zero) {
  using T                = TypeParam;
  std::size_t const tile = host::tile_length(BlockScan::automatic, sizeof(T));
  for (std::size_t const n : {std::size_t{1}, std::size_t{300}, 2 * tile + 5}) {
    SCOPED_TRACE(n);
    Kokkos::View<T*, Kokkos::HostSpace> const zeros("zeros", n), dest("dest", n);
    for (std::size_t i = 0; i < n; ++i) zeros(i) = T(-0.0);  // deep_copy makes them +0
    auto const expect_negative = [&](char const* scan) {
      Exec().fence("test");
      for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(std::signbit(dest(i))) << scan << ", element " << i;
    };
    inclusive_scan(Exec(), zeros, dest), expect_negative("inclusive sum");
    inclusive_scan(Exec(), zeros, dest, Sum{}, T(-0.0)), expect_negative("inclusive sum behind init");
    exclusive_scan(Exec(), zeros, dest, T(-0.0)), expect_negative("exclusive sum");
    exclusive_scan(Exec(), zeros, dest, T(-0.0), Max{}), expect_negative("exclusive maximum");
  }
}

}  // namespace
