// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>

#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "fork.hpp"
#include "function_ref.hpp"
#include "tuning.hpp"

// Where the host algorithms get their workers from; the only thing they know of Kokkos, and not by name:
//
//   workers.size()    how many workers there are at most
//   workers.run(f)    f(0) ... f(size() - 1), in any order, at once or one after the other
namespace KokkosScan::host {

/// f(0) ... f(size - 1), each by a thread of its own: chunks of one.
struct EachByOne {
  FunctionRef<void(int)> f;
  void operator()(int worker) const { f(worker); }
};
template <class Exec>
auto chunks_of_one(Exec const& exec, int size) {
  return Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, size, Kokkos::ChunkSize(1));
}

/// How many threads a launch gets.
template <class Exec>
int threads_for(Exec const& exec) {
  return exec::is_in_region(exec) ? 1 : exec.concurrency();
}

template <class Exec>
inline constinit Forks forks_of{};

/// Seconds; 0 as long as that is unknown. Nothing is measured within a region of whoever calls, where a launch might
/// wait for that region's end, nor while another thread's kernel is in the way.
template <class Exec>
double fork_seconds(Exec const& exec) {
  if (auto const assumed = assumed_fork()) return *assumed;
  int const threads  = exec.concurrency();
  double const known = forks_of<Exec>.known(threads);
  if (known > 0 || exec::is_within(exec) || exec::is_busy(exec)) return known;
  return forks_of<Exec>.measured(
      threads, [&] { exec::dispatch_unseen(exec, chunks_of_one(exec, threads), EachByOne{[](int) {}}); });
}

/// As many workers as are done first: as many as may be, or the calling thread alone. Numbers between gain nothing, for
/// a launch wakes all threads of its space, whatever they find to do.
template <class Exec>
int workers_for(Exec const& exec, Shared const& work) {
  auto const threads = static_cast<std::size_t>(threads_for(exec));
  int const most     = static_cast<int>(std::clamp<std::size_t>(work.parts, 1, threads));
  return most == 1 || pays(work, most, host::fork_seconds(exec)) ? most : 1;
}

/// The same for a loop over so many elements, of 8 bytes where nobody says.
template <class Exec>
int workers_for_loop(Exec const& exec, std::size_t elements, std::size_t parts, std::size_t bytes_of_one = 8) {
  if (elements < least_by_all) return 1;
  return host::workers_for(exec, {.seconds = seconds_alone(elements, bytes_of_one), .parts = parts});
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
    exec::dispatch(label_, exec_, chunks_of_one(exec_, size_), EachByOne{f});
  }

 private:
  Exec const& exec_;
  std::string const& label_;
  int size_;
  bool is_kernel_;
};

}  // namespace KokkosScan::host
