// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/random.hpp"
#include "support/spaces.hpp"

// Scans that store nothing: their total has the bits of the scan that stores its results.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Value>
std::vector<Value> random_values(std::size_t n) {
  test::Random random(n);
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; ++i)
    if constexpr (test::Monoid<Value>)
      values.push_back(Value::random(random));
    else if constexpr (std::is_floating_point_v<Value>)
      values.push_back(static_cast<Value>(random.fraction()));
    else
      values.push_back(static_cast<Value>(random()));
  return values;
}

template <class Value, class ExecOrHandle, class Array, class Op, class Unary, class Init>
void expect_same_total(ExecOrHandle const& where, Array const& from, std::size_t n, Op const& op, Unary const& unary,
                       Init const& init, std::string const& what) {
  std::vector<Value> results = random_values<Value>(n);
  alignas(Value) std::byte of_scan[sizeof(Value)], of_reduction[sizeof(Value)];
  auto scan = driver::make_scan<core::Kind::inclusive, Value, ExecOrHandle>(
      from, core::Contiguous<Value>{results.data()}, n, op, unary, init);
  scan.total = reinterpret_cast<Value*>(of_scan);
  driver::run_scan("scan", where, scan);
  driver::run_scan(
      "reduction", where,
      driver::make_reduction<Value, ExecOrHandle>(from, n, op, unary, init, reinterpret_cast<Value*>(of_reduction)));
  driver::instance(where).fence();
  EXPECT_EQ(std::memcmp(of_scan, of_reduction, sizeof(Value)), 0) << what << ", n " << n;
}

struct Twice {
  template <class T>
  T operator()(T const& value) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value) * 2U);  // which wraps around
    else
      return static_cast<T>(value + value);
  }
};

template <class Value, class ExecOrHandle, class Op>
void expect_same_totals(ExecOrHandle const& where, std::size_t n, Op const& op, std::string const& what) {
  auto const values = random_values<Value>(2 * n);
  core::Contiguous<Value const> const row{values.data()};
  core::Strided<Value const> const strided{values.data(), 2};
  expect_same_total<Value>(where, row, n, op, Unchanged(), driver::Nothing(), what);
  expect_same_total<Value>(where, core::backwards(row, n), n, op, Unchanged(), values[0], what + ", backwards");
  expect_same_total<Value>(where, strided, n, op, Unchanged(), values[0], what + ", strided");
  if constexpr (std::is_arithmetic_v<Value>)
    expect_same_total<Value>(where, row, n, op, Twice(), driver::Nothing(), what + ", transformed");
}

template <class Value>
class Reduction : public testing::Test {};
using ReductionTypes = testing::Types<std::int32_t, double, test::Matrix>;
TYPED_TEST_SUITE(Reduction, ReductionTypes);

template <class Value>
using OperatorOf = std::conditional_t<test::Monoid<Value>, test::Then, Sum>;

TYPED_TEST(Reduction, has_the_total_of_a_scan) {
  std::size_t const tile = host::Backend::tile_length<TypeParam>(core::Automatic{});
  for (auto const reading : {host::Reading::straight, host::Reading::in_turns}) {
    test::Assume const small_caches({.last_level_bytes = 1 << 19, .sharers = 1, .reading = reading});
    std::size_t const past_caches = host::streaming_from(Exec().concurrency()) / sizeof(TypeParam) + 77;
    for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{333}, tile, 2 * tile + 1, past_caches})
      expect_same_totals<TypeParam>(Exec(), n, OperatorOf<TypeParam>(), "no choice");
  }
}

TEST(ReductionOfDoubles, has_it_by_every_choice) {
  for (Options const& options : test::all_choices<host::Backend, double>()) {
    if (options.grid == GridScan::hillis_steele) continue;  // has no tiles, and so other bits
    Handle const handle(Exec(), options);
    std::size_t const tile = host::Backend::tile_length<double>(options);
    for (std::size_t const n : {std::size_t{1}, tile, 3 * tile + 5})
      expect_same_totals<double>(handle, n, Sum(), to_string(options.grid) + ", " + to_string(options.block));
  }
  expect_same_totals<std::int32_t>(Handle<Exec, portable::Backend>(), 5000, Sum(), "portable");
}

}  // namespace
