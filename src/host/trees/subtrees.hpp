// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

#include "forest.hpp"

//  How many nodes subtrees have
//  paper       leaves are taken away: whoever brings the last child of a node goes on with that
//  launches    4
//  bytes       a word per node that is changed anywhere, twice
//  steps       nodes / workers; a long chain is one step behind the other
//  progress    none: no worker waits for another
//
// Where a node comes to no root, it says so; then somebody else has to find the others (src/core/euler_tour.hpp).
namespace KokkosScan::host::trees {

/// How many nodes each subtree has: a word for each node, of which the upper half counts nodes and the lower half
/// children that have not come yet.
template <class Forest>
class Subtrees {
  using Word = std::uint64_t;
  using Cell = std::atomic<Word>;

 public:
  static constexpr std::size_t most_nodes = std::numeric_limits<std::int32_t>::max();
  static std::size_t bytes(std::size_t n) { return n * sizeof(Word); }

  Subtrees(Forest const& forest, void* memory) : forest_(forest), cells_(static_cast<Cell*>(memory)) {}

  std::size_t size(std::size_t v) const {
    return static_cast<std::size_t>(cells_[v].load(std::memory_order_relaxed) >> 32);
  }

  /// put(v, size) for each node. Whether all come to a root.
  template <class Workers, class Put>
  bool run(Workers const& workers, Put const& put) const {
    return workers.size() == 1 ? run<true>(workers, put) : run<false>(workers, put);
  }

 private:
  static constexpr Word one_node = Word{1} << 32;

  template <bool alone, class Workers, class Put>
  bool run(Workers const& workers, Put const& put) const {
    trees::share(workers, forest_.n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) ::new (static_cast<void*>(cells_ + v)) Cell(one_node);
    });
    trees::share(workers, forest_.n, [&](std::size_t begin, std::size_t end) { count_children<alone>(begin, end); });
    std::atomic<std::size_t> in_trees{0};
    trees::share(workers, forest_.n, [&](std::size_t begin, std::size_t end) {
      in_trees.fetch_add(take_leaves<alone>(begin, end), std::memory_order_relaxed);
    });
    trees::share(workers, forest_.n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) put(v, size(v));
    });
    return in_trees == forest_.n;
  }

  bool is_node(std::size_t key) const { return key != 0 && key <= forest_.n; }
  static std::uint32_t missing(Word cell) { return static_cast<std::uint32_t>(cell); }

  /// Adds to a cell; what it was. Nobody else is at work there if one is alone, or all that is missing comes now.
  template <bool alone>
  Word add(std::size_t v, Word change, std::uint32_t brings) const {
    Word const before = cells_[v].load(std::memory_order_relaxed);
    if (!alone && missing(before) != brings) return cells_[v].fetch_add(change, std::memory_order_relaxed);
    cells_[v].store(before + change, std::memory_order_relaxed);
    return before;
  }

  /// Neighbours of one parent at once: of a star's there are many.
  template <bool alone>
  void count_children(std::size_t v, std::size_t end) const {
    std::size_t next = v < end ? forest_.key(v) : 0;
    while (v < end) {
      std::size_t const key = next;
      Word count            = 0;
      do {
        ++count;
        next = ++v < end ? forest_.key(v) : 0;
      } while (v < end && next == key);
      if (!is_node(key)) continue;
      if constexpr (alone)
        add<true>(key - 1, count, 0);
      else
        cells_[key - 1].fetch_add(count, std::memory_order_relaxed);
    }
  }

  bool is_leaf(std::size_t v) const { return cells_[v].load(std::memory_order_relaxed) == one_node; }

  /// From each leaf on upwards, as far as it is the last child. How many nodes it has brought to roots.
  template <bool alone>
  std::size_t take_leaves(std::size_t v, std::size_t end) const {
    std::size_t in_trees = 0;
    while (v < end) {
      if (!is_leaf(v)) {
        ++v;
        continue;
      }
      std::size_t key    = forest_.key(v);
      Word nodes         = 1;
      std::uint32_t came = 1;
      for (++v; v < end && forest_.key(v) == key && is_leaf(v); ++v) ++nodes, ++came;
      while (is_node(key)) {
        Word const before = add<alone>(key - 1, nodes * one_node - came, came);
        if (missing(before) != came) break;
        nodes += before >> 32;
        came = 1;
        key  = forest_.key(key - 1);
      }
      if (key == 0) in_trees += nodes;
    }
    return in_trees;
  }

  Forest const& forest_;
  Cell* cells_;
};

}  // namespace KokkosScan::host::trees
