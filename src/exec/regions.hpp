// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

// Where the calling thread stands: calls from within kernels get no threads of their own.
namespace KokkosScan::exec {

/// Whether the threads of a space are the host's own: a team of several would wait for each other.
template <class Exec>
inline constexpr bool is_on_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// What Kokkos holds while a kernel runs on an instance of a host's; null where there is no such thing.
template <class Exec>
std::mutex* mutex_of(Exec const&) {
  return nullptr;
}
#ifdef KOKKOS_ENABLE_OPENMP
inline std::mutex* mutex_of(Kokkos::OpenMP const& exec) {
  return &exec.impl_internal_space_instance()->m_instance_mutex;
}
#endif
#ifdef KOKKOS_ENABLE_SERIAL
inline std::mutex* mutex_of(Kokkos::Serial const& exec) {
  return &exec.impl_internal_space_instance()->m_instance_mutex;
}
#endif

/// While it lives, the calling thread is at work for a kernel of the library's on the instance with that mutex, or for
/// none. What the user's functions call in the middle of it must not wait for the end of that kernel.
class AtWork {
 public:
  explicit AtWork(std::mutex const* instance) : instance_(instance), outer_(innermost_) { innermost_ = this; }
  AtWork(AtWork const&)            = delete;
  AtWork& operator=(AtWork const&) = delete;
  ~AtWork() { innermost_ = outer_; }

  template <class Exec>
  static bool is_on(Exec const& exec) {
    std::mutex const* const instance = exec::mutex_of(exec);
    for (AtWork const* work = innermost_; work && instance; work = work->outer_)
      if (work->instance_ == instance) return true;
    return false;
  }

 private:
  static inline constinit thread_local AtWork const* innermost_ = nullptr;

  std::mutex const* instance_;
  AtWork const* outer_;
};

/// Whether the calling thread is at work for a kernel, or for an OpenMP region of the user's, and would get no threads
/// for another launch: Kokkos would wait for ever for the instance whose kernel this is, or refuse.
template <class Exec>
bool is_in_region(Exec const& exec) {
  return AtWork::is_on(exec);
}
#ifdef KOKKOS_ENABLE_OPENMP
inline bool is_in_region(Kokkos::OpenMP const& exec) {
  int const level   = omp_get_level();
  bool const nested = level == 1 && omp_get_max_active_levels() > 1;
  return (level > 0 && !nested) || AtWork::is_on(exec);
}
#endif

/// Whether the calling thread is at work for a kernel, or within any OpenMP region of the user's.
template <class Exec>
bool is_within(Exec const& exec) {
  return AtWork::is_on(exec);
}
#ifdef KOKKOS_ENABLE_OPENMP
inline bool is_within(Kokkos::OpenMP const& exec) { return omp_get_level() > 0 || AtWork::is_on(exec); }
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
  std::unique_lock const lock(*exec::mutex_of(exec), std::try_to_lock);
  return !lock.owns_lock();
}
#endif

/// Whether a kernel of another thread runs on the instance. Only where the calling thread is at work for none.
template <class Exec>
bool is_busy(Exec const& exec) {
  std::mutex* const mutex = exec::mutex_of(exec);
  return mutex && !std::unique_lock(*mutex, std::try_to_lock).owns_lock();
}

/// For what is made of Kokkos' own kernels alone, which would wait there for the kernel that calls.
template <class Exec>
void refuse_in_region(Exec const& exec, std::string const& label) {
  if (exec::is_in_region(exec) || exec::is_taken(exec))
    throw std::runtime_error(label +
                             ": the portable backend cannot be called within a kernel or an OpenMP region; call it "
                             "outside, or take an instance of the execution space, whose own backend can");
}

/// The turn of a kernel on the instance: while it lives no other thread's kernel runs there, as Kokkos has it for its
/// own. For what a thread does alone, and is a kernel to whoever calls. None is taken where the kernel that runs may be
/// the one that calls.
class Turn {
 public:
  template <class Exec>
  explicit Turn(Exec const& exec, bool is_kernel = true)
      : Turn(is_kernel && !exec::is_within(exec) ? exec::mutex_of(exec) : nullptr) {}

 private:
  explicit Turn(std::mutex* instance)
      : lock_(instance ? std::unique_lock(*instance) : std::unique_lock<std::mutex>()), work_(instance) {}

  std::unique_lock<std::mutex> lock_;
  AtWork work_;
};
struct NoTurn {
  template <class Exec>
  explicit NoTurn(Exec const&) {}
};

}  // namespace KokkosScan::exec
