// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {

/// What CSR matrices begin with: counts in 32 bits become offsets in 64. The others write their running sums behind a
/// zero.
std::vector<Family> offsets() {
  using P         = Problem<std::int32_t, std::int64_t, Plus<std::int64_t>, Counts>;
  using Offsets   = Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  auto const ours = [](auto const& where, P const& p) {
    KokkosScan::offsets_from_counts(where, p.from, Offsets(p.first, p.n() + 1));
  };
  return {family<P>("offsets", "i32_i64", large, ours, Algorithms::automatic, {.offsets = true})};
}

}  // namespace perf::host
