// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "fetch.hpp"
#include "simd/instruction_set.hpp"
#include "tile.hpp"
#include "wide_registers.hpp"

// Stages the values of a scan side by side in a buffer: transformed, converted, from strided arrays.
namespace KokkosScan::host {

/// Whether they pay and can be had for that source: numbers that lie side by side and become numbers.
template <class Source>
inline constexpr bool is_for_wide_registers = false;
template <class Value, class Array, class Unary>
  requires core::is_side_by_side<Array>
inline constexpr bool is_for_wide_registers<core::FromArray<Value, Array, Unary>> =
    std::is_arithmetic_v<core::ElementOf<Array>> &&
    std::is_arithmetic_v<std::remove_cvref_t<std::invoke_result_t<Unary, decltype(std::declval<Array const&>()[0])>>>;

template <class Problem>
bool has_wide_registers() {
  return is_for_wide_registers<typename Problem::Source> && has_wide_registers();
}

/// The compiler must see that the buffer is none of what is read, and with a fixed count that no element is left over:
/// then g++ takes vectors even at -O2.
template <std::size_t count, class Problem>
[[gnu::always_inline]] inline void stage_side_by_side(Problem const& of, typename Problem::Value* __restrict buffer,
                                                      std::size_t begin) {
  Held<Problem> problem = of;
  for (std::size_t i = 0; i < count; ++i) buffer[i] = problem.source.load(begin + i);
}

struct AnyRegisters {
  template <std::size_t count, class Problem>
  static void stage(Problem const& problem, typename Problem::Value* __restrict buffer, std::size_t begin) {
    stage_side_by_side<count>(problem, buffer, begin);
  }
};
struct WideRegisters {
  template <std::size_t count, class Problem>
  KOKKOSSCAN_FOR_WIDE_REGISTERS static void stage(Problem const& problem, typename Problem::Value* __restrict buffer,
                                                  std::size_t begin) {
    stage_side_by_side<count>(problem, buffer, begin);
  }
};

/// Some values, mostly as many as fit into the buffer.
template <std::size_t mostly, class Registers, class Problem>
void stage_by(Problem const& problem, typename Problem::Value* buffer, Tile piece) {
  if (piece.size() == mostly) return Registers::template stage<mostly>(problem, buffer, piece.begin);
  constexpr std::size_t some = 64;
  std::size_t i              = 0;
  for (; i + some <= piece.size(); i += some) Registers::template stage<some>(problem, buffer + i, piece.begin + i);
  for (; i < piece.size(); ++i) buffer[i] = problem.source.load(piece.begin + i);
}

template <std::size_t mostly, class Problem>
void stage(Problem const& problem, typename Problem::Value* buffer, Tile piece) {
  if constexpr (is_strided<core::ArrayOf<typename Problem::Source>>) {
    Walk<typename Problem::Source> from(problem.source, piece.begin);
    some_at_a_time<4>(piece.size(), [&](std::size_t i, auto count) __attribute__((always_inline)) {
      for_each<count>([&](auto k) __attribute__((always_inline)) { buffer[i + k] = from.part.load(from.index(k)); });
      from += count;
    });
  } else if (has_wide_registers<Problem>()) {
    stage_by<mostly, WideRegisters>(problem, buffer, piece);
  } else {
    stage_by<mostly, AnyRegisters>(problem, buffer, piece);
  }
}

}  // namespace KokkosScan::host
