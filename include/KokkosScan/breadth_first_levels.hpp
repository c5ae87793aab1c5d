// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/driver/breadth_first_levels.hpp"

namespace KokkosScan {

/// levels(v) = how many edges the shortest way from the source to vertex v has; -1 where there is none. The edges of v
/// are those from row_offsets(v) on, up to row_offsets(v + 1), and edge e goes to vertex columns(e); row_offsets has
/// one entry more than there are vertices. `exec` is an execution space instance or a Handle; the form with a leading
/// label is for Kokkos Tools.
///
///   breadth_first_levels(exec, row_offsets, columns, source, levels [, Symmetric{}])
///
/// Symmetric{} says that each edge is there both ways; then large levels look for the frontier from all other vertices,
/// which of graphs with few levels saves most of the edges. Of a graph that is not symmetric that gives levels that are
/// wrong, or -1.
///
/// Row offsets, columns and levels are of any type of integers, levels of one with a sign. What leads to no vertex is
/// not followed; Options{.check = true} of a Handle throws where a column is no vertex, or offsets descend.
///
/// It waits, so it cannot be captured: once for each level that is large, and once for each 4096 levels between two of
/// those. Scratch is 16 bytes a vertex where row offsets and columns are of 4 bytes; twice that of 8.
inline constexpr driver::Function<driver::BreadthFirstLevels, "KokkosScan::breadth_first_levels">
    breadth_first_levels{};

}  // namespace KokkosScan
