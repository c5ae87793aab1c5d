// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <model/machine.hpp>
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

/// The states of one run after the other, as a workspace keeps them.
class Scans {
  using Needs  = KokkosScan::driver::Needs;
  using Memory = KokkosScan::driver::Memory;

 public:
  template <class Value>
  bool are_right(KokkosScan::Options const& options, std::size_t n, std::uint32_t salt, std::size_t offset = 0) {
    return are_right<Value>(
        KokkosScan::cuda::needs<Value>(options, n), n, salt, offset,
        [&](auto const& scan, Memory const& memory) { KokkosScan::cuda::run(nullptr, options, scan, memory); });
  }

  /// `run` is handed a scan and the memory that it needs.
  template <class Value, class Run>
  bool are_right(Needs const& needs, std::size_t n, std::uint32_t salt, std::size_t offset, Run const& run) {
    using KokkosScan::driver::Contiguous;
    std::vector<Value> from(offset), expected, dest(offset + n);
    for (std::size_t i = 0; i < n; ++i)
      from.push_back({static_cast<decltype(Value::a)>(2 * (i * 40503U + salt) + 1),
                      static_cast<decltype(Value::b)>(i * 2654435761U + salt)});
    for (std::size_t i = 0; i < n; ++i)
      expected.push_back(i == 0 ? from[offset] : FollowedBy{}(expected[i - 1], from[offset + i]));

    if (states_.size() * sizeof(Line) < needs.states) states_.assign(needs.states / sizeof(Line) + 1, Line{});
    std::vector<Line> scratch(needs.scratch / sizeof(Line) + 1);
    KokkosScan::driver::Scan<KokkosScan::driver::Kind::inclusive, Value, Contiguous<Value const>, Contiguous<Value>,
                             FollowedBy, KokkosScan::Unchanged> const scan{
        {from.data() + offset}, {dest.data() + offset}, n, {}, {}, {}, nullptr};
    run(scan, Memory{scratch.data(), states_.data(), states_.size() * sizeof(Line)});
    return std::equal(expected.begin(), expected.end(), dest.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  /// In as many of the smallest tiles: of one warp, with a value to a lane.
  template <class Value>
  bool are_right_in_small_tiles(KokkosScan::GridScan grid, std::size_t tiles, std::uint32_t salt) {
    using namespace KokkosScan::cuda;
    using OneWarp = Block<Value, block::WarpShuffle, warp_size>;
    Needs const needs{.scratch = 0, .states = States::bytes(Groups<Value>::lines(tiles))};
    return are_right<Value>(needs, tiles * warp_size - 7, salt, 0, [&](auto const& scan, Memory const& memory) {
      States const states{static_cast<States::Header*>(memory.states), States::lines_of(memory.states_bytes)};
      if (grid == KokkosScan::GridScan::chained)
        chained::run<OneWarp>(nullptr, scan, states, nullptr);
      else
        lookback::run<OneWarp>(nullptr, scan, states, nullptr);
    });
  }

  /// In one wave of as many tiles, of two warps, with one round or more.
  template <class Value>
  bool are_right_in_one_wave(std::size_t tiles, std::uint32_t salt, std::size_t offset = 0) {
    using namespace KokkosScan::cuda;
    one_wave::Partition const partition{2 * warp_size, salt % 2 == 0 ? 1 : one_wave::Shape<Value>::rounds};
    Needs const needs{.scratch = 0, .states = States::bytes(tiles)};
    return are_right<Value>(
        needs, tiles * partition.tile<Value>() - 7, salt, offset, [&](auto const& scan, Memory const& memory) {
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
