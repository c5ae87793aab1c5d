// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "placed.hpp"
#include "support/affine_map.hpp"
#include "support/keys.hpp"

namespace {

using KokkosScan::Reversed;
using KokkosScan::Sum;
using test::Placed;
using test::Shares;

using Exec = Kokkos::DefaultExecutionSpace;

using Affine = test::AffineMap;
using test::Compose;
using test::key_of;
using test::Name;
using test::SameFamily;
using test::value_of;

/// How long runs are: ones, a few, more than ranks have, or all; or they begin where the end of a rank is first looked
/// at from, if ranks have twice as many elements.
enum class Runs { ones, short_ones, long_ones, one, halves };
constexpr std::size_t half = 4096;
std::size_t draw_length(Runs runs, std::size_t i, std::size_t n, std::mt19937_64& random) {
  switch (runs) {
    case Runs::ones: return 1;
    case Runs::short_ones: return 1 + random() % 9;
    case Runs::long_ones: return 1 + random() % (1 + n / 2);
    case Runs::halves: return i == 0 ? half : 2 * half;
    default: return n + 1;
  }
}

template <class Key, class T>
struct Elements {
  std::vector<Key> keys;
  std::vector<T> values;
  std::vector<std::size_t> runs;

  Elements(std::size_t n, Runs lengths) {
    std::mt19937_64 random(n + 7);
    std::size_t left = 0, run = 0;
    for (std::size_t i = 0; i < n; ++i, --left) {
      if (left == 0) {
        left = draw_length(lengths, i, n, random);
        ++run;
      }
      runs.push_back(run);
      keys.push_back(key_of<Key>(run, i));
      values.push_back(value_of<T>(random()));
    }
  }

  /// One element behind the other.
  template <class Op>
  std::vector<T> scanned(bool exclusive, bool reversed, Op const& op, T const& init) const {
    std::size_t const n = values.size();
    std::vector<T> results(n, init);
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t const i = reversed ? n - 1 - k : k, previous = reversed ? i + 1 : i - 1;
      bool const begins = k == 0 || runs[i] != runs[previous];
      if (exclusive)
        results[i] = begins ? init : op(results[previous], values[previous]);
      else
        results[i] = begins ? values[i] : op(results[previous], values[i]);
    }
    return results;
  }
};

constexpr char const* kinds[] = {"inclusive", "inclusive reversed", "exclusive", "exclusive reversed"};

/// What is made of some types: calls of which kinds, and on what Views.
struct Made {
  bool kinds[4];
  std::size_t stride_of_keys = 1, stride_of_values = 1;
};

template <Made made, class Keys, class Values, class T, class Op, class... Equal>
void scan(int kind, Keys const& keys, Values const& from, Values const& dest, T const& init, Op const& op,
          Equal const&... equal) {
  namespace mpi   = KokkosScan::mpi;
  auto const comm = MPI_COMM_WORLD;
  if constexpr (made.kinds[0])
    if (kind == 0) mpi::inclusive_scan_by_key(comm, Exec(), keys, from, dest, op, equal...);
  if constexpr (made.kinds[1])
    if (kind == 1) mpi::inclusive_scan_by_key("label", comm, Exec(), keys, from, dest, Reversed{}, op, equal...);
  if constexpr (made.kinds[2])
    if (kind == 2) mpi::exclusive_scan_by_key(comm, Exec(), keys, from, dest, init, op, equal...);
  if constexpr (made.kinds[3])
    if (kind == 3) mpi::exclusive_scan_by_key(comm, Exec(), keys, from, dest, init, op, equal..., Reversed{});
}

template <std::size_t stride, class T>
auto view_of(Placed<T> const& placed) {
  if constexpr (stride == 1)
    return placed.row();
  else
    return placed.strided();
}

template <Made made, class Key, class T, class Op, class... Equal>
void expect_scans(std::size_t n, Runs lengths, T const& init, Op const& op, Equal const&... equal) {
  constexpr std::size_t stride_of_keys = made.stride_of_keys, stride = made.stride_of_values;
  Elements<Key, T> const all(n, lengths);
  for (Shares const& shares : test::all_shares(n)) {
    std::size_t const count = test::own_count(shares);
    Placed<Key> keys(test::own(all.keys, shares), stride_of_keys);
    for (int kind = 0; kind < 4; ++kind)
      for (bool const in_place : {false, true}) {
        if (!made.kinds[kind]) continue;
        Placed<T> from(test::own(all.values, shares), stride);
        Placed<T> apart(std::vector<T>(in_place ? 0 : count, init), stride, 2);
        Placed<T>& dest = in_place ? from : apart;
        scan<made>(kind, view_of<stride_of_keys>(keys), view_of<stride>(from), view_of<stride>(dest), init, op,
                   equal...);
        std::vector<T> const right = test::own(all.scanned(kind >= 2, kind % 2 == 1, op, init), shares);
        EXPECT_TRUE(right == dest.read(count)) << kinds[kind] << (in_place ? " in place" : "") << ", n " << n
                                               << ", runs " << static_cast<int>(lengths) << ", shares " << shares.name;
        EXPECT_TRUE(dest.is_untouched_but(count)) << kinds[kind] << ", n " << n << ", shares " << shares.name;
      }
  }
}

constexpr Runs all_runs[] = {Runs::ones, Runs::short_ones, Runs::long_ones, Runs::one};

TEST(ScanByKeyAcrossRanks, SumsOfNumbers) {
  for (Runs const runs : all_runs)
    for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 7, 90, 4097, 60000})
      expect_scans<Made{{true, true, true, true}}, std::int32_t>(n, runs, 5., Sum{});
  expect_scans<Made{{true, true, true, true}}, std::int32_t>(2 * half * static_cast<std::size_t>(test::size_of_world()),
                                                             Runs::halves, 5., Sum{});
}

TEST(ScanByKeyAcrossRanks, AnyOperatorStrided) {
  for (Runs const runs : all_runs)
    for (std::size_t const n : std::vector<std::size_t>{1, 3, 50, 30011}) {
      expect_scans<Made{{true, false, false, false}, 1, 3}, std::int64_t>(n, runs, Affine{3, 5}, Compose{});
      expect_scans<Made{{false, false, false, true}, 2, 1}, std::int64_t>(n, runs, Affine{3, 5}, Compose{});
    }
}

TEST(ScanByKeyAcrossRanks, AnyKeyAndEquality) {
  for (Runs const runs : all_runs)
    for (std::size_t const n : std::vector<std::size_t>{2, 33, 20000})
      expect_scans<Made{{false, true, true, false}}, Name>(n, runs, Affine{2, 1}, Compose{}, SameFamily{});
}

TEST(ScanByKeyAcrossRanks, OfAnotherAccumulatorAndAnInitInMemory) {
  std::size_t const n = 3000;
  Elements<std::int64_t, std::int32_t> const all(n, Runs::long_ones);
  Kokkos::View<float, Exec> const init("init");
  Kokkos::deep_copy(init, 4);
  for (Shares const& shares : test::all_shares(n)) {
    Placed<std::int64_t> keys(test::own(all.keys, shares), 1);
    Placed<std::int32_t> from(test::own(all.values, shares), 1);
    Placed<std::int64_t> dest(std::vector<std::int64_t>(test::own_count(shares)), 1);
    KokkosScan::mpi::exclusive_scan_by_key(MPI_COMM_WORLD, KokkosScan::Handle(Exec()), keys.row(), from.row(),
                                           dest.row(), init, KokkosScan::As<std::int64_t>{});
    auto const right = test::own(all.scanned(true, false, Sum{}, 4), shares);
    auto const found = dest.read(test::own_count(shares));
    EXPECT_TRUE(std::equal(right.begin(), right.end(), found.begin())) << shares.name;
  }
}

TEST(ScanByKeyAcrossRanks, HasTheSameBitsInEveryRun) {
  std::size_t const n = 40000;
  std::mt19937_64 random(3);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(1 / static_cast<double>(1 + random() % 10000));
  for (Shares const& shares : test::all_shares(n)) {
    Placed<int> keys(std::vector<int>(test::own_count(shares), 1), 1);
    Placed<double> from(test::own(values, shares), 1), dest(test::own(values, shares), 1);
    std::vector<double> first;
    for (int repeat = 0; repeat < 4; ++repeat) {
      KokkosScan::mpi::inclusive_scan_by_key(MPI_COMM_WORLD, Exec(), keys.row(), from.row(), dest.row());
      std::vector<double> const now = dest.read(test::own_count(shares));
      if (repeat == 0) first = now;
      EXPECT_TRUE(now.empty() || std::memcmp(first.data(), now.data(), now.size() * sizeof(double)) == 0)
          << shares.name;
    }
  }
}

TEST(ScanByKeyAcrossRanks, AWrongArgumentOfOneRankIsToldToAll) {
  std::size_t const n = 10;
  int const failing = test::size_of_world() / 2, rank = test::rank_of_world();
  Placed<int> keys(std::vector<int>(n, 1), 1);
  Placed<double> from(std::vector<double>(n, 1.), 1), dest(std::vector<double>(n, 7.), 1);
  auto const scan_into = [&](auto const& view) {
    return test::thrown_by(
        [&] { KokkosScan::mpi::inclusive_scan_by_key(MPI_COMM_WORLD, Exec(), keys.row(), from.row(), view); });
  };
  decltype(dest.row()) const few(dest.row().data(), n - 1);
  std::string const first = scan_into(rank == failing ? few : dest.row());
  if (rank < failing) {
    EXPECT_EQ(first, "");
  } else {
    EXPECT_TRUE(test::holds(
        first, rank == failing ? "invalid_argument: KokkosScan::mpi::inclusive_scan_by_key: from.extent(0) is 10"
                               : "rank " + std::to_string(failing) + " failed in this call"))
        << first;
  }
  EXPECT_EQ(dest.read(1)[0], rank < failing ? static_cast<double>(rank) * 10 + 1 : 7.);
  EXPECT_TRUE(test::holds(scan_into(dest.row()), "in the call before"));
  EXPECT_EQ(scan_into(dest.row()), "");
}

}  // namespace
