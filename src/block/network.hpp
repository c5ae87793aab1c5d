// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <new>
#include "../core/macros.hpp"

#include "../core/problem.hpp"
#include "../core/tiles.hpp"

// The scan networks of the literature, for backends that have workers, which share the indices of a step and meet at
// its end.
//
//   workers.for_each(count, f)    f(0) ... f(count - 1) in any order, by any workers; all done when it returns
//   workers.once(f)               f() by one of them; done when it returns
//
// A network scans `tile`, n >= 1 values, may use `scratch`, and returns where the result stands. An inclusive network
// leaves x0..xi in element i; an exclusive one x0..x(i-1) in each element but the first, where there is no such value,
// and the aggregate in scratch[0]. Both arrays hold bit_ceil(n) values, and smallest_capacity at least.
//
// Blelloch's and Brent and Kung's are CUDA's, too: they take whatever loads and stores values by their index, and need
// one value of scratch, Brent and Kung's a tile of n. Of the others CUDA keeps values in registers, so
// cuda_native/block has them once more.
namespace KokkosScan::block {

using core::Kind;

using core::put;

inline constexpr int smallest_capacity = 128;

template <class Value>
KOKKOSSCAN_FUNCTION Value const& load(Value const* tile, int i) {
  return tile[i];
}
template <class Tile>
  requires requires(Tile const& tile) { tile.load(0); }
KOKKOSSCAN_FUNCTION auto load(Tile const& tile, int i) {
  return tile.load(i);
}
template <class Value>
KOKKOSSCAN_FUNCTION void store(Value* tile, int i, Value const& value) {
  put(tile[i], value);
}
template <class Tile, class Value>
  requires requires(Tile const& tile, Value const& value) { tile.store(0, value); }
KOKKOSSCAN_FUNCTION void store(Tile const& tile, int i, Value const& value) {
  tile.store(i, value);
}

/// What a scan of either kind takes from a scanned tile: for element i of an inclusive scan, or, i > 0, an exclusive
/// one.
template <class Network, Kind wanted, class Value>
KOKKOSSCAN_FUNCTION Value const& local_result(Value const* result, Value const* scratch, int n, int i) {
  if constexpr (Network::native_kind == wanted)
    return result[i];
  else if constexpr (wanted == Kind::exclusive)
    return result[i - 1];
  else
    return i + 1 < n ? result[i + 1] : scratch[0];
}

/// Stores the result of element `at`, the i-th of n in a scanned tile.
template <class Network, class Problem, class Value>
KOKKOSSCAN_FUNCTION void store_result(Problem const& problem, std::size_t at, Value const* result, Value const* scratch,
                                      int n, int i, core::Maybe<Value> const& prefix) {
  auto const through = [&] {
    return problem.combine(prefix, local_result<Network, Kind::inclusive>(result, scratch, n, i));
  };
  auto const before = [&]() -> Value {
    if (i > 0) return problem.combine(prefix, local_result<Network, Kind::exclusive>(result, scratch, n, i));
    return prefix ? *prefix : local_result<Network, Kind::inclusive>(result, scratch, n, i);
  };
  core::store(problem.sink, at, before, [&] { return problem.source.load(at); }, through);
}

}  // namespace KokkosScan::block
