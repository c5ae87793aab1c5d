// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"

#include <thread>

namespace KokkosScan::host {
namespace {

/// What ends the work of those that wait in vain. The caller does not see it.
struct WaitInVain {};

}  // namespace

void Failure::guard(int worker, Work work) {
  try {
    if (!has_happened()) work(worker, *this);
  } catch (...) {
    if (!happened_.exchange(true, std::memory_order_relaxed)) exception_ = std::current_exception();
  }
}

void Failure::rethrow() const {
  if (exception_) std::rethrow_exception(exception_);
}

void launch(WorkersRef workers, Work work) {
  Failure failure;
  workers.run([&](int worker) { failure.guard(worker, work); });
  failure.rethrow();
}

void offer_core(Failure const& failure) {
  if (failure.has_happened()) throw WaitInVain{};
  std::this_thread::yield();
}

}  // namespace KokkosScan::host
