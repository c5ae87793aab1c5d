// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shares.hpp"
#include "support/monoids.hpp"
#include "support/random.hpp"

// Scans of integers, and of values whose operator does not commute, against a serial scan of all elements.
namespace test {
namespace {

namespace mpi = KokkosScan::mpi;
using KokkosScan::Reversed;
using KokkosScan::Sum;
using KokkosScan::Total;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Value>
using Row = Kokkos::View<Value*, Kokkos::HostSpace>;
template <class Value>
using Strided = Kokkos::View<Value*, Kokkos::LayoutStride, Kokkos::HostSpace>;

/// So few that ranks have a handful, and so many that each has several tiles of the host backend.
constexpr std::size_t lengths[] = {1, 40, 3001};
constexpr std::size_t most      = 250007;

template <class Value>
std::vector<Value> random_values(std::size_t n) {
  Random random(n);
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; ++i)
    if constexpr (Monoid<Value>)
      values.push_back(Value::random(random));
    else
      values.push_back(static_cast<Value>(random()));
  return values;
}

/// Calls scan(from, dest) with shares of all kinds and compares what it leaves in dest.
template <class Value, class From, class Dest, class Call>
void expect_scans(std::size_t n, std::string const& what, bool in_place, Expected<Value> (*serial)(std::vector<Value>),
                  Call const& scan) {
  int const rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  auto const all      = random_values<Value>(n);
  auto const expected = serial(all);
  for (Shares const& shares : all_shares(size, n)) {
    auto const from = share_of<From>(all, shares, rank);
    if constexpr (std::is_same_v<From, Dest>) {
      auto const dest = in_place ? from : share_of<Dest>(all, shares, rank);
      scan(from, dest, *expected.total);
      expect_share(expected.results, shares, rank, dest, what);
    } else {
      auto const dest = share_of<Dest>(all, shares, rank);
      scan(from, dest, *expected.total);
      expect_share(expected.results, shares, rank, dest, what);
    }
  }
}

TEST(Scans, OfIntegers) {
  using Value       = std::int64_t;
  auto const serial = +[](std::vector<Value> all) { return scan_serially<Value>(all, Sum(), {}, false, false); };
  for (std::size_t const n : lengths)
    for (bool const in_place : {false, true})
      expect_scans<Value, Row<Value>, Row<Value>>(
          n, "inclusive", in_place, serial, [](auto const& from, auto const& dest, Value const& total) {
            Value found = 0;
            mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Total{found});
            EXPECT_EQ(found, total);
          });
  expect_scans<Value, Row<Value>, Row<Value>>(most, "inclusive, large", true, serial,
                                              [](auto const& from, auto const& dest, Value const&) {
                                                mpi::inclusive_scan("a label", MPI_COMM_WORLD, Exec(), from, dest);
                                              });
}

TEST(Scans, OfIntegersExclusive) {
  using Value       = std::int64_t;
  auto const serial = +[](std::vector<Value> all) { return scan_serially<Value>(all, Sum(), Value{7}, true, false); };
  Kokkos::View<Value, Kokkos::HostSpace> const init("init"), found("found");
  init() = 7;
  for (std::size_t const n : lengths)
    for (bool const in_place : {false, true})
      expect_scans<Value, Row<Value>, Row<Value>>(
          n, "exclusive", in_place, serial, [&](auto const& from, auto const& dest, Value const& total) {
            mpi::exclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, init, Total{found});
            EXPECT_EQ(found(), total);
          });
}

TEST(Scans, OfIntegersInStridesFromTheFarEnd) {
  using Value       = std::int64_t;
  auto const serial = +[](std::vector<Value> all) { return scan_serially<Value>(all, Sum(), Value{3}, false, true); };
  for (std::size_t const n : lengths)
    expect_scans<Value, Strided<Value>, Row<Value>>(
        n, "inclusive, reversed", false, serial, [&](auto const& from, auto const& dest, Value const& total) {
          Value found = 0;
          mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Sum(), Value{3}, Reversed{}, Total{found});
          EXPECT_EQ(found, total);
        });
}

TEST(Scans, OfBytes) {
  using Value       = std::uint8_t;
  auto const serial = +[](std::vector<Value> all) { return scan_serially<Value>(all, Sum(), {}, false, false); };
  for (std::size_t const n : lengths)
    expect_scans<Value, Row<Value>, Row<Value>>(n, "inclusive", false, serial,
                                                [](auto const& from, auto const& dest, Value const& total) {
                                                  Value found = 0;
                                                  mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Total{found});
                                                  EXPECT_EQ(found, total);
                                                });
}

TEST(Scans, OfMatricesWhichDoNotCommute) {
  using Value       = Matrix;
  auto const serial = +[](std::vector<Value> all) { return scan_serially<Value>(all, Then(), {}, false, false); };
  for (std::size_t const n : lengths)
    expect_scans<Value, Row<Value>, Row<Value>>(
        n, "inclusive", true, serial, [](auto const& from, auto const& dest, Value const& total) {
          Value found{};
          mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Then(), Total{found});
          EXPECT_EQ(found, total);
        });
  expect_scans<Value, Row<Value>, Row<Value>>(most, "inclusive, large", false, serial,
                                              [](auto const& from, auto const& dest, Value const&) {
                                                mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Then());
                                              });
}

TEST(Scans, OfMapsFromTheFarEnd) {
  using Value = Affine;
  auto const serial =
      +[](std::vector<Value> all) { return scan_serially<Value>(all, Then(), Value{3, 5, 1}, true, true); };
  for (std::size_t const n : lengths)
    expect_scans<Value, Row<Value>, Row<Value>>(
        n, "exclusive, reversed", false, serial, [](auto const& from, auto const& dest, Value const& total) {
          Value found{};
          mpi::exclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Value{3, 5, 1}, Then(), Reversed{}, Total{found});
          EXPECT_EQ(found, total);
        });
}

TEST(Scans, OfRecordsOf64Bytes) {
  using Value = Record;
  auto const serial =
      +[](std::vector<Value> all) { return scan_serially<Value>(all, Then(), Value(3, 5, 9), false, false); };
  for (std::size_t const n : lengths)
    expect_scans<Value, Row<Value>, Row<Value>>(
        n, "inclusive", false, serial, [](auto const& from, auto const& dest, Value const& total) {
          Value found(0, 0, 0);
          mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest, Then(), Value(3, 5, 9), Total{found});
          EXPECT_TRUE(found == total);
        });
}

}  // namespace
}  // namespace test
