// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "call.hpp"
#include "place.hpp"

namespace model {

/// One thing that a thread did.
struct Event {
  enum class What {
    block_start,   // thread 0 stands for the block
    shared_load,   // at: byte of the block's shared memory
    shared_store,  //
    word_load,     // at: address
    word_store,    //
    atomic,        //
    fence,         //
    barrier,       // a thread has passed __syncthreads
    warp,          // a thread has passed __syncwarp, a shuffle or a vote; at: which lanes
    phase,         // a thread has waited for one; at: byte of the block's shared memory
    pause,         //
    thread_end,    //
  };
  What what;
  unsigned block, thread;
  std::uint64_t step;  // counts the events of the launch
  unsigned epoch;      // how many block-wide barriers the thread had passed
  std::uintptr_t at;
  std::size_t bytes;
  Place where;
  Call call;        // warp: which
  unsigned source;  // warp: the lane whose value a shuffle got
};

/// Called at each event of a launch, to draw it afterwards. It must not call the model.
using Recorder = std::function<void(Event const&)>;

}  // namespace model
