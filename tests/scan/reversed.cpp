// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace test {
namespace {

using KokkosScan::Reversed;
using KokkosScan::Total;

template <class Value>
std::vector<Value> turned(std::vector<Value> const& values) {
  return {values.rbegin(), values.rend()};
}

template <class Setup>
class ReversedScans : public testing::Test {};
using ReversedScansSetups = Setups<Spaces, std::int8_t, std::int64_t, float, double>::Types;
TYPED_TEST_SUITE(ReversedScans, ReversedScansSetups);

/// A scan from the far end is the scan of the turned array, turned.
template <class Setup, class View>
void expect_turned(View (*make)(std::vector<typename Setup::Value> const&)) {
  using Value = typename Setup::Value;
  using Op    = OperatorOf<Value>;
  for_each_choice<Setup>([&](auto const& where, std::size_t n, std::string const& what) {
    auto const values = make_values<Op, Value>(n + 1, n);
    auto const from   = std::vector<Value>(values.begin(), values.end() - 1);
    Value const init  = values.back();
    View const inputs = make(from), dest = make(from);
    auto const expected_in = [&](std::vector<Value> results, bool inclusive) {
      Value running(init);
      for (std::size_t i = n; i-- > 0;) {
        if (!inclusive) results[i] = running;
        running = Op{}(running, from[i]);
        if (inclusive) results[i] = running;
      }
      return results;
    };
    KokkosScan::inclusive_scan(where, inputs, dest, Reversed{}, Op{}, init);
    expect_same(expected_in(from, true), to_vector(dest, init), what + ", inclusive");
    Value total(init);
    KokkosScan::exclusive_scan(where, inputs, dest, init, Total{total}, Op{}, Reversed{});
    expect_same(expected_in(from, false), to_vector(dest, init), what + ", exclusive");
    EXPECT_TRUE(n == 0 || total == expected_in(from, true)[0]) << what << ": the total is wrong";
    KokkosScan::inclusive_scan(where, inputs, inputs, Op{}, init, Reversed{});
    expect_same(expected_in(from, true), to_vector(inputs, init), what + ", in place");
  });
}

TYPED_TEST(ReversedScans, contiguous) {
  expect_turned<TypeParam, typename TypeParam::View>(to_view<typename TypeParam::View>);
}

#if !KOKKOSSCAN_TEST_ON_MODEL
TEST(ReversedViews, strided_and_transformed) {
  using Exec          = Kokkos::DefaultExecutionSpace;
  using Rows          = Kokkos::View<int**, Kokkos::LayoutRight, Exec>;
  std::size_t const n = 10'000;
  Rows const rows("rows", n, 3), results("results", n, 3);
  Kokkos::deep_copy(rows, 2);
  auto const column = Kokkos::subview(rows, Kokkos::ALL, 1), to = Kokkos::subview(results, Kokkos::ALL, 2);
  KokkosScan::inclusive_scan(Exec(), column, to, Reversed{});
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found(i, 2), static_cast<int>(2 * (n - i))) << i;
}
#endif

}  // namespace
}  // namespace test
