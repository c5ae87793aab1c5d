// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "forest.hpp"

//  Depths, sizes and numbers where parents stand before their children, as trees are that grew
//  launches    1, of one worker
//  bytes       up to three numbers per node, which are changed at the parent twice
//  steps       2 nodes
//  progress    none needed
//
// Where a parent stands behind its child, it ends and says so. One thread is through sooner than several by any of the
// ways that would do for all trees.
namespace KokkosScan::host::trees {

template <class Node, class Forest>
class ParentsFirst {
  struct Cell {
    Node size, next, depth;  // next: the number of its next child
  };

 public:
  static std::size_t bytes_of_depths(std::size_t n) { return n * sizeof(Node); }
  static std::size_t bytes_of_sizes(std::size_t n) { return n * sizeof(Node); }
  static std::size_t bytes_of_numbers(std::size_t n) { return n * sizeof(Cell); }

  ParentsFirst(Forest const& forest, void* memory) : forest_(forest), memory_(memory) {}

  /// What the first nodes tell.
  bool seem_so() const {
    for (std::size_t v = 0; v < std::min<std::size_t>(forest_.n, 64); ++v)
      if (forest_.key(v) > v) return false;
    return true;
  }

  /// put(v, depth)
  template <class Put>
  bool find_depths(Put const& put) const {
    auto* const depths = static_cast<Node*>(memory_);
    for (std::size_t v = 0; v < forest_.n; ++v) {
      std::size_t const key = forest_.key(v);
      if (key > v) return false;
      depths[v] = key == 0 ? 0 : depths[key - 1] + 1;
      put(v, depths[v]);
    }
    return true;
  }

  /// put(v, size)
  template <class Put>
  bool find_sizes(Put const& put) const {
    auto* const sizes = static_cast<Node*>(memory_);
    std::fill_n(sizes, forest_.n, Node{1});
    for (std::size_t v = forest_.n; v-- > 0;) {
      std::size_t const key = forest_.key(v);
      if (key > v) return false;
      if (key != 0) sizes[key - 1] += sizes[v];
      put(v, sizes[v]);
    }
    return true;
  }

  /// put(v, number in preorder, depth, size)
  template <class Put>
  bool find_numbers(Put const& put) const {
    auto* const cells = static_cast<Cell*>(memory_);
    std::fill_n(cells, forest_.n, Cell{1, 0, 0});
    for (std::size_t v = forest_.n; v-- > 0;) {
      std::size_t const key = forest_.key(v);
      if (key > v) return false;
      if (key != 0) cells[key - 1].size += cells[v].size;
    }
    Cell above_roots{0, 0, static_cast<Node>(-1)};
    for (std::size_t v = 0; v < forest_.n; ++v) {
      std::size_t const key = forest_.key(v);
      Cell& parent          = key == 0 ? above_roots : cells[key - 1];
      Cell& cell            = cells[v];
      Node const number     = parent.next;
      parent.next += cell.size;
      cell.next  = number + 1;
      cell.depth = parent.depth + 1;
      put(v, number, cell.depth, cell.size);
    }
    return true;
  }

 private:
  Forest const& forest_;
  void* memory_;
};

}  // namespace KokkosScan::host::trees
