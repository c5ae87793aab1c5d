// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "function_ref.hpp"
#include "tuning.hpp"

// When other threads are to help: to wake them and to wait for them takes time, in which the calling thread may have
// done the work itself. How much is found out at run time (docs/decisions/host-forks.md). No bit of a result depends on
// it. `workers_for` in workers.hpp asks what stands here; fork.cpp is compiled once.
namespace KokkosScan::host {

/// Work that several threads may share.
struct Shared {
  double seconds;           // which one thread takes for it
  std::size_t parts;        // of the same size; a part is done by one thread
  double read_again = 0.0;  // what several threads do besides for each part but those of the last, of what a part takes
  int launches      = 1;

  constexpr double seconds_of(int workers) const {
    auto const size       = static_cast<std::size_t>(workers);
    std::size_t const own = (parts + size - 1) / size, again = (parts - own + size - 1) / size;
    return seconds / static_cast<double>(parts) * (static_cast<double>(own) + read_again * static_cast<double>(again));
  }
};

/// Whether so many workers are done before one, of which each has a part or more.
constexpr bool pays(Shared const& work, int workers, double fork_seconds) {
  return work.launches * forks_of_nothing * fork_seconds + work.seconds_of(workers) < work.seconds;
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
