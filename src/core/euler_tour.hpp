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
// one, picked by a hash of the block's number, starts a walk to the next such step; each step that a walk comes by
// learns whose walk that is and the sum since its start. The starts are a shorter list, which is scanned by doubling.
//
// No step stands behind two others, whatever the parents are: of a cycle, steps make rings. So no step belongs to two
// walks, and a walk ends at its own start at the latest; what no walk from the first root comes by is recognised.
//
//   launches    4, a sort's, and one for each bit of the number of starts
//   memory      per node four numbers for the sort and four for the steps; a few for each start
//   bytes moved per node and pass of the sort 16; two steps that are read and written anywhere, and once more in order
//   progress    none needed; the longest walk is about 12 times as long as a block in 2^18 of them
namespace KokkosScan::core {

/// The step behind one; or, when a walk has come by, the number of the walk and the sum since its start.
template <class Node>
struct TourStep {
  Node link, sum;
};

/// What a step adds to the sum of those behind it, and a sum that there never is.
template <class Node>
struct TourWeights {
  Node entering, leaving, never;

  static constexpr Node no_sum = static_cast<Node>(-1);  // of what has no end, nor of what counts steps

  static constexpr TourWeights of_depths() { return {1, no_sum, Node{1} << (sizeof(Node) * 8 - 1)}; }
  static constexpr TourWeights of_entering() { return {1, 0, no_sum}; }
  static constexpr TourWeights of_leaving() { return {0, 1, no_sum}; }
  static constexpr TourWeights of_steps() { return {1, 1, no_sum}; }
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
  Node nodes, never;
  Node *keys, *order;
  TourStep<Node>* steps;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    auto const v = static_cast<Node>(i);
    keys[i]      = sibling_key(parents[i], nodes);
    order[i]     = v;
    steps[2 * i] = {TourShape<Node>::leaving(v), never};
  }
};

/// Steps to first children, and from each node to its sibling or its parent.
template <class Node>
struct LinkTour {
  TourShape<Node> shape;
  Node never;
  Node const *keys, *order;
  TourStep<Node>* steps;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    Node const key = keys[k], v = order[k];
    bool const is_root = key == 0 || key > shape.nodes;
    if (!is_root && (k == 0 || keys[k - 1] != key)) steps[shape.entering(key - 1)].link = shape.entering(v);
    Node behind = key == 0 ? shape.end() : is_root ? shape.nowhere() : shape.leaving(key - 1);
    if (k + 1 < shape.nodes && keys[k + 1] == key) behind = shape.entering(order[k + 1]);
    steps[shape.leaving(v)] = {behind, never};
  }
};

/// Walks from starts to the next ones, so many of them by turns: their loads are under way at the same time. Each call
/// has `each` neighbouring starts.
template <class Node, std::size_t together>
struct WalkTour {
  TourShape<Node> shape;
  TourWeights<Node> weights;
  Node const *keys, *order;
  TourStep<Node>*steps, *starts;
  Node each;

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
    if (is_first ? keys[0] == 0 && !shape.is_start(step) : step < shape.steps()) return true;
    starts[number] = {is_first && keys[0] == 0 ? step >> shape.bits : shape.no_start(), 0};
    return false;
  }
  /// By one step; whether that was the last one.
  KOKKOSSCAN_FUNCTION bool advance(Walk& walk) const {
    TourStep<Node>& step = steps[walk.step];
    Node const behind    = step.link;
    step                 = {walk.number, walk.sum};
    walk.sum += walk.step % 2 == 0 ? weights.entering : weights.leaving;
    walk.step = behind;
    if (behind < shape.steps() && !shape.is_start(behind)) return false;
    starts[walk.number] = {behind < shape.steps() ? behind >> shape.bits
                                                  : (behind == shape.end() ? shape.end_of_starts() : shape.no_start()),
                           walk.sum};
    return true;
  }
};

/// Each start's sum up to a start behind it becomes that up to the one where that one's ends.
template <class Node>
struct DoubleWalks {
  Node starts;
  TourStep<Node> const* from;
  TourStep<Node>* to;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    TourStep<Node> walk = from[i];
    if (walk.link < starts) {
      TourStep<Node> const on = from[walk.link];
      walk                    = {on.link, walk.sum + on.sum};
    }
    to[i] = walk;
  }
};

/// The sums of what stands before steps, when starts know their sums up to the end.
template <class Node>
struct TourSums {
  static constexpr Node none = static_cast<Node>(-1);  // of a step that no root leads to

  TourShape<Node> shape;
  Node never;
  TourStep<Node> const *steps, *starts;

  KOKKOSSCAN_FUNCTION Node before(Node step) const {
    TourStep<Node> const at = steps[step];
    if (at.sum == never) return none;
    TourStep<Node> const start = starts[at.link];
    if (start.link != shape.end_of_starts()) return none;
    return starts[shape.first()].sum - start.sum + at.sum;
  }
  KOKKOSSCAN_FUNCTION bool has(Node v) const { return before(shape.entering(v)) != none; }
};

/// What becomes of sums, for each node: -1 where there are none.
template <class Node, class Results>
struct PutEntering {
  TourSums<Node> sums;
  Results results;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    put(results[i], as_result<ElementOf<Results>>(sums.before(sums.shape.entering(static_cast<Node>(i)))));
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
    put(results[i], PutEntering<Node, Results>::template as_result<ElementOf<Results>>(
                        sums.before(sums.shape.leaving(static_cast<Node>(i)))));
  }
};
template <class Node, class Results>
struct PutBetween {
  TourSums<Node> sums;
  Results results;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    auto const v     = static_cast<Node>(i);
    Node const until = sums.before(sums.shape.leaving(v));
    put(results[i], until == sums.none ? static_cast<ElementOf<Results>>(-1)
                                       : static_cast<ElementOf<Results>>(until - sums.before(sums.shape.entering(v))));
  }
};

}  // namespace KokkosScan::core
