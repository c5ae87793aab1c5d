// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "src/host/machine.hpp"
#include "src/host/simd/instruction_set.hpp"
#include "support/spaces.hpp"

// The compiled kernels give the same bits for every instruction set, at every length, in place, at every offset, with
// and without a prefix.
namespace test {
namespace {

using namespace KokkosScan;
namespace simd = host::simd;

struct UseInstructionSet {
  simd::InstructionSet before = simd::instruction_set();
  explicit UseInstructionSet(simd::InstructionSet set) { simd::use(set); }
  ~UseInstructionSet() { simd::use(before); }
};

template <class T>
std::vector<T> inputs(std::size_t n) {
  std::vector<T> values(n);
  unsigned state = 12345;
  for (T& value : values) {
    state = state * 1664525u + 1013904223u;
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(state) / static_cast<T>(1u << 31) - T(1);  // every rounding shows
    else
      value = static_cast<T>(static_cast<std::uint64_t>(state) << 32 | (state ^ state >> 7));  // of either sign
  }
  return values;
}

template <class T, class Op, bool exclusive>
std::vector<T> scan_with(simd::InstructionSet set, std::vector<T> const& from, std::size_t offset, bool in_place) {
  UseInstructionSet const use(set);
  using View = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  std::vector<T> source(from.size() + offset), dest(from.size() + offset, T(77));
  std::copy(from.begin(), from.end(), source.begin() + static_cast<std::ptrdiff_t>(offset));
  View const a(source.data() + offset, from.size());
  View const b(in_place ? a.data() : dest.data() + offset, from.size());
  T const init = T(3);
  if constexpr (exclusive)
    exclusive_scan(Kokkos::DefaultHostExecutionSpace(), a, b, init, Op{});
  else
    inclusive_scan(Kokkos::DefaultHostExecutionSpace(), a, b, Op{});
  return {b.data(), b.data() + b.size()};
}

template <class T, class Op, bool exclusive>
void expect_same_bits() {
  std::size_t const tile = host::tile_length(BlockScan::automatic, sizeof(T));
  for (std::size_t const n : {std::size_t(1), std::size_t(7), std::size_t(255), std::size_t(256), std::size_t(257),
                              std::size_t(1000), tile - 1, tile + 1, 3 * tile + 129})
    for (std::size_t const offset : {0U, 1U, 3U}) {
      auto const from     = inputs<T>(n);
      auto const expected = scan_with<T, Op, exclusive>(simd::InstructionSet::baseline, from, offset, false);
      for (auto const set : simd::available_instruction_sets())
        for (bool const in_place : {false, true}) {
          auto const result = scan_with<T, Op, exclusive>(set, from, offset, in_place);
          ASSERT_EQ(0, std::memcmp(expected.data(), result.data(), n * sizeof(T)))
              << simd::to_string(set) << ", n = " << n << ", offset " << offset << (in_place ? ", in place" : "");
        }
    }
}

template <class T>
class InstructionSets : public testing::Test {};
using Types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(InstructionSets, Types);

TYPED_TEST(InstructionSets, give_the_same_bits) {
  expect_same_bits<TypeParam, Sum, false>();
  expect_same_bits<TypeParam, Sum, true>();
  expect_same_bits<TypeParam, Product, false>();
  expect_same_bits<TypeParam, Min, false>();
  expect_same_bits<TypeParam, Min, true>();
  expect_same_bits<TypeParam, Max, false>();
  if constexpr (std::is_integral_v<TypeParam>) {
    expect_same_bits<TypeParam, BitAnd, false>();
    expect_same_bits<TypeParam, BitOr, true>();
    expect_same_bits<TypeParam, BitXor, false>();
  }
}

/// Of floats, what a fused multiplication and addition would round but once.
template <class T>
struct Changed {
  KOKKOS_FUNCTION T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x * T(1.7) + T(3.3);
    else
      return static_cast<T>(x ^ T(85));
  }
};

/// Inputs that are converted or transformed on the way give the bits of inputs that were so before.
template <class T, class From, class Unary = Unchanged>
void expect_to_convert_alike() {
  using Values = Kokkos::View<T*, Kokkos::HostSpace>;
  Kokkos::DefaultHostExecutionSpace const exec;
  Assume const small_caches({.last_level_bytes = 1 << 20, .sharers = 1, .reading = host::Reading::straight});
  std::size_t const tile  = host::tile_length(BlockScan::automatic, sizeof(T));
  std::size_t const large = host::streaming_from(exec.concurrency()) / sizeof(T);  // past the caches, reading ahead
  for (std::size_t const n : {std::size_t(33), std::size_t(255), std::size_t(256), std::size_t(1000), std::size_t(1024),
                              tile + 1, 5 * tile + 129, large + 129})
    for (std::size_t const offset : {0U, 1U}) {
      auto const values = inputs<From>(n + offset);
      Kokkos::View<From const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const from(values.data() + offset, n);
      Values const converted("converted", n), expected("expected", n), dest("dest", n);
      for (std::size_t i = 0; i < n; ++i) converted(i) = static_cast<T>(Unary()(from(i)));
      for (auto const set : simd::available_instruction_sets()) {
        UseInstructionSet const use(set);
        auto const expect_equal = [&](char const* name) {
          ASSERT_EQ(0, std::memcmp(expected.data(), dest.data(), n * sizeof(T)))
              << name << ", " << simd::to_string(set) << ", n = " << n << ", offset " << offset;
        };
        inclusive_scan(exec, converted, expected);
        transform_inclusive_scan(exec, from, dest, Sum{}, Unary{});
        expect_equal("inclusive");
        exclusive_scan(exec, converted, expected, T(5));
        transform_exclusive_scan(exec, from, dest, T(5), Sum{}, Unary{});
        expect_equal("exclusive");
      }
    }
}

TEST(InstructionSet, converts_alike) {
  expect_to_convert_alike<std::int64_t, std::int32_t>();
  expect_to_convert_alike<std::uint64_t, std::int32_t>();
  expect_to_convert_alike<std::int64_t, std::uint32_t>();
  expect_to_convert_alike<double, float>();
}

TEST(InstructionSet, stages_alike) {
  expect_to_convert_alike<std::int32_t, std::int8_t>();
  expect_to_convert_alike<float, std::int32_t>();
  expect_to_convert_alike<float, float, Changed<float>>();
  expect_to_convert_alike<double, double, Changed<double>>();
  expect_to_convert_alike<std::int8_t, std::int8_t, Changed<std::int8_t>>();
  expect_to_convert_alike<std::uint64_t, std::uint64_t, Changed<std::uint64_t>>();
}

/// The total of `next`, by itself or while a tile of `now` values is scanned.
template <class T>
T total_by(simd::InstructionSet set, bool in_turns, std::vector<T> const& values, std::size_t now, std::size_t next) {
  UseInstructionSet const use(set);
  simd::Functions<T> const& functions = simd::functions<Sum, T>();
  simd::Piece<T> sum{};
  sum.from     = values.data();
  sum.n        = next;
  sum.in_turns = in_turns;
  if (now == 0) {
    functions.reduce(sum);
  } else {
    std::vector<T> dest(now);
    simd::Piece<T> scanned{};
    scanned.from = values.data();
    scanned.dest = dest.data();
    scanned.n    = now;
    functions.scan(scanned, nullptr, simd::Store::cached, &sum, false);
  }
  return sum.aggregate;
}

template <class T>
void expect_same_totals_in_turns() {
  std::size_t const group     = simd::group_bytes / sizeof(T);
  std::size_t const window    = host::pages_in_turns * host::page_bytes / sizeof(T);
  std::vector<T> const values = inputs<T>(3 * window + 5 * group + 3);
  for (std::size_t const n : {std::size_t(1), group, 3 * group + 1, window - 1, window, window + 1, window + group,
                              window + 7 * group + 9, 2 * window, 2 * window + 11 * group, values.size()}) {
    T const expected = total_by(simd::InstructionSet::baseline, false, values, 0, n);
    for (auto const set : simd::available_instruction_sets())
      for (bool const in_turns : {false, true})
        for (std::size_t const now : {std::size_t(0), std::size_t(3), group, n, n / 2 + 1, values.size()}) {
          T const total = total_by(set, in_turns, values, now, n);
          ASSERT_EQ(0, std::memcmp(&expected, &total, sizeof(T)))
              << simd::to_string(set) << (in_turns ? ", in turns" : "") << ", n = " << n << ", while " << now
              << " are scanned";
        }
  }
}

TEST(InstructionSet, gives_the_same_totals_in_turns) {
  expect_same_totals_in_turns<float>();
  expect_same_totals_in_turns<double>();
  expect_same_totals_in_turns<std::uint8_t>();
}

TEST(InstructionSet, that_is_missing_is_an_error) {
  std::vector<simd::InstructionSet> const there = simd::available_instruction_sets();
  for (auto const set : {simd::InstructionSet::baseline, simd::InstructionSet::avx2, simd::InstructionSet::avx512}) {
    if (std::find(there.begin(), there.end(), set) != there.end()) {
      UseInstructionSet const use(set);
      EXPECT_EQ(set, simd::instruction_set());
    } else {
      EXPECT_THROW(simd::use(set), std::invalid_argument);
    }
  }
}

}  // namespace
}  // namespace test
