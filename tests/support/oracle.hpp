// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/core/sinks.hpp"

// What a scan must give: the fold from left to right, one element after the other. Without Kokkos, for tests of the
// kernels alone.
namespace test {

using KokkosScan::core::Kind;

/// left op right. Integers go through uint64_t, whose arithmetic is exact modulo every 2^k up to 2^64, and not through
/// the operator under test.
template <class T, class Op>
T oracle_combine(Op const& op, T const& left, T const& right) {
  using namespace KokkosScan;
  if constexpr (std::integral<T>) {
    std::uint64_t const a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
    if constexpr (std::same_as<Op, Sum>) return static_cast<T>(a + b);
    if constexpr (std::same_as<Op, Product>) return static_cast<T>(a * b);
    if constexpr (std::same_as<Op, BitAnd>) return static_cast<T>(a & b);
    if constexpr (std::same_as<Op, BitOr>) return static_cast<T>(a | b);
    if constexpr (std::same_as<Op, BitXor>) return static_cast<T>(a ^ b);
    if constexpr (std::same_as<Op, LogicalAnd>) return static_cast<T>(a != 0 && b != 0);
    if constexpr (std::same_as<Op, LogicalOr>) return static_cast<T>(a != 0 || b != 0);
  }
  if constexpr (std::same_as<Op, Min>) return left < right ? left : right;
  if constexpr (std::same_as<Op, Max>) return left > right ? left : right;
  return op(left, right);
}

/// The inputs as the accumulator sees them.
template <class T, class From, class Unary>
std::vector<T> convert(std::vector<From> const& input, Unary const& unary) {
  std::vector<T> converted;
  converted.reserve(input.size());
  for (From const& value : input) converted.push_back(static_cast<T>(unary(value)));
  return converted;
}

template <class T>
struct Expected {
  std::vector<T> values;
  std::optional<T> total;  // absent for no values and no init
};

template <class T, class Op>
Expected<T> serial_scan(Kind kind, std::vector<T> const& input, Op const& op, std::optional<T> const& init) {
  Expected<T> expected;
  expected.values.reserve(input.size());
  auto& running = expected.total;
  if (init) running.emplace(*init);
  for (T const& value : input) {
    if (kind == Kind::exclusive) expected.values.push_back(*running);
    T const next = running ? oracle_combine(op, *running, value) : value;
    running.emplace(next);  // emplace: some value types cannot be assigned
    if (kind == Kind::inclusive) expected.values.push_back(next);
  }
  return expected;
}

}  // namespace test
