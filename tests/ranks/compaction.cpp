// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/compaction.hpp>
#include <KokkosScan/mpi/offsets.hpp>
#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "placed.hpp"

namespace {

namespace mpi = KokkosScan::mpi;
using KokkosScan::Total;
using test::Placed;
using test::Shares;

using Exec = Kokkos::DefaultExecutionSpace;

std::vector<int> drawn(std::size_t n, int most) {
  std::mt19937 random(static_cast<unsigned>(n + 1));
  std::vector<int> all(n);
  for (int& one : all) one = static_cast<int>(random() % static_cast<unsigned>(most + 1));
  return all;
}

/// What stands before each of all elements, and behind them.
std::vector<std::int64_t> sums(std::vector<int> const& counts) {
  std::vector<std::int64_t> all{0};
  for (int const count : counts) all.push_back(all.back() + count);
  return all;
}
std::vector<std::int64_t> own_sums(std::vector<std::int64_t> const& all, Shares const& shares) {
  auto const at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  return {at(shares.begin(test::rank_of_world())), at(shares.end(test::rank_of_world())) + 1};
}

TEST(OffsetsAcrossRanks, GoOnFromRankToRank) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 13, 5000, 100001}) {
    auto const counts = drawn(n, 9);
    auto const right  = sums(counts);
    for (Shares const& shares : test::all_shares(n)) {
      std::size_t const count = test::own_count(shares);
      auto const expected     = own_sums(right, shares);
      Placed<int> from(test::own(counts, shares), 1);
      Placed<std::int64_t> offsets({}, 1, count + 1), strided({}, 2, count + 1);
      mpi::offsets_from_counts(MPI_COMM_WORLD, Exec(), from.row(), offsets.row());
      EXPECT_EQ(offsets.read(count + 1), expected) << shares.name << ", n " << n;
      EXPECT_TRUE(offsets.is_untouched_but(count + 1));
      std::int64_t total = -1;
      mpi::offsets_from_counts("label", MPI_COMM_WORLD, Exec(), from.row(), strided.strided(), Total{total});
      EXPECT_EQ(strided.read(count + 1), expected) << shares.name << ", n " << n;
      EXPECT_EQ(total, right.back());

      auto const own = test::own(counts, shares);
      Placed<std::int64_t> in_place(std::vector<std::int64_t>(own.begin(), own.end()), 1, 1);
      Kokkos::View<std::int64_t, Exec> const sum("sum");
      mpi::offsets_from_counts(MPI_COMM_WORLD, Exec(), in_place.row(), Total{sum});
      EXPECT_EQ(in_place.read(count + 1), expected) << shares.name << ", n " << n;
      Kokkos::deep_copy(total, sum);
      EXPECT_EQ(total, right.back());
    }
  }
}

TEST(OffsetsAcrossRanks, MayBeEmptyWithTheirCounts) {
  bool const is_first = test::rank_of_world() == 0;
  Placed<int> counts(std::vector<int>(is_first ? 0 : 3, 2), 1);
  Placed<std::int64_t> offsets({}, 1, is_first ? 0 : 4);
  std::int64_t total = -1;
  mpi::offsets_from_counts(MPI_COMM_WORLD, KokkosScan::Handle(Exec()), counts.row(), offsets.row(), Total{total});
  EXPECT_EQ(total, 6 * (test::size_of_world() - 1));
  if (!is_first) {
    EXPECT_EQ(offsets.read(1)[0], 6 * (test::rank_of_world() - 1));
  }
}

TEST(OffsetsAcrossRanks, ATotalThatDoesNotFitIsToldToAll) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  Placed<std::int32_t> counts(std::vector<std::int32_t>(2, most / 2), 1), offsets({}, 1, 3);
  std::int64_t const right = std::int64_t{2} * (most / 2) * test::size_of_world();
  bool const fits          = test::size_of_world() == 1;
  std::int64_t total       = 0;
  std::string const thrown = test::thrown_by(
      [&] { mpi::offsets_from_counts(MPI_COMM_WORLD, Exec(), counts.row(), offsets.row(), Total{total}); });
  EXPECT_EQ(total, right);
  EXPECT_EQ(thrown.substr(0, 14), fits ? "" : "overflow_error") << thrown;
  KokkosScan::Handle const checking(Exec(), KokkosScan::Options{.check = true});
  std::string const checked =
      test::thrown_by([&] { mpi::offsets_from_counts(MPI_COMM_WORLD, checking, counts.row(), offsets.row()); });
  EXPECT_EQ(checked.substr(0, 14), fits ? "" : "overflow_error") << checked;
}

TEST(OffsetsAcrossRanks, AWrongArgumentOfOneRankIsToldToAll) {
  int const failing = test::size_of_world() / 2, rank = test::rank_of_world();
  Placed<int> counts(std::vector<int>(3, 1), 1), offsets(std::vector<int>(4, -1), 1);
  decltype(offsets.row()) const few(offsets.row().data(), 3);
  int total             = -7;
  auto const thrown_by_ = [&](auto const& to, auto const&... behind) {
    return test::thrown_by([&] { mpi::offsets_from_counts(MPI_COMM_WORLD, Exec(), counts.row(), to, behind...); });
  };
  // With a total all learn it at once, and the next call is as any other.
  std::string const first = thrown_by_(rank == failing ? few : offsets.row(), Total{total});
  EXPECT_TRUE(test::holds(first, rank == failing ? "invalid_argument" : "rank " + std::to_string(failing) + " failed"))
      << first;
  EXPECT_EQ(offsets.read(1)[0], -1);
  EXPECT_EQ(total, -7);
  EXPECT_EQ(thrown_by_(offsets.row(), Total{total}), "");
  EXPECT_EQ(total, 3 * test::size_of_world());
  // Without one those before learn it at their next call.
  std::string const second = thrown_by_(rank == failing ? few : offsets.row());
  EXPECT_EQ(second.empty(), rank < failing) << second;
  EXPECT_TRUE(test::holds(thrown_by_(offsets.row()), "in the call before"));
  EXPECT_EQ(thrown_by_(offsets.row()), "");
}

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(int x) const { return x % 2 == 1; }
};

TEST(CopyIfAcrossRanks, TellsWhereWhatIsChosenStands) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 29, 4000, 90001}) {
    auto const all = drawn(n, 1000);
    for (Shares const& shares : test::all_shares(n)) {
      std::size_t const count = test::own_count(shares);
      std::size_t before = 0, total = 0, i = 0;
      std::vector<int> chosen;
      for (int const one : all) {
        bool const is_mine = i >= shares.begin(test::rank_of_world()) && i < shares.end(test::rank_of_world());
        if (IsOdd()(one)) {
          ++total;
          before += i < shares.begin(test::rank_of_world());
          if (is_mine) chosen.push_back(one);
        }
        ++i;
      }
      Placed<int> from(test::own(all, shares), 1), flags(from.read(count), 1), dest({}, 1, count);
      for (bool const by_flags : {false, true}) {
        if (by_flags) {
          dest = Placed<int>({}, 1, count);
          std::vector<int> odd;
          for (int const one : test::own(all, shares)) odd.push_back(IsOdd()(one));
          flags = Placed<int>(odd, 1);
        }
        mpi::Share const share = by_flags
                                     ? mpi::copy_flagged(MPI_COMM_WORLD, Exec(), from.row(), flags.row(), dest.row())
                                     : mpi::copy_if("label", MPI_COMM_WORLD, Exec(), from.row(), dest.row(), IsOdd());
        EXPECT_EQ(share.count, chosen.size()) << shares.name << ", n " << n;
        EXPECT_EQ(share.before, before) << shares.name << ", n " << n;
        EXPECT_EQ(share.total, total) << shares.name << ", n " << n;
        EXPECT_EQ(dest.read(chosen.size()), chosen) << shares.name << ", n " << n;
      }
    }
  }
}

TEST(CopyIfAcrossRanks, AWrongArgumentOfOneRankIsToldToAll) {
  int const failing = test::size_of_world() - 1, rank = test::rank_of_world();
  Placed<int> from(std::vector<int>(3, 1), 1), dest({}, 1, 3);
  mpi::Share share{};
  auto const copy_to = [&](auto const& to) {
    return test::thrown_by([&] { share = mpi::copy_if(MPI_COMM_WORLD, Exec(), from.row(), to, IsOdd()); });
  };
  std::string const thrown = copy_to(rank == failing ? from.row() : dest.row());
  EXPECT_TRUE(test::holds(thrown, rank == failing ? "invalid_argument" : "rank " + std::to_string(failing) + " failed"))
      << thrown;
  EXPECT_EQ(copy_to(dest.row()), "");
  EXPECT_EQ(share.total, 3 * static_cast<std::size_t>(test::size_of_world()));
}

/// What all know of this call in this call is not told again; what failed beside it is.
TEST(CopyIfAcrossRanks, ForgetsNoFailureOfWhatIsPending) {
  int const rank = test::rank_of_world();
  Placed<int> from(std::vector<int>(3, 1), 1), dest({}, 1, 3);
  std::string pending;
  auto const scan = [&] {
    return test::thrown_by([&] { mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), from.row(), dest.row()); });
  };
  {
    std::size_t const length = rank == 0 ? 1 : 3;
    mpi::Pending started =
        mpi::start_inclusive_scan(MPI_COMM_WORLD, Exec(), from.row(),
                                  Kokkos::subview(dest.row(), std::pair<std::size_t, std::size_t>(0, length)));
    EXPECT_NE(test::thrown_by([&] {
                mpi::copy_if(MPI_COMM_WORLD, Exec(), from.row(), rank == 0 ? from.row() : dest.row(), IsOdd());
              }),
              "");
    pending = test::thrown_by([&] { started.wait(); });
  }
  EXPECT_NE(pending, "");  // it was the first rank's
  EXPECT_TRUE(test::holds(scan(), "in the call before"));
  EXPECT_EQ(scan(), "");
}

}  // namespace
