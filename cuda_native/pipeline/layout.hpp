// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "../../src/core/problem.hpp"
#include "../tile_states.hpp"
#include "staged_array.hpp"

// Where what the warps of a block have in common stands in its shared memory.
namespace KokkosScan::cuda::pipelined {

/// That many bytes, rounded up so that a value or 16 bytes may stand behind.
template <class Value>
constexpr int aligned(std::size_t size) {
  return static_cast<int>(core::round_up(size, std::max<std::size_t>(alignof(Value), 16)));
}

/// The record of a tile.
template <class Value, class S>
struct RecordLayout {
  static constexpr int pieces_byte     = 0;
  static constexpr int prefixes_byte   = pieces_byte + aligned<Value>(S::slices * warp_size * sizeof(Value));
  static constexpr int aggregates_byte = prefixes_byte + aligned<Value>(S::slices * sizeof(Maybe<Value>));
  static constexpr int barriers_byte   = aggregates_byte + aligned<Value>(S::slices * sizeof(Value));
  static constexpr int ticket_byte     = barriers_byte + (2 + S::slices) * 8;
  static constexpr int bytes           = aligned<Value>(ticket_byte + sizeof(Ticket));
};

/// What a stage holds of the inputs of a slice: the elements of the source's arrays, side by side, ...
template <class S, class Source, std::size_t... k>
struct StagedElements {
  template <std::size_t a>
  using At = StagedArray<S, core::ArrayAt<Source, a>, a == 0 && Source::sees_previous ? 1 : 0>;

  static constexpr int count         = sizeof...(k);
  static constexpr int element_bytes = (At<k>::size + ...);
  static constexpr int bytes         = (At<k>::bytes + ...);

  template <std::size_t a>
  static constexpr int first_byte = ((k < a ? At<k>::bytes : 0) + ...);
};
/// ... or else the values made of them.
template <class Value>
struct StagedValues {
  template <std::size_t>
  using At = StagedArray<Shape<Value>, Contiguous<Value>>;

  static constexpr int count         = 1;
  static constexpr int element_bytes = At<0>::size;
  static constexpr int bytes         = At<0>::bytes;

  template <std::size_t>
  static constexpr int first_byte = 0;
};

/// Where the marks of a tile's elements are staged, if they stand in memory: words, and what shares 16 bytes with them.
template <class Problem>
inline constexpr int bytes_of_marks =
    keeps_mark_words<Problem> ? static_cast<int>(core::round_up(ShapeOf<Problem>::tile / 8 + 32, 128)) : 0;

/// Where elements are chosen by code that may round, each is chosen once: the marks of a piece are left for the warp
/// that moves it, in as many words for each lane.
template <class Problem>
inline constexpr bool leaves_choices = [] {
  if constexpr (keeps_chosen<Problem>)
    return !Problem::Source::marks_alike;
  else
    return false;
}();
template <class Problem>
inline constexpr int bytes_of_choices =
    leaves_choices<Problem> ? ShapeOf<Problem>::slices * warp_size * PieceBits<Problem>::words * 4 : 0;

/// What one tile takes away of the shared memory, with its record and the barrier of its stage.
template <class Problem, class Staged>
inline constexpr int bytes_of_tile =
    ShapeOf<Problem>::slices * Staged::bytes + bytes_of_marks<Problem> + bytes_of_choices<Problem> +
    RecordLayout<typename Problem::Value, ShapeOf<Problem>>::bytes + 8;

/// The arrays of a source are staged if they can be, else values.
template <class Problem, class = std::make_index_sequence<core::arrays_of<typename Problem::Source>>>
struct StagedOf {
  using type = StagedValues<typename Problem::Value>;
};
template <class Problem, std::size_t... k>
  requires can_stage<typename Problem::Source, sizeof(Kept<Problem>)>
struct StagedOf<Problem, std::index_sequence<k...>> {
  using type = StagedElements<ShapeOf<Problem>, typename Problem::Source, k...>;
};

template <class Problem>
inline constexpr bool can_copy_in = can_stage<typename Problem::Source, sizeof(Kept<Problem>)>;

/// How results are kept until many can be stored at once: if two tiles fit beside them.
template <class Problem, class Staged, int bytes_of_slice>
inline constexpr bool fit_beside_stages =
    ShapeOf<Problem>::slices * bytes_of_slice + RecordLayout<typename Problem::Value, ShapeOf<Problem>>::bytes +
        2 * bytes_of_tile<Problem, Staged> <=
    pipeline_shared_bytes;
struct NoResults {
  static constexpr bool any  = false;
  static constexpr int bytes = 0;
};
/// Those of a sink that fills an array, ...
template <class Problem, class Staged, class Array = core::ArrayOf<typename Problem::Sink>>
struct StagedResults : NoResults {};
template <class Problem, class Staged, class Array>
  requires(!std::is_void_v<Array>)
struct StagedResults<Problem, Staged, Array> : StagedArray<ShapeOf<Problem>, Array> {
  using StagedArray<ShapeOf<Problem>, Array>::StagedArray;
  static constexpr bool any = fit_beside_stages<Problem, Staged, StagedArray<ShapeOf<Problem>, Array>::bytes>;
};
/// ... and those of one that has streams. If these share a region, the second one begins behind the end of the first.
template <class Problem, class Sink = typename Problem::Sink>
struct StagedStreams {
  template <int k>
  using ElementAt = core::ElementOf<StreamOf<Sink, k>>;
  template <int k>
  static constexpr int room = StagedArray<ShapeOf<Problem>, StreamOf<Sink, k>>::bytes;

  static constexpr int bytes = [] {
    int sum = 0, most = 0;
    [&]<int... k>(std::integer_sequence<int, k...>) {
      ((sum += room<k>, most = std::max(most, room<k>)), ...);
    }(std::make_integer_sequence<int, Sink::streams>());
    return Sink::share_streams ? most + 256 * (Sink::streams - 1) : sum;
  }();
};

template <class Problem, class Staged>
struct ResultsOf {
  using type = StagedResults<Problem, Staged>;
};
template <class Problem, class Staged>
  requires keeps_chosen<Problem>
struct ResultsOf<Problem, Staged> {
  struct type : StagedStreams<Problem> {
    static constexpr bool any = fit_beside_stages<Problem, Staged, StagedStreams<Problem>::bytes>;
  };
};

/// The shared memory of a block: stages into which tiles are copied, one from which results are, and a record of each
/// tile under way. A tile leaves its stage for the registers of the warps that scan it, so there is a record more than
/// there are stages. A slice may begin up to 127 bytes behind a multiple of 128. Copies to addresses that are not as
/// far behind one as where they come from are slower (docs/decisions/cuda-addresses.md), and so the distances between
/// slices are multiples for elements of every power of two of bytes.
template <class Problem>
struct Layout {
  using Value   = typename Problem::Value;
  using S       = ShapeOf<Problem>;
  using Staged  = typename StagedOf<Problem>::type;
  using Results = typename ResultsOf<Problem, Staged>::type;
  using Record  = RecordLayout<Value, S>;

  static constexpr int results_bytes = Results::any ? S::slices * Results::bytes : 0;
  static constexpr int stages        = std::min(
      pipeline_stages, (pipeline_shared_bytes - results_bytes - Record::bytes) / bytes_of_tile<Problem, Staged>);
  static constexpr int records = stages + 1;
  static_assert(stages >= 2);

  static constexpr int marks_byte   = S::slices * Staged::bytes;  // in a stage
  static constexpr int choices_byte = marks_byte + bytes_of_marks<Problem>;
  static constexpr int tile_bytes   = choices_byte + bytes_of_choices<Problem>;
  static constexpr int results_byte = stages * tile_bytes;
  static constexpr int records_byte = results_byte + results_bytes;
  static constexpr int empty_byte   = records_byte + records * Record::bytes;
  static constexpr int bytes        = empty_byte + stages * 8;

  static constexpr int reducers = S::slices / 2;
  static constexpr int warps    = reducers + S::slices + records + 1;  // that reduce, scan, look back, load
  static constexpr int threads  = warps * warp_size;
};

/// The shared memory of a tile until the warps that scan it have it in registers.
template <class Problem>
class Stage {
  using L = Layout<Problem>;

 public:
  __device__ explicit Stage(int index) : index_(index) {}

  /// A byte of a slice.
  template <class T>
  __device__ Shared<T> at(int slice, int byte) const {
    return shared_memory<T>(index_ * L::tile_bytes + slice * L::Staged::bytes + byte);
  }

  __device__ Shared<std::uint32_t> marks() const {
    return shared_memory<std::uint32_t>(index_ * L::tile_bytes + L::marks_byte);
  }

  /// The words of choices of the calling lane's piece are 32 apart.
  __device__ Shared<std::uint32_t> choices(int slice) const {
    constexpr int words = bytes_of_choices<Problem> / 4 / L::S::slices;
    return shared_memory<std::uint32_t>(index_ * L::tile_bytes + L::choices_byte).from(slice * words + lane());
  }

  __device__ Barrier empty() const { return Barrier(shared_memory<std::uint64_t>(L::empty_byte + 8 * index_)); }
  __device__ void init() const { empty().init(L::S::slices * warp_size); }

 private:
  int index_;
};

/// What is known of a tile.
template <class Problem>
class TileRecord {
  using Value = typename Problem::Value;
  using S     = ShapeOf<Problem>;
  using L     = RecordLayout<Value, S>;

 public:
  __device__ explicit TileRecord(int index) : first_(Layout<Problem>::records_byte + index * L::bytes) {}

  __device__ Shared<Ticket> ticket() const { return at<Ticket>(L::ticket_byte); }
  __device__ Shared<Value> aggregates() const { return at<Value>(L::aggregates_byte); }            // of the slices
  __device__ Shared<Maybe<Value>> prefixes() const { return at<Maybe<Value>>(L::prefixes_byte); }  // of the slices
  /// What stands before each piece in its slice.
  __device__ Shared<Value> pieces() const { return at<Value>(L::pieces_byte); }

  __device__ Barrier reduced() const { return barrier(0); }                // the aggregates of the slices are known
  __device__ Barrier found() const { return barrier(1); }                  // and their prefixes
  __device__ Barrier full(int slice) const { return barrier(2 + slice); }  // a slice is here

  __device__ void init() const {
    reduced().init(S::slices * warp_size);
    found().init(warp_size);
    for (int slice = 0; slice < S::slices; ++slice) full(slice).init(1);
  }

 private:
  template <class T>
  __device__ Shared<T> at(int byte) const {
    return shared_memory<T>(first_ + byte);
  }
  __device__ Barrier barrier(int which) const { return Barrier(at<std::uint64_t>(L::barriers_byte + 8 * which)); }

  int first_;
};

/// Where tile i of a block is in a ring of stages or records: at i % length. The parity of their barriers changes from
/// round to round.
template <int length>
struct PipelineState {
  int index       = 0;
  unsigned parity = 0;

  __device__ void next() {
    if (++index < length) return;
    index = 0;
    parity ^= 1;
  }
};

/// Where a tile is in both rings.
template <class Problem>
struct PipelineStates {
  PipelineState<Layout<Problem>::stages> of_stages;
  PipelineState<Layout<Problem>::records> of_records;

  __device__ Stage<Problem> stage() const { return Stage<Problem>(of_stages.index); }
  __device__ TileRecord<Problem> record() const { return TileRecord<Problem>(of_records.index); }
  __device__ void next() {
    of_stages.next();
    of_records.next();
  }
};

/// The number in the ticket of a block that gets no more tiles.
enum : std::uint32_t { no_tile = ~0U };

}  // namespace KokkosScan::cuda::pipelined
