// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "blocks.hpp"

// Tiles between the arrays of a scan and the place where a block works on them.
namespace KokkosScan::cuda {

/// As many values as one access to global memory moves at best, kept as words: of values that lie side by side,
/// nvcc 13.0 keeps every member, and every hole, in a register of its own.
template <class Value>
class alignas(16) Pack {
 public:
  static constexpr int count = 16 / static_cast<int>(sizeof(Value));

  __device__ Value get(int v) const {
    Place<Value> place;
    if constexpr (words > 0) {
      std::uint32_t part[words];
#pragma unroll
      for (int w = 0; w < words; ++w) part[w] = word_[v * words + w];
      memcpy(static_cast<void*>(&place), part, sizeof(Value));
    } else {
      std::uint32_t const part = word_[v / to_a_word] >> shift(v);
      memcpy(static_cast<void*>(&place), &part, sizeof(Value));
    }
    return place.value;
  }
  __device__ void put(int v, Value const& value) {
    if constexpr (words > 0) {
      std::uint32_t part[words];
      memcpy(part, static_cast<void const*>(&value), sizeof(Value));
#pragma unroll
      for (int w = 0; w < words; ++w) word_[v * words + w] = part[w];
    } else {
      std::uint32_t part = 0;
      memcpy(&part, static_cast<void const*>(&value), sizeof(Value));
      std::uint32_t& word = word_[v / to_a_word];
      word                = (word & ~(mask << shift(v))) | part << shift(v);
    }
  }

 private:
  static constexpr int words          = static_cast<int>(sizeof(Value)) / 4;
  static constexpr int to_a_word      = words > 0 ? 1 : 4 / static_cast<int>(sizeof(Value));
  static constexpr std::uint32_t mask = words > 0 ? 0 : (std::uint32_t{1} << (8 * sizeof(Value) % 32)) - 1;
  __device__ static int shift(int v) { return v % to_a_word * 8 * static_cast<int>(sizeof(Value)); }

  std::uint32_t word_[4] = {};
};

/// What cannot be packed goes one by one.
template <class Value>
class Single {
 public:
  static constexpr int count = 1;

  __device__ Value get(int) const { return value_.value; }
  __device__ void put(int, Value const& value) { value_.put(value); }

 private:
  Place<Value> value_;
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
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) { own[k] = packs[p]; });
      block::for_each_own<most>(n / Pack<Value>::count, [&](int k, int p) {
#pragma unroll
        for (int v = 0; v < Pack<Value>::count; ++v) tile.store(p * Pack<Value>::count + v, own[k].get(v));
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
        for (int v = 0; v < Pack<Value>::count; ++v) own.put(v, result_of(p * Pack<Value>::count + v));
        packs[p] = own;
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
