// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>
#include <vector>

#include "shape.hpp"
#include "shared_memory.hpp"
#include "thread.hpp"

namespace model {

/// A word in shared memory that counts arrivals, and bytes that copies bring.
struct Mbarrier {
  std::ptrdiff_t byte;
  Site where;  // it was initialised
  unsigned made_by;
  std::uint32_t made_at;
  bool published = false;  // to copies

  unsigned count;               // arrivals of each phase
  unsigned missing    = count;  // of the present one
  std::int64_t bytes  = 0;      // announced and not brought; copies may be earlier than the announcement
  std::uint64_t ended = 0;      // phases

  // Whoever waits for the last phase that ended comes after these; they are told who comes to the present one.
  Marks past{}, past_of_last{};
  Marks view{}, view_of_last{};

  std::vector<Thread*> waiting{};
};

/// Lanes that meet at a shuffle, a vote or __syncwarp.
struct Meeting {
  Call call;
  unsigned mask;     // who is to come
  unsigned arrived;  // who is there
  Site where;
};

/// A grid that was launched, and how far it is.
struct Grid {
  Shape shape;
  Body body;
  bool is_first;                    // so there is none before it
  bool starts_early = true;         // as soon as the previous one lets it
  std::vector<unsigned> order{};    // of the blocks, unless it goes up or down
  unsigned started = 0, ended = 0;  // blocks
  unsigned letting = 0;             // that let the next grid start, or have ended
};

/// A resident block.
struct Block {
  void begin(Grid& its_grid, unsigned index_in_grid) {
    grid  = &its_grid;
    index = index_in_grid;
    size  = static_cast<unsigned>(grid->shape.threads);
    ended = at_barrier = at_grid = paused = copies = next_copy = 0;
    lets_next_grid                                             = false;
    ready.clear();
    if (threads.size() < size) threads = std::vector<Thread>(size);
    for (unsigned i = 0; i < size; ++i) {
      threads[i]            = Thread();
      threads[i].block      = this;
      threads[i].index      = i;
      threads[i].is_ordered = grid->is_first;
    }
    unsigned const warps = (size + warp_size - 1) / warp_size;
    if (meetings.size() < warps) meetings.resize(warps);
    for (auto& of_warp : meetings) of_warp.clear();
    lanes_alive.clear();
    for (unsigned w = 0; w < warps; ++w) lanes_alive.push_back(lanes_of(w));
    mbarriers.clear();
    fences.assign(size, {});
    copy_ticks.assign(most_copies, 0);
    copied_out.assign(size, {});
    own_copies.assign(size, {});
    shared.begin(grid->shape.shared, size);
  }

  /// Those that a warp ever had; the last one may have fewer than 32.
  unsigned lanes_of(unsigned warp) const {
    unsigned const rest = size - warp * warp_size;
    return rest < warp_size ? (1U << rest) - 1 : ~0U;
  }

  /// Whether nobody in it can ever move again.
  bool stuck() const { return ready.empty() && paused == 0 && copies == 0 && at_grid == 0 && !finished(); }
  bool finished() const { return ended == size; }

  Grid* grid     = nullptr;
  unsigned index = 0;  // in the grid
  unsigned size  = 0;
  std::vector<Thread> threads;                 // as many as any block had
  std::vector<std::vector<Meeting>> meetings;  // of each warp
  std::vector<unsigned> lanes_alive;           // of each warp
  std::vector<Mbarrier> mbarriers;
  std::vector<std::vector<std::uint32_t>> fences;  // when each thread called fence_for_copies()
  std::vector<std::uint32_t> copy_ticks;           // the clocks of copies, by their numbers
  struct CopiesOut {
    unsigned under_way = 0;
    std::vector<std::pair<unsigned, std::uint32_t>> read;  // index and tick
  };
  /// A copy in that a thread makes for itself and has not waited for.
  struct OwnCopy {
    std::ptrdiff_t to;
    void const* from;
    std::size_t bytes, alignment;
    Site where;
  };
  std::vector<std::vector<OwnCopy>> own_copies;
  std::vector<CopiesOut> copied_out;  // that each thread has started and not waited for
  SharedMemory shared;

  std::vector<Thread*> ready;     // who can move; the scheduler's
  unsigned index_in_movable = 0;  // the scheduler's
  unsigned rank             = 0;  // the scheduler's

  unsigned ended      = 0;  // threads
  unsigned paused     = 0;
  unsigned at_barrier = 0;
  Site barrier_where;  // of the first that came

  unsigned at_grid    = 0;  // threads that wait for the previous one
  bool lets_next_grid = false;

  unsigned copies    = 0;  // under way
  unsigned next_copy = 0;  // which of its numbers the next one gets, if that is free
};

}  // namespace model
