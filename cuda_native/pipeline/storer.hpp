// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../units.hpp"
#include "last_piece.hpp"
#include "realigned_piece.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// How results are made and handed to the sink.
template <class Problem>
class Storer {
  using Value   = typename Problem::Value;
  using S       = ShapeOf<Problem>;
  using L       = Layout<Problem>;
  using Results = typename L::Results;
  using Piece   = KeptPiece<Problem>;

 public:
  __device__ explicit Storer(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// Scans a piece, and hands its results to the sink. `own`: the piece; if it is not full, values(first, count) gives
  /// its values. `any`: whether `running` holds what stands before it. All lanes of the warp that scans the slice.
  template <class GetValues>
  __device__ void store(std::uint32_t k, int which, bool any, Uninitialized<Value>& running, Piece& own,
                        GetValues const& values) const {
    if constexpr (Results::any)
      stage_results(k, which, any, running, own, values);
    else
      store_results(k, which, any, running, own, values);
  }

 private:
  /// Puts the results of a piece in shared memory, and has those of the slice copied out.
  template <class GetValues>
  __device__ void stage_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running, Piece& own,
                                GetValues const& values) const {
    using Stored = typename Results::Element;
    Results const array(scan_.plans.out);
    int const n    = scan_.length(k, which);
    int const rest = n - lane() * S::piece;
    if (lane() == 0) wait_until_copied_out();
    __syncwarp();
    int const byte     = L::results_byte + which * Results::bytes;
    auto const results = shared_memory<Stored>(byte + array.byte(0)).from(lane() * S::piece * Results::step);
    if (rest < S::piece) {
      for_each_of_last_piece(rest, values, [&](int i, Value const& own_value) {
        results.store(i * Results::step, next_result(scan_.problem, any || i > 0, running, own_value));
      });
    } else if (array.template has_units<ResultUnit<Problem, S::unit>>()) {
      scan_units<true>(any, running, own, results);
    } else if constexpr (can_realign<ResultUnit<Problem, S::unit>, Stored>) {
      RealignedResults<ResultUnit<Problem, S::unit>, S::units, Results> piece(
          results, array.template behind_units<ResultUnit<Problem, S::unit>>());
      for_each_results(any, running, own, [&](int u, auto const& unit) { piece.put(u, unit); });
      piece.end(n);
    } else {
      scan_units<false>(any, running, own, results);
    }
    store_slice(array, byte, scan_.begin(k, which), n);
  }

  /// Hands the results of a piece to a sink that fills no array.
  template <class GetValues>
  __device__ void store_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running, Piece& own,
                                GetValues const& values) const {
    int const rest          = scan_.length(k, which) - lane() * S::piece;
    std::size_t const first = scan_.begin(k, which) + static_cast<std::size_t>(lane() * S::piece);
    if (rest < S::piece) {
      for_each_of_last_piece(rest, values, [&](int i, Value const& own_value) {
        store_next(scan_.problem, any || i > 0, running, own_value, first + static_cast<std::size_t>(i));
      });
    } else {
#pragma unroll
      for (int u = 0; u < S::units; ++u)
        store_unit(scan_.problem, any || u > 0, running, own.values(scan_.problem, u),
                   first + static_cast<std::size_t>(u * S::unit));
    }
  }

  /// Moves the results of a slice out of shared memory. One that is copied in part is stored, too: the same bytes.
  __device__ void store_slice(Results const& array, int byte, std::size_t begin, int n) const {
    using Stored = typename Results::Element;
    fence_for_copies();
    __syncwarp();
    auto const extent   = array.extent(begin, n);
    Copied const copied = array.copied_out(extent);
    if constexpr (core::is_side_by_side<typename Results::Array>)
      if (int const bytes = copied.bytes(); bytes > 0 && lane() == 0)
        copy_out(Results::template address<unsigned char>(scan_.problem.sink.array, extent, copied),
                 shared_memory<unsigned char>(byte + copied.begin), static_cast<unsigned>(bytes));
    if (copied.bytes() < n * Results::size) {
      auto const results = shared_memory<Stored>(byte + extent.byte);
      for_the_rest<1, Results::size>(
          copied, extent.byte, n,
          [&](int, int i) {
            ::new (static_cast<void*>(&scan_.problem.sink.array[extent.index(i)])) Stored(results.load(i));
          },
          [](int, int) {});
    }
    __syncwarp();
  }

  /// The results of a full piece, stored by units where they lie so.
  template <bool at_once, class Stored>
  __device__ void scan_units(bool any, Uninitialized<Value>& running, Piece& own, Shared<Stored> results) const {
    constexpr int step = Results::step;
    for_each_results(any, running, own, [&](int u, auto const& unit) {
      if constexpr (at_once) {
        results.template from<ResultUnit<Problem, S::unit>>(step > 0 ? 0 : 1 - S::unit)
            .store(u * step, turned<Results::backward, S::unit>(unit));
      } else {
#pragma unroll
        for (int v = 0; v < S::unit; ++v) results.store((u * S::unit + v) * step, unit.get(v));
      }
    });
  }
  template <class Put>
  __device__ void for_each_results(bool any, Uninitialized<Value>& running, Piece& own, Put const& put) const {
#pragma unroll
    for (int u = 0; u < S::units; ++u) {
      put(u, next_results<ResultUnit<Problem, S::unit>>(scan_.problem, any || u > 0, running,
                                                        own.values(scan_.problem, u)));
      end_unit(u);
    }
  }
  /// Keeps the units apart: else ptxas 13.0 takes all of them to pieces ahead, and spills registers. No shift is as
  /// large as that, but it cannot know; and it would ask once if the question were the same each time. Without it
  /// maxima of 1 and 2 bytes take 1.13 to 1.33 times as long (docs/decisions/cuda-registers.md).
  __device__ void end_unit(int u) const {
    if (scan_.plans.out.shift == 128 + u) __trap();
  }

  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
