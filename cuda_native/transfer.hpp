// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "blocks.hpp"

// Tiles between the arrays of a scan and the memory in which a block works on them.
namespace KokkosScan::cuda {

/// Whether values lie side by side, as they are, so that an array may be read or written in packs.
template <class Value, class Elements>
inline constexpr bool is_packed = 16 % sizeof(Value) == 0 && (std::is_same_v<Elements, Contiguous<Value>> ||
                                                              std::is_same_v<Elements, Contiguous<Value const>>);

/// The baseline on global memory does without, and a value of 16 bytes is a pack by itself.
template <class Block, class Value, class Elements>
inline constexpr bool is_packable = Block::in_shared_memory && sizeof(Value) < 16 && is_packed<Value, Elements>;

KOKKOSSCAN_FUNCTION inline bool starts_a_pack(void const* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

/// Loads the inputs of a tile into the memory in which the block works. The values are read before any is stored,
/// several at a time, so that many loads are under way at once.
template <class Block, class Problem>
  requires(!Block::of_marks)
__device__ void load_tile(Problem const& problem, core::Tile range, typename Block::Tile tile) {
  using Value = typename Problem::Value;
  int const n = static_cast<int>(range.size());
  int begin   = 0;
  if constexpr (core::is_plain<typename Problem::Source> &&
                is_packable<Block, Value, core::ArrayOf<typename Problem::Source>>) {
    Value const* const from = problem.source.array.data + range.begin;
    if (starts_a_pack(from)) {
      auto const* const packs = reinterpret_cast<Pack<Value> const*>(from);
      constexpr int most      = (Block::tile_length / Pack<Value>::count + Block::threads - 1) / Block::threads;
      Pack<Value> own[most];
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) { own[k] = packs[p]; });
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) {
        if constexpr (Block::Tile::takes_packs) {
          tile.store_pack(p * Pack<Value>::count, own[k]);
        } else {
#pragma unroll
          for (int v = 0; v < Pack<Value>::count; ++v) tile.store(p * Pack<Value>::count + v, own[k].get(v));
        }
      });
      begin = n - n % Pack<Value>::count;
    }
  }
  if (begin < n) {
    constexpr int most = Block::Algorithm::items_per_thread;
    Uninitialized<Value> own[most];
    block::for_each_own_of_tile<most, Block::threads>(n - begin, [&](int k, int i) {
      own[k].put(problem.source.load(range.begin + static_cast<std::size_t>(begin + i)));
    });
    block::for_each_own_of_tile<most, Block::threads>(n - begin,
                                                      [&](int k, int i) { tile.store(begin + i, own[k].value); });
  }
}

/// Stores the results of a tile: what came before it, combined with its local scan.
template <class Block, class Problem>
  requires(!Block::of_marks)
__device__ void store_tile(Problem const& problem, core::Tile range, typename Block::Tile result,
                           typename Block::Tile scratch, Maybe<typename Problem::Value> const& prefix) {
  using Value        = typename Problem::Value;
  int const n        = static_cast<int>(range.size());
  using Sink         = typename Problem::Sink;
  auto const through = [&](int i) {
    return problem.combine(prefix,
                           block::local_result<typename Block::Algorithm, Kind::inclusive>(result, scratch, n, i));
  };
  auto const before = [&](int i) -> Value {
    if (i == 0) return prefix ? *prefix : through(i);
    return problem.combine(prefix,
                           block::local_result<typename Block::Algorithm, Kind::exclusive>(result, scratch, n, i));
  };
  int begin = 0;
  if constexpr (is_packable<Block, Value, core::ArrayOf<Sink>>) {
    constexpr Kind kind  = core::kind_of<Sink>;
    auto const result_of = [&](int i) {
      if constexpr (kind == Kind::exclusive)
        return before(i);
      else
        return through(i);
    };
    Value* const dest = problem.sink.array.data + range.begin;
    if (starts_a_pack(dest)) {
      auto* const packs  = reinterpret_cast<Pack<Value>*>(dest);
      constexpr int most = (Block::tile_length / Pack<Value>::count + Block::threads - 1) / Block::threads;
      // An exclusive result may be the inclusive one before it, never the other way round.
      constexpr int shift = Block::Algorithm::native_kind == kind ? 0 : 1;
      block::for_each_own<most>(n / Pack<Value>::count, [&](int, int p) {
        int const first = p * Pack<Value>::count;
        Pack<Value> own;
        if constexpr (Block::Tile::takes_packs && (shift == 0 || kind == Kind::exclusive)) {
          Pack<Value> const local = result.load_pack(first);
          own.put(0, result_of(first));
#pragma unroll
          for (int v = 1; v < Pack<Value>::count; ++v) own.put(v, problem.combine(prefix, local.get(v - shift)));
        } else {
#pragma unroll
          for (int v = 0; v < Pack<Value>::count; ++v) own.put(v, result_of(first + v));
        }
        packs[p] = own;
      });
      begin = n - n % Pack<Value>::count;
    }
  }
  auto const store = [&](int i) {
    std::size_t const at = range.begin + static_cast<std::size_t>(i);
    core::store(
        problem.sink, at, [&] { return before(i); }, [&] { return problem.source.load(at); },
        [&] { return through(i); });
  };
  if (!is_packable<Block, Value, core::ArrayOf<Sink>> && n == Block::tile_length)
    block::for_each_own_of_tile<Block::Algorithm::items_per_thread, Block::threads>(n, [&](int, int i) { store(i); });
  else
    block::for_each(n - begin, [&](int k) { store(begin + k); });
}

}  // namespace KokkosScan::cuda
