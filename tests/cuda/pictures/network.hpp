// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_native/blocks.hpp"

// A block algorithm scans values that remember which elements they cover and where they were made. What is drawn of it
// later is what it did, not what a formula says that it does.
namespace pictures {

struct Traced {
  std::int32_t first, last;  // the elements that it covers
  std::int32_t spot;         // where it was made, or copied to
};

enum class Buffer : unsigned char { tile, scratch };

/// What an algorithm uses its scratch for.
enum class ScratchUse {
  aggregates,  // of pieces and warps
  buffer,      // a second tile, index for index
  aggregate,   // index 0 gets that of the tile
};

/// Where a value came into being, or was copied to.
struct Spot {
  enum class What { input, combined, copied } what;
  std::int32_t first, last;
  int column;      // its place in the tile, or the last element that it covers
  unsigned epoch;  // how many barriers its thread had passed
  unsigned thread         = 0;
  std::array<int, 2> from = {-1, -1};  // spots: of the left operand and the right one, or of what was copied

  bool stored    = false;         // into the tile or its second buffer, not kept in a register alone
  Buffer buffer  = Buffer::tile;  // into which of them
  bool handed_on = false;         // through scratch
  int row        = 0;             // the inputs stand in row 0
};

/// What stands in a row could happen at once. An operation comes behind those that made its operands, behind those of
/// its own thread, and behind the barriers that its thread has passed.
struct Row {
  unsigned epoch;
  int operations = 0;
};

struct Network {
  int n, threads;
  ScratchUse scratch_use;
  bool exclusive;
  std::vector<Spot> spots;
  std::vector<Row> rows;  // row r at r - 1
  std::vector<Traced> result;
  unsigned barriers = 0;
};

class NetworkRecording {
 public:
  NetworkRecording(int n, int threads, ScratchUse);

  /// The recorder of the model, which sees the barriers.
  model::Recorder recorder() {
    return [this](model::Event const& event) {
      if (event.what == model::Event::What::barrier) epochs_[event.thread] = event.epoch;
    };
  }

  /// Called by the threads of the kernel.
  static Traced input(int i) { return {i, i, i}; }
  Traced combine(Traced const& left, Traced const& right);
  Traced store(Buffer, int index, Traced const&);
  void result(int i, Traced const& value) { network_.result[i] = value; }

  Network finish(bool exclusive);

 private:
  Spot& spot(int i) { return network_.spots[i]; }
  int add(Spot);
  void find_rows();
  void check(bool exclusive) const;

  Network network_;
  std::vector<unsigned> epochs_;              // of the threads
  std::array<std::vector<int>, 2> contents_;  // which spot stands there, or -1
};

/// A tile that records what is stored into it.
class TracedTile {
 public:
  static constexpr bool takes_packs = false;  // each value is recorded alone

  TracedTile(NetworkRecording& recording, Buffer buffer, int byte)
      : recording_(&recording), buffer_(buffer), tile_(KokkosScan::cuda::shared_memory<Traced>(byte)) {}

  Traced load(int i) const { return tile_.load(i); }
  void store(int i, Traced const& value) const { tile_.store(i, recording_->store(buffer_, first_ + i, value)); }
  TracedTile behind(int i) const {
    TracedTile other(*this);
    other.tile_ = tile_.behind(i);
    other.first_ += i;
    return other;
  }

 private:
  NetworkRecording* recording_;
  Buffer buffer_;
  KokkosScan::cuda::SharedTile<Traced> tile_;
  int first_ = 0;
};

/// What the kernels of cuda_native/ do with a tile between fetching it and delivering it.
template <class Algorithm>
void scan_traced_kernel(NetworkRecording* recording, int n, int tile_bytes) {
  TracedTile const tile(*recording, Buffer::tile, 0), scratch(*recording, Buffer::scratch, tile_bytes);
  KokkosScan::cuda::block::for_each(n, [&](int i) { tile.store(i, recording->input(i)); });
  __syncthreads();
  TracedTile const result = Algorithm::run(
      tile, scratch, n, [=](Traced const& left, Traced const& right) { return recording->combine(left, right); });
  KokkosScan::cuda::block::for_each(n, [&](int i) { recording->result(i, result.load(i)); });
  if (Algorithm::native_kind == KokkosScan::cuda::Kind::exclusive && threadIdx.x == 0)
    recording->result(n, scratch.load(0));
}

template <class Algorithm>
Network record_network(int n, int threads, ScratchUse scratch_use, std::uint64_t seed) {
  using KokkosScan::cuda::SharedTile;
  NetworkRecording recording(n, threads, scratch_use);
  model::Model const model(model::Settings{.seed = seed, .recorder = recording.recorder()});
  int const tile_bytes = SharedTile<Traced>::bytes(n);
  std::size_t const bytes =
      static_cast<std::size_t>(tile_bytes + SharedTile<Traced>::bytes(Algorithm::scratch(n, threads)));
  KokkosScan::cuda::launch(nullptr, {1, threads, bytes}, scan_traced_kernel<Algorithm>, &recording, n, tile_bytes);
  return recording.finish(Algorithm::native_kind == KokkosScan::cuda::Kind::exclusive);
}

/// Elements from left to right, time from top to bottom: a dot is an application of the operator, the lines to it come
/// from its operands.
std::string draw_network(Network const& network, std::string const& name);

}  // namespace pictures
