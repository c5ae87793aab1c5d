// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>
#include <vector>

#include "mbarriers.hpp"
#include "shared_memory.hpp"
#include "thread.hpp"

namespace model {

/// Lanes that meet at a shuffle, a vote or __syncwarp.
struct Meeting {
  Call call;
  unsigned mask;     // who is to come
  unsigned arrived;  // who is there
  Place where;
};

/// A resident block.
class Block {
 public:
  void begin(unsigned index_in_grid, unsigned threads, std::size_t shared_bytes);

  unsigned index() const { return index_; }
  unsigned size() const { return size_; }
  Thread& thread(unsigned i) { return threads_[i]; }
  Thread const& thread(unsigned i) const { return threads_[i]; }
  std::vector<Meeting>& meetings(unsigned warp) { return meetings_[warp]; }
  unsigned& lanes_alive(unsigned warp) { return lanes_alive_[warp]; }
  SharedMemory& shared() { return shared_; }
  SharedMemory const& shared() const { return shared_; }

  std::vector<Mbarrier>& mbarriers() { return mbarriers_; }
  std::vector<Mbarrier> const& mbarriers() const { return mbarriers_; }
  /// When a thread called fence_for_copies().
  std::vector<std::uint32_t>& fences(unsigned thread) { return fences_[thread]; }
  /// The clocks of copies, by their numbers.
  std::uint32_t& copy_tick(unsigned number) { return copy_ticks_[number]; }
  /// Copies out that a thread has started and not waited for.
  struct CopiesOut {
    unsigned under_way = 0;
    std::vector<std::pair<unsigned, std::uint32_t>> read;  // index and tick
  };
  CopiesOut& copied_out(unsigned thread) { return copied_out_[thread]; }

  std::vector<Thread*> ready;     // who can move; the scheduler's
  unsigned place_in_movable = 0;  // the scheduler's
  unsigned rank             = 0;  // the scheduler's

  unsigned ended      = 0;  // threads
  unsigned paused     = 0;
  unsigned at_barrier = 0;
  Place barrier_where;  // of the first that came

  unsigned copies    = 0;  // under way
  unsigned next_copy = 0;  // which of its numbers the next one gets, if that is free

  /// Whether nobody in it can ever move again.
  bool stuck() const { return ready.empty() && paused == 0 && copies == 0 && !finished(); }
  bool finished() const { return ended == size_; }

 private:
  unsigned index_ = 0;
  unsigned size_  = 0;
  std::vector<Thread> threads_;
  std::vector<std::vector<Meeting>> meetings_;
  std::vector<unsigned> lanes_alive_;
  std::vector<Mbarrier> mbarriers_;
  std::vector<std::vector<std::uint32_t>> fences_;
  std::vector<std::uint32_t> copy_ticks_;
  std::vector<CopiesOut> copied_out_;
  SharedMemory shared_;
};

}  // namespace model
