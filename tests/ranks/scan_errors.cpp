// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "shares.hpp"

// What fails on one rank: it throws there, behind it in the same call, and on all ranks in their next one.
namespace test {
namespace {

namespace mpi = KokkosScan::mpi;
using KokkosScan::Reversed;
using KokkosScan::Sum;
using KokkosScan::Total;
using Exec = Kokkos::DefaultHostExecutionSpace;
using Row  = Kokkos::View<int*, Kokkos::HostSpace>;

template <class Call>
std::string thrown_by(Call const& call) {
  try {
    call();
  } catch (std::exception const& error) {
    return error.what();
  }
  return "";
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

struct Scan {
  Row from, dest;
  Scan(std::size_t n, std::size_t dest_n) : from("from", n), dest("dest", dest_n) {
    Kokkos::deep_copy(from, 1);
    Kokkos::deep_copy(dest, -1);
  }
};

void expect_told_in_the_next_call(int failing) {
  Row const in_place("in place", 2);
  Kokkos::deep_copy(in_place, 1);
  std::string const next = thrown_by([&] { mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), in_place, in_place); });
  EXPECT_TRUE(has(next, "rank " + std::to_string(failing) + " failed in the call before")) << next;
  EXPECT_EQ(in_place(0) + in_place(1), 2) << "no rank does that call";
  EXPECT_EQ(thrown_by([&] { mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), in_place, in_place); }), "");
  EXPECT_EQ(in_place(1), 2 * rank_of(MPI_COMM_WORLD) + 2);
}

TEST(Errors, OfArgumentsOnOneRank) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  for (int failing = 0; failing < size; ++failing)
    for (bool const has_total : {false, true}) {
      Scan const scan(3, rank == failing ? 2 : 3);
      int total               = -7;
      std::string const found = thrown_by([&] {
        if (has_total)
          mpi::inclusive_scan("label", comm, Exec(), scan.from, scan.dest, Total{total});
        else
          mpi::inclusive_scan("label", comm, Exec(), scan.from, scan.dest);
      });
      if (rank == failing) {
        EXPECT_TRUE(has(found, "label: ") && has(found, "from") && has(found, "3") && has(found, "2")) << found;
      } else if (rank > failing || has_total) {  // the last rank fails, or is behind it, so there is no total
        EXPECT_TRUE(has(found, "label: rank " + std::to_string(failing) + " failed in this call")) << found;
      } else {
        EXPECT_EQ(found, "");
      }
      if (rank >= failing) {
        EXPECT_EQ(scan.dest(0), -1) << "nothing is written";
      }
      EXPECT_EQ(total, -7);
      expect_told_in_the_next_call(failing);
    }
}

TEST(Errors, OfOverlapWhileSeveralArePending) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), failing = size_of(comm) / 2;
  Scan const good(2, 2), bad(4, 4);
  auto const part             = Kokkos::subview(bad.from, Kokkos::pair(0, 3));
  auto const shifted          = Kokkos::subview(bad.from, Kokkos::pair(1, 4));
  mpi::Pending first          = mpi::start_inclusive_scan(comm, Exec(), part, rank == failing ? shifted : part);
  mpi::Pending second         = mpi::start_inclusive_scan(comm, Exec(), good.from, good.dest, Reversed{});
  std::string const of_second = thrown_by([&] { second.wait(); }), of_first = thrown_by([&] { first.wait(); });
  EXPECT_EQ(of_second, "");
  EXPECT_EQ(good.dest(0), 2 * (size_of(comm) - rank));
  if (rank == failing) {
    EXPECT_TRUE(has(of_first, "overlap")) << of_first;
  } else {
    EXPECT_EQ(has(of_first, "rank " + std::to_string(failing) + " failed in this call"), rank > failing) << of_first;
  }
  expect_told_in_the_next_call(failing);
}

TEST(Errors, AreNotForgottenForThoseOfACallThatWasPending) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), failing = size_of(comm) / 2;
  Scan const good(2, 2), bad(2, rank == failing ? 1 : 2);
  (void)thrown_by([&] { mpi::inclusive_scan(comm, Exec(), bad.from, bad.dest); });
  mpi::Pending first  = mpi::start_inclusive_scan(comm, Exec(), good.from, good.dest);
  mpi::Pending second = mpi::start_inclusive_scan(comm, Exec(), bad.from, bad.dest);
  EXPECT_NE(thrown_by([&] { second.wait(); }), "");
  // That all know of the call before must not be taken for all knowing of the second.
  std::string const of_first = thrown_by([&] { first.wait(); });
  EXPECT_TRUE(has(of_first, "rank " + std::to_string(failing) + " failed in the call before")) << of_first;
  expect_told_in_the_next_call(failing);
}

/// Throws at a value.
struct Refuses {
  int value;
  int operator()(int left, int right) const {
    if (right == value) throw std::domain_error("op refuses");
    return left + right;
  }
};

TEST(Errors, OfAnOperatorOnOneRank) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  for (int failing = 0; failing < size; ++failing) {
    Scan const scan(20, 20);
    if (rank == failing) scan.from(11) = 99;
    int total = -7;
    std::string const found =
        thrown_by([&] { mpi::inclusive_scan(comm, Exec(), scan.from, scan.dest, Refuses{99}, 0, Total{total}); });
    if (rank == failing) {
      EXPECT_EQ(found, "op refuses");
    } else {
      EXPECT_TRUE(has(found, "rank " + std::to_string(failing) + " failed in this call")) << found;
    }
    EXPECT_EQ(total, -7);
    expect_told_in_the_next_call(failing);
  }
}

TEST(Errors, OfAnOperatorBehindTheExchange) {
  // 20 ones on each rank: that of the last rank refuses what its scan comes to, and no aggregate is.
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), size = size_of(comm);
  if (size < 2) return;
  struct RefusesASum {
    int value;
    int operator()(int left, int right) const {
      if (left + right == value) throw std::domain_error("op refuses");
      return left + right;
    }
  };
  Scan const scan(20, 20);
  int total               = -7;
  std::string const found = thrown_by(
      [&] { mpi::inclusive_scan(comm, Exec(), scan.from, scan.dest, RefusesASum{20 * (size - 1) + 5}, Total{total}); });
  if (rank == size - 1) {
    EXPECT_EQ(found, "op refuses");
  } else {
    EXPECT_TRUE(has(found, "rank " + std::to_string(size - 1) + " failed in this call")) << found;
    EXPECT_EQ(scan.dest(19), 20 * (rank + 1));
  }
  EXPECT_EQ(total, -7);
  expect_told_in_the_next_call(size - 1);
}

}  // namespace
}  // namespace test
