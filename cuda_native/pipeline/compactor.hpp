// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../units.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// Moves the elements of a slice that are chosen to their places, one behind the other.
template <class Problem>
class Compactor {
  using Value   = typename Problem::Value;
  using S       = ShapeOf<Problem>;
  using L       = Layout<Problem>;
  using Results = typename L::Results;
  using Piece   = KeptPiece<Problem>;

 public:
  __device__ explicit Compactor(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// `own`: the piece; if it is not full, value(i) says whether its element i is chosen, and element(i) is that.
  /// `through`: how many are chosen before it, and then through it. All lanes of the warp that scans the slice.
  template <class GetValue, class GetElement>
  __device__ void store(TileRecord<Problem> const& record, std::uint32_t k, int which, Uninitialized<Value>& through,
                        Piece const& own, GetValue const& value, GetElement const& element) const {
    using Stored = core::ElementOf<typename Problem::Sink::Compacted>;
    int const n  = scan_.length(k, which);
    if (n == 0) return;
    int const rest    = n - lane() * S::piece;
    auto const& dest  = scan_.problem.sink.dest;
    auto const begin  = static_cast<std::size_t>(*record.prefixes().load(which));
    int const chosen  = static_cast<int>(record.aggregates().load(which));
    auto* const first = reinterpret_cast<unsigned char*>(dest.array.data + begin);
    int const shift   = static_cast<int>(reinterpret_cast<std::uintptr_t>(first) % 128);
    if (lane() == 0) wait_until_copied_out();
    __syncwarp();
    auto const results = shared_memory<Stored>(L::results_byte + which * Results::bytes + shift);
    if (rest > 0) {
      int place      = static_cast<int>(static_cast<std::size_t>(through.value) - begin);
      auto const put = [&](Kept<Problem> const& chosen_one) {
        results.store(place++, static_cast<Stored>(chosen_one));
      };
      if (rest >= S::piece) {
#pragma unroll
        for (int u = 0; u < S::units; ++u) {
          auto const unit = own.unit(u);
#pragma unroll
          for (int v = 0; v < S::unit; ++v)
            if (unit.is_chosen(v)) put(unit.elements.get(v));
        }
      } else {
#pragma unroll 1
        for (int i = 0; i < rest; ++i)
          if (value(i) != Value{0}) put(element(i));
      }
      through.put(static_cast<Value>(begin + static_cast<std::size_t>(place)));
    }
    fence_for_copies();
    __syncwarp();
    std::size_t const room = begin < dest.extent ? dest.extent - begin : 0;
    copy_out_of(results, first, shift, static_cast<std::size_t>(chosen) < room ? chosen : static_cast<int>(room));
    __syncwarp();
  }

 private:
  /// Moves so many results out of shared memory: by a copy, and what shares 16 bytes with others one by one.
  template <class Stored>
  __device__ static void copy_out_of(Shared<Stored> results, unsigned char* first, int shift, int n) {
    constexpr int size  = static_cast<int>(sizeof(Stored));
    Copied const copied = copied_of<size>({true, shift}, shift, n, false, false);
    if (int const bytes = copied.bytes(); bytes > 0 && lane() == 0)
      copy_out(first + (copied.begin - shift), results.template from<unsigned char>(0).from(copied.begin - shift),
               static_cast<unsigned>(bytes));
    for_the_rest<1, size>(
        copied, shift, n, [&](int, int i) { ::new (static_cast<void*>(first + i * size)) Stored(results.load(i)); },
        [](int, int) {});
  }

  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
