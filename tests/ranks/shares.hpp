// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Every rank knows all elements and what is expected of all, and takes its share of both.
namespace test {

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
inline int rank_of_this() { return rank_of(MPI_COMM_WORLD); }
inline int ranks() { return size_of(MPI_COMM_WORLD); }

/// How elements are shared: rank r has [offsets[r], offsets[r + 1]).
struct Shares {
  std::string name;
  std::vector<std::size_t> offsets;

  std::size_t begin(int rank) const { return offsets[static_cast<std::size_t>(rank)]; }
  std::size_t end(int rank) const { return offsets[static_cast<std::size_t>(rank) + 1]; }
  std::size_t count() const { return offsets.back(); }
};

/// Of n elements: even, uneven, with ranks that have none at the beginning, in the middle and at the end, all on one.
inline std::vector<Shares> all_shares(int ranks, std::size_t n) {
  std::vector<Shares> all;
  auto const add = [&](std::string const& name, auto const& weight) {
    std::vector<std::size_t> weights;
    std::size_t sum = 0;
    for (int r = 0; r < ranks; ++r) sum += weights.emplace_back(static_cast<std::size_t>(weight(r)));
    if (sum == 0) return;
    Shares shares{name, {0}};
    std::size_t before = 0;
    for (std::size_t const each : weights) shares.offsets.push_back((before += each) * n / sum);
    all.push_back(shares);
  };
  add("even", [](int) { return 1; });
  add("uneven", [](int r) { return 1 + r * r % 7 * 5; });
  add("none at the beginning", [&](int r) { return r >= (ranks + 1) / 2; });
  add("none in the middle", [&](int r) { return r == 0 || r + 1 == ranks; });
  add("none at the end", [&](int r) { return r < (ranks + 1) / 2; });
  add("every other", [&](int r) { return r % 2; });
  add("all on the first", [](int r) { return r == 0; });
  add("all in the middle", [&](int r) { return r == ranks / 2; });
  add("all on the last", [&](int r) { return r + 1 == ranks; });
  return all;
}

/// A View of a share, of any layout.
template <class View, class Value>
View share_of(std::vector<Value> const& all, Shares const& shares, int rank) {
  std::size_t const n = shares.end(rank) - shares.begin(rank);
  View view;
  if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) {
    Kokkos::View<Value**, Kokkos::LayoutRight, Kokkos::HostSpace> const rows(
        Kokkos::view_alloc("rows", Kokkos::WithoutInitializing), n, 3);
    view = Kokkos::subview(rows, Kokkos::ALL, 1);
  } else {
    view = View(Kokkos::view_alloc("share", Kokkos::WithoutInitializing), n);
  }
  for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(&view(i))) Value(all[shares.begin(rank) + i]);
  return view;
}

template <class View, class Value>
void expect_share(std::vector<Value> const& expected, Shares const& shares, int rank, View const& found,
                  std::string const& what) {
  for (std::size_t i = shares.begin(rank); i < shares.end(rank); ++i)
    if (!(found(i - shares.begin(rank)) == expected[i])) {
      ADD_FAILURE() << what << ", " << shares.name << ": element " << i << " of " << shares.count() << " is wrong";
      return;
    }
}

/// What a scan of all gives, element by element, and its total.
template <class Value>
struct Expected {
  std::vector<Value> results;
  std::optional<Value> total;
};
template <class Value, class Op>
Expected<Value> scan_serially(std::vector<Value> const& all, Op const& op, std::optional<Value> const& init,
                              bool exclusive, bool reversed) {
  Expected<Value> expected;
  std::vector<Value> from = all;
  if (reversed) std::reverse(from.begin(), from.end());
  std::vector<Value> through;  // behind init, if there is one
  if (init) through.push_back(*init);
  for (Value const& value : from)
    through.push_back(through.empty() ? value : static_cast<Value>(op(through.back(), value)));
  if (!through.empty()) expected.total.emplace(through.back());
  auto const begin = through.begin() + (!exclusive && init ? 1 : 0);
  expected.results.assign(begin, begin + static_cast<std::ptrdiff_t>(all.size()));
  if (reversed) std::reverse(expected.results.begin(), expected.results.end());
  return expected;
}

}  // namespace test
