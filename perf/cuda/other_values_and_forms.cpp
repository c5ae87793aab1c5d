// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../operations/operations.hpp"

namespace perf {
namespace {

/// A struct of the user's, which no library knows.
struct TwoDoubles {
  using value_type = double;
  double first, second;

  double real() const { return first; }
  KOKKOS_FUNCTION double imag() const { return second; }
  KOKKOS_FUNCTION friend TwoDoubles operator+(TwoDoubles const& left, TwoDoubles const& right) {
    return {left.first + right.first, left.second + right.second};
  }
  KOKKOS_FUNCTION friend bool operator==(TwoDoubles const& left, TwoDoubles const& right) {
    return left.first == right.first && left.second == right.second;
  }
};

// An inclusive sum as others would also call it. Their peers take a plain one.
constexpr auto with_init = [](auto const& where, auto const& p) {
  KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Sum{}, 0.0F);
};
/// The total goes behind the results, where the arena has capacity for one more.
constexpr auto with_total = [](auto const& where, auto const& p) {
  using One = Kokkos::View<float, backend::Memory, Kokkos::MemoryUnmanaged>;
  KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Sum{}, KokkosScan::Total(One(p.to.data() + p.n())));
};

using Sum = Problem<float, float, Plus<float>>;

Add const here{inclusive_sum<std::uint32_t>(),
               inclusive_sum<Kokkos::Experimental::half_t, Algorithms::automatic, levels>("f16"),
               inclusive_sum<Kokkos::Experimental::bhalf_t, Algorithms::automatic, levels>("bf16"),
               inclusive_sum<Kokkos::complex<double>>("c128"),
               inclusive_sum<TwoDoubles>("f64x2"),
               maxima<std::uint32_t>(),
               inclusive_lambda<std::int32_t>(),
               inclusive_lambda<std::uint32_t>(),
               inclusive_lambda<std::int64_t>(),
               families<Sum>("inclusive_init", "f32", with_init),
               families<Sum>("inclusive_total", "f32", with_total)};

}  // namespace
}  // namespace perf
