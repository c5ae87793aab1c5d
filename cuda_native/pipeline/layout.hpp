// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "../tile_states.hpp"
#include "../tuning.hpp"
#include "../values.hpp"

// How values are shared out among the warps of a block, and where what they have in common stands in its shared memory.
namespace KokkosScan::cuda::pipelined {

/// A tile is cut into slices, of which each warp takes one, and a slice into pieces, one to a lane.
template <class Value>
struct Shape {
  static constexpr int slices   = pipeline_slices(sizeof(Value));
  static constexpr int reducers = slices / 2;
  static constexpr int stages   = pipeline_stages;
  static constexpr int records  = stages + 1;
  static constexpr int unit     = Unit<Value>::count;
  static constexpr int units    = pipeline_units(sizeof(Value), sizeof(Unit<Value>), alignof(Value));  // of a piece
  static constexpr int piece    = units * unit;
  static constexpr int slice    = warp_size * piece;
  static constexpr int tile     = slices * slice;
  static constexpr int warps    = reducers + slices + records + 1;  // that reduce, scan, look back, load
  static constexpr int threads  = warps * warp_size;
};

/// The shared memory of a block: stages into which tiles are copied, one from which results are, and a record of each
/// tile under way. A tile leaves its stage for the registers of the warps that scan it, so there is a record more than
/// there are stages.
template <class Value>
class Layout {
  using S = Shape<Value>;

  /// That many bytes, rounded up so that a value or 16 bytes may stand behind.
  static constexpr int aligned(std::size_t size) {
    return static_cast<int>(core::round_up(size, std::max<std::size_t>(alignof(Value), 16)));
  }

 public:
  // A slice may begin up to 127 bytes behind a multiple of 128. Copies to addresses that are not as far behind one as
  // where they come from are slower (docs/decisions/cuda-addresses.md), and so all distances are multiples.
  static constexpr int slice_bytes     = static_cast<int>(core::round_up(S::slice * sizeof(Value) + 127, 128));
  static constexpr int tile_bytes      = S::slices * slice_bytes;
  static constexpr int results_byte    = S::stages * tile_bytes;
  static constexpr int records_byte    = results_byte + tile_bytes;
  static constexpr int pieces_byte     = 0;
  static constexpr int prefixes_byte   = pieces_byte + aligned(S::slices * warp_size * sizeof(Value));
  static constexpr int aggregates_byte = prefixes_byte + aligned(S::slices * sizeof(Maybe<Value>));
  static constexpr int barriers_byte   = aggregates_byte + aligned(S::slices * sizeof(Value));
  static constexpr int ticket_byte     = barriers_byte + (2 + S::slices) * 8;
  static constexpr int record_bytes    = aligned(ticket_byte + sizeof(Ticket));
  static constexpr int empty_byte      = records_byte + S::records * record_bytes;
  static constexpr int bytes           = empty_byte + S::stages * 8;
  static_assert(bytes <= pipeline_shared_bytes);
};

/// The shared memory of a tile until the warps that scan it have it in registers.
template <class Value>
class Stage {
  using S = Shape<Value>;
  using L = Layout<Value>;

 public:
  __device__ explicit Stage(int index) : index_(index) {}

  template <class T>
  __device__ Shared<T> slice(int which, int shift) const {
    return shared_memory<T>(index_ * L::tile_bytes + which * L::slice_bytes + shift);
  }

  __device__ Barrier empty() const { return Barrier(shared_memory<std::uint64_t>(L::empty_byte + 8 * index_)); }
  __device__ void init() const { empty().init(S::slices * warp_size); }

 private:
  int index_;
};

/// What is known of a tile.
template <class Value>
class TileRecord {
  using S = Shape<Value>;
  using L = Layout<Value>;

 public:
  __device__ explicit TileRecord(int index) : first_(L::records_byte + index * L::record_bytes) {}

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
template <class Value>
struct PipelineStates {
  PipelineState<Shape<Value>::stages> of_stages;
  PipelineState<Shape<Value>::records> of_records;

  __device__ Stage<Value> stage() const { return Stage<Value>(of_stages.index); }
  __device__ TileRecord<Value> record() const { return TileRecord<Value>(of_records.index); }
  __device__ void next() {
    of_stages.next();
    of_records.next();
  }
};

/// The number in the ticket of a block that gets no more tiles.
enum : std::uint32_t { no_tile = ~0U };

}  // namespace KokkosScan::cuda::pipelined
