// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "scans.hpp"

// Scans whose length stands in memory, by the kernels in the execution model. There are no more elements than those:
// who looks at others is found out.
namespace test {

enum class By { lookback, chained, hierarchical, one_wave, pipelined };

/// The tiles are small where they may be.
template <class Value>
using SmallBlock = KokkosScan::cuda::Block<Value, KokkosScan::cuda::block::WarpShuffle, KokkosScan::cuda::warp_size>;
template <class Value>
inline constexpr KokkosScan::cuda::one_wave::Partition small_partition{
    2 * KokkosScan::cuda::warp_size, KokkosScan::cuda::one_wave::Shape<Value>::rounds};
template <By by, class Value>
inline constexpr std::size_t length_of_tile = by == By::one_wave    ? small_partition<Value>.template tile<Value>()
                                              : by == By::pipelined ? KokkosScan::cuda::pipelined::Shape<Value>::tile
                                                                    : SmallBlock<Value>::tile_length;

/// Exclusive, of n elements where there may be as many as fill so many tiles.
template <By by, class Value>
bool are_right_up_to(Scans& scans, std::size_t tiles, std::size_t n, std::uint32_t salt) {
  using namespace KokkosScan::cuda;
  using KokkosScan::core::Kind;
  using Small              = SmallBlock<Value>;
  std::size_t const length = length_of_tile<by, Value>;
  std::size_t const most   = tiles * length;
  std::size_t const slots  = by == By::one_wave    ? tiles
                             : by == By::pipelined ? TileSpans<Value>::slots(tiles)
                                                   : Groups<Value>::slots(tiles);
  Scans::Needs const needs{.scratch = hierarchical::scratch_values<Small>(most) * sizeof(Value),
                           .states  = States::bytes(slots)};
  // Who looks too early finds another one.
  std::vector<std::int64_t> const given{static_cast<std::int64_t>(n)};
  std::int64_t count = static_cast<std::int64_t>(most - n);
  return scans.are_right<Value, Value, KokkosScan::Unchanged, Kind::exclusive>(
      needs, n, salt, {}, [&](auto const& scan, auto const& memory) {
        launch(nullptr, {1, 32}, bring_late_kernel<std::int64_t>, given.data(), &count, std::size_t{1});
        KokkosScan::core::OfStoredLength<std::remove_cvref_t<decltype(scan)>,
                                         KokkosScan::core::StoredLength<std::int64_t, false>>
            stored{scan, {&count}};
        stored.n            = most;
        States const states = States::in(memory.states, memory.states_bytes);
        if constexpr (by == By::lookback) lookback::run<Small>(nullptr, stored, states, nullptr);
        if constexpr (by == By::chained) chained::run<Small>(nullptr, stored, states, nullptr);
        if constexpr (by == By::hierarchical)
          hierarchical::run<Small>(nullptr, stored, static_cast<Value*>(memory.scratch), nullptr);
        if constexpr (by == By::one_wave) one_wave::run(nullptr, stored, states, small_partition<Value>);
        if constexpr (by == By::pipelined) pipelined::run(nullptr, stored, states, current_device());
      });
}

/// Long and short ones by turns, with the same states: what one scan leaves there, the next one finds.
template <By by, class Value>
bool are_right_of_many_lengths(Scans& scans, std::uint32_t salt) {
  constexpr std::size_t tile = length_of_tile<by, Value>;
  bool right                 = true;
  for (std::size_t const n : {40 * tile, std::size_t{0}, 5 * tile, 5 * tile + 1, std::size_t{1}, 33 * tile + 3,
                              std::size_t{0}, 39 * tile, 40 * tile - 7})
    right = right && are_right_up_to<by, Value>(scans, 40, n, salt++);
  return right;
}

}  // namespace test
