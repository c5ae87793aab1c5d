// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "blocks.hpp"

// Tiles between the arrays of a scan and the place where a block works on them.
namespace KokkosScan::cuda {

/// As many values as one access to global memory moves at best.
template <class Value>
union Pack {
  static constexpr int count = 16 / static_cast<int>(sizeof(Value));
  struct alignas(16) Words {
    std::uint32_t word[4];
  };
  Words words;
  Value value[count];

  __device__ Pack() : words{} {}
};

/// What cannot be packed goes one by one.
template <class Value>
union Single {
  static constexpr int count = 1;
  char nothing;
  Value value[1];

  __device__ Single() : nothing(0) {}
};
template <class Value>
using Unit = std::conditional_t<16 % sizeof(Value) == 0, Pack<Value>, Single<Value>>;

/// Whether values lie side by side, as they are, so that an array may be read or written in packs.
template <class Value, class Elements>
inline constexpr bool is_packed = 16 % sizeof(Value) == 0 && (std::is_same_v<Elements, Contiguous<Value>> ||
                                                              std::is_same_v<Elements, Contiguous<Value const>>);

/// The baseline on global memory does without, and a value of 16 bytes is a pack by itself.
template <class Block, class Value, class Elements>
inline constexpr bool is_packable = Block::in_shared_memory && sizeof(Value) < 16 && is_packed<Value, Elements>;

KOKKOSSCAN_FUNCTION inline bool starts_a_pack(void const* place) {
  return reinterpret_cast<std::uintptr_t>(place) % 16 == 0;
}

/// Brings the inputs of a tile to where the block works. The values are read before any is stored, several at a time,
/// so that many loads are under way at once.
template <class Block, class Scan>
__device__ void bring_in(Scan const& scan, driver::Tile range, typename Block::Tile tile) {
  using Value          = typename Scan::Value;
  int const n          = static_cast<int>(range.size());
  int begin            = 0;
  constexpr bool plain = std::is_same_v<typename Scan::Transform, Unchanged>;
  if constexpr (plain && is_packable<Block, Value, typename Scan::Inputs>) {
    Value const* const from = scan.from.data + range.begin;
    if (starts_a_pack(from)) {
      auto const* const packs = reinterpret_cast<Pack<Value> const*>(from);
      constexpr int most      = (Block::tile_length / Pack<Value>::count + Block::threads - 1) / Block::threads;
      Pack<Value> own[most];
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) { own[k].words = packs[p].words; });
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) {
#pragma unroll
        for (int v = 0; v < Pack<Value>::count; ++v) tile.store(p * Pack<Value>::count + v, own[k].value[v]);
      });
      begin = n - n % Pack<Value>::count;
    }
  }
  if (begin < n) {
    constexpr int most = Block::Algorithm::values_a_thread;
    Place<Value> own[most];
    block::for_each_own<most>(
        n - begin, [&](int k, int i) { own[k].put(scan.input(range.begin + static_cast<std::size_t>(begin + i))); });
    block::for_each_own<most>(n - begin, [&](int k, int i) { tile.store(begin + i, own[k].value); });
  }
}

/// Writes the results of a tile: what came before it, joined to its local scan.
template <class Block, class Scan>
__device__ void write_out(Scan const& scan, driver::Tile range, typename Block::Tile result, typename Block::Tile spare,
                          Maybe<typename Scan::Value> const& prefix) {
  using Value          = typename Scan::Value;
  int const n          = static_cast<int>(range.size());
  auto const result_of = [&](int i) {
    if (Scan::kind == Kind::exclusive && i == 0) return *prefix;
    return scan.join(prefix, block::local_result<typename Block::Algorithm, Scan::kind>(result, spare, n, i));
  };
  int begin = 0;
  if constexpr (is_packable<Block, Value, typename Scan::Outputs>) {
    Value* const dest = scan.dest.data + range.begin;
    if (starts_a_pack(dest)) {
      auto* const packs  = reinterpret_cast<Pack<Value>*>(dest);
      constexpr int most = (Block::tile_length / Pack<Value>::count + Block::threads - 1) / Block::threads;
      block::for_each_own<most>(n / Pack<Value>::count, [&](int, int p) {
        Pack<Value> own;
#pragma unroll
        for (int v = 0; v < Pack<Value>::count; ++v)
          ::new (static_cast<void*>(&own.value[v])) Value(result_of(p * Pack<Value>::count + v));
        packs[p].words = own.words;
      });
      begin = n - n % Pack<Value>::count;
    }
  }
  block::for_each(n - begin, [&](int i) {
    Value* const place = &scan.dest[range.begin + static_cast<std::size_t>(begin + i)];
    ::new (static_cast<void*>(place)) Value(result_of(begin + i));
  });
}

}  // namespace KokkosScan::cuda
