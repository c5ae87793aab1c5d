// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

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

  std::vector<Thread*> ready;     // who can move; the scheduler's
  unsigned place_in_movable = 0;  // the scheduler's
  unsigned rank             = 0;  // the scheduler's

  unsigned ended      = 0;  // threads
  unsigned paused     = 0;
  unsigned at_barrier = 0;
  Place barrier_where;  // of the first that came

  /// Whether nobody in it can ever move again.
  bool stuck() const { return ready.empty() && paused == 0 && !finished(); }
  bool finished() const { return ended == size_; }

 private:
  unsigned index_ = 0;
  unsigned size_  = 0;
  std::vector<Thread> threads_;
  std::vector<std::vector<Meeting>> meetings_;
  std::vector<unsigned> lanes_alive_;
  SharedMemory shared_;
};

}  // namespace model
