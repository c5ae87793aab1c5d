// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"

// Forests of many shapes, and what one thread finds of them by going through them.
namespace test {

using Parents = std::vector<std::int64_t>;

/// Each array has -1 for a node that no root leads to.
struct Found {
  std::vector<std::int64_t> depths, sizes, preorder, postorder, enter, leave;

  explicit Found(Parents const& parents)
      : depths(parents.size(), -1),
        sizes(depths),
        preorder(depths),
        postorder(depths),
        enter(depths),
        leave(depths),
        children_(parents.size()) {
    auto const n = static_cast<std::int64_t>(parents.size());
    for (std::int64_t v = 0; v < n; ++v) {
      std::int64_t const parent = parents[at(v)];
      if (parent >= 0 && parent < n) children_[at(parent)].push_back(v);
    }
    for (std::int64_t v = 0; v < n; ++v)
      if (parents[at(v)] < 0) go_through(v);
  }

 private:
  static std::size_t at(std::int64_t v) { return static_cast<std::size_t>(v); }

  /// The nodes from the root to where it stands, each with how many of its children are done.
  void go_through(std::int64_t root) {
    std::vector<std::pair<std::int64_t, std::size_t>> way;
    auto const go_to = [&](std::int64_t v) {
      depths[at(v)]   = static_cast<std::int64_t>(way.size());
      preorder[at(v)] = entered_++;
      enter[at(v)]    = steps_++;
      way.emplace_back(v, 0);
    };
    go_to(root);
    while (!way.empty()) {
      auto& [v, done] = way.back();
      if (done < children_[at(v)].size()) {
        go_to(children_[at(v)][done++]);
        continue;
      }
      postorder[at(v)] = left_++;
      leave[at(v)]     = steps_++;
      sizes[at(v)]     = entered_ - preorder[at(v)];
      way.pop_back();
    }
  }

  std::vector<std::vector<std::int64_t>> children_;
  std::int64_t entered_ = 0, left_ = 0, steps_ = 0;
};

/// The same forest with its nodes numbered anew.
inline Parents shuffled(Parents const& parents, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> place(parents.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
  Parents other(parents.size());
  for (std::size_t v = 0; v < parents.size(); ++v)
    other[place[v]] =
        parents[v] < 0 ? parents[v] : static_cast<std::int64_t>(place[static_cast<std::size_t>(parents[v])]);
  return other;
}

/// parent_of(v, random) for each node.
template <class ParentOf>
Parents forest(std::size_t n, std::uint64_t seed, ParentOf const& parent_of) {
  Random random(seed);
  Parents parents(n);
  for (std::size_t v = 0; v < n; ++v) parents[v] = parent_of(static_cast<std::int64_t>(v), random);
  return parents;
}

inline std::int64_t below(Random& random, std::int64_t v) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(v)));
}

/// Forests of n nodes and their names: parents come before children, and then in any order.
inline std::vector<std::pair<std::string, Parents>> forests(std::size_t n) {
  std::vector<std::pair<std::string, Parents>> all;
  auto const add = [&](std::string const& name, auto const& parent_of) {
    Parents const parents = forest(n, n + all.size(), parent_of);
    std::string const of  = name + " of " + std::to_string(n) + " nodes";
    all.emplace_back(of, parents);
    all.emplace_back(of + ", shuffled", shuffled(parents, n));
  };
  add("a chain", [](std::int64_t v, Random&) { return v - 1; });
  add("a star", [](std::int64_t v, Random&) { return v == 0 ? -7 : std::int64_t{0}; });
  add("a random tree", [](std::int64_t v, Random& random) { return v == 0 ? -1 : below(random, v); });
  add("a binary tree", [](std::int64_t v, Random&) { return v == 0 ? -1 : (v - 1) / 2; });
  add("roots", [](std::int64_t, Random&) { return std::int64_t{-1}; });
  add("a power law", [](std::int64_t v, Random& random) {
    std::int64_t parent = v;
    for (int halves = static_cast<int>(random.below(20)); halves >= 0 && parent > 0; --halves) parent /= 2;
    return parent == v ? -1 : parent;
  });
  add("chains with leaves", [](std::int64_t v, Random& random) {
    return v % 500 == 0 ? -1 : v % 3 == 0 || v < 3 ? v - 1 : v - 1 - below(random, std::min<std::int64_t>(v % 500, 3));
  });
  return all;
}

}  // namespace test
