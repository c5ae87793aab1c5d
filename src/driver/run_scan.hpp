// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/handle.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "arguments.hpp"
#include "backend.hpp"
#include "choice.hpp"
#include "instances.hpp"
#include "scan.hpp"

// From a checked call to the backend that serves it.
namespace KokkosScan::driver {

template <class Where>
inline constexpr bool is_handle = false;
template <class Exec, class Backend>
inline constexpr bool is_handle<Handle<Exec, Backend>> = true;

/// What may stand in the place of exec.
template <class Where>
concept Place = Kokkos::is_execution_space_v<Where> || is_handle<Where>;

template <class Exec, class Backend>
Exec const& instance(Handle<Exec, Backend> const& handle) {
  return handle.exec();
}
template <class Exec>
Exec const& instance(Exec const& exec) {
  return exec;
}

template <class Where>
struct BackendAt {
  using type = Backend<Where>;
};
template <class Exec, class Backend>
struct BackendAt<Handle<Exec, Backend>> {
  using type = Backend;
};

template <class Exec, class Backend>
Options const& choice(Handle<Exec, Backend> const& handle) {
  return handle.options();
}
template <class Exec>
Automatic choice(Exec const&) {
  return {};
}

/// Scratch for one call.
template <class Exec, class Backend>
Leases<Exec> lease(Handle<Exec, Backend> const& handle, Needs const& needs) {
  return handle.lease(needs);
}
template <class Exec>
Leases<Exec> lease(Exec const& exec, Needs const& needs) {
  return {exec, needs};
}

/// What a scan needs; that of nothing needs nothing.
template <class Where, class Scan>
Needs needs_of(Where const& where, Scan const& scan) {
  if (scan.n == 0) return {};
  return BackendAt<Where>::type::needs_of(instance(where), driver::choice(where), scan);
}

template <class Where, class Scan>
void run_in(Memory const& memory, std::string const& label, Where const& where, Scan const& scan) {
  using Chosen = typename BackendAt<Where>::type;
  if (scan.n > 0)
    Chosen::run(instance(where), label, driver::choice(where), scan, memory);
  else if (scan.total)
    Chosen::run_empty(instance(where), label, scan);
}

/// Whether kernels of Exec can write variables of the host.
template <class Exec>
inline constexpr bool writes_to_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

template <class Where, class Scan>
void run_scan(std::string const& label, Where const& where, Scan const& scan) {
  using Exec  = std::remove_cvref_t<decltype(instance(where))>;
  Needs needs = needs_of(where, scan);
  // Leases of nothing would take 2.5 ns, a fifth of a call for one element on a host.
  if (needs.scratch == 0 && needs.states == 0) return run_in(Memory{}, label, where, scan);
  // A call of that size with a total on the host must find what it needs.
  if constexpr (!writes_to_host<Exec>)
    if (needs.scratch > 0) needs = with_total<typename Scan::Value>(needs);
  auto const leases = driver::lease(where, needs);
  run_in(leases.memory(), label, where, scan);
}

/// Copies a value from where exec left it to a variable of the host, and waits for it.
template <class Exec, class Value>
void bring_to_host(std::string const& label, Exec const& exec, Value const* place, Value& total) {
  using Space = typename Exec::memory_space;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible) {
    exec.fence(label);
    if (place != &total) ::new (static_cast<void*>(&total)) Value(*place);  // it may have no assignment
  } else {
    Kokkos::deep_copy(exec, Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&total),
                      Kokkos::View<Value const, Space, Kokkos::MemoryUnmanaged>(place));
    exec.fence(label);
  }
}

/// A scan whose total goes to a variable of the host.
template <class Where, class Scan>
void run_scan(std::string const& label, Where const& where, Scan scan, typename Scan::Value& total) {
  using Value      = typename Scan::Value;
  auto const& exec = driver::instance(where);
  using Exec       = std::remove_cvref_t<decltype(exec)>;
  if (Scratch<Exec>::capture_of(exec))
    throw std::runtime_error(label +
                             ": a total on the host cannot be had while exec is captured into a graph, which would "
                             "have to wait; let the total be a View of rank 0 that exec can write");
  if constexpr (writes_to_host<Exec>) {
    scan.total = &total;
    driver::run_scan(label, where, scan);
    bring_to_host(label, exec, &total, total);
  } else {
    Needs const needs = with_total<Value>(needs_of(where, scan));
    auto const leases = driver::lease(where, needs);
    auto* const end   = static_cast<std::byte*>(leases.memory().scratch) + needs.scratch;
    scan.total        = reinterpret_cast<Value*>(end) - 1;
    run_in(leases.memory(), label, where, scan);
    bring_to_host(label, exec, scan.total, total);
  }
}

}  // namespace KokkosScan::driver
