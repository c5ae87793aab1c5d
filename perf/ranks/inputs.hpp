// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

// Inputs of which each result is known without the elements before it, so that every rank can check its part alone.
namespace perf::ranks {

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using Array = Kokkos::View<T*, Exec>;
/// The index of Kokkos::Cuda itself has 32 bits, and from 2^32 on Kokkos refuses.
using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

KOKKOS_INLINE_FUNCTION std::uint64_t hash(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
  x               = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x >> 32;
}

/// What the elements before the i-th of all sum up to: one of 256 levels, so that all partial sums are exact in floats,
/// in whatever order they are made. Nothing before the first.
KOKKOS_INLINE_FUNCTION int level(std::size_t i) { return i == 0 ? 0 : static_cast<int>(hash(i) & 0xFF); }
KOKKOS_INLINE_FUNCTION int value_at(std::size_t i) { return level(i + 1) - level(i); }

/// Runs of equal keys have 32 to 1024 elements. A begin of a rank is mostly no begin of a run.
inline constexpr std::size_t longest_run = 1024, half_of_it = longest_run / 2;
KOKKOS_INLINE_FUNCTION std::size_t begin_of_run(std::size_t i) {
  std::size_t const place = i + half_of_it, length = longest_run >> (hash(place / longest_run) % 6);
  std::size_t const begin = place - place % length;
  return begin < half_of_it ? 0 : begin - half_of_it;
}
KOKKOS_INLINE_FUNCTION std::int32_t key_of(std::size_t i) {
  return static_cast<std::int32_t>(begin_of_run(i) & 0x7FFFFFFF);
}

/// Which elements are chosen where elements are their own numbers: half of them, in no pattern.
struct IsChosen {
  KOKKOS_FUNCTION bool operator()(double number) const { return (hash(static_cast<std::size_t>(number)) & 1) != 0; }
};

template <class T>
struct FillValues {
  Array<T> values;
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { values(i) = static_cast<T>(value_at(first + i)); }
};
struct FillNumbers {
  Array<double> values;
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { values(i) = static_cast<double>(first + i); }
};
struct FillKeys {
  Array<std::int32_t> keys;
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { keys(i) = key_of(first + i); }
};

enum class Expected { inclusive, exclusive, inclusive_by_key };

template <class T, Expected expected>
struct CountWrongSums {
  Array<T> sums;
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& wrong) const {
    std::size_t const at = first + i;
    int right            = level(at);
    if constexpr (expected == Expected::inclusive) right = level(at + 1);
    if constexpr (expected == Expected::inclusive_by_key) right = level(at + 1) - level(begin_of_run(at));
    wrong += sums(i) == static_cast<T>(right) ? 0U : 1U;
  }
};

struct CountChosen {
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& chosen) const {
    chosen += IsChosen()(static_cast<double>(first + i)) ? 1U : 0U;
  }
};
/// Numbers of this rank that are chosen, each behind the one before: if there are as many as there should be, they are
/// right.
struct CountWrongNumbers {
  Array<double> numbers;
  std::size_t first, end;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& wrong) const {
    double const x = numbers(i);
    bool right     = x >= static_cast<double>(first) && x < static_cast<double>(end) && IsChosen()(x);
    right          = right && (i == 0 || numbers(i - 1) < x);
    wrong += right ? 0U : 1U;
  }
};

struct AddToAll {
  Array<double> values;
  double summand;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { values(i) += summand; }
};

}  // namespace perf::ranks
