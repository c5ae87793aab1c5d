// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/driver/shortest_paths.hpp"

namespace KokkosScan {

/// distances(v) = the least sum of weights on any path from source to v. The graph is in compressed rows: the edges of
/// vertex u are from row_offsets(u) up to row_offsets(u + 1), edge e goes to columns(e), and its weight is weights(e),
/// 0 or more. `exec` is an execution space instance or a Handle; the form with a leading label is for Kokkos Tools.
///
///   shortest_paths(exec, row_offsets, columns, weights, source, distances [, Delta{x}])
///
/// Weights are integers, float or double; distances too, and floating-point numbers where weights are. Sums are made in
/// the type of distances, edge after edge from the source on: the same bits as Dijkstra's algorithm gives, in every
/// run. What is not reached is at infinity, or at the largest number of an integer type; there stays, too, what is so
/// far that the type cannot hold it.
///
/// Vertices are relaxed in the order of their distances, those within about Delta at once: the mean weight times 12
/// over the number of edges that a vertex has on the way, of a sample of the edges, where the call says nothing else.
/// It is widened while more vertices are looked through than edges relaxed.
///
/// The call waits for a number after each round of many vertices, and cannot be captured into a graph. Scratch is 32
/// bytes for each vertex, or 44 if distances have 8 bytes, and on hosts 12 more; more, too, if columns have 8 bytes.
///
/// A source that is no vertex is an error. Edges to what is no vertex lead nowhere, as do those of a weight that is
/// negative or no number; Options{.check = true} of a Handle throws std::invalid_argument for each of them, and where
/// row_offsets descend or leave columns.
inline constexpr driver::Function<driver::ShortestPaths, "KokkosScan::shortest_paths"> shortest_paths{};

}  // namespace KokkosScan
