// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/scan_case.hpp"
#include "support/time.hpp"

// As<T>{}: sums are made in a type that is not dest's, and each result is converted once, where it is stored.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Call;
using test::TotalTo;
using Exec = Kokkos::DefaultExecutionSpace;

constexpr std::size_t n = 50'003;

struct Halve {
  KOKKOS_FUNCTION double operator()(float x) const { return 0.5 * static_cast<double>(x); }
};
/// No kernel is compiled for it.
struct Plus {
  KOKKOS_FUNCTION double operator()(double left, double right) const { return left + right; }
};

/// Sums of multiples of 1/8, which are exact in double, and are not in float from 2^21 on.
template <class Arrangement>
void expect_all(auto const& exec, std::size_t stride = 1) {
  std::vector<float> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(static_cast<float>(i * 7919 % 1000) + 0.125F * static_cast<float>(i % 8));
  Call<double> call{
      .shape = {.n = n, .from_stride = stride, .dest_stride = stride}, .init = 0.125, .total_to = TotalTo::view};
  test::expect_scan<Kind::exclusive, float, Arrangement>(exec, values, call, Sum{});
  test::expect_scan<Kind::exclusive, float, Arrangement>(exec, values, call, Sum{}, Halve{});
  test::expect_scan<Kind::inclusive, float, Arrangement>(exec, values, call, Plus{});
  call.init.reset();
  test::expect_scan<Kind::inclusive, float, Arrangement>(exec, values, call, Sum{});
  call.shape.lie = test::Lie::in_place;
  test::expect_scan<Kind::inclusive, float, Arrangement>(exec, values, call, Sum{});
}

TEST(Accumulators, of_contiguous_views) { expect_all<test::ContiguousViewTotal>(Exec()); }
TEST(Accumulators, of_strided_views) { expect_all<test::StridedViewTotal>(Exec(), 3); }

template <class Backend>
void expect_by_all_choices() {
  std::size_t call = 0;
  for (Options const& options : test::all_choices<Backend>()) {
    if (test::is_sanitized && call++ % 3 != 0) continue;
    SCOPED_TRACE(to_string(options.grid) + " x " + to_string(options.block));
    expect_all<test::ContiguousViewTotal>(Handle<Exec, Backend, Options>(Exec(), options));
  }
}
TEST(Accumulators, of_each_algorithm) { expect_by_all_choices<driver::Backend<Exec>>(); }
TEST(Accumulators, of_the_portable_backend) { expect_by_all_choices<portable::Backend>(); }

/// A wider one that is narrowed, and one that is narrower than dest and wraps around.
TEST(Accumulators, of_integers) {
  std::vector<std::int32_t> values;
  for (int i = 0; i < static_cast<int>(n); ++i) values.push_back(i * 12345 - 777);
  Call<std::int64_t> const wide{.shape = {.n = n}, .total_to = TotalTo::host};
  test::expect_scan<Kind::inclusive, std::int16_t>(Exec(), values, wide, Sum{});
  Call<std::uint32_t> const narrow{.shape = {.n = n}, .init = 17, .total_to = TotalTo::host};
  test::expect_scan<Kind::exclusive, std::int64_t>(Exec(), values, narrow, Sum{});
}

}  // namespace
