// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "call.hpp"
#include "shape.hpp"

// What a test says to the model and hears from it, as against what a kernel says to it (machine.hpp).
namespace model {

enum class Kind {
  deadlock,              // nobody can move, and somebody waits for a word that nobody is left to write
  endless,               // no end in sight, or a loop that waits for a word without pause()
  divergence,            // not all threads that a barrier, shuffle or vote needs can come to it
  shared_race,           // two threads, one byte of shared memory, one of them writes, and nothing orders them
  shared_uninitialised,  // a byte of shared memory is read that nobody wrote
  shared_out_of_range,
  misaligned,
  mixed_word_size,    // one address, words of several sizes
  mixed_word_access,  // a word was written behind the model's back, by a plain store
  misused_mbarrier,  // one that was not initialised, that more come to than are counted, or that somebody slept through
  grid_order,        // a thread does not wait for the previous grid, or goes on before it has
  bad_argument,      // of a launch, a shuffle, ...
};

std::string to_string(Kind);

/// What launch() throws when the model finds a fault in a kernel.
class ModelError : public std::runtime_error {
 public:
  ModelError(Kind kind, std::string const& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// What a thread does only because others, or copies, rely on it.
enum class Duty {
  barrier,          // __syncthreads
  warp_barrier,     // __syncwarp
  fence,            //
  release,          // of a store, which is relaxed without it
  acquire,          // of a load
  arrival,          // at an mbarrier
  wait,             // for a phase of one
  publication,      // of mbarriers
  fence_of_copies,  //
  wait_for_copies,  // until they have read what they copy out, or brought what a thread copies in
  wait_for_grid,    // the previous one
};

std::string to_string(Duty);

/// Asked by each thread at each of its duties whether it is to leave it out, as if it were not in the text of the
/// kernel. A test learns so where a kernel has which, and may take away any of them. It must not call the model.
using Omissions = std::function<bool(Duty, Site const&)>;

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
  Site where;
  Call call;        // warp: which
  unsigned source;  // warp: the lane whose value a shuffle got
};

/// Called at each event of a launch, to draw it afterwards. It must not call the model.
using Recorder = std::function<void(Event const&)>;

enum class Start { seeded, ascending, descending, shuffled };

constexpr unsigned all_blocks = ~0U;

/// What is left at its default is drawn from the seed.
struct Settings {
  std::uint64_t seed = 0;
  unsigned resident  = 0;              // blocks at once; 0: seeded, 1, 2, 7 or all
  Start start        = Start::seeded;  // the order in which blocks become resident
  Recorder recorder{};
  Omissions omissions{};
  int multiprocessors      = 3;            // what the device says of itself
  std::uint64_t most_turns = 100'000'000;  // after so many changes of the thread a launch is declared endless
};

/// While it lives, the launches of its host thread follow its settings. The innermost one counts; without any, all is
/// left to seed 0.
class Model {
 public:
  explicit Model(Settings const& settings = {});
  ~Model();
  Model(Model const&)            = delete;
  Model& operator=(Model const&) = delete;

  Settings const& settings() const { return settings_; }
  unsigned launches() const { return launches_; }

  /// A fingerprint of the schedules of all launches so far: equal if and (as good as) only if they were the same.
  std::uint64_t trace() const { return trace_; }
  std::uint64_t turns() const { return turns_; }

  static Model* current();  // may be null

  /// For launch().
  std::uint64_t next_seed();
  void ran(std::uint64_t trace, std::uint64_t turns);

 private:
  Settings settings_;
  Model* outer_;
  unsigned launches_   = 0;
  std::uint64_t trace_ = 0;
  std::uint64_t turns_ = 0;
};

/// While it lives, what its host thread launches is enqueued, and runs when it is to finish: each grid as the dependent
/// of the one before, so that its blocks may start as soon as all of that one's let them, or have ended. The innermost
/// one counts; without any, a launch is over when it returns.
class Stream {
 public:
  Stream();
  ~Stream();  // behind finish(), unless something was thrown
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;

  void enqueue(Shape const& shape, std::function<void()> kernel);
  void finish();

  static Stream* current();  // may be null

 private:
  struct Launch {
    Shape shape;
    std::function<void()> kernel;
  };
  std::vector<Launch> launches_;
  Stream* outer_;
};

}  // namespace model
