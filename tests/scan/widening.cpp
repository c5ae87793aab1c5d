// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>

#include "support/matrix.hpp"

// The accumulator is the value type of dest: inputs, transformed if so asked, and init convert to it before the first
// operation. Every input here would overflow, round or lose its sign in a narrower accumulator.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Lie;
using test::TotalTo;
using Exec = Kokkos::DefaultExecutionSpace;

template <class From, class T, class Op = Sum, class Unary = Unchanged>
void expect_conversions(std::vector<From> const& pattern, T init, Op const& op = {}, Unary const& unary = {}) {
  std::size_t const tile = test::automatic_tile<Exec, T>();
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{100}, tile - 1, tile + 1, 2 * tile + 3}) {
    std::vector<From> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(pattern[i % pattern.size()]);
    // dest starts at an odd element: with wider elements than from, as when offsets are filled behind a zero.
    test::Call<T> call{.shape = {.n = n, .from_offset = 1, .dest_offset = 1}, .init = init, .total_to = TotalTo::view};
    test::expect_scan<Kind::exclusive, T>(Exec(), values, call, op, unary);
    call.total_to = TotalTo::host;
    test::expect_scan<Kind::inclusive, T>(Exec(), values, call, op, unary);
    call.total_to = TotalTo::nobody;
    call.init.reset();
    test::expect_scan<Kind::inclusive, T>(Exec(), values, call, op, unary);
  }
}

TEST(Widening, int32_counts_to_int64_offsets) {
  expect_conversions<std::int32_t, std::int64_t>({std::numeric_limits<std::int32_t>::max(), 2147480000, -5},
                                                 std::int64_t{1} << 40);
}

TEST(Widening, uint8_to_int32) { expect_conversions<std::uint8_t, std::int32_t>({255, 254, 1}, 1'000'000); }

TEST(Widening, int8_keeps_its_sign) { expect_conversions<std::int8_t, std::int64_t>({-128, 127, -100}, -1); }

TEST(Widening, uint32_to_uint64) {
  expect_conversions<std::uint32_t, std::uint64_t>({4294967295U, 4294967290U}, std::uint64_t{1} << 60);
}

TEST(Widening, float_to_double) {
  // In float 2^24 + 1 is 2^24.
  expect_conversions<float, double>({16777216.0F, 1.0F, 0.5F}, 1e9);
}

TEST(Widening, products_in_the_wider_type) {
  expect_conversions<std::uint16_t, std::uint64_t, Product>({65535, 65533, 3}, 65537U);
}

TEST(Widening, minimum_of_unsigned_in_a_signed_type) {
  expect_conversions<std::uint32_t, std::int64_t, Min>({4294967295U, 4000000000U, 7U}, std::int64_t{1} << 50);
}

TEST(Narrowing, each_input_converts_by_itself) {
  // The maximum of the inputs is 70000, which converts to 4464.
  expect_conversions<std::int64_t, std::uint16_t, Max>({1, 70000, 30000, 2}, std::uint16_t{9});
}

// Functors: CUDA takes no lambda from the body of a test.

struct IsPositive {
  KOKKOS_FUNCTION bool operator()(std::int32_t x) const { return x > 0; }
};

TEST(Transform, flags_to_counts) {
  expect_conversions<std::int32_t, std::int32_t>({-3, 0, 5, 7, -1}, 10, Sum{}, IsPositive{});
}

struct Particle {
  float mass;
  std::int32_t cell;
};

struct Mass {
  KOKKOS_FUNCTION float operator()(Particle const& particle) const { return particle.mass; }
};

TEST(Transform, from_a_struct) {
  expect_conversions<Particle, double>({{16777216.0F, 1}, {1.0F, 2}, {3.0F, 3}}, 0.25, Sum{}, Mass{});
}

struct Squared {
  KOKKOS_FUNCTION std::int64_t operator()(std::int32_t x) const { return std::int64_t{x} * x; }
};

TEST(Transform, to_a_wider_type_than_from) {
  expect_conversions<std::int32_t, std::int64_t>({100'000, -99'999, 3}, 1, Sum{}, Squared{});
}

struct Next {
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t x) const { return x + 1; }
};

TEST(Transform, applies_once_to_inputs_and_never_to_init) {
  // Applied twice, or to a partial result, it would not come out even.
  expect_conversions<std::int64_t, std::int64_t>({1, 2, 3, 5, 8}, 1000, Sum{}, Next{});
}

struct ThriceAndOne {
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t x) const { return 3 * x + 1; }
};

/// A transform must see inputs, not results, in place too.
TEST(Transform, in_place) {
  std::size_t const n = 3 * test::automatic_tile<Exec, std::int64_t>() + 5;
  auto const values   = test::make_values<Sum, std::int64_t>(n, 7);
  test::Call<std::int64_t> const call{.shape = {.n = n, .lie = Lie::in_place}, .init = 17, .total_to = TotalTo::view};
  test::expect_scan<Kind::inclusive, std::int64_t>(Exec(), values, call, Sum{}, ThriceAndOne{});
  test::expect_scan<Kind::exclusive, std::int64_t>(Exec(), values, call, Sum{}, ThriceAndOne{});
}

}  // namespace
