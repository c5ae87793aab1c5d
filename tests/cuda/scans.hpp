// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <model/guarded.hpp>
#include <model/machine.hpp>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "cuda/streams.hpp"
#include "cuda_native/scan.hpp"
#include "support/oracle.hpp"

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes)
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes)
#endif

// Scans by the kernels in the execution model, with nothing of the library before them.
namespace test {

/// x -> a x + b modulo a power of two, followed by another. It does not commute.
template <class Word>
struct AffineOf {
  Word a, b;
  bool operator==(AffineOf const&) const = default;
};
/// One that counts, too.
template <class Word>
struct CountingAffine {
  Word a, b;
  Word count                                   = 1;
  bool operator==(CountingAffine const&) const = default;
};
/// Of more words than blocks exchange in one step.
using RoomyAffine = CountingAffine<std::uint64_t>;
/// An AffineOf in a single byte.
struct Nibbles {
  std::uint8_t both;
  bool operator==(Nibbles const&) const = default;
};

struct FollowedBy {
  Nibbles operator()(Nibbles left, Nibbles right) const {
    int const a = right.both >> 4;
    return {static_cast<std::uint8_t>((left.both >> 4) * a % 16 << 4 | (left.both * a + right.both) % 16)};
  }
  template <class Word>
  CountingAffine<Word> operator()(CountingAffine<Word> const& left, CountingAffine<Word> const& right) const {
    auto const [a, b] = (*this)(AffineOf<Word>{left.a, left.b}, AffineOf<Word>{right.a, right.b});
    return {a, b, static_cast<Word>(left.count + right.count)};
  }
  template <class Word>
  AffineOf<Word> operator()(AffineOf<Word> const& left, AffineOf<Word> const& right) const {
    // in words of 64 bits: two of 16 would multiply as int, and overflow
    std::uint64_t const a = left.a, b = left.b;
    return {static_cast<Word>(a * right.a), static_cast<Word>(b * right.a + right.b)};
  }
};

/// Made of any two numbers.
template <class Value>
Value element(std::uint64_t a, std::uint64_t b) {
  if constexpr (std::is_same_v<Value, Nibbles>)
    return {static_cast<std::uint8_t>((2 * a + 1) % 16 << 4 | b % 16)};
  else
    return {static_cast<decltype(Value::a)>(2 * a + 1), static_cast<decltype(Value::b)>(b)};
}

/// Doubles the words of an AffineOf.
struct Widen {
  AffineOf<std::uint64_t> operator()(AffineOf<std::uint32_t> const& narrow) const { return {narrow.a, narrow.b}; }
};

/// How far the arrays begin behind a multiple of 128 bytes; if in place, dest is from.
struct Offsets {
  std::size_t from = 0, dest = 0;
  bool in_place = false;
};

/// Values that begin at such an address, between bytes that a scan must not touch: the address sanitizer says who reads
/// them, and without it we see who wrote there. Behind the values are as many bytes as a planted fault may reach.
template <class Value>
class Displaced {
 public:
  Displaced(std::vector<Value> const& values, std::size_t offset)
      : offset_(offset),
        end_(offset + values.size() * sizeof(Value)),
        bytes_(end_ + behind),
        start_(static_cast<unsigned char*>(::operator new(bytes_, alignment))),
        before_(start_, offset_),
        behind_(start_ + end_, behind) {
    std::fill_n(start_, bytes_, untouched);
    std::uninitialized_copy(values.begin(), values.end(), data());
    ASAN_POISON_MEMORY_REGION(start_, offset_);
    ASAN_POISON_MEMORY_REGION(start_ + end_, behind);
  }
  ~Displaced() {
    ASAN_UNPOISON_MEMORY_REGION(start_, bytes_);
    ::operator delete(start_, alignment);
  }
  Displaced(Displaced const&)            = delete;
  Displaced& operator=(Displaced const&) = delete;

  Value* data() const { return reinterpret_cast<Value*>(start_ + offset_); }
  bool has_been_left_alone_outside() const {
    ASAN_UNPOISON_MEMORY_REGION(start_, bytes_);
    auto const is_untouched = [](unsigned char byte) { return byte == untouched; };
    return !before_.has_been_touched() && !behind_.has_been_touched() &&
           std::all_of(start_, start_ + offset_, is_untouched) &&
           std::all_of(start_ + end_, start_ + bytes_, is_untouched);
  }

 private:
  static constexpr std::align_val_t alignment{128};
  static constexpr std::size_t behind      = 16384;
  static constexpr unsigned char untouched = 0xa5;

  std::size_t offset_, end_, bytes_;
  unsigned char* start_;
  model::Guarded before_, behind_;
};

/// The states of one run after the other, as a workspace keeps them.
class Scans {
  using Memory = KokkosScan::core::Memory;

 public:
  using Needs = KokkosScan::core::Needs;

  /// By the pipeline alone: a choice would compile all that there is.
  template <class Value, class Input = Value, class Unary = KokkosScan::Unchanged>
  bool are_right_in_the_pipeline(std::size_t n, std::uint32_t salt, Offsets const& offsets = {}) {
    using namespace KokkosScan::cuda;
    std::size_t const tiles = Tiles{n, pipelined::Shape<Value>::tile}.count();
    Needs const needs{.scratch = 0, .states = States::bytes(TileSpans<Value>::slots(tiles))};
    return are_right<Value, Input, Unary>(needs, n, salt, offsets, [&](auto const& scan, Memory const& memory) {
      pipelined::run(nullptr, scan, States::in(memory.states, memory.states_bytes), current_device());
    });
  }

  /// `run` is handed a scan and the memory that it needs, and launches it behind a kernel that brings the inputs late.
  /// An exclusive scan has init, and a total.
  template <class Value, class Input = Value, class Unary = KokkosScan::Unchanged, Kind kind = Kind::inclusive,
            class Run>
  bool are_right(Needs const& needs, std::size_t n, std::uint32_t salt, Offsets const& offsets, Run const& run) {
    using KokkosScan::core::Contiguous;
    using KokkosScan::core::Maybe;
    std::vector<Input> inputs, before;
    for (std::size_t i = 0; i < n; ++i) {
      inputs.push_back(element<Input>(i * 40503U + salt, i * 2654435761U + salt));
      before.push_back(element<Input>(i * 40503U + salt + 1, i * 2654435761U + salt + 1));
    }
    std::optional<Value> init;
    if (kind == Kind::exclusive) init = Unary{}(element<Input>(salt, salt));
    auto const expected = serial_scan(kind, convert<Value>(inputs, Unary{}), FollowedBy{}, init);
    Displaced<Input> const from(before, offsets.from);
    Displaced<Value> const apart(std::vector<Value>(n), offsets.dest);
    Value* dest = apart.data();
    if constexpr (std::is_same_v<Value, Input>) {
      if (offsets.in_place) dest = from.data();
    } else if (offsets.in_place) {
      throw std::invalid_argument("in place, but of two types");
    }

    if (states_.size() * sizeof(Line) < needs.states) states_.assign(needs.states / sizeof(Line) + 1, Line{});
    std::vector<Line> scratch(needs.scratch / sizeof(Line) + 1);
    Value total = *expected.total;
    if (init) std::memset(static_cast<void*>(&total), 0, sizeof(total));
    KokkosScan::core::ArrayScan<kind, Value, Contiguous<Input const>, Contiguous<Value>, FollowedBy, Unary> const scan{
        {{from.data()}, {}}, {{dest}}, n, {}, init ? Maybe<Value>(*init) : Maybe<Value>(), init ? &total : nullptr};
    on_a_stream_behind(inputs, from.data(),
                       [&] { run(scan, Memory{scratch.data(), states_.data(), states_.size() * sizeof(Line)}); });
    return total == *expected.total && std::equal(expected.values.begin(), expected.values.end(), dest) &&
           from.has_been_left_alone_outside() && apart.has_been_left_alone_outside();
  }

  /// By a single pass over the tiles of a block.
  template <class Block, class Value>
  bool are_right_by(KokkosScan::GridScan grid, std::size_t n, std::uint32_t salt) {
    using namespace KokkosScan::cuda;
    std::size_t const tiles = Tiles{n, Block::tile_length}.count();
    Needs const needs{.scratch = Block::staged_values(tiles) * sizeof(Value),
                      .states  = States::bytes(Groups<Value>::slots(tiles))};
    return are_right<Value>(needs, n, salt, {}, [&](auto const& scan, Memory const& memory) {
      States const states = States::in(memory.states, memory.states_bytes);
      auto* const staging = static_cast<Value*>(memory.scratch);
      if (grid == KokkosScan::GridScan::chained)
        chained::run<Block>(nullptr, scan, states, staging);
      else
        lookback::run<Block>(nullptr, scan, states, staging);
    });
  }

  /// In as many of the smallest tiles: of one warp, with a value to a lane.
  template <class Value>
  bool are_right_in_small_tiles(KokkosScan::GridScan grid, std::size_t tiles, std::uint32_t salt) {
    using namespace KokkosScan::cuda;
    return are_right_by<Block<Value, KokkosScan::cuda::block::WarpShuffle, warp_size>, Value>(
        grid, tiles * warp_size - 7, salt);
  }

  /// In one wave of as many tiles, of two warps, a single one with one round or more; of the last one so many values
  /// are missing.
  template <class Value, Kind kind = Kind::inclusive>
  bool are_right_in_one_wave(std::size_t tiles, std::uint32_t salt, Offsets const& offsets = {},
                             std::size_t missing = 7) {
    using namespace KokkosScan::cuda;
    one_wave::Partition const partition{2 * warp_size,
                                        tiles == 1 && salt % 2 == 0 ? 1 : one_wave::Shape<Value>::rounds};
    Needs const needs{.scratch = 0, .states = States::bytes(tiles)};
    std::size_t const length = partition.tile<Value>();
    return are_right<Value, Value, KokkosScan::Unchanged, kind>(
        needs, tiles * length - std::min(missing, length - 1), salt, offsets,
        [&](auto const& scan, Memory const& memory) {
          one_wave::run(nullptr, scan, States::in(memory.states, memory.states_bytes), partition);
        });
  }

  /// As if a thousand million scans had been made meanwhile. There must have been one.
  void skip_to_the_last_epoch() {
    auto* const header = static_cast<KokkosScan::cuda::States::Header*>(static_cast<void*>(states_.data()));
    header->next       = KokkosScan::cuda::States::behind(KokkosScan::cuda::Tag::epochs - 2);
  }

 private:
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };
  std::vector<Line> states_;
};

}  // namespace test
