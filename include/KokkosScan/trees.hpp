// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>

#include "../../src/driver/trees.hpp"

// Trees from parents: parents(v) is the number of v's parent, and that of a root is -1, or any other negative number;
// of unsigned types, the largest number. There may be any number of trees. Children come in ascending order of their
// numbers, and so do roots: results are always the same.
//
// `exec` is an execution space instance or a Handle; every form also takes a leading label for Kokkos Tools. Nothing is
// waited for, and calls can be captured into a graph. Results are Views of integers, as long as parents or longer.
// Work and memory grow with the number of nodes alone, of chains and stars, too.
//
// A node from which parents lead to no root, but round a cycle, or to a number beyond all nodes, has the results -1,
// and of unsigned types the largest number; all others have theirs. A Handle with Options{.check = true} throws
// instead, naming a node and its parent, or a node on a cycle, and waits for that.
//
// Scratch is 26 bytes for each node, and 52 where parents have 8 bytes; of shorter ones there are at most 2^31 - 2.
namespace KokkosScan {

/// depths(v) = how many ancestors v has: 0 for a root.
///
///   tree_depths(exec, parents, depths)
inline constexpr driver::Function<driver::TreeFunction<driver::OfDepths>, "KokkosScan::tree_depths"> tree_depths{};

/// sizes(v) = how many nodes v and its descendants are.
///
///   subtree_sizes(exec, parents, sizes)
inline constexpr driver::Function<driver::TreeFunction<driver::OfSizes>, "KokkosScan::subtree_sizes"> subtree_sizes{};

/// numbers(v) = how many nodes come before v where each comes before its children: descendants have the numbers from
/// numbers(v) on up to numbers(v) + sizes(v).
///
///   preorder(exec, parents, numbers)
inline constexpr driver::Function<driver::TreeFunction<driver::OfPreorder>, "KokkosScan::preorder"> preorder{};

/// numbers(v) = how many nodes come before v where each comes behind its children.
///
///   postorder(exec, parents, numbers)
inline constexpr driver::Function<driver::TreeFunction<driver::OfPostorder>, "KokkosScan::postorder"> postorder{};

/// The tour that goes down to each node and up again: enter(v) and leave(v) are the places of these two steps among all
/// 2 n, from 0 on. Between them lie those of all descendants.
///
///   euler_tour(exec, parents, enter, leave)
inline constexpr driver::Function<driver::PlacesInTour, "KokkosScan::euler_tour"> euler_tour{};

/// Whether a is b or an ancestor of b, within a kernel: enter and leave are Views that euler_tour has filled. Both
/// nodes must come to a root.
///
///   is_ancestor(enter, leave, a, b)
KOKKOSSCAN_OBJECT driver::IsAncestor is_ancestor{};

}  // namespace KokkosScan
