// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "error.hpp"
#include "omissions.hpp"
#include "recorder.hpp"

// What a test says to the model, as against what a kernel says to it (machine.hpp).
namespace model {

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

}  // namespace model
