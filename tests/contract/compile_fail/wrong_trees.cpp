// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

#include <KokkosScan/lowest_common_ancestors.hpp>
#include <KokkosScan/trees.hpp>

// Of trees; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_trees(Exec const& exec, Numbers const& parents, Numbers const& dest) {
  // expect: parents and what is found of trees must be Views of integers
  KokkosScan::tree_depths(exec, Kokkos::View<float*, Space>(), dest);
  // expect: parents and what is found of trees must be Views of integers
  KokkosScan::subtree_sizes(exec, parents, Kokkos::View<double*, Space>());
  // expect: the arrays that results go to must be Views of non-const values
  KokkosScan::preorder(exec, parents, Kokkos::View<long const*, Space>());
  // expect: the arrays of this call must be Views of rank 1
  KokkosScan::postorder(exec, Kokkos::View<int**, Space>(), dest);
  // expect: too few arguments, or too many
  KokkosScan::euler_tour(exec, parents, dest);
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle
  KokkosScan::tree_depths(5, parents, dest);
  // expect: the nodes of LowestCommonAncestors are of a type of integers
  KokkosScan::LowestCommonAncestors<float> const of_floats(3);
  // expect: enter and leave of is_ancestor are Views of rank 1
  KokkosScan::is_ancestor(5, dest, 1, 2);
}
#endif
