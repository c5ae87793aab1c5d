// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

struct WithInit {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Sum{}, typename P::To{});
  }
};

/// The total goes behind the results, where the arena has room for one more.
struct WithTotal {
  template <class P>
  static void call(auto const& where, P const& p) {
    using Total = Kokkos::View<typename P::To, Memory, Kokkos::MemoryUnmanaged>;
    KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Sum{}, Total(p.to.data() + p.n()));
  }
};

using Sum = OnDevice<float, float, Plus<float>>;

}  // namespace

/// An inclusive sum as others would also call it. Their peers take a plain one.
std::vector<Family> other_forms() {
  return joined({families<Sum, InclusiveSum>("in_place", "f32", Algorithms::automatic, {.in_place = true}),
                 families<Sum, WithInit>("inclusive_init", "f32"), families<Sum, WithTotal>("inclusive_total", "f32")});
}

}  // namespace perf::cuda
