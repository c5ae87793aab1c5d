// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <Kokkos_Core.hpp>
#include <string>
#include <tuple>

#include "../../src/driver/scan_counts.hpp"

namespace KokkosScan {
namespace driver {

struct OffsetsFromCounts {
  template <class ExecOrHandle, class View, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, View const& view, Rest&&... rest) {
    offsets_arguments(label, exec, view, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

}  // namespace driver

/// Row offsets from row counts, as in CSR: offsets(0) = 0, offsets(i + 1) = offsets(i) + counts(i).
///
///   offsets_from_counts(exec, counts, offsets)    offsets has one entry more than counts, or both are empty
///   offsets_from_counts(exec, offsets)            in place: counts, and behind them an entry that is only written
///
/// Behind them may stand Total{x}, of the value type of offsets or of a wider integer. With a wider one the sum is
/// exact; and if x is a variable, a total that does not fit into offsets throws std::overflow_error when all is done.
/// Without it nothing is checked and nothing waits, but on a Handle with Options{.check = true}.
inline constexpr driver::Function<driver::OffsetsFromCounts, "KokkosScan::offsets_from_counts"> offsets_from_counts{};

}  // namespace KokkosScan
