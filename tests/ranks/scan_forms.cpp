// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "shares.hpp"
#include "support/random.hpp"

// The forms of scans across ranks that differ from those of one rank: bits, totals of nothing, what the options of a
// Handle ask for.
namespace test {
namespace {

namespace mpi = KokkosScan::mpi;
using KokkosScan::As;
using KokkosScan::Handle;
using KokkosScan::Options;
using KokkosScan::Product;
using KokkosScan::Reversed;
using KokkosScan::Sum;
using KokkosScan::Total;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Value>
using Row = Kokkos::View<Value*, Kokkos::HostSpace>;

std::vector<double> random_fractions(std::size_t n) {
  Random random(n);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(random.fraction() - 0.5);
  return values;
}

TEST(ScansOfDoubles, HaveTheSameBitsEachTimeAndTheTotalThoseOfTheLastElement) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  std::size_t const n = 100003;
  auto const all      = random_fractions(n);
  for (Shares const& shares : all_shares(size, n)) {
    auto const from = share_of<Row<double>>(all, shares, rank);
    std::vector<std::uint64_t> first;
    for (int repeat = 0; repeat < 3; ++repeat) {
      Row<double> const dest("dest", from.extent(0));
      double total = 0;
      mpi::inclusive_scan(comm, Exec(), from, dest, Total{total});
      std::vector<std::uint64_t> bits;
      for (std::size_t i = 0; i < dest.extent(0); ++i) bits.push_back(std::bit_cast<std::uint64_t>(dest(i)));
      if (repeat == 0) first = bits;
      EXPECT_TRUE(bits == first) << shares.name;

      // The last element is where the last share with any is.
      double last = 0;
      int owner   = size - 1;
      while (shares.begin(owner) == shares.end(owner)) --owner;
      if (rank == owner) last = dest(dest.extent(0) - 1);
      MPI_Bcast(&last, 1, MPI_DOUBLE, owner, comm);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(last), std::bit_cast<std::uint64_t>(total)) << shares.name;

      double exact = 0;
      for (double const value : all) exact += value;
      EXPECT_NEAR(total, exact, 1e-9);
    }
  }
}

struct Half {
  double operator()(std::int32_t value) const { return 0.5 * value; }
};

TEST(ScansOfDoubles, OfOtherTypesByWayOfAFunction) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  std::size_t const n = 5000;
  std::vector<std::int32_t> all;
  std::vector<double> halves;
  Random random(1);
  for (std::size_t i = 0; i < n; ++i) halves.push_back(0.5 * all.emplace_back(static_cast<int>(random.between(-9, 9))));
  auto const inclusive = scan_serially<double>(halves, Sum(), 2.0, false, true);
  auto const exclusive = scan_serially<double>(halves, Sum(), 2.0, true, false);
  for (Shares const& shares : all_shares(size, n)) {
    auto const from = share_of<Row<std::int32_t>>(all, shares, rank);
    Row<float> const dest("dest", from.extent(0) + 3);  // longer than from
    Kokkos::deep_copy(dest, -1.0f);
    Kokkos::View<double, Kokkos::HostSpace> const total("total");
    mpi::transform_inclusive_scan(comm, Exec(), from, dest, Sum(), Half(), 2.0, As<double>{}, Reversed{}, Total{total});
    expect_share(inclusive.results, shares, rank, dest, "inclusive");
    EXPECT_EQ(total(), *inclusive.total);
    mpi::transform_exclusive_scan("a label", comm, Exec(), from, dest, 2.0, Sum(), Half(), As<double>{});
    expect_share(exclusive.results, shares, rank, dest, "exclusive");
    for (std::size_t i = from.extent(0); i < dest.extent(0); ++i) EXPECT_EQ(dest(i), -1.0f);
  }
}

/// An operator that has no identity.
struct Later {
  int operator()(int, int right) const { return right; }
};

TEST(TotalsOfNothing, AreInitOrTheIdentityOrAnErrorOnAllRanks) {
  auto const comm = MPI_COMM_WORLD;
  Row<int> const none("none", 0);
  Kokkos::View<int, Kokkos::HostSpace> const init("init");
  init()    = 17;
  int total = 5;
  mpi::inclusive_scan(comm, Exec(), none, none, Total{total});
  EXPECT_EQ(total, 0);
  mpi::inclusive_scan(comm, Exec(), none, none, Product(), Total{total});
  EXPECT_EQ(total, 1);
  mpi::exclusive_scan(comm, Exec(), none, none, init, Later(), Total{total});
  EXPECT_EQ(total, 17);
  total = 5;
  EXPECT_THROW(mpi::inclusive_scan(comm, Exec(), none, none, Later(), Total{total}), std::invalid_argument);
  EXPECT_EQ(total, 5);
  // No rank failed that others would have to be told of.
  mpi::exclusive_scan(comm, Exec(), none, none, 3, Later(), Reversed{}, Total{total});
  EXPECT_EQ(total, 3);
  mpi::inclusive_scan(comm, Exec(), none, none, Later());
}

/// What a call throws, or nothing.
template <class Call>
std::string thrown_by(Call const& call) {
  try {
    call();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

TEST(Agreement, OfAllRanksIsCheckedIfAskedFor) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), last = size_of(comm) - 1;
  bool const is_last = rank == last;
  Handle const checking(Exec(), Options{.check = true});
  Row<int> const few("few", 2);
  Row<long> const longer("longer", 2);
  Kokkos::deep_copy(few, 1);
  mpi::inclusive_scan(comm, checking, few, few);
  EXPECT_EQ(few(0), 2 * rank + 1);

  Kokkos::deep_copy(few, 1);
  auto const expect_told = [&](std::string const& text, std::string const& first, std::string const& other) {
    if (last == 0) {
      EXPECT_EQ(text, "");
      return;
    }
    EXPECT_NE(text.find("rank 0 says \""), std::string::npos) << text;
    EXPECT_NE(text.find("rank " + std::to_string(last) + " says \""), std::string::npos) << text;
    EXPECT_NE(text.find(first), std::string::npos) << text;
    EXPECT_NE(text.find(other), std::string::npos) << text;
  };
  expect_told(thrown_by([&] {
                if (is_last)
                  mpi::inclusive_scan(comm, checking, longer, longer);
                else
                  mpi::inclusive_scan(comm, checking, few, few);
              }),
              "of int (4 bytes)", "of long");
  expect_told(thrown_by([&] { mpi::inclusive_scan(is_last ? "theirs" : "ours", comm, checking, few, few); }), "ours",
              "theirs");
  std::string const long_label(300, 'x');  // what differs is behind what fits
  expect_told(thrown_by([&] { mpi::inclusive_scan(long_label + (is_last ? "b" : "a"), comm, checking, few, few); }),
              "xxx", "xxx");
  expect_told(thrown_by([&] {
                if (is_last)
                  (void)mpi::start_exclusive_scan("label", comm, checking, few, few, 0);
                else
                  (void)mpi::start_inclusive_scan("label", comm, checking, few, few);
              }),
              "inclusive", "exclusive");
}

TEST(Scans, OfAHandleWithEveryGridOfTheHost) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  std::size_t const n = 200001;
  auto const all      = random_fractions(n);
  std::vector<std::int64_t> integers;
  for (double const value : all) integers.push_back(static_cast<std::int64_t>(1e6 * value));
  auto const expected = scan_serially<std::int64_t>(integers, Sum(), {}, false, false);
  Shares const shares = all_shares(size, n)[0];
  auto const from     = share_of<Row<std::int64_t>>(integers, shares, rank);
  for (KokkosScan::GridScan const grid : KokkosScan::host::Backend::grids) {
    Row<std::int64_t> const dest("dest", from.extent(0));
    mpi::inclusive_scan(comm, Handle(Exec(), Options{.grid = grid}), from, dest);
    expect_share(expected.results, shares, rank, dest, to_string(grid));
  }
  Row<std::int64_t> const dest("dest", from.extent(0));
  mpi::inclusive_scan(comm, Handle<Exec, KokkosScan::portable::Backend>(), from, dest);
  expect_share(expected.results, shares, rank, dest, "portable");
  mpi::Pending pending = mpi::start_inclusive_scan(comm, Handle<Exec, KokkosScan::portable::Backend>(), dest, dest);
  pending.wait();
}

}  // namespace
}  // namespace test
