// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <mutex>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

// Where the calling thread stands: calls from within kernels get no threads of their own.
namespace KokkosScan::exec {

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

/// While it is held no other thread's kernel runs on the instance, as Kokkos has it for its own: for what a thread does
/// alone, and is a kernel to whoever calls.
template <class Exec>
std::unique_lock<std::mutex> turn_on(Exec const&) {
  return {};
}
#ifdef KOKKOS_ENABLE_OPENMP
inline std::unique_lock<std::mutex> turn_on(Kokkos::OpenMP const& exec) {
  if (omp_get_level() > 0) return {};  // who calls may be that kernel
  return std::unique_lock(exec.impl_internal_space_instance()->m_instance_mutex);
}
#endif
#ifdef KOKKOS_ENABLE_SERIAL
inline std::unique_lock<std::mutex> turn_on(Kokkos::Serial const& exec) {
  return std::unique_lock(exec.impl_internal_space_instance()->m_instance_mutex);
}
#endif

}  // namespace KokkosScan::exec
