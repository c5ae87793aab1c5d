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
/// Vertices are relaxed in the order of their distances, in steps of about Delta: the mean weight times 32 over the
/// mean number of edges, of a sample of the weights, where the call says nothing else. It is widened while vertices are
/// looked through more often than edges.
///
/// The call waits for a number after each round, and cannot be captured into a graph. Scratch is 28 bytes for each
/// vertex, or 36 if distances have 8 bytes; some more if columns have.
///
/// A source that is no vertex is an error. Edges to what is no vertex lead nowhere, as do those of a weight that is
/// negative or no number; Options{.check = true} of a Handle throws std::invalid_argument for each of them, and where
/// row_offsets descend or leave columns.
inline constexpr driver::Function<driver::ShortestPaths, "KokkosScan::shortest_paths"> shortest_paths{};

}  // namespace KokkosScan
