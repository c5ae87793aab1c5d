// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

struct FromCounts {
  template <class P>
  static void call(auto const& where, P const& p) {
    using Offsets = Kokkos::View<typename P::To*, Memory, Kokkos::MemoryUnmanaged>;
    KokkosScan::offsets_from_counts(where, p.from, Offsets(p.first, p.n() + 1));
  }
};

}  // namespace

/// What CSR matrices begin with: counts in 32 bits become offsets in 64.
std::vector<Family> offsets() {
  return families<OnDevice<std::int32_t, std::int64_t, Plus<std::int64_t>, Counts>, FromCounts>(
      "offsets", "i32_i64", Algorithms::automatic, {.offsets = true});
}

}  // namespace perf::cuda
