// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// The marks of a tile's elements. Those that stand in memory come into its stage with its first slice: a load would
/// stand in line with the copies (docs/decisions/cuda-pipeline.md).
template <class Problem>
class StagedMarks {
  using S = ShapeOf<Problem>;

  static constexpr std::size_t words_at_once = 16 / sizeof(std::uint32_t);

 public:
  __device__ explicit StagedMarks(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// How many bytes are copied, and their copy.
  __device__ unsigned bytes([[maybe_unused]] std::uint32_t k) const {
    if constexpr (keeps_mark_words<Problem>) {
      auto const [words, begin, end] = words_of(k);
      return static_cast<unsigned>((end - begin) * sizeof(std::uint32_t));
    } else {
      return 0;
    }
  }
  __device__ void copy([[maybe_unused]] Stage<Problem> const& stage, [[maybe_unused]] std::uint32_t k,
                       [[maybe_unused]] Barrier full) const {
    if constexpr (keeps_mark_words<Problem>)
      copy_in(stage.marks(), words_of(k).words + words_of(k).begin, bytes(k), full);
  }
  /// Waits until they are here.
  __device__ static void wait([[maybe_unused]] TileRecord<Problem> const& record, [[maybe_unused]] unsigned parity) {
    if constexpr (keeps_mark_words<Problem>) record.full(0).wait(parity);
  }

  /// Those of a full piece.
  __device__ PieceMarks<Problem> load([[maybe_unused]] Stage<Problem> const& stage, [[maybe_unused]] std::uint32_t k,
                                      [[maybe_unused]] std::size_t first) const {
    if constexpr (keeps_elements<Problem>)
      return {first, S::piece, [&](std::size_t i, std::size_t count) { return load(stage, k, i, count); }};
    else
      return {};
  }
  /// Those of as many as 64 elements, from element i of all on.
  __device__ std::uint64_t load([[maybe_unused]] Stage<Problem> const& stage, [[maybe_unused]] std::uint32_t k,
                                std::size_t i, std::size_t count) const {
    auto const& source = scan_.problem.source;
    if constexpr (keeps_mark_words<Problem>) {
      std::size_t const begin = words_of(k).begin;
      return source.marks(i, count, [&](std::size_t w) { return stage.marks().load(static_cast<int>(w - begin)); });
    } else {
      return source.marks(i, count);
    }
  }

 private:
  /// The words of a tile's marks, and what shares 16 bytes with them.
  __device__ core::MarkWords words_of(std::uint32_t k) const {
    core::MarkWords const own =
        scan_.problem.source.mark_words(scan_.begin(k), static_cast<std::size_t>(scan_.length(k)));
    return {own.words, own.begin / words_at_once * words_at_once, core::round_up(own.end, words_at_once)};
  }

  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
