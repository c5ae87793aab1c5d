// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../units.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// How results are made and handed to the sink.
template <class Problem>
class Storer {
  using Value = typename Problem::Value;
  using S     = Shape<Value>;

 public:
  __device__ explicit Storer(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// Scans a piece, and hands its results to the sink. `own`: its units; if it is not full, value(i) gives its values.
  /// `any`: whether `running` holds what stands before it. All lanes of the warp that scans the slice.
  template <class GetValue>
  __device__ void store(std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                        Unit<Value> (&own)[S::units], GetValue const& value) const {
    if constexpr (core::takes_one<typename Problem::Sink>)
      put_results(k, which, any, running, own, value);
    else
      store_results(k, which, any, running, own, value);
  }

 private:
  /// Whether the units of pieces are aligned.
  __device__ bool units_out() const { return !can_copy_out<Problem> || scan_.plans.out.shift % 16 == 0; }

  /// Puts the results of a piece in shared memory, and has those of the slice copied out.
  template <class GetValue>
  __device__ void put_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                              Unit<Value> (&own)[S::units], GetValue const& value) const {
    int const n    = scan_.length(k, which);
    int const rest = n - lane() * S::piece;
    if (lane() == 0) wait_until_copied_out();
    __syncwarp();
    int const byte     = Layout<Value>::results_byte + which * Layout<Value>::slice_bytes;
    auto const results = shared_memory<Value>(byte + scan_.plans.out.shift).template from<Value>(lane() * S::piece);
    if (rest < S::piece) {
#pragma unroll 1
      for (int i = 0; i < rest; ++i) results.store(i, scan_value(scan_.problem, any || i > 0, running, value(i)).value);
    } else if (units_out()) {
      scan_units<true>(any, running, own, results);
    } else {
      scan_units<false>(any, running, own, results);
    }
    store_slice(byte, scan_.begin(k, which), n);
  }

  /// Hands the results of a piece to a sink that looks at more than one value.
  template <class GetValue>
  __device__ void store_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                                Unit<Value> const (&own)[S::units], GetValue const& value) const {
    int const rest          = scan_.length(k, which) - lane() * S::piece;
    std::size_t const first = scan_.begin(k, which) + static_cast<std::size_t>(lane() * S::piece);
    if (rest < S::piece) {
#pragma unroll 1
      for (int i = 0; i < rest; ++i)
        store_next(scan_.problem, any || i > 0, running, value(i), first + static_cast<std::size_t>(i));
    } else {
#pragma unroll
      for (int u = 0; u < S::units; ++u)
        store_unit(scan_.problem, any || u > 0, running, own[u], first + static_cast<std::size_t>(u * S::unit));
    }
  }

  /// Moves the results of a slice out of shared memory. A value that is copied in part is stored, too: the same bytes.
  __device__ void store_slice(int byte, std::size_t begin, int n) const {
    fence_for_copies();
    __syncwarp();
    Copied const copied = copied_within(scan_.plans.out, n * static_cast<int>(sizeof(Value)));
    if constexpr (can_copy_out<Problem>)
      if (int const bytes = copied.bytes(); bytes > 0 && lane() == 0)
        copy_out(reinterpret_cast<unsigned char*>(scan_.problem.sink.array.data + begin) +
                     (copied.begin - scan_.plans.out.shift),
                 shared_memory<unsigned char>(byte + copied.begin), static_cast<unsigned>(bytes));
    if (copied.bytes() < n * static_cast<int>(sizeof(Value))) {
      auto const results = shared_memory<Value>(byte + scan_.plans.out.shift);
      for_the_rest<1, Value>(
          copied, scan_.plans.out.shift, n,
          [&](int, int i) { store_value(scan_.problem, begin + static_cast<std::size_t>(i), results.load(i)); },
          [](int, int) {});
    }
    __syncwarp();
  }

  /// The results of a full piece, stored by units where they lie so.
  template <bool at_once>
  __device__ void scan_units(bool any, Uninitialized<Value>& running, Unit<Value> (&own)[S::units],
                             Shared<Value> results) const {
#pragma unroll
    for (int u = 0; u < S::units; ++u) {
      scan_unit(scan_.problem, any || u > 0, running, own[u]);
      if constexpr (at_once) {
        results.template from<Unit<Value>>(0).store(u, own[u]);
      } else {
#pragma unroll
        for (int v = 0; v < S::unit; ++v) results.store(u * S::unit + v, own[u].get(v));
      }
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
