// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "arrays.hpp"
#include "maybe.hpp"

// Prefix sums along the Euler tour of a forest (Tarjan and Vishkin, An efficient parallel biconnectivity algorithm,
// SIAM J. Comput. 14, 1985). The tour enters each node and leaves it, 2 n steps in all. What stands behind a step is
// known at once where children are sorted by their parents: behind entering v comes entering its first child, or
// leaving v; behind leaving v comes entering its next sibling, or leaving its parent. Roots are the children of a node
// that is not there. So the steps are a list, and depths, sizes and numbers are sums along it, of a weight of entering
// and one of leaving.
//
// A list is scanned by a sparse ruling set (Helman and JaJa, Designing practical efficient algorithms for symmetric
// multiprocessors, ALENEX 1999; Reid-Miller, List ranking and list scan on the Cray C-90, 1996). In each block of steps
// one, picked by a hash of the block's number, starts a walk to the next such step, which finds the sum of its weights.
// The starts are a shorter list, which is scanned by doubling. Then each walk is gone again, from the sum before its
// start on, and leaves at each node what is to be known there.
//
// No step stands behind two others, whatever the parents are: of a cycle, steps make rings. So no step belongs to two
// walks, and a walk ends at its own start at the latest; what no walk from the first root comes by is recognised.
//
//   launches    5, a sort's, and one for each bit of the number of starts
//   memory      per node four numbers for the sort, of which two hold sums later, and two for the steps; a few for each
//               start
//   bytes moved per node and pass of the sort 16; two steps that are read anywhere, twice, and one or two numbers that
//               are written anywhere
//   progress    none needed; the longest walk is about 12 times as long as a block in 2^18 of them
namespace KokkosScan::core {

/// Of a start: which start its walk comes to, and the sum up to there.
template <class Node>
struct TourWalk {
  Node link, sum;
};

/// What a step adds to the sum of those behind it, and before which steps of a node sums are kept.
template <class Node>
struct TourWeights {
  Node entering, leaving;
  bool keeps_entering, keeps_leaving;

  static constexpr TourWeights of_depths() { return {1, static_cast<Node>(-1), true, false}; }
  static constexpr TourWeights of_sizes() { return {1, 0, true, true}; }
  static constexpr TourWeights of_preorder() { return {1, 0, true, false}; }
  static constexpr TourWeights of_postorder() { return {0, 1, false, true}; }
  static constexpr TourWeights of_steps() { return {1, 1, true, true}; }

  KOKKOSSCAN_FUNCTION Node of(Node step) const { return step % 2 == 0 ? entering : leaving; }
};

/// For each node the sum before it is entered, or left, and 1; or 0, if no root leads there. Null if it is not kept.
template <class Node>
struct TourSums {
  static constexpr Node none = static_cast<Node>(-1);

  Node *entering, *leaving;

  KOKKOSSCAN_FUNCTION void clear(std::size_t v) const {
    if (entering) entering[v] = 0;
    if (leaving) leaving[v] = 0;
  }
  KOKKOSSCAN_FUNCTION void keep(Node step, Node sum) const {
    Node* const kept = step % 2 == 0 ? entering : leaving;
    if (kept) kept[step / 2] = sum + 1;
  }
  KOKKOSSCAN_FUNCTION Node before_entering(std::size_t v) const { return entering[v] - 1; }
  KOKKOSSCAN_FUNCTION Node before_leaving(std::size_t v) const { return leaving[v] - 1; }
  KOKKOSSCAN_FUNCTION bool has(std::size_t v) const { return (entering ? entering : leaving)[v] != 0; }
};

/// The steps of so many nodes, and which of them start walks: one of each block of 2^bits, and the first one of all.
template <class Node>
struct TourShape {
  Node nodes;
  int bits;

  KOKKOSSCAN_FUNCTION static Node entering(Node v) { return 2 * v; }
  KOKKOSSCAN_FUNCTION static Node leaving(Node v) { return 2 * v + 1; }
  KOKKOSSCAN_FUNCTION Node steps() const { return 2 * nodes; }
  KOKKOSSCAN_FUNCTION Node end() const { return 2 * nodes; }
  KOKKOSSCAN_FUNCTION Node nowhere() const { return 2 * nodes + 1; }  // where a root leads to that is none

  /// Starts by their numbers, the first step of all having the last one; and what walks come to behind the last step.
  KOKKOSSCAN_FUNCTION Node starts() const { return first() + 1; }
  KOKKOSSCAN_FUNCTION Node first() const { return ((steps() - 1) >> bits) + 1; }
  KOKKOSSCAN_FUNCTION Node end_of_starts() const { return starts(); }
  KOKKOSSCAN_FUNCTION Node no_start() const { return starts() + 1; }

  /// The step of a block that starts a walk; in the last block that may be none.
  KOKKOSSCAN_FUNCTION Node start_of(Node block) const {
    return (block << bits) + (mixed(block) & ((Node{1} << bits) - 1));
  }
  KOKKOSSCAN_FUNCTION bool is_start(Node step) const { return start_of(step >> bits) == step; }

 private:
  KOKKOSSCAN_FUNCTION static Node mixed(Node x) {
    constexpr int half = sizeof(Node) * 4;
    constexpr auto odd = static_cast<Node>(0x9e3779b97f4a7c15U);
    x                  = (x + 1) * odd;
    x                  = (x ^ (x >> (half - 1))) * static_cast<Node>(0xbf58476d1ce4e5b9U);
    return x ^ (x >> half);
  }
};

/// By what children are sorted: 0 for roots, the parent's number and 1, or behind all a parent that is none.
template <class Node, class Parent>
KOKKOSSCAN_FUNCTION Node sibling_key(Parent parent, Node nodes) {
  if constexpr (std::is_signed_v<Parent>) {
    if (parent < 0) return 0;
  } else {
    if (parent == static_cast<Parent>(-1)) return 0;
  }
  return static_cast<std::size_t>(parent) >= static_cast<std::size_t>(nodes) ? nodes + 1
                                                                             : static_cast<Node>(parent) + 1;
}

/// What is sorted; and steps as they are without children.
template <class Node, class Parents>
struct BeginTour {
  Parents parents;
  TourShape<Node> shape;
  Node *keys, *order, *links;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    auto const v     = static_cast<Node>(i);
    keys[i]          = sibling_key(parents[i], shape.nodes);
    order[i]         = v;
    links[2 * i]     = shape.leaving(v);
    links[2 * i + 1] = shape.nowhere();  // of all bytes of a line at once: a part has to be read before
  }
};

/// Steps to first children, and from each node to its sibling or its parent.
template <class Node>
struct LinkTour {
  TourShape<Node> shape;
  Node const *keys, *order;
  Node* links;
  TourSums<Node> sums;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    Node const key = keys[k], v = order[k];
    bool const is_root = key == 0 || key > shape.nodes;
    sums.clear(k);
    if (!is_root && (k == 0 || keys[k - 1] != key)) links[shape.entering(key - 1)] = shape.entering(v);
    Node behind = key == 0 ? shape.end() : is_root ? shape.nowhere() : shape.leaving(key - 1);
    if (k + 1 < shape.nodes && keys[k + 1] == key) behind = shape.entering(order[k + 1]);
    links[shape.leaving(v)] = behind;
  }
};

/// Of the first walks: which start they come to, and the sum on the way.
template <class Node>
struct SumWalks {
  TourShape<Node> shape;
  TourWalk<Node>* starts;

  /// Whether a walk is gone, from that sum on.
  KOKKOSSCAN_FUNCTION bool begin(Node, Node& sum) const {
    sum = 0;
    return true;
  }
  KOKKOSSCAN_FUNCTION void pass(Node, Node) const {}
  KOKKOSSCAN_FUNCTION void end(Node number, Node behind, Node sum) const {
    starts[number] = {behind < shape.steps() ? behind >> shape.bits
                                             : (behind == shape.end() ? shape.end_of_starts() : shape.no_start()),
                      sum};
  }
};

/// Of the second ones: what stands before each step, when starts know their sums up to the end.
template <class Node>
struct KeepSums {
  TourShape<Node> shape;
  TourWalk<Node> const* starts;
  TourSums<Node> sums;

  KOKKOSSCAN_FUNCTION bool begin(Node number, Node& sum) const {
    TourWalk<Node> const start = starts[number];
    sum                        = starts[shape.first()].sum - start.sum;
    return start.link == shape.end_of_starts();
  }
  KOKKOSSCAN_FUNCTION void pass(Node step, Node sum) const { sums.keep(step, sum); }
  KOKKOSSCAN_FUNCTION void end(Node, Node, Node) const {}
};

/// Walks from starts to the next ones, so many of them by turns: their loads are under way at the same time. Each call
/// has `each` neighbouring starts. Of one that starts no walk, the end is at once.
template <class Node, std::size_t together, class Visitor>
struct WalkTour {
  TourShape<Node> shape;
  TourWeights<Node> weights;
  Node const *keys, *order, *links;
  Node each;
  Visitor visitor;

  struct Walk {
    Node number, step, sum;
  };

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    Node next      = static_cast<Node>(i) * each;
    Node const end = shape.starts() - next < each ? shape.starts() : next + each;
    if constexpr (together == 1) {
      for (Walk walk{}; next < end; ++next)
        if (begin(next, walk))
          while (!advance(walk)) {
          }
    } else {
      Walk walks[together];
      std::size_t count = 0;
      for (; next < end && count < together; ++next)
        if (begin(next, walks[count])) ++count;
      while (count > 0)
        for (std::size_t k = 0; k < count; ++k) {
          if (!advance(walks[k])) continue;
          bool begun = false;
          for (; next < end && !begun; ++next) begun = begin(next, walks[k]);
          if (!begun) walks[k] = walks[--count];
        }
    }
  }

 private:
  /// Whether there is such a walk. The first step of all starts none if its block has it do so already.
  KOKKOSSCAN_FUNCTION bool begin(Node number, Walk& walk) const {
    bool const is_first = number == shape.first();
    Node const step     = is_first ? shape.entering(order[0]) : shape.start_of(number);
    walk                = {number, step, 0};
    if (is_first ? keys[0] == 0 && !shape.is_start(step) : step < shape.steps()) return visitor.begin(number, walk.sum);
    visitor.end(number, is_first && keys[0] == 0 ? step : shape.nowhere(), 0);
    return false;
  }
  /// By one step; whether that was the last one.
  KOKKOSSCAN_FUNCTION bool advance(Walk& walk) const {
    visitor.pass(walk.step, walk.sum);
    walk.sum += weights.of(walk.step);
    walk.step = links[walk.step];
    if (walk.step < shape.steps() && !shape.is_start(walk.step)) return false;
    visitor.end(walk.number, walk.step, walk.sum);
    return true;
  }
};

/// Each start's sum up to a start behind it becomes that up to the one where that one's ends.
template <class Node>
struct DoubleWalks {
  Node starts;
  TourWalk<Node> const* from;
  TourWalk<Node>* to;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    TourWalk<Node> walk = from[i];
    if (walk.link < starts) {
      TourWalk<Node> const on = from[walk.link];
      walk                    = {on.link, walk.sum + on.sum};
    }
    to[i] = walk;
  }
};

/// What becomes of sums, for each node: -1 where there are none.
template <class Node, class Results>
struct PutEntering {
  TourSums<Node> sums;
  Results results;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    put(results[i], as_result<ElementOf<Results>>(sums.before_entering(i)));
  }
  template <class Result>
  KOKKOSSCAN_FUNCTION static Result as_result(Node sum) {
    return sum == TourSums<Node>::none ? static_cast<Result>(-1) : static_cast<Result>(sum);
  }
};
template <class Node, class Results>
struct PutLeaving {
  TourSums<Node> sums;
  Results results;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    put(results[i], PutEntering<Node, Results>::template as_result<ElementOf<Results>>(sums.before_leaving(i)));
  }
};
template <class Node, class Results>
struct PutBetween {
  TourSums<Node> sums;
  Results results;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    using Result = ElementOf<Results>;
    put(results[i],
        sums.has(i) ? static_cast<Result>(sums.before_leaving(i) - sums.before_entering(i)) : static_cast<Result>(-1));
  }
};

}  // namespace KokkosScan::core
