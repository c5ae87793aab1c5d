// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <model/machine.hpp>
#include <type_traits>
#include <vector>

#include "cuda_native/scan.hpp"

// Scans by the kernels in the execution model, with nothing of the library before them.
namespace test {

/// x -> a x + b modulo a power of two, followed by another. It does not commute.
template <class Word>
struct Affine {
  Word a, b;
  bool operator==(Affine const&) const = default;
};
/// One that takes more than the words through which blocks speak to each other, and counts.
struct RoomyAffine {
  std::uint64_t a, b;
  std::uint64_t count                       = 1;
  bool operator==(RoomyAffine const&) const = default;
};
struct FollowedBy {
  RoomyAffine operator()(RoomyAffine const& left, RoomyAffine const& right) const {
    return {left.a * right.a, left.b * right.a + right.b, left.count + right.count};
  }
  template <class Word>
  Affine<Word> operator()(Affine<Word> const& left, Affine<Word> const& right) const {
    // in words of 64 bits: two of 16 would multiply as int, and overflow
    std::uint64_t const a = left.a, b = left.b;
    return {static_cast<Word>(a * right.a), static_cast<Word>(b * right.a + right.b)};
  }
};

/// Doubles the words of an Affine.
struct Widen {
  Affine<std::uint64_t> operator()(Affine<std::uint32_t> const& narrow) const { return {narrow.a, narrow.b}; }
};

/// How far the arrays begin behind a multiple of 128 bytes; if in place, dest is from.
struct Offsets {
  std::size_t from = 0, dest = 0;
  bool in_place = false;
};

/// Values that begin at such an address.
template <class Value>
class Displaced {
 public:
  Displaced(std::vector<Value> const& values, std::size_t offset) : bytes_(values.size() * sizeof(Value) + 256) {
    auto const start = reinterpret_cast<std::uintptr_t>(bytes_.data());
    data_            = reinterpret_cast<Value*>(bytes_.data() + (128 - start % 128) + offset);
    std::uninitialized_copy(values.begin(), values.end(), data_);
  }
  Value* data() const { return data_; }

 private:
  std::vector<unsigned char> bytes_;
  Value* data_;
};

/// The states of one run after the other, as a workspace keeps them.
class Scans {
  using Needs  = KokkosScan::driver::Needs;
  using Memory = KokkosScan::driver::Memory;

 public:
  template <class Value, class Input = Value, class Unary = KokkosScan::Unchanged>
  bool are_right(KokkosScan::Options const& options, std::size_t n, std::uint32_t salt, Offsets const& offsets = {}) {
    return are_right<Value, Input, Unary>(
        KokkosScan::cuda::needs<Value>(options, n), n, salt, offsets,
        [&](auto const& scan, Memory const& memory) { KokkosScan::cuda::run(nullptr, options, scan, memory); });
  }

  /// `run` is handed a scan and the memory that it needs.
  template <class Value, class Input = Value, class Unary = KokkosScan::Unchanged, class Run>
  bool are_right(Needs const& needs, std::size_t n, std::uint32_t salt, Offsets const& offsets, Run const& run) {
    using KokkosScan::driver::Contiguous;
    std::vector<Input> inputs;
    std::vector<Value> expected;
    for (std::size_t i = 0; i < n; ++i) {
      inputs.push_back({static_cast<decltype(Input::a)>(2 * (i * 40503U + salt) + 1),
                        static_cast<decltype(Input::b)>(i * 2654435761U + salt)});
      expected.push_back(i == 0 ? Unary{}(inputs[i]) : FollowedBy{}(expected[i - 1], Unary{}(inputs[i])));
    }
    Displaced<Input> const from(inputs, offsets.from);
    Displaced<Value> const apart(std::vector<Value>(n), offsets.dest);
    Value* dest = apart.data();
    if constexpr (std::is_same_v<Value, Input>)
      if (offsets.in_place) dest = from.data();

    if (states_.size() * sizeof(Line) < needs.states) states_.assign(needs.states / sizeof(Line) + 1, Line{});
    std::vector<Line> scratch(needs.scratch / sizeof(Line) + 1);
    KokkosScan::driver::Scan<KokkosScan::driver::Kind::inclusive, Value, Contiguous<Input const>, Contiguous<Value>,
                             FollowedBy, Unary> const scan{{from.data()}, {dest}, n, {}, {}, {}, nullptr};
    run(scan, Memory{scratch.data(), states_.data(), states_.size() * sizeof(Line)});
    return std::equal(expected.begin(), expected.end(), dest);
  }

  /// In as many of the smallest tiles: of one warp, with a value to a lane.
  template <class Value>
  bool are_right_in_small_tiles(KokkosScan::GridScan grid, std::size_t tiles, std::uint32_t salt) {
    using namespace KokkosScan::cuda;
    using OneWarp = Block<Value, block::WarpShuffle, warp_size>;
    Needs const needs{.scratch = 0, .states = States::bytes(Groups<Value>::lines(tiles))};
    return are_right<Value>(needs, tiles * warp_size - 7, salt, {}, [&](auto const& scan, Memory const& memory) {
      States const states{static_cast<States::Header*>(memory.states), States::lines_of(memory.states_bytes)};
      if (grid == KokkosScan::GridScan::chained)
        chained::run<OneWarp>(nullptr, scan, states, nullptr);
      else
        lookback::run<OneWarp>(nullptr, scan, states, nullptr);
    });
  }

  /// In one wave of as many tiles, of two warps, with one round or more.
  template <class Value>
  bool are_right_in_one_wave(std::size_t tiles, std::uint32_t salt, Offsets const& offsets = {}) {
    using namespace KokkosScan::cuda;
    one_wave::Partition const partition{2 * warp_size, salt % 2 == 0 ? 1 : one_wave::Shape<Value>::rounds};
    Needs const needs{.scratch = 0, .states = States::bytes(tiles)};
    return are_right<Value>(
        needs, tiles * partition.tile<Value>() - 7, salt, offsets, [&](auto const& scan, Memory const& memory) {
          one_wave::run(nullptr, scan,
                        States{static_cast<States::Header*>(memory.states), States::lines_of(memory.states_bytes)},
                        partition);
        });
  }

  /// As if a thousand million scans had been made meanwhile. There must have been one.
  void skip_to_the_last_epoch() {
    auto* const header   = static_cast<KokkosScan::cuda::States::Header*>(static_cast<void*>(states_.data()));
    header->epoch_before = KokkosScan::cuda::Tag::epochs - 2;
  }

 private:
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };
  std::vector<Line> states_;
};

}  // namespace test
