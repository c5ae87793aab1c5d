// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/driver/connected_components.hpp"

namespace KokkosScan {

/// labels(v) = the smallest vertex that edges connect with v, in whatever direction they are stored: the edges of v are
/// those from row_offsets(v) on, up to row_offsets(v + 1), and edge e is one between v and columns(e). row_offsets has
/// one entry more than there are vertices. `exec` is an execution space instance or a Handle; the form with a leading
/// label is for Kokkos Tools.
///
///   connected_components(exec, row_offsets, columns, labels [, Symmetric{}])
///
/// Symmetric{} says that each edge is there both ways, and saves looking at most of the columns where one component is
/// much larger than the others. Of a graph that is not symmetric, edges would be missed then.
///
/// Row offsets, columns and labels are of any type of integers. What leads to no vertex is left out; Options{.check =
/// true} of a Handle throws where a column is no vertex, or offsets descend.
///
/// Asynchronous, and nothing is waited for, so it can be captured. Scratch is 4 bytes a vertex where columns are of up
/// to 4 bytes, else 8.
inline constexpr driver::Function<driver::ConnectedComponents, "KokkosScan::connected_components">
    connected_components{};

}  // namespace KokkosScan
