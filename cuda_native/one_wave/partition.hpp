// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>

#include "../tuning.hpp"
#include "../values.hpp"
#include "../warp.hpp"

// How values are shared out among blocks and warps, and where what these have in common stands in shared memory.
namespace KokkosScan::cuda::one_wave {

/// A tile is cut into parts, one to a warp, and a part into rounds, in each of which every lane has a unit of values.
/// `Kept` is what it keeps of each.
template <class Kept>
struct Shape {
  static constexpr int unit              = Unit<Kept>::count;
  static constexpr int rounds            = one_wave_rounds(sizeof(Kept));  // or one
  static constexpr int most_threads      = one_wave_units / rounds;
  static constexpr int most_tiles        = one_wave_tiles;
  static constexpr int min_blocks_per_sm = one_wave_min_blocks_per_sm(sizeof(Kept));
};

/// Up to so many values it is faster than look-back; where registers would not hold them, never.
template <class Value, class Kept = Value>
inline constexpr std::size_t most_values =
    sizeof(Value) > one_wave_value_bytes_most ? 0 : std::size_t{one_wave_tiles} * one_wave_units* Shape<Kept>::unit;

/// How values are shared out.
struct Partition {
  int threads;  // to a block
  int rounds;   // of a tile

  template <class Kept>
  constexpr std::size_t tile() const {
    return static_cast<std::size_t>(threads * rounds) * Shape<Kept>::unit;
  }

  /// For n values, and by n alone: it is part of the bits of a float result.
  template <class Kept>
  static constexpr Partition of(std::size_t n) {
    using S          = Shape<Kept>;
    auto const units = static_cast<int>((n + S::unit - 1) / S::unit);
    if (units > one_wave_few_tiles * one_wave_few_units) return {one_wave_units / S::rounds, S::rounds};
    if (units > one_wave_units) return {one_wave_few_units / S::rounds, S::rounds};
    int const rounds = units <= one_round_units ? 1 : S::rounds;
    auto const warps = static_cast<unsigned>((units + rounds * warp_size - 1) / (rounds * warp_size));
    return {static_cast<int>(std::bit_ceil(warps)) * warp_size, rounds};
  }
};

/// The shared memory of a block.
template <class Value>
struct Layout {
  static constexpr int aligned(int count) {
    return static_cast<int>(core::round_up(sizeof(Value) * static_cast<std::size_t>(count), 16));
  }
  static constexpr int aggregates_byte = 0;                                     // of the warps
  static constexpr int before_byte     = aggregates_byte + aligned(warp_size);  // aggregates of 32 earlier tiles each
  static constexpr int ticket_byte     = before_byte + aligned(Shape<Value>::most_tiles / warp_size);
  static constexpr int bytes           = ticket_byte + 16;
  static_assert(bytes <= shared_bytes_at_most);
};

}  // namespace KokkosScan::cuda::one_wave
