// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <new>

#include "../driver/scan.hpp"

// The scan networks of the literature, each written once for every backend that has workers, which share the indices of
// a step and meet at its end.
//
//   workers.for_each(count, f)    f(0) ... f(count - 1) in any order, by any workers; all done when it returns
//
// A network scans `tile`, n >= 1 values, may use `scratch`, and returns where the result stands. An inclusive network
// leaves x0..xi in element i; an exclusive one x0..x(i-1) in each element but the first, where there is no such value,
// and the aggregate in scratch[0]. Both arrays hold bit_ceil(n) values, and smallest_capacity at least.
namespace KokkosScan::block {

using driver::Kind;

/// Stores a value whose type may have const members or be unassignable, where there may be no value yet.
template <class Value>
KOKKOSSCAN_FUNCTION void put(Value& to, Value const& value) {
  ::new (static_cast<void*>(&to)) Value(value);
}

inline constexpr int smallest_capacity = 128;

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

}  // namespace KokkosScan::block
