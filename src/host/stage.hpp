// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "fetch.hpp"
#include "simd/instruction_set.hpp"
#include "tile.hpp"

// Stages the values of a scan side by side in a buffer: transformed, converted, from strided arrays. The user's
// compiler makes this code, for whatever processors the program is for; so the loop exists once more for those that are
// known to have wider registers. It fuses no multiplication and addition (as_written.hpp), so the bits are the same;
// but vectors that a transform hands by value to functions that are not inlined would be looked for in the wrong place,
// of which g++ warns (-Wpsabi). Hence arithmetic types alone.
namespace KokkosScan::host {

// nvcc 13.0 takes the attribute and ignores it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define KOKKOSSCAN_FOR_WIDE_REGISTERS KOKKOSSCAN_AS_WRITTEN_IN_VECTORS [[gnu::target("avx2"), gnu::flatten]]
inline constexpr bool compiles_for_wide_registers = true;
#else
#define KOKKOSSCAN_FOR_WIDE_REGISTERS
inline constexpr bool compiles_for_wide_registers = false;
#endif

/// Whether they pay and can be had for that scan.
template <class Scan>
bool has_wide_registers() {
  using Input       = std::remove_cvref_t<decltype(std::declval<Scan const&>().from[0])>;
  using Transformed = std::remove_cvref_t<decltype(std::declval<Scan const&>().unary(std::declval<Input const&>()))>;
  if constexpr (compiles_for_wide_registers && side_by_side<typename Scan::Inputs> && std::is_arithmetic_v<Input> &&
                std::is_arithmetic_v<Transformed>)
    return simd::instruction_set() != simd::InstructionSet::baseline;
  else
    return false;
}

/// The compiler must see that the buffer is none of what is read, and with a fixed count that no element is left over:
/// then g++ takes vectors even at -O2.
template <std::size_t count, class Scan>
[[gnu::always_inline]] inline void stage_side_by_side(Scan const& of, typename Scan::Value* __restrict buffer,
                                                      std::size_t begin) {
  Scan const scan = of;
  for (std::size_t i = 0; i < count; ++i) buffer[i] = scan.input(begin + i);
}

struct AnyRegisters {
  template <std::size_t count, class Scan>
  static void stage(Scan const& scan, typename Scan::Value* __restrict buffer, std::size_t begin) {
    stage_side_by_side<count>(scan, buffer, begin);
  }
};
struct WideRegisters {
  template <std::size_t count, class Scan>
  KOKKOSSCAN_FOR_WIDE_REGISTERS static void stage(Scan const& scan, typename Scan::Value* __restrict buffer,
                                                  std::size_t begin) {
    stage_side_by_side<count>(scan, buffer, begin);
  }
};

/// Some values, mostly as many as fit into the buffer.
template <std::size_t mostly, class Registers, class Scan>
void stage_by(Scan const& scan, typename Scan::Value* buffer, Tile piece) {
  if (piece.size() == mostly) return Registers::template stage<mostly>(scan, buffer, piece.begin);
  constexpr std::size_t some = 64;
  std::size_t i              = 0;
  for (; i + some <= piece.size(); i += some) Registers::template stage<some>(scan, buffer + i, piece.begin + i);
  for (; i < piece.size(); ++i) buffer[i] = scan.input(piece.begin + i);
}

template <std::size_t mostly, class Scan>
void stage(Scan const& scan, typename Scan::Value* buffer, Tile piece) {
  if constexpr (!side_by_side<typename Scan::Inputs>) {
    Scan const from = scan;
    Walk<typename Scan::Inputs> inputs{from.from, piece.begin};
    some_at_a_time<4>(piece.size(), [&](std::size_t i, auto count) __attribute__((always_inline)) {
      for_each<count>([&](auto k) __attribute__((always_inline)) { buffer[i + k] = from.value_of(inputs[k]); });
      inputs += count;
    });
  } else if (has_wide_registers<Scan>()) {
    stage_by<mostly, WideRegisters>(scan, buffer, piece);
  } else {
    stage_by<mostly, AnyRegisters>(scan, buffer, piece);
  }
}

}  // namespace KokkosScan::host
#undef KOKKOSSCAN_FOR_WIDE_REGISTERS
