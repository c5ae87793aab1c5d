// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <KokkosScan/offsets.hpp>
#include <string>
#include <tuple>

#include "../../../src/ranks/function.hpp"
#include "../../../src/ranks/scan_counts.hpp"

namespace KokkosScan {
namespace ranks {

struct OffsetsFromCounts {
  template <class ExecOrHandle, class View, class... Rest>
  static void call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, View const& view,
                   Rest&&... rest) {
    offsets_arguments(label, comm, exec, view, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

}  // namespace ranks

namespace mpi {

/// KokkosScan::offsets_from_counts of the counts of all ranks: offsets(0) is what the ranks before have, and the last
/// entry of a rank is the first one of the next. The total is that of all ranks.
///
///   offsets_from_counts(comm, exec, counts, offsets [, Total{x}])
///   offsets_from_counts(comm, exec, offsets [, Total{x}])
///
/// Counts and offsets of a rank may both be empty. A total of a wider integer that does not fit into offsets, and with
/// Options{.check = true} any such total, throws std::overflow_error on every rank when all is done. Counts are read
/// twice, but by the last rank of a call without a total and without that option, which must be on all ranks; the call
/// waits for exec once.
inline constexpr ranks::Function<ranks::OffsetsFromCounts, "KokkosScan::mpi::offsets_from_counts">
    offsets_from_counts{};

}  // namespace mpi
}  // namespace KokkosScan
