// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/rebalance.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "placed.hpp"

namespace {

namespace mpi   = KokkosScan::mpi;
namespace ranks = KokkosScan::ranks;
using test::Placed;
using test::Shares;

using Exec = Kokkos::DefaultExecutionSpace;

/// Of 24 bytes, unlike all others.
struct Element {
  std::array<std::uint64_t, 3> words;
  bool operator==(Element const&) const = default;
};
template <class T>
T element(std::size_t i) {
  if constexpr (std::is_same_v<T, Element>)
    return {{i, ~i, i * i}};
  else
    return static_cast<T>(i * 7 + 1);
}

/// floor(rank n / ranks), where the product fits.
std::size_t begin_of_share(std::size_t n, int rank) {
  return n * static_cast<std::size_t>(rank) / static_cast<std::size_t>(test::size_of_world());
}

template <class T>
void expect_equal_shares(std::size_t n, std::size_t stride, std::size_t most) {
  std::vector<T> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(element<T>(i));
  int const rank          = test::rank_of_world();
  std::size_t const begin = begin_of_share(n, rank), count = begin_of_share(n, rank + 1) - begin;
  std::vector<T> const right(all.begin() + static_cast<std::ptrdiff_t>(begin),
                             all.begin() + static_cast<std::ptrdiff_t>(begin + count));
  for (Shares const& shares : test::all_shares(n)) {
    Placed<T> from(test::own(all, shares), stride), dest({}, stride, count + 1);
    mpi::Share const share = mpi::balanced_share(MPI_COMM_WORLD, test::own_count(shares));
    mpi::Share moved{};
    if (stride > 1)
      moved = ranks::rebalance("label", MPI_COMM_WORLD, Exec(), from.strided(), dest.strided(), most);
    else if (most < ranks::most_in_message)
      moved = ranks::rebalance("label", MPI_COMM_WORLD, Exec(), from.row(), dest.row(), most);
    else
      moved = mpi::rebalance(MPI_COMM_WORLD, KokkosScan::Handle(Exec()), from.row(), dest.row());
    for (mpi::Share const& each : {share, moved}) {
      EXPECT_EQ(each.count, count) << shares.name << ", n " << n;
      EXPECT_EQ(each.before, begin) << shares.name << ", n " << n;
      EXPECT_EQ(each.total, n) << shares.name;
    }
    EXPECT_TRUE(dest.read(count) == right) << shares.name << ", n " << n << ", stride " << stride << ", most " << most;
    EXPECT_TRUE(dest.is_untouched_but(count)) << shares.name << ", n " << n;
    EXPECT_TRUE(from.is_untouched_but(0)) << shares.name << ", n " << n;
  }
}

TEST(Rebalance, SharesEquallyInOrder) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 17, 1000, 60011})
    expect_equal_shares<int>(n, 1, ranks::most_in_message);
}
TEST(Rebalance, TakesSeveralMessages) {
  for (std::size_t const n : std::vector<std::size_t>{1, 63, 2000}) expect_equal_shares<int>(n, 1, 7);
}
TEST(Rebalance, TakesLargeElementsFarApart) {
  for (std::size_t const n : std::vector<std::size_t>{1, 50, 3001}) expect_equal_shares<Element>(n, 3, 1000);
}

TEST(Rebalance, OfMoreElementsThanProductsHold) {
  std::size_t const total = ~std::size_t{0} - 5;
  for (int const count : {1, 3, 16, 100000}) {
    std::size_t end = 0;
    for (int rank = 0; rank < count; ++rank) {
      mpi::Share const share = ranks::equal_share(total, count, rank);
      if (share.before != end || share.count > total / static_cast<std::size_t>(count) + 1 ||
          share.count < total / static_cast<std::size_t>(count)) {
        ADD_FAILURE() << rank << " of " << count;
        break;
      }
      EXPECT_EQ(ranks::owner_of_equal_share(total, count, end), rank);
      end += share.count;
      EXPECT_EQ(ranks::owner_of_equal_share(total, count, end - 1), rank);
    }
    EXPECT_EQ(end, total);
  }
}

TEST(Rebalance, WritesNothingIfDestOfOneRankIsTooShort) {
  int const failing = test::size_of_world() / 2, rank = test::rank_of_world();
  Placed<int> from(std::vector<int>(rank == 0 ? 100 : 0, 5), 1);
  std::size_t const count = mpi::balanced_share(MPI_COMM_WORLD, rank == 0 ? 100 : 0).count;
  Placed<int> dest({}, 1, rank == failing ? count - 1 : count), large({}, 1, 100);
  auto const rebalance_to = [&](auto const& to) {
    return test::thrown_by([&] { mpi::rebalance(MPI_COMM_WORLD, Exec(), from.row(), to); });
  };
  std::string const thrown = rebalance_to(dest.row());
  EXPECT_TRUE(test::holds(thrown, rank == failing ? "invalid_argument: KokkosScan::mpi::rebalance: this rank's share is"
                                                  : "rank " + std::to_string(failing) + " failed"))
      << thrown;
  EXPECT_TRUE(dest.is_untouched_but(0));
  EXPECT_EQ(rebalance_to(large.row()), "");
  EXPECT_EQ(large.read(count), std::vector<int>(count, 5));
}

TEST(Rebalance, RefusesOverlapAndNegativeNumbers) {
  Placed<int> both(std::vector<int>(10, 1), 1);
  decltype(both.row()) const behind(both.row().data() + 3, 7);
  decltype(both.row()) const front(both.row().data(), 7);
  EXPECT_TRUE(test::holds(test::thrown_by([&] { mpi::rebalance(MPI_COMM_WORLD, Exec(), front, behind); }), "invalid"));
  EXPECT_TRUE(test::holds(test::thrown_by([&] { mpi::balanced_share(MPI_COMM_WORLD, -1); }), "n is -1"));
  EXPECT_EQ(mpi::balanced_share("label", MPI_COMM_WORLD, 2).total, 2 * static_cast<std::size_t>(test::size_of_world()));
}

}  // namespace
