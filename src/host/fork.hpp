// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "function_ref.hpp"

// When other threads are to help: to wake them and to wait for them takes time, in which the calling thread may have
// done the work itself. How much is found out at run time (docs/decisions/host-forks.md). No bit of a result depends on
// it. `workers_for` in workers.hpp asks what stands here; fork.cpp is compiled once.
namespace KokkosScan::host {

/// Work that several threads may share.
struct Shared {
  double seconds;           // which one thread takes for it
  std::size_t parts;        // no more threads than these find something to do
  double of_several = 1.0;  // what several threads do in all, as a multiple of what one does
  int launches      = 1;
};

/// Whether so many workers are done before one.
constexpr bool pays(Shared const& work, int workers, double fork_seconds) {
  return work.launches * fork_seconds + work.seconds * work.of_several / workers < work.seconds;
}

/// What launches take that have nothing to do, by numbers of threads; each is measured once, when it is first asked
/// for.
class Forks {
 public:
  using Clock = double (*)();  // seconds
  static double now();

  /// Seconds; 0 as long as nobody has measured it.
  double known(int threads) const;
  /// `launch` has so many threads do nothing. 0 while another thread measures: no call waits for one of another thread.
  double measured(int threads, FunctionRef<void()> launch, Clock clock = now);

 private:
  struct One {
    int threads;
    double seconds;
  };
  static constexpr std::size_t most = 32;  // more numbers of threads stay unknown

  One const* find(int threads) const;

  std::atomic<bool> is_measuring_{false};
  std::atomic<std::size_t> count_{0};
  One all_[most] = {};  // count_ of them are there to be read; who measures writes the next
};

/// For tests and measurements: what a fork is taken to take, or that it is measured. Not while anything is planned.
void assume_fork(std::optional<double> seconds);
std::optional<double> assumed_fork();

}  // namespace KokkosScan::host
