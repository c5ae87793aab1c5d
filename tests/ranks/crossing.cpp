// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "shares.hpp"
#include "src/ranks/crossing.hpp"
#include "support/affine_map.hpp"

namespace {

using KokkosScan::core::Maybe;
using KokkosScan::ranks::Channel;
using KokkosScan::ranks::Crossing;
using test::rank_of;
using test::size_of;

using Affine = test::AffineMap;
using test::Compose;
Affine value_of(int rank) { return {static_cast<std::uint64_t>(2 * rank + 3), static_cast<std::uint64_t>(rank + 1)}; }

Maybe<Affine> nothing() { return {}; }

/// What the ranks before one combine to, where only those that `has` names have a value.
template <class Has>
std::optional<Affine> expected(int rank, int size, bool reversed, Has const& has) {
  std::optional<Affine> before;
  for (int k = 0; k < size; ++k) {
    int const at = reversed ? size - 1 - k : k;
    if (at == rank) break;
    if (has(at)) before = before ? Compose()(*before, value_of(at)) : value_of(at);
  }
  return before;
}

template <class Has>
void expect_crossing(bool reversed, Has const& has) {
  auto const comm = MPI_COMM_WORLD;
  int const rank  = rank_of(comm);
  Crossing<Affine, Compose> crossing(Channel::of(comm, "test"), "test", reversed, Compose{},
                                     [&] { return has(rank) ? Maybe<Affine>(value_of(rank)) : nothing(); });
  Maybe<Affine> const before = crossing.wait();
  auto const right           = expected(rank, size_of(comm), reversed, has);
  EXPECT_EQ(right.has_value(), static_cast<bool>(before));
  if (right && before) {
    EXPECT_EQ(*right, *before);
  }
}

TEST(Crossing, CombinesInTheOrderOfTheRanks) {
  for (bool const reversed : {false, true}) {
    expect_crossing(reversed, [](int) { return true; });
    expect_crossing(reversed, [](int) { return false; });
    expect_crossing(reversed, [](int rank) { return rank % 2 == 1; });
    expect_crossing(reversed, [](int rank) { return rank % 3 == 0; });
    expect_crossing(reversed, [](int rank) { return rank == 1; });
  }
}

TEST(Crossing, GoesOnWhileACallerTests) {
  auto const comm = MPI_COMM_WORLD;
  int const rank  = rank_of(comm);
  auto const all  = [](int) { return true; };
  Crossing<Affine, Compose> first(Channel::of(comm, "test"), "test", false, Compose{},
                                  [&] { return Maybe<Affine>(value_of(rank)); });
  Crossing<Affine, Compose> second(Channel::of(comm, "test"), "test", true, Compose{},
                                   [&] { return Maybe<Affine>(value_of(rank)); });
  while (!second.test()) first.test();
  while (!first.test()) {
  }
  auto const right           = expected(rank, size_of(comm), false, all),
             right_reversed  = expected(rank, size_of(comm), true, all);
  Maybe<Affine> const before = first.wait(), before_reversed = second.wait();
  EXPECT_TRUE(right ? *right == *before : !before);
  EXPECT_TRUE(right_reversed ? *right_reversed == *before_reversed : !before_reversed);
}

/// What waiting for a crossing throws, or nothing.
template <class Own>
std::string thrown_by_crossing(Own const& own) {
  Crossing<Affine, Compose> crossing(Channel::of(MPI_COMM_WORLD, "test"), "test", false, Compose{}, own);
  try {
    crossing.wait();
  } catch (std::exception const& error) {
    return error.what();
  }
  return "";
}

TEST(Crossing, TellsThoseBehindAtOnceAndThoseBeforeAtTheirNextCall) {
  auto const comm = MPI_COMM_WORLD;
  int const rank = rank_of(comm), failing = size_of(comm) / 2;
  auto const right  = [&] { return Maybe<Affine>(value_of(rank)); };
  auto const failed = [&]() -> Maybe<Affine> {
    if (rank == failing) throw std::invalid_argument("own failure");
    return value_of(rank);
  };
  std::string const name = "rank " + std::to_string(failing);
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::string const now = thrown_by_crossing(failed);
    if (rank < failing) {
      EXPECT_EQ(now, "");
    } else if (rank == failing) {
      EXPECT_EQ(now, "own failure");
    } else {
      EXPECT_NE(now.find(name + " failed in this call"), std::string::npos) << now;
    }
    std::string const next = thrown_by_crossing(right);
    EXPECT_NE(next.find(name + " failed in the call before"), std::string::npos) << next;
    EXPECT_EQ(thrown_by_crossing(right), "");
  }
}

struct Refuses {
  Affine operator()(Affine const& left, Affine const& right) const {
    if (right.factor == 7) throw std::domain_error("op");  // that of rank 2, whatever is behind it
    return Compose()(left, right);
  }
};

TEST(Crossing, GoesOnWhereAnOperatorThrows) {
  auto const comm = MPI_COMM_WORLD;
  int const rank  = rank_of(comm);
  if (size_of(comm) < 3) return;
  std::string thrown;
  try {
    Crossing<Affine, Refuses> crossing(Channel::of(comm, "test"), "test", false, Refuses{},
                                       [&] { return Maybe<Affine>(value_of(rank)); });
    crossing.wait();
  } catch (std::exception const& error) {
    thrown = error.what();
  }
  if (rank < 2) {
    EXPECT_EQ(thrown, "");
  } else if (rank == 2) {
    EXPECT_EQ(thrown, "op");
  }
  EXPECT_NE(thrown_by_crossing([&] { return Maybe<Affine>(value_of(rank)); }), "");
  EXPECT_EQ(thrown_by_crossing([&] { return Maybe<Affine>(value_of(rank)); }), "");
}

TEST(Channel, IsOfOneCommunicator) {
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, -rank_of(MPI_COMM_WORLD), &other);
  Channel& channel = Channel::of(other, "test");
  EXPECT_NE(&channel, &Channel::of(MPI_COMM_WORLD, "test"));
  EXPECT_EQ(&channel, &Channel::of(other, "test"));
  EXPECT_EQ(channel.size(), size_of(other));
  MPI_Comm_free(&other);
  EXPECT_THROW(Channel::of(MPI_COMM_NULL, "test"), std::invalid_argument);
}

TEST(Channel, IsNotThatOfACommunicatorThatWasFreed) {
  // MPI may give a communicator the handle of one that is gone.
  for (int const ranks : {size_of(MPI_COMM_WORLD), 1, 2}) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) / ranks, 0, &some);
    Channel& channel = Channel::of(some, "test");
    int compared     = MPI_UNEQUAL;
    MPI_Comm_compare(channel.comm(), some, &compared);
    EXPECT_EQ(compared, MPI_CONGRUENT) << ranks << " ranks";
    MPI_Comm_free(&some);
  }
}

/// MPI promises tags for 511 only; more than that may have been started.
TEST(Channel, HasTagsForMoreOperationsThanMpiPromises) {
  int *greatest = nullptr, is_known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&greatest), &is_known);
  if (!is_known || *greatest < 600 * Channel::tags_each) GTEST_SKIP() << "this MPI has no more";
  Channel& channel = Channel::of(MPI_COMM_WORLD, "test");
  std::set<int> tags;
  for (int k = 0; k < 600; ++k) tags.insert(channel.begin_operation());
  EXPECT_EQ(tags.size(), 600U);
  EXPECT_LE(*tags.rbegin() + Channel::tags_each - 1, *greatest);
}

}  // namespace
