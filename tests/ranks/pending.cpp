// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shares.hpp"
#include "support/monoids.hpp"
#include "support/random.hpp"

// Scans that have been started: several at a time, waited for in different orders, given up.
namespace test {
namespace {

namespace mpi = KokkosScan::mpi;
using KokkosScan::Reversed;
using KokkosScan::Sum;
using KokkosScan::Total;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Value>
using Row = Kokkos::View<Value*, Kokkos::HostSpace>;

std::vector<Affine> random_maps(std::size_t n) {
  Random random(n);
  std::vector<Affine> maps;
  for (std::size_t i = 0; i < n; ++i) maps.push_back(Affine::random(random));
  return maps;
}
std::vector<std::int64_t> numbers(std::size_t n) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<std::int64_t>(i * i % 1013));
  return all;
}

static_assert(!std::is_copy_constructible_v<mpi::Pending> && std::is_nothrow_move_constructible_v<mpi::Pending> &&
              std::is_nothrow_move_assignable_v<mpi::Pending>);

TEST(Pending, SeveralAtATimeInEveryOrder) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  std::size_t const n      = 2003;
  auto const maps          = random_maps(n);
  auto const integers      = numbers(n);
  auto const expected_maps = scan_serially<Affine>(maps, Then(), Affine{1, 1, 0}, true, false);
  auto const expected_sums = scan_serially<std::int64_t>(integers, Sum(), {}, false, true);
  for (Shares const& shares : all_shares(size, n))
    for (int order = 0; order < 4; ++order) {
      auto const maps_here = share_of<Row<Affine>>(maps, shares, rank);
      auto const from      = share_of<Row<std::int64_t>>(integers, shares, rank);
      Row<std::int64_t> const sums("sums", from.extent(0)), more("more", from.extent(0));
      Affine total_of_maps{};
      Kokkos::View<std::int64_t, Kokkos::HostSpace> const total("total");
      {
        mpi::Pending first    = mpi::start_exclusive_scan(comm, Exec(), maps_here, maps_here, Affine{1, 1, 0}, Then(),
                                                          Total{total_of_maps});
        mpi::Pending second   = mpi::start_inclusive_scan("second", comm, Exec(), from, sums, Reversed{}, Total{total});
        std::int64_t own_work = 0;
        for (std::size_t i = 0; i < from.extent(0); ++i) own_work += from(i);
        // Ranks wait in different orders, some make another call across ranks first, some ask and do not wait.
        switch (order == 3 ? rank % 3 : order) {
          case 0:
            first.wait();
            second.wait();
            mpi::inclusive_scan(comm, Exec(), from, more);
            break;
          case 1:
            second.wait();
            mpi::inclusive_scan(comm, Exec(), from, more);
            first.wait();
            break;
          default:
            mpi::inclusive_scan(comm, Exec(), from, more);
            while (!second.test()) {
            }
            while (!first.test()) {
            }
            first.wait();
            second.wait();
        }
        EXPECT_GE(own_work, 0);
        EXPECT_TRUE(first.test() && second.test());
        first.wait();  // does nothing any more
      }
      expect_share(expected_maps.results, shares, rank, maps_here, "maps");
      expect_share(expected_sums.results, shares, rank, sums, "sums");
      EXPECT_EQ(total_of_maps, *expected_maps.total);
      EXPECT_EQ(total(), *expected_sums.total);
    }
}

TEST(Pending, IsMoved) {
  auto const comm = MPI_COMM_WORLD;
  int const rank  = rank_of(comm);
  std::vector<mpi::Pending> all;
  std::vector<Row<std::int64_t>> rows;
  for (int k = 0; k < 5; ++k) {
    rows.emplace_back("row", 1);
    rows.back()(0) = k;
    all.push_back(mpi::start_inclusive_scan(comm, Exec(), rows.back(), rows.back()));
  }
  mpi::Pending other = std::move(all.back());
  all.back()         = mpi::start_inclusive_scan(comm, Exec(), Row<int>("a", 1), Row<int>("b", 1));
  for (mpi::Pending& one : all) one.wait();
  other.wait();
  for (int k = 0; k < 5; ++k) EXPECT_EQ(rows[static_cast<std::size_t>(k)](0), k * (rank + 1));
}

TEST(Pending, GivenUpLeavesNobodyWaiting) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  for (int quitter = 0; quitter < size; ++quitter) {
    Row<int> const from("from", 3), dest("dest", 3);
    Kokkos::deep_copy(from, 1);
    int total = -1;
    std::string thrown;
    {
      mpi::Pending pending = mpi::start_inclusive_scan(comm, Exec(), from, dest, Total{total});
      if (rank != quitter) try {
          pending.wait();
        } catch (std::runtime_error const& error) {
          thrown = error.what();
        }
    }
    if (rank != quitter) {
      EXPECT_EQ(dest(2), 3 * (rank + 1));
      bool const is_missed = quitter == size - 1;  // which has the last element
      EXPECT_EQ(thrown.find("rank " + std::to_string(quitter) + " failed") != std::string::npos, is_missed) << thrown;
      EXPECT_EQ(total, is_missed ? -1 : 3 * size);
    } else {
      EXPECT_EQ(total, -1);
    }
  }
  // Nobody failed that others would have to be told of.
  Row<int> const one("one", 1);
  mpi::inclusive_scan(comm, Exec(), one, one);
}

TEST(Pending, OutlivesItsCommunicator) {
  int const rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  Row<std::int64_t> const from("from", 3), dest("dest", 3);
  Kokkos::deep_copy(from, 1);
  for (bool const is_waited_for : {true, false}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Kokkos::deep_copy(dest, -1);
    {
      mpi::Pending pending = mpi::start_inclusive_scan(comm, Exec(), from, dest);
      MPI_Comm_free(&comm);
      if (is_waited_for) pending.wait();
    }
    if (is_waited_for) {
      EXPECT_EQ(dest(2), 3 * (rank + 1)) << rank << " of " << size;
    }
  }
}

/// The first call with a communicator duplicates it, on all ranks; what the last one waits for goes on meanwhile: from
/// three ranks on that needs more of the first than it has sent when it starts.
TEST(Pending, GoesOnWhileANewCommunicatorIsTaken) {
  int const rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Row<std::int64_t> const from("from", 3), dest("dest", 3), other("other", 3);
  Kokkos::deep_copy(from, 1);
  mpi::Pending pending = mpi::start_inclusive_scan(MPI_COMM_WORLD, Exec(), from, dest);
  if (rank + 1 < size) {
    mpi::inclusive_scan(comm, Exec(), from, other);
    pending.wait();
  } else {
    pending.wait();
    mpi::inclusive_scan(comm, Exec(), from, other);
  }
  EXPECT_EQ(dest(2), 3 * (rank + 1));
  EXPECT_EQ(other(2), 3 * (rank + 1));
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace test
