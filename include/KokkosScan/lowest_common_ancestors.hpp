// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/trees.hpp>
#include <cstddef>
#include <string>

#include "../../src/driver/lowest_common_ancestors.hpp"

namespace KokkosScan {

/// Lowest common ancestors in a forest that is given by the parents of its nodes (trees.hpp), asked for in kernels:
///
///   LowestCommonAncestors<> ancestors(exec, parents);
///   ... ancestors(u, v) ...
///
/// is the node furthest from the root that has u and v among its descendants, or is one of them; -1 (of unsigned types
/// the largest number) for nodes of two trees, for one that no root leads to, and for one that is none. A query reads
/// about ten numbers, or up to 36 that lie side by side, wherever the nodes are. Node is the type of nodes, integers
/// that hold their numbers; memory is that of six numbers for each.
///
/// Building waits for nothing, once memory is there. Copies share the memory, and a kernel is handed a copy that is
/// made behind the call that builds it.
template <class Node = int, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class LowestCommonAncestors {
  static_assert(std::integral<Node> && !std::is_same_v<Node, bool>,
                "KokkosScan: the nodes of LowestCommonAncestors are of a type of integers");

 public:
  using memory_space = MemorySpace;

  LowestCommonAncestors() = default;
  /// Memory for so many nodes; there is no tree before build.
  explicit LowestCommonAncestors(std::size_t nodes) : tables_(nodes) {}
  template <NoLabel ExecOrHandle, class Parents>
  LowestCommonAncestors(ExecOrHandle const& exec, Parents const& parents) : tables_(parents.extent(0)) {
    build(exec, parents);
  }
  template <class ExecOrHandle, class Parents>
  LowestCommonAncestors(std::string const& label, ExecOrHandle const& exec, Parents const& parents)
      : tables_(parents.extent(0)) {
    build(label, exec, parents);
  }

  /// How many nodes there is memory for.
  std::size_t capacity() const { return tables_.places.extent(0); }

  /// Other parents, of as many nodes as there is memory for, or fewer. Allocates nothing; in order on exec.
  template <NoLabel ExecOrHandle, class Parents>
  void build(ExecOrHandle const& exec, Parents const& parents) {
    build_(exec, parents, tables_);
  }
  template <class ExecOrHandle, class Parents>
  void build(std::string const& label, ExecOrHandle const& exec, Parents const& parents) {
    build_(label, exec, parents, tables_);
  }

  KOKKOS_FUNCTION Node operator()(Node u, Node v) const { return tables_.lowest(u, v); }

 private:
  static constexpr driver::Function<driver::BuildAncestors, "KokkosScan::LowestCommonAncestors::build"> build_{};

  driver::AncestorTables<Node, MemorySpace> tables_;
};

}  // namespace KokkosScan
