// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>

#include "scratch_blocks.hpp"

// Where scratch comes from, and in what order it may be freed, as far as Kokkos alone can tell. A space that can do
// better has its own (src/cuda/scratch_memory.hpp).
namespace KokkosScan::exec {

/// Where there are no graphs.
struct NoCapture {
  explicit operator bool() const { return false; }
};

/// Spaces that work with the memory of the host and return when their kernels are done: nothing can still use what is
/// freed, and all instances share. Kokkos::kokkos_free would fence every device.
template <class Exec>
struct HostScratch {
  static constexpr bool instances_differ = false;

  static std::string source() { return "operator new"; }
  static void* allocate(Exec const&, std::string const& label, std::size_t bytes) {
    // The address sanitizer ends the program where the form that throws finds no memory.
    void* const data = ::operator new(bytes, alignment, std::nothrow);
    if (!data) throw std::bad_alloc();
    if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::allocateData(space(), label, data, bytes);
    return data;
  }
  /// Behind what is enqueued on the instance.
  static void free(Exec const&, std::string const& label, void* data, std::size_t bytes) {
    free_unused(label, data, bytes);
  }
  /// When nothing uses it any more.
  static void free_unused(std::string const& label, void* data, std::size_t bytes) {
    if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::deallocateData(space(), label, data, bytes);
    ::operator delete(data, alignment);
  }

  static void clear(Exec const&, void* data, std::size_t bytes) { std::memset(data, 0, bytes); }

  /// The graph that what is enqueued becomes a part of, if there is one, instead of running.
  using Capture = NoCapture;
  static Capture capture_of(Exec const&) { return {}; }
  /// Counts the graph as long as it can be replayed.
  static void keep(Capture, GraphCount const&) {}

 private:
  static constexpr std::align_val_t alignment{64};  // a line of a cache

  static Kokkos::Tools::SpaceHandle space() { return Kokkos::Tools::make_space_handle(Exec::memory_space::name()); }
};

/// Any other space: kernels may still run when a call returns.
template <class Exec>
struct DeviceScratch {
  using Space = typename Exec::memory_space;

  static constexpr bool instances_differ = true;

  static std::string source() { return std::string("Kokkos::kokkos_malloc<") + Space::name() + ">"; }
  static void* allocate(Exec const&, std::string const& label, std::size_t bytes) {
    return Kokkos::kokkos_malloc<Space>(label, bytes);
  }
  static void free(Exec const& exec, std::string const& label, void* data, std::size_t) {
    exec.fence(label);
    Kokkos::kokkos_free<Space>(data);
  }
  static void free_unused(std::string const&, void* data, std::size_t) { Kokkos::kokkos_free<Space>(data); }

  static void clear(Exec const& exec, void* data, std::size_t bytes) {
    using Bytes = Kokkos::View<unsigned char*, Space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(exec, Bytes(static_cast<unsigned char*>(data), bytes), 0);
  }

  using Capture = NoCapture;
  static Capture capture_of(Exec const&) { return {}; }
  static void keep(Capture, GraphCount const&) {}

  /// By what instances are told apart. It holds one: as long as it lives, no other gets its address.
  class Key {
   public:
    explicit Key(Exec const& exec) : exec_(exec) {}
    friend bool operator==(Key const&, Key const&) = default;

   private:
    Exec exec_;
  };

  /// Behind the last call of an instance that may be gone. Kokkos has no events, so all of its work is waited for.
  class Mark {
   public:
    bool record(Exec const&) { return true; }
    bool is_passed() const {
      Kokkos::fence("KokkosScan: scratch of instances that were not used for long");
      return true;
    }
  };
};

}  // namespace KokkosScan::exec
