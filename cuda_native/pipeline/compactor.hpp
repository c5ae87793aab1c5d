// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../units.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// Moves what the elements of a slice emit to its places: what goes to one array lies there one behind the other.
template <class Problem>
class Compactor {
  using Value = typename Problem::Value;
  using Sink  = typename Problem::Sink;
  using S     = ShapeOf<Problem>;
  using L     = Layout<Problem>;
  using Piece = KeptPiece<Problem>;

  static constexpr auto all_streams = std::make_integer_sequence<int, Sink::streams>();

 public:
  __device__ explicit Compactor(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// `own`: the piece; if it is not full, load(u) gives its unit u. `any`: whether `running` holds what stands
  /// before it. All lanes of the warp that scans the slice.
  template <class Load>
  __device__ void store(TileRecord<Problem> const& record, std::uint32_t k, int which, bool any,
                        Uninitialized<Value>& running, Piece const& own, Load const& load) const {
    if (scan_.length(k, which) == 0) return;
    if constexpr (L::Results::any)
      store(record, k, which, any, running, own, load, all_streams);
    else
      emit(core::PutInStreams<Sink>{scan_.problem.sink}, k, which, any, running, own, load);
  }

 private:
  /// What a slice emits to one array: in shared memory as many bytes behind a multiple of 128 as there.
  template <int k>
  struct Stream {
    using Element = typename L::Results::template ElementAt<k>;
    using Place   = decltype(Sink::template begin<k>(std::declval<Value const&>(), 0));

    Place begin;
    int n;
    int byte;  // of the first in shared memory

    __device__ int shift() const { return byte % 128; }
    __device__ int end_byte() const { return byte + n * static_cast<int>(sizeof(Element)); }
  };
  template <int... s>
  struct Streams : Stream<s>... {
    template <int k, class Place, class T>
    __device__ void put(Place place, T const& value) const {
      auto const& stream = static_cast<Stream<k> const&>(*this);
      using Element      = typename Stream<k>::Element;
      shared_memory<Element>(stream.byte).store(static_cast<int>(place - stream.begin), static_cast<Element>(value));
    }
  };

  template <class Load, int... s>
  __device__ void store(TileRecord<Problem> const& record, std::uint32_t k, int which, bool any,
                        Uninitialized<Value>& running, Piece const& own, Load const& load,
                        std::integer_sequence<int, s...>) const {
    std::size_t const begin = scan_.begin(k, which), end = begin + static_cast<std::size_t>(scan_.length(k, which));
    Maybe<Value> const before = record.prefixes().load(which);
    Value const through       = scan_.combine(before, record.aggregates().load(which));
    int free                  = L::results_byte + which * L::Results::bytes;
    Streams<s...> const streams{stream<s>(before, through, begin, end, free)...};
    if (lane() == 0) wait_until_copied_out();
    __syncwarp();
    emit(streams, k, which, any, running, own, load);
    fence_for_copies();
    __syncwarp();
    (copy_out_of(static_cast<Stream<s> const&>(streams)), ...);
  }

  /// Emits what a piece does.
  template <class Put, class Load>
  __device__ void emit(Put const& put, std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                       Piece const& own, Load const& load) const {
    auto const& problem     = scan_.problem;
    int const rest          = scan_.length(k, which) - lane() * S::piece;
    std::size_t const first = scan_.begin(k, which) + static_cast<std::size_t>(lane() * S::piece);
    if (rest >= S::piece) {
      if (!any) running.put(before_first(problem, own.unit(0)));
#pragma unroll
      for (int u = 0; u < S::units; ++u)
        emit_chosen(problem, put, first + static_cast<std::size_t>(u * S::unit), running, own.unit(u));
    } else {
#pragma unroll 1
      for (int u = 0; u * S::unit < rest; ++u) {
        auto const unit = load(u);
        if (u == 0 && !any) running.put(before_first(problem, unit));
        emit_chosen(problem, put, first + static_cast<std::size_t>(u * S::unit), running, unit,
                    part_length(rest, u * S::unit, S::unit));
      }
    }
    if constexpr (emits_end)
      if (rest > 0 && rest <= S::piece && first + static_cast<std::size_t>(rest) == problem.n)
        problem.sink.emit_end(put, running.value);
  }

  static constexpr bool emits_end = requires(Sink const& sink, core::PutInStreams<Sink> const& put,
                                             Value const& value) { sink.emit_end(put, value); };

  /// `free`: the byte from which on shared memory is free, and then behind this stream.
  template <int k>
  __device__ Stream<k> stream(Maybe<Value> const& before, Value const& through, std::size_t begin, std::size_t end,
                              int& free) const {
    using Place      = typename Stream<k>::Place;
    auto const& sink = scan_.problem.sink;
    Place const from = before ? Sink::template begin<k>(*before, begin) : Place{0};
    Place to         = Sink::template begin<k>(through, end);
    if constexpr (emits_end && k == 1)
      if (end == scan_.problem.n) ++to;
    auto const address = reinterpret_cast<std::uintptr_t>(sink.template stream<k>().array.data + from);
    Stream<k> const stream{from, static_cast<int>(to - from), free + static_cast<int>(address % 128)};
    free = Sink::share_streams ? (stream.end_byte() + 127) / 128 * 128 : free + L::Results::template room<k>;
    return stream;
  }

  /// Moves a stream out of shared memory, as far as its array reaches: by a copy, and what shares 16 bytes with others
  /// one by one.
  template <int k>
  __device__ void copy_out_of(Stream<k> const& stream) const {
    using Element          = typename Stream<k>::Element;
    constexpr int size     = static_cast<int>(sizeof(Element));
    auto const& to         = scan_.problem.sink.template stream<k>();
    auto const begin       = static_cast<std::size_t>(stream.begin);
    std::size_t const room = begin < to.extent ? to.extent - begin : 0;
    int const n            = static_cast<std::size_t>(stream.n) < room ? stream.n : static_cast<int>(room);
    auto* const first      = reinterpret_cast<unsigned char*>(to.array.data + begin);
    auto const results     = shared_memory<Element>(stream.byte);
    Copied const copied    = copied_of<size>({true, stream.shift()}, stream.shift(), n, false, false);
    if (int const bytes = copied.bytes(); bytes > 0 && lane() == 0) {
      int const skipped = copied.begin - stream.shift();
      copy_out(first + skipped, shared_memory<unsigned char>(stream.byte + skipped), static_cast<unsigned>(bytes));
    }
    for_the_rest<1, size>(
        copied, stream.shift(), n,
        [&](int, int i) { ::new (static_cast<void*>(first + i * size)) Element(results.load(i)); }, [](int, int) {});
  }

  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
