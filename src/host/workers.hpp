// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "function_ref.hpp"

// Where the host algorithms get their workers from; the only thing they know of Kokkos, and not by name:
//
//   workers.size()    how many workers there are at most
//   workers.run(f)    f(0) ... f(size() - 1), in any order, at once or one after the other
namespace KokkosScan::host {

/// How many threads a launch gets.
template <class Exec>
int threads_for(Exec const& exec) {
  return exec::is_in_region(exec) ? 1 : exec.concurrency();
}

template <class Exec>
class KokkosWorkers {
 public:
  /// Where the calling thread does the work of all of them, a kernel waits for its turn.
  KokkosWorkers(Exec const& exec, std::string const& label, int size, bool is_kernel = false)
      : exec_(exec), label_(label), size_(size), is_kernel_(is_kernel) {}

  int size() const { return size_; }

  void run(FunctionRef<void(int)> f) const {
    if (size_ == 1 || exec::is_taken(exec_)) {
      exec::KernelEvent const event(label_, exec_);
      exec::Turn const turn(exec_, is_kernel_);  // within the event, at whose ends a tool may wait for the instance
      for (int worker = 0; worker < size_; ++worker) f(worker);
      return;
    }
    // Chunks of one: each thread gets a worker of its own.
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    exec::dispatch(label_, exec_, Policy(exec_, 0, size_, Kokkos::ChunkSize(1)), [f](int worker) { f(worker); });
  }

 private:
  Exec const& exec_;
  std::string const& label_;
  int size_;
  bool is_kernel_;
};

}  // namespace KokkosScan::host
