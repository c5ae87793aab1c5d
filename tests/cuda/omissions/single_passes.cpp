// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.hpp"
#include "cuda/scans.hpp"

namespace test {
namespace {

using KokkosScan::GridScan;
using namespace KokkosScan::cuda;
using Value = AffineOf<std::uint32_t>;

template <class Algorithm, int threads, template <class> class Memory = SharedTile, std::size_t n = 600>
bool is_right_by(std::uint32_t salt) {
  return Scans().are_right_by<Block<Value, Algorithm, threads, Memory>, Value>(GridScan::lookback, n, salt);
}

/// Values that take more than the words that blocks exchange.
bool is_right_with_flags(std::uint32_t salt) {
  Scans scans;
  for (int i = 0; i < 2; ++i)
    if (!scans.are_right_in_small_tiles<RoomyAffine>(GridScan::lookback, 40, salt)) return false;
  return true;
}

bool is_right_by_levels(std::uint32_t salt) {
  using Tiles         = Block<Value, block::ThreePhase<block::WarpShuffle, 3>, 64>;
  std::size_t const n = 600;
  Scans::Needs const needs{.scratch = hierarchical::scratch_values<Tiles>(n) * sizeof(Value), .states = 0};
  return Scans().are_right<Value>(needs, n, salt, {}, [](auto const& scan, auto const& memory) {
    hierarchical::run<Tiles>(nullptr, scan, static_cast<Value*>(memory.scratch), nullptr);
  });
}

/// By another kernel where results are stored in another type: the tiles are scanned once more.
bool is_right_by_levels_again(std::uint32_t salt) {
  using Tiles         = Block<AffineOf<std::uint64_t>, block::ThreePhase<block::WarpShuffle, 3>, 64>;
  std::size_t const n = 600;
  Scans::Needs const needs{.scratch = hierarchical::scratch_values<Tiles>(n) * sizeof(AffineOf<std::uint64_t>),
                           .states  = 0};
  return Scans().are_right<AffineOf<std::uint64_t>, Value, Widen>(
      needs, n, salt, {}, [](auto const& scan, auto const& memory) {
        hierarchical::run<Tiles>(nullptr, scan, static_cast<AffineOf<std::uint64_t>*>(memory.scratch), nullptr);
      });
}

/// Over the whole array.
bool is_right_by_doubling(std::uint32_t salt) {
  std::size_t const n = 600;
  Scans::Needs const needs{.scratch = hillis_steele::scratch_values(n) * sizeof(Value), .states = 0};
  return Scans().are_right<Value>(needs, n, salt, {}, [](auto const& scan, auto const& memory) {
    hillis_steele::run(nullptr, scan, static_cast<Value*>(memory.scratch));
  });
}

/// The last epoch: the states are cleared behind it, and must know nothing when it comes again.
bool is_right_in_the_last_epoch(std::uint32_t salt) {
  Scans scans;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i > 0) scans.skip_to_the_last_epoch();
    if (!scans.are_right_in_small_tiles<Value>(GridScan::lookback, 40, salt + i)) return false;
  }
  return true;
}

/// The total alone, of two blocks.
bool is_right_by_reduction(std::uint32_t salt) {
  namespace core      = KokkosScan::core;
  using Elements      = core::Contiguous<Value const>;
  using Source        = core::FromArray<Value, Elements, KokkosScan::Unchanged>;
  using Reduction     = core::Problem<Value, Source, FollowedBy, core::Discard<Value>>;
  using Combining     = ThreePhaseBlock<Value>;
  std::size_t const n = 2100, states_bytes = States::bytes(64);
  std::vector<Value> values, early, aggregates(reduction::blocks<Reduction>(n), element<Value>(1, 1)), staging;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(element<Value>(static_cast<std::uint32_t>(i) * 40503U + salt, salt));
    early.push_back(element<Value>(salt, static_cast<std::uint32_t>(i) + salt));
  }
  Value expected = values[0], total = element<Value>(salt, 7);
  for (std::size_t i = 1; i < n; ++i) expected = FollowedBy()(expected, values[i]);
  std::vector<std::uint64_t> states(states_bytes / sizeof(std::uint64_t) + 32, 0);
  on_a_stream_behind(values, early.data(), [&] {
    reduction::run<Combining>(nullptr, Reduction{{{early.data()}, {}}, {}, n, {}, {}, &total},
                              States::in(states.data(), states_bytes), aggregates.data(), staging.data());
  });
  return total == expected;
}

}  // namespace

std::vector<Case> single_passes() {
  return {
      is_right_by<block::KoggeStone<1>, 96>,
      is_right_by<block::KoggeStoneDoubleBuffered<1>, 96>,
      is_right_by<block::KoggeStoneDoubleBuffered<1>, 96, GlobalTile>,
      is_right_by<block::BrentKung<2>, 96>,
      is_right_by<block::Blelloch<3>, 96, SharedTile, 600>,
      is_right_by<block::Blelloch<3>, 96, SharedTile, 2 * 288 + 1>,
      is_right_by<block::WarpShuffle, 96>,
      is_right_by<block::ThreePhase<block::WarpShuffle, 3>, 96>,
      is_right_by<block::ThreePhase<block::Blelloch<1>, 3>, 96>,
      is_right_with_flags,
      is_right_by_levels,
      is_right_by_levels_again,
      is_right_by_doubling,
      is_right_in_the_last_epoch,
      is_right_by_reduction,
  };
}

}  // namespace test
