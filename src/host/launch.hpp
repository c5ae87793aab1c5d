// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <exception>
#include <thread>

#include "tuning.hpp"

// The work of a crew (crew.hpp) when an operator or a transform throws in the middle of it: the worker's exception goes
// to the caller, and nobody waits for what that worker has left undone.
namespace KokkosScan::host {

/// What the workers of a launch know of the first exception.
class Failure {
 public:
  bool has_happened() const { return happened_.load(std::memory_order_relaxed); }

  /// Keeps an exception for the caller, unless there is one: the first that is caught counts.
  void keep(std::exception_ptr const& exception) {
    if (!happened_.exchange(true, std::memory_order_relaxed)) exception_ = exception;
  }
  /// When all workers are done.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> happened_{false};
  std::exception_ptr exception_;
};

/// What ends the work of those that wait in vain. The caller does not see it.
struct WaitInVain {};

/// f(worker, failure) for every worker of the crew. Throws what the first of them threw.
template <class Crew, class F>
void launch(Crew const& crew, F const& f) {
  Failure failure;
  crew.run([&](int worker) {
    try {
      if (!failure.has_happened()) f(worker, failure);
    } catch (...) {
      failure.keep(std::current_exception());
    }
  });
  failure.rethrow();
}

/// Waits until ready(), but not for long. Returns whether it is.
template <class Ready>
bool wait_some(Ready const& ready) {
  for (int spins = 0; spins < spins_before_yield; ++spins)
    if (ready()) return true;
  return false;
}

/// Waits until ready(). Workers may outnumber the cores, so after a while each waits its turn.
template <class Ready>
void wait_until(Failure const& failure, Ready const& ready) {
  if (wait_some(ready)) return;
  while (!ready()) {
    if (failure.has_happened()) throw WaitInVain{};
    std::this_thread::yield();
  }
}

}  // namespace KokkosScan::host
