// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>

#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// As many inputs as there are values in a unit, read at once.
template <class Element, int count>
struct alignas(std::has_single_bit(count * sizeof(Element)) && count * sizeof(Element) <= 16
                   ? count * sizeof(Element)
                   : alignof(Element)) InputUnit {
  Element element[count];
};

/// The inputs of tiles: how they come into a stage, and how they are read there.
template <class Problem>
class StagedInputs {
  using Value = typename Problem::Value;
  using S     = Shape<Value>;

 public:
  using Staged = typename StagedOf<Value, typename Problem::Source>::type;

  __device__ explicit StagedInputs(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// Starts the copies of a tile into its stage, that of each slice behind wait(slice). One thread does so for a whole
  /// block: with few instructions, or memory waits for it (docs/decisions/cuda-pipeline-slices.md).
  template <class Wait>
  __device__ void copy_tile(Stage<Value> const& stage, TileRecord<Value> const& record, std::uint32_t k,
                            Wait const& wait) const {
    int const alike = copied_alike(k);
    if constexpr (can_copy_in<Problem>) {
      Copied const copied    = copied_inside();
      auto const* const from = copied_from(k, 0, copied);
      auto const to          = stage.template slice<unsigned char>(0, copied.begin);
#pragma unroll
      for (int slice = 0; slice < S::slices; ++slice) {
        if (slice >= alike) break;
        wait(slice);
        copy(to.from(slice * Layout<Value>::slice_bytes), from + slice * S::slice * staged_bytes, copied,
             record.full(slice));
      }
    }
#pragma unroll 1
    for (int slice = alike; slice < S::slices; ++slice) {
      Copied const copied = copied_in(k, slice, scan_.length(k, slice));
      if (copied.bytes() == 0) {
        record.full(slice).arrive();
      } else if constexpr (can_copy_in<Problem>) {
        wait(slice);
        copy(stage.template slice<unsigned char>(slice, copied.begin), copied_from(k, slice, copied), copied,
             record.full(slice));
      }
    }
  }

  /// Loads what is not copied of a slice. All lanes.
  __device__ void load_rest(Stage<Value> const& stage, std::uint32_t k, int which, int n) const {
    if (scan_.plans.in.copied && scan_.begin(k, which) > 0 && goes_on(k, which, n)) return;
    constexpr int at_once = sizeof(Staged) <= 8 ? 8 : 2;  // loads on their way
    Uninitialized<Staged> own[at_once];
    auto const to = slice(stage, which);
    for_the_rest<at_once, Staged>(
        copied_in(k, which, n), scan_.plans.in.shift, n,
        [&](int j, int i) { own[j].put(staged(scan_.begin(k, which) + static_cast<std::size_t>(i))); },
        [&](int j, int i) { to.store(i, own[j].value); });
    if (!units_in()) fence_for_copies();  // the next ones write here, too
    __syncwarp();
  }

  /// The piece of the calling lane.
  __device__ Shared<Staged> piece(Stage<Value> const& stage, int which) const {
    return slice(stage, which).template from<Staged>(lane() * S::piece);
  }
  /// The value of a staged element.
  __device__ Value load(Shared<Staged> piece, int i) const {
    if constexpr (staged_as_values)
      return piece.load(i);
    else
      return scan_.problem.source.make(piece.load(i));
  }
  /// Calls f(u, unit) for the units of a full piece.
  template <class F>
  __device__ void load_units(Shared<Staged> piece, F const& f) const {
    if (units_in()) {
#pragma unroll
      for (int u = 0; u < S::units; ++u) f(u, load_unit<true>(piece, u));
    } else {
#pragma unroll
      for (int u = 0; u < S::units; ++u) f(u, load_unit<false>(piece, u));
    }
  }

 private:
  static constexpr int staged_bytes                 = static_cast<int>(sizeof(Staged));
  static constexpr std::size_t elements_of_16_bytes = (15 + sizeof(Staged)) / sizeof(Staged);
  static constexpr bool staged_as_values            = !can_copy_in<Problem> || core::is_plain<typename Problem::Source>;

  /// Whether the units of pieces are aligned.
  __device__ bool units_in() const { return !can_copy_in<Problem> || scan_.plans.in.shift % 16 == 0; }

  /// Whether behind the n values of a slice there are enough to fill the 16 bytes that they may share.
  __device__ bool goes_on(std::uint32_t k, int which, int n) const {
    return scan_.begin(k, which) + static_cast<std::size_t>(n) + elements_of_16_bytes <= scan_.problem.n;
  }
  /// Of the n values of a slice of inputs. Where it shares 16 bytes with its neighbours these come with it; at the ends
  /// of the array there are none.
  __device__ Copied copied_in(std::uint32_t k, int which, int n) const {
    Copied copied = copied_within(scan_.plans.in, n * staged_bytes);
    if (copied.bytes() == 0) return copied;
    if (scan_.begin(k, which) > 0) copied.begin = scan_.plans.in.shift / 16 * 16;
    if (goes_on(k, which, n)) copied.end = (scan_.plans.in.shift + n * staged_bytes + 15) / 16 * 16;
    return copied;
  }
  /// The same for every whole slice with neighbours on both sides.
  __device__ Copied copied_inside() const {
    return {scan_.plans.in.shift / 16 * 16, (scan_.plans.in.shift + S::slice * staged_bytes + 15) / 16 * 16};
  }
  /// How many slices of a tile, from its first on, are copied like that: all, but at the ends of the array.
  __device__ int copied_alike(std::uint32_t k) const {
    if (!scan_.plans.in.copied || (k == 0 && scan_.plans.in.shift % 16 > 0)) return 0;
    std::size_t const rest = scan_.problem.n - scan_.begin(k);
    return rest >= S::tile + elements_of_16_bytes ? S::slices
           : rest < elements_of_16_bytes          ? 0
                                                  : static_cast<int>(rest - elements_of_16_bytes) / S::slice;
  }

  __device__ static void copy(Shared<unsigned char> to, unsigned char const* from, Copied copied, Barrier full) {
    auto const bytes = static_cast<unsigned>(copied.bytes());
    full.arrive_and_expect(bytes);
    copy_in(to, from, bytes, full);
  }
  __device__ unsigned char const* copied_from(std::uint32_t k, int which, Copied copied) const {
    return reinterpret_cast<unsigned char const*>(scan_.problem.source.array.data + scan_.begin(k, which)) +
           (copied.begin - scan_.plans.in.shift);
  }

  __device__ Shared<Staged> slice(Stage<Value> const& stage, int which) const {
    return stage.template slice<Staged>(which, scan_.plans.in.shift);
  }
  __device__ Staged staged(std::size_t i) const {
    if constexpr (can_copy_in<Problem>)
      return scan_.problem.source.array[i];
    else
      return scan_.problem.source.load(i);
  }

  /// A unit of a full piece: at once, where it lies as one.
  template <bool at_once>
  __device__ Unit<Value> load_unit(Shared<Staged> piece, int u) const {
    if constexpr (at_once && staged_as_values) {
      return piece.template from<Unit<Value>>(0).load(u);
    } else {
      Unit<Value> own;
      if constexpr (at_once) {
        auto const inputs = piece.template from<InputUnit<Staged, S::unit>>(0).load(u);
#pragma unroll
        for (int v = 0; v < S::unit; ++v) own.put(v, scan_.problem.source.make(inputs.element[v]));
      } else {
#pragma unroll
        for (int v = 0; v < S::unit; ++v) own.put(v, load(piece, u * S::unit + v));
      }
      return own;
    }
  }

  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
