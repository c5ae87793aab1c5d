// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/euler_tour.hpp"
#include "scan_axis.hpp"
#include "trees.hpp"

// Lowest common ancestors by range minima (Bender and Farach-Colton, The LCA problem revisited, LATIN 2000), over the
// nodes in preorder: of each the place of its parent. Between two nodes of a tree, the first one left out, the lowest
// such place is that of their lowest common ancestor: all nodes there are below it, and one is its child. A root has 0
// and all places are one more, so that nodes of two trees have the minimum 0.
//
// Of each block of 32 there are the minima from its beginning on and up to its end, which are scans of the rows of a
// table, and of 1, 2, 4, ... neighbouring blocks there is one minimum. So a query that reaches into other blocks takes
// four numbers, and one within a block goes through it: that is a line of a cache.
//
//   launches    the preorder's, two scans, 2, and one for each bit of the number of blocks
//   memory      per node five numbers, and a 32nd of one for each bit of the number of blocks
namespace KokkosScan::driver {

inline constexpr std::size_t nodes_in_block = 32;

/// What queries read, for forests of up to so many nodes.
template <class Node, class Space>
struct AncestorTables {
  using Numbers = Kokkos::View<Node*, Space>;
  using Blocks  = Kokkos::View<Node* [nodes_in_block], Kokkos::LayoutRight, Space>;
  using Table   = Kokkos::View<Node**, Kokkos::LayoutRight, Space>;

  static constexpr Node none = static_cast<Node>(-1);
  static constexpr Node most = std::numeric_limits<Node>::max();

  Numbers places;          // in preorder, of each node
  Numbers nodes;           // at each place
  Blocks above;            // at each place, 1 and the parent's place
  Blocks since, until;     // the minima from the beginning of the block on, and up to its end
  Table of_blocks;         // (j, b): of 2^j blocks from b on
  std::size_t extent = 0;  // of the parents that they are made of

  AncestorTables() = default;
  explicit AncestorTables(std::size_t n) {
    std::size_t const blocks = (n + nodes_in_block - 1) / nodes_in_block;
    auto const unset = [](std::string const& name) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, name); };
    places           = Numbers(unset("KokkosScan::LowestCommonAncestors places"), n);
    nodes            = Numbers(unset("KokkosScan::LowestCommonAncestors nodes"), n);
    above            = Blocks(unset("KokkosScan::LowestCommonAncestors above"), blocks);
    since            = Blocks(unset("KokkosScan::LowestCommonAncestors since"), blocks);
    until            = Blocks(unset("KokkosScan::LowestCommonAncestors until"), blocks);
    of_blocks        = Table(unset("KokkosScan::LowestCommonAncestors of_blocks"),
                             static_cast<std::size_t>(std::bit_width(blocks)), blocks);
  }

  KOKKOS_FUNCTION Node& above_at(std::size_t place) const {
    return above(place / nodes_in_block, place % nodes_in_block);
  }

  KOKKOS_FUNCTION Node lowest(Node u, Node v) const {
    auto const a = static_cast<std::size_t>(u), b = static_cast<std::size_t>(v);
    if (a >= extent || b >= extent || places(a) == none || places(b) == none) return none;
    if (a == b) return u;
    auto const of_a = static_cast<std::size_t>(places(a)), of_b = static_cast<std::size_t>(places(b));
    Node const found = of_a < of_b ? least(of_a + 1, of_b) : least(of_b + 1, of_a);
    return found == 0 ? none : nodes(static_cast<std::size_t>(found) - 1);
  }

 private:
  KOKKOS_FUNCTION static Node smaller(Node a, Node b) { return b < a ? b : a; }

  /// Of the places from one on up to another.
  KOKKOS_FUNCTION Node least(std::size_t first, std::size_t last) const {
    std::size_t const block = first / nodes_in_block, end = last / nodes_in_block;
    if (block == end) {
      Node found = above_at(first);
      for (std::size_t place = first + 1; place <= last; ++place) found = smaller(found, above_at(place));
      return found;
    }
    Node const ends = smaller(until(block, first % nodes_in_block), since(end, last % nodes_in_block));
    if (end - block == 1) return ends;
    int level = 0;  // as many blocks as half of those between, or more
    while (std::size_t{2} << level <= end - block - 1) ++level;
    return smaller(ends, smaller(of_blocks(level, block + 1), of_blocks(level, end - (std::size_t{1} << level))));
  }
};

/// Places at which there is no node.
template <class Tables>
struct ClearPlaces {
  Tables tables;
  KOKKOS_FUNCTION void operator()(std::size_t place) const {
    if (place < tables.nodes.extent(0)) tables.nodes(place) = Tables::none;
    tables.above_at(place) = Tables::most;
  }
};
/// Each node at its place, and its parent's there.
template <class Tables, class Parents>
struct PutAtPlaces {
  Tables tables;
  Parents parents;
  KOKKOS_FUNCTION void operator()(std::size_t v) const {
    using Node       = typename Tables::Numbers::value_type;
    Node const place = tables.places(v);
    if (place == Tables::none) return;
    auto const at    = static_cast<std::size_t>(place);
    auto const key   = core::sibling_key<std::size_t>(parents[v], tables.extent);
    tables.nodes(at) = static_cast<Node>(v);
    if (key <= tables.extent) tables.above_at(at) = key == 0 ? Node{0} : static_cast<Node>(tables.places(key - 1) + 1);
  }
};
/// The minima of 1, or of twice as many blocks as before.
template <class Tables>
struct PutMinimaOfBlocks {
  Tables tables;
  std::size_t level;
  KOKKOS_FUNCTION void operator()(std::size_t block) const {
    auto const& of_blocks = tables.of_blocks;
    auto found            = level == 0 ? tables.until(block, 0) : of_blocks(level - 1, block);
    if (level > 0) {
      std::size_t const behind = block + (std::size_t{1} << (level - 1));
      if (behind < of_blocks.extent(1) && of_blocks(level - 1, behind) < found) found = of_blocks(level - 1, behind);
    }
    of_blocks(level, block) = found;
  }
};

struct BuildAncestors {
  template <class ExecOrHandle, class Parents, class Node, class Space>
  static void call(std::string const& label, ExecOrHandle const& exec, Parents const& parents,
                   AncestorTables<Node, Space>& tables) {
    using Tables           = AncestorTables<Node, Space>;
    constexpr bool reaches = Kokkos::SpaceAccessibility<InstanceOf<ExecOrHandle>, Space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of LowestCommonAncestors");
    if constexpr (reaches && check_tree<InstanceOf<ExecOrHandle>, Parents, typename Tables::Numbers>()) {
      std::size_t const n = parents.extent(0);
      check_extents(label, "parents", n, "LowestCommonAncestors", tables.places.extent(0));
      TreeFunction<OfPreorder>::call(label, exec, parents, tables.places);
      tables.extent = n;
      if (n == 0) return;
      auto const array         = strided<ValueIn<Parents> const>(parents);
      std::size_t const blocks = tables.above.extent(0), places = blocks * nodes_in_block;
      driver::for_each_index(label, exec, places, places, ClearPlaces<Tables>{tables});
      driver::for_each_index(label, exec, n, n,
                             PutAtPlaces<Tables, std::remove_const_t<decltype(array)>>{tables, array});
      scan_rows(label, exec, tables.above, tables.since, Axis{1});
      scan_rows(label, exec, tables.above, tables.until, Axis{1}.reversed());
      for (std::size_t level = 0; level < tables.of_blocks.extent(0); ++level)
        driver::for_each_index(label, exec, blocks, blocks, PutMinimaOfBlocks<Tables>{tables, level});
    }
  }

 private:
  /// Each block is a row.
  template <class ExecOrHandle, class Blocks, class AxisArgument>
  static void scan_rows(std::string const& label, ExecOrHandle const& exec, Blocks const& from, Blocks const& dest,
                        AxisArgument const& axis) {
    constexpr Roles roles{.op = 0, .unary = absent, .init = 1, .required = 0, .most = 2};
    driver::axis_arguments<core::Kind::inclusive, roles>(label, exec, from, dest, std::forward_as_tuple(axis, Min{}));
  }
};

}  // namespace KokkosScan::driver
