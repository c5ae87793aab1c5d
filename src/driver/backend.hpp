// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

#include "../exec/scratch_memory.hpp"
#include "../host/backend.hpp"
#include "../portable/backend.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "../cuda/backend.hpp"
#include "../cuda/scratch_memory.hpp"
#endif

// Which backend serves an execution space, and where its scratch comes from: the only place that asks which backends
// Kokkos has.
namespace KokkosScan::driver {

template <class Exec>
struct BackendOf {
  using type = portable::Backend;
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct BackendOf<Kokkos::Cuda> {
  using type = cuda::Backend;
};
#endif
#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct BackendOf<Kokkos::Serial> {
  using type = host::Backend;
};
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct BackendOf<Kokkos::OpenMP> {
  using type = host::Backend;
};
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <>
struct BackendOf<Kokkos::Threads> {
  using type = host::Backend;
};
#endif

template <class Exec>
using Backend = typename BackendOf<Exec>::type;

/// It is a matter of the execution space alone: a Handle may choose another backend.
template <class Exec>
struct ScratchOf {
  using type = std::conditional_t<std::is_same_v<Backend<Exec>, host::Backend>, exec::HostScratch<Exec>,
                                  exec::DeviceScratch<Exec>>;
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct ScratchOf<Kokkos::Cuda> {
  using type = cuda::Scratch;
};
#endif

template <class Exec>
using Scratch = typename ScratchOf<Exec>::type;

/// Memory where exec works that MPI may be handed, and the number of the device that it is on.
template <class Exec>
struct MessageMemory : Scratch<Exec> {
  static int device(Exec const&) { return 0; }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct MessageMemory<Kokkos::Cuda> : cuda::MessageMemory {};
#endif

/// What of the calling thread a call for several instances leaves as it was, where there is anything of that kind.
template <class Exec>
struct CurrentDevice {};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct CurrentDevice<Kokkos::Cuda> : cuda::CurrentDevice {};
#endif

/// Whether what a backend was asked for is done when it returns, and so is all that was asked for before.
template <class Backend>
inline constexpr bool runs_at_once = requires { requires Backend::runs_at_once; };

}  // namespace KokkosScan::driver
