// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <new>

#include "../driver/scan.hpp"

// The scan networks of the literature, each written once for every backend that has a crew: workers that take the
// indices of a step among them and meet at its end.
//
//   crew.for_each(count, f)    f(0) ... f(count - 1) in any order, by any workers; all done when it returns
//
// A network scans `tile`, n >= 1 values, may use `spare`, and returns where the result stands. An inclusive network
// leaves x0..xi in place i; an exclusive one x0..x(i-1) in each place but the first, for which there is no such value,
// and the total in spare[0]. Both arrays have room for bit_ceil(n) values, and for smallest_room at least.
namespace KokkosScan::block {

using driver::Kind;

/// Stores a value whose type may have const members or be unassignable, into a place that may hold nothing yet.
template <class Value>
KOKKOSSCAN_FUNCTION void put(Value& place, Value const& value) {
  ::new (static_cast<void*>(&place)) Value(value);
}

inline constexpr int smallest_room = 128;

/// What a scan of either kind takes from a scanned tile: for place i of an exclusive scan, i > 0, or of an inclusive
/// one.
template <class Network, Kind wanted, class Value>
KOKKOSSCAN_FUNCTION Value const& local_result(Value const* result, Value const* spare, int n, int i) {
  if constexpr (Network::native_kind == wanted)
    return result[i];
  else if constexpr (wanted == Kind::exclusive)
    return result[i - 1];
  else
    return i + 1 < n ? result[i + 1] : spare[0];
}

}  // namespace KokkosScan::block
