// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <mutex>
#include <string>

#include "../driver/kernel_event.hpp"
#include "function_ref.hpp"
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

// Where the host algorithms get their workers from; the only thing they know of Kokkos, and not by name:
//
//   crew.size()    how many workers there are at most
//   crew.run(f)    f(0) ... f(size() - 1), in any order, at once or one after the other
namespace KokkosScan::host {

/// Whether the calling thread is at work for a kernel, or for an OpenMP region of the user's, and would get no threads
/// for another launch: Kokkos would wait for ever for the instance whose kernel this is, or refuse.
template <class Exec>
bool is_in_region(Exec const&) {
  return false;
}
#ifdef KOKKOS_ENABLE_OPENMP
inline bool is_in_region(Kokkos::OpenMP const&) {
  int const level   = omp_get_level();
  bool const nested = level == 1 && omp_get_max_active_levels() > 1;
  return level > 0 && !nested;
}
#endif

/// Whether a launch from an OpenMP region within which others may start could wait for ever: who is at work on the
/// instance may be the kernel that calls.
template <class Exec>
bool is_taken(Exec const&) {
  return false;
}
#ifdef KOKKOS_ENABLE_OPENMP
inline bool is_taken(Kokkos::OpenMP const& exec) {
  if (omp_get_level() == 0) return false;
  std::unique_lock const lock(exec.impl_internal_space_instance()->m_instance_mutex, std::try_to_lock);
  return !lock.owns_lock();
}
#endif

/// How many threads a launch gets.
template <class Exec>
int threads_for(Exec const& exec) {
  return is_in_region(exec) ? 1 : exec.concurrency();
}

template <class Exec>
class KokkosCrew {
 public:
  KokkosCrew(Exec const& exec, std::string const& label, int size) : exec_(exec), label_(label), size_(size) {}

  int size() const { return size_; }

  void run(FunctionRef<void(int)> f) const {
    if (size_ == 1 || is_taken(exec_)) {
      driver::KernelEvent const event(label_, exec_);
      for (int worker = 0; worker < size_; ++worker) f(worker);
      return;
    }
    // Chunks of one: each thread gets a worker of its own.
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    driver::dispatch(label_, exec_, Policy(exec_, 0, size_, Kokkos::ChunkSize(1)), [f](int worker) { f(worker); });
  }

 private:
  Exec const& exec_;
  std::string const& label_;
  int size_;
};

}  // namespace KokkosScan::host
