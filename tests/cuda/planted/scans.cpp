// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/lengths.hpp"
#include "planted.hpp"

// The scans of a fault: KOKKOSSCAN_SCANS names them. No more kernels are compiled than they need.
namespace test {
namespace {

using namespace KokkosScan::cuda;
constexpr auto grid = KokkosScan::GridScan::lookback;

enum class Of { single_pass, blocks, bytes, one_wave, lengths, lengths_by_levels, lengths_in_one_wave, realigned };

template <Of of>
bool right() {
  Scans scans;
  if constexpr (of == Of::blocks) {
    // Tiles that are no power of two, and an inclusive and an exclusive algorithm within three phases.
    using Value     = AffineOf<std::uint32_t>;
    using Inclusive = Block<Value, block::ThreePhase<block::WarpShuffle, 3>, 96>;
    using Exclusive = Block<Value, block::ThreePhase<block::Blelloch<1>, 3>, 96>;
    return scans.are_right_by<Inclusive, Value>(grid, 600, 4) && scans.are_right_by<Exclusive, Value>(grid, 600, 4);
  } else if constexpr (of == Of::bytes) {
    // Values of less than 4 bytes go by words in shared memory.
    using Value = AffineOf<std::uint8_t>;
    return scans.are_right_by<ThreePhaseBlock<Value>, Value>(grid, 11'000, 1);
  } else if constexpr (of == Of::realigned) {
    // In one wave and in the pipeline; the last piece is not full.
    using Value = AffineOf<std::uint8_t>;
    for (std::size_t const byte : {1, 4, 14}) {
      if (!scans.are_right_in_one_wave<Value>(3, 4, {byte, 18 - byte})) return false;
      if (!scans.are_right_in_the_pipeline<Value>(7'001, 1, {byte, 18 - byte})) return false;
    }
  } else if constexpr (of == Of::one_wave) {
    // As many tiles as one warp polls, and more.
    for (std::size_t const tiles : {1, 5, 40})
      if (!scans.are_right_in_one_wave<AffineOf<std::uint32_t>>(tiles, 4)) return false;
  } else if constexpr (of == Of::lengths) {
    using Value = AffineOf<std::uint64_t>;
    if (!are_right_of_many_lengths<By::lookback, Value>(scans, 1)) return false;
    for (std::uint32_t const salt : {4U, 5U, 6U}) {
      scans.skip_to_the_last_epoch();
      for (std::size_t const tiles : {0, 5, 40})
        if (!are_right_up_to<By::lookback, Value>(scans, 40, tiles * warp_size, salt)) return false;
    }
  } else if constexpr (of == Of::lengths_by_levels) {
    return are_right_of_many_lengths<By::hierarchical, AffineOf<std::uint64_t>>(scans, 1);
  } else if constexpr (of == Of::lengths_in_one_wave) {
    return are_right_of_many_lengths<By::one_wave, AffineOf<std::uint64_t>>(scans, 1);
  } else {
    // Of two words that blocks exchange, in the smallest tiles; more of them than one look-back covers; and in the last
    // epoch: the states are cleared behind it, and must know nothing when it comes again.
    using Value = AffineOf<std::uint64_t>;
    for (std::uint32_t const salt : {1U, 2U, 3U})
      if (!scans.are_right_in_small_tiles<Value>(grid, 40, salt)) return false;
    if (!scans.are_right_in_small_tiles<Value>(grid, (2 * 32 + 3) * 32, 4)) return false;
    for (std::uint32_t const salt : {4U, 5U, 6U}) {
      scans.skip_to_the_last_epoch();
      if (!scans.are_right_in_small_tiles<Value>(grid, 40, salt)) return false;
    }
  }
  return true;
}

}  // namespace

bool are_right() { return right<Of::KOKKOSSCAN_SCANS>(); }

}  // namespace test
