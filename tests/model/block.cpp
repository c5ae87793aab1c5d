// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block.hpp"

namespace model {

char const* name_of(Call call) {
  switch (call) {
    case Call::syncthreads: return "__syncthreads";
    case Call::syncwarp: return "__syncwarp";
    case Call::shfl: return "__shfl_sync";
    case Call::shfl_up: return "__shfl_up_sync";
    case Call::shfl_down: return "__shfl_down_sync";
    case Call::shfl_xor: return "__shfl_xor_sync";
    case Call::ballot: return "__ballot_sync";
    case Call::any: return "__any_sync";
    case Call::all: return "__all_sync";
    case Call::phase: return "Barrier::wait";
    case Call::copied_out: return "wait_until_copied_out";
  }
  return "?";
}

void Block::begin(unsigned index_in_grid, unsigned threads, std::size_t shared_bytes) {
  index_ = index_in_grid;
  size_  = threads;
  ended = at_barrier = paused = copies = next_copy = 0;
  ready.clear();
  if (threads_.size() < threads) threads_ = std::vector<Thread>(threads);
  for (unsigned i = 0; i < threads; ++i) {
    threads_[i]       = Thread();
    threads_[i].block = this;
    threads_[i].index = i;
  }
  unsigned const warps = (threads + warp_size - 1) / warp_size;
  if (meetings_.size() < warps) meetings_.resize(warps);
  for (auto& meetings : meetings_) meetings.clear();
  lanes_alive_.assign(warps, ~0U);
  if (threads % warp_size) lanes_alive_.back() = (1U << threads % warp_size) - 1;
  mbarriers_.clear();
  fences_.assign(threads, {});
  copy_ticks_.assign(most_copies, 0);
  copied_out_.assign(threads, {});
  shared_.begin(shared_bytes, threads);
}

}  // namespace model
