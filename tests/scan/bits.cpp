// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cstdint>
#include <cstring>

#include "support/matrix.hpp"
#include "support/record_bits.hpp"

// Sums of floats that round: the same bits in every run, with any number of threads, and from every grid algorithm
// that combines tiles. ctest starts this program with different numbers of threads; each compares with one worker.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// An instance that runs on one thread.
auto one_worker() {
#ifdef KOKKOS_ENABLE_SERIAL
  return Kokkos::Serial();
#else
  return Kokkos::OpenMP(1);
#endif
}

template <class T>
class Bits : public testing::Test {
 protected:
  using View = Kokkos::View<T*, Kokkos::HostSpace>;

  /// Values whose sum depends on the grouping in about every second element; so many that pages take turns.
  Bits() : tile(test::automatic_tile<Exec, T>()), from("from", 13 * tile + host::in_turns_bytes / sizeof(T) + 1234) {
    test::Random random(sizeof(T));
    for (std::size_t i = 0; i < from.extent(0); ++i)
      from(i) = static_cast<T>((random.fraction() - 0.25) * static_cast<double>(1 << random.below(12)));
  }

  /// The results of an inclusive scan and its total, of an exclusive one, and of one by a functor.
  std::vector<T> scans(auto const& exec) const {
    View const dest("dest", from.extent(0));
    T const init = static_cast<T>(0.1);
    T total{};
    std::vector<T> values;
    auto const keep = [&] {
      values.insert(values.end(), dest.data(), dest.data() + dest.extent(0));
      values.push_back(total);
    };
    inclusive_scan(exec, from, dest, Sum{}, init, Total{total}), keep();
    exclusive_scan(exec, from, dest, init, Sum{}, Total{total}), keep();
    if constexpr (std::is_same_v<T, double>) {
      auto const functor = [dest, in = from](std::size_t i, T& update, bool final) {
        update += in(i);
        if (final) dest(i) = update;
      };
      parallel_scan(exec, from.extent(0), functor, total), keep();
    }
    return values;
  }

  static testing::AssertionResult same_bits(std::vector<T> const& got, std::vector<T> const& expected) {
    test::record_bits(got.data(), got.size() * sizeof(T));
    for (std::size_t i = 0; i < got.size(); ++i)
      if (std::bit_cast<test::Bytes<T>>(got[i]) != std::bit_cast<test::Bytes<T>>(expected[i]))
        return testing::AssertionFailure() << "element " << i << " is " << got[i] << " instead of " << expected[i]
                                           << ", the difference is " << got[i] - expected[i];
    return testing::AssertionSuccess();
  }

  std::size_t tile;
  View from;
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Bits, Types);

/// Without this the other tests could not fail: another grouping must give other bits.
TYPED_TEST(Bits, depend_on_the_grouping) {
  auto const serial     = this->scans(Handle(one_worker(), Options{.block = BlockScan::serial}));
  auto const other      = this->scans(Handle(one_worker(), Options{.block = BlockScan::brent_kung}));
  std::size_t different = 0;
  for (std::size_t i = 0; i < serial.size(); ++i) different += serial[i] != other[i];
  EXPECT_GT(different, serial.size() / 10);
}

TYPED_TEST(Bits, do_not_depend_on_the_run) {
  auto const expected = this->scans(one_worker());
  for (int run = 0; run < 10; ++run) ASSERT_TRUE(this->same_bits(this->scans(Exec()), expected)) << "run " << run;
}

TYPED_TEST(Bits, do_not_depend_on_the_grid_algorithm) {
  for (BlockScan const block : host::Backend::blocks) {
    auto const expected = this->scans(Handle(one_worker(), Options{.grid = GridScan::hierarchical, .block = block}));
    for (GridScan const grid :
         {GridScan::chained, GridScan::lookback, GridScan::shares, GridScan::hierarchical, GridScan::automatic})
      for (int run = 0; run < 3; ++run)
        ASSERT_TRUE(this->same_bits(this->scans(Handle(Exec(), Options{.grid = grid, .block = block})), expected))
            << to_string(grid) << " with " << to_string(block) << ", run " << run;
  }
}

#ifdef KOKKOS_ENABLE_OPENMP
TYPED_TEST(Bits, do_not_depend_on_the_number_of_threads) {
  auto const expected = this->scans(one_worker());
  for (int const threads : {1, 2, 3, 7}) {
    Kokkos::OpenMP const exec(threads);
    ASSERT_EQ(test::threads_of(exec), threads);
    for (GridScan const grid :
         {GridScan::automatic, GridScan::chained, GridScan::lookback, GridScan::shares, GridScan::hierarchical})
      ASSERT_TRUE(this->same_bits(this->scans(Handle(exec, Options{.grid = grid})), expected))
          << threads << " threads, " << to_string(grid);
    ASSERT_TRUE(this->same_bits(this->scans(exec), expected)) << threads << " threads";
  }
}
#endif

/// An operator that no kernel is compiled for goes by another tile scanner, by chains: of one tile and of many, of a
/// length that they divide and of any other.
TYPED_TEST(Bits, of_a_users_operator_do_not_depend_on_grid_threads_or_place) {
  using T         = TypeParam;
  using Strided   = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  auto const plus = [](T left, T right) { return left + right; };
  for (std::size_t const n : {std::size_t(255), std::size_t(1024), this->tile - 3, this->from.extent(0)}) {
    auto const inputs = Kokkos::subview(this->from, std::pair<std::size_t, std::size_t>(0, n));
    std::vector<T> expected;
    auto const expect_same = [&](auto const& exec, std::size_t stride, bool in_place) {
      Strided const dest("dest", Kokkos::LayoutStride(n, stride));
      Kokkos::deep_copy(dest, inputs);
      T total{};
      if (in_place)
        inclusive_scan(exec, dest, dest, plus, static_cast<T>(0.1), Total{total});
      else
        inclusive_scan(exec, inputs, dest, plus, static_cast<T>(0.1), Total{total});
      std::vector<T> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(dest(i));
      EXPECT_EQ(values.back(), total);
      values.push_back(total);
      // An exclusive scan has the same results, one element further.
      exclusive_scan(exec, inputs, dest, static_cast<T>(0.1), plus);
      for (std::size_t i = 1; i < n; ++i) values.push_back(dest(i) - values[i - 1]);
      if (expected.empty()) expected = values;
      ASSERT_TRUE(this->same_bits(values, expected)) << n << " values, stride " << stride;
    };
    expect_same(Handle(one_worker(), Options{.grid = GridScan::hierarchical}), 1, false);
    for (int run = 0; run < 3; ++run)
      for (std::size_t const stride : {1U, 2U})
        for (bool const in_place : {false, true}) {
          expect_same(Exec(), stride, in_place);
          for (GridScan const grid : {GridScan::chained, GridScan::lookback, GridScan::hierarchical})
            expect_same(Handle(Exec(), Options{.grid = grid}), stride, in_place);
        }
  }
}

/// Along an axis few lines go in pieces, which are reduced whoever waits for them.
TYPED_TEST(Bits, along_an_axis_do_not_depend_on_the_number_of_threads) {
  using T     = TypeParam;
  using Table = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  for (std::size_t const columns : {3U, 24U, 72U}) {
    std::size_t const rows = this->from.extent(0) / columns;
    Table const from(this->from.data(), rows, columns), dest("dest", rows, columns);
    auto const scan_by = [&](auto const& exec) {
      inclusive_scan(exec, from, dest, Axis{0});
      return std::vector<T>(dest.data(), dest.data() + dest.size());
    };
    auto const expected = scan_by(one_worker());
    for (int run = 0; run < 10; ++run)
      ASSERT_TRUE(this->same_bits(scan_by(Exec()), expected)) << columns << " columns, run " << run;
  }
}

/// Strides, alignment and address of the result are no excuse.
TYPED_TEST(Bits, do_not_depend_on_the_place) {
  using T             = TypeParam;
  using Strided       = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  auto const expected = this->scans(one_worker());
  std::size_t const n = this->from.extent(0);
  for (std::size_t const stride : {1U, 2U})
    for (std::size_t const offset : {0U, 1U, 2U, 3U, 5U}) {
      Strided const all("all", Kokkos::LayoutStride(n + offset, stride));
      auto const dest = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(offset, n + offset));
      Kokkos::deep_copy(dest, this->from);
      T total{};
      inclusive_scan(Exec(), dest, dest, Sum{}, static_cast<T>(0.1), Total{total});
      std::vector<T> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(dest(i));
      values.push_back(total);
      ASSERT_TRUE(this->same_bits(values, expected)) << "in place at offset " << offset << ", stride " << stride;
    }
}

}  // namespace
