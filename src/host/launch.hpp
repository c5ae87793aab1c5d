// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>

#include "function_ref.hpp"
#include "tuning.hpp"

// Work of several workers (workers.hpp), in the middle of which an operator or a transform may throw: the exception
// goes to the caller, and nobody waits for what that worker has left undone. What does not depend on the scan is
// compiled in launch.cpp.
namespace KokkosScan::host {

class Failure;
using Work = FunctionRef<void(int worker, Failure const& failure)>;

/// What the workers of a launch know of the first exception.
class Failure {
 public:
  bool has_happened() const { return happened_.load(std::memory_order_relaxed); }

  /// Does the work of one worker, if nothing has happened. Keeps an exception for the caller, unless there is one: the
  /// first that is caught counts.
  void guard(int worker, Work work);
  /// When all workers are done.
  void rethrow() const;

 private:
  std::atomic<bool> happened_{false};
  std::exception_ptr exception_;
};

/// Any workers (workers.hpp) that outlive it, so that what has them work is compiled once, and not for each space.
class WorkersRef {
 public:
  template <class Workers>
    requires(!std::is_same_v<Workers, WorkersRef>)
  WorkersRef(Workers const& workers)
      : workers_(std::addressof(workers)),
        size_(workers.size()),
        run_([](void const* all, FunctionRef<void(int)> f) { static_cast<Workers const*>(all)->run(f); }) {}

  int size() const { return size_; }
  void run(FunctionRef<void(int)> f) const { run_(workers_, f); }

 private:
  void const* workers_;
  int size_;
  void (*run_)(void const*, FunctionRef<void(int)>);
};

/// work(worker, failure) for every worker. Throws what the first of them threw.
void launch(WorkersRef workers, Work work);

/// One worker, who is here already.
struct Alone {
  int size() const { return 1; }
  void run(FunctionRef<void(int)> f) const { f(0); }
};

/// Offers the core to others, or ends the work of a worker that waits in vain.
void offer_core(Failure const& failure);

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
  while (!ready()) offer_core(failure);
}

}  // namespace KokkosScan::host
