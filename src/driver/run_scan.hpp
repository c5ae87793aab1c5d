// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/handle.hpp>
#include <Kokkos_Core.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "arguments.hpp"
#include "backend.hpp"
#include "choice.hpp"
#include "scan.hpp"
#include "workspace.hpp"

// From a checked call to the backend that serves it.
namespace KokkosScan::driver {

template <class Where>
inline constexpr bool is_handle = false;
template <class Exec, class Backend, class Choice>
inline constexpr bool is_handle<Handle<Exec, Backend, Choice>> = true;

/// What may stand in the place of exec.
template <class Where>
concept Place = Kokkos::is_execution_space_v<Where> || is_handle<Where>;

template <class Exec, class Backend, class Choice>
Exec const& instance(Handle<Exec, Backend, Choice> const& handle) {
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
template <class Exec, class Backend, class Choice>
struct BackendAt<Handle<Exec, Backend, Choice>> {
  using type = Backend;
};

template <class Exec, class Backend, class Choice>
Choice const& choice(Handle<Exec, Backend, Choice> const& handle) {
  return handle.options();
}
template <class Exec>
Automatic choice(Exec const&) {
  return {};
}

using Purpose = Workspace::Purpose;

template <class Exec, class Backend, class Choice>
Workspace::Lease lease(Handle<Exec, Backend, Choice> const& handle, Purpose purpose, std::size_t bytes) {
  return handle.lease(purpose, bytes);
}
template <class Exec>
Workspace::Lease lease(Exec const& exec, Purpose purpose, std::size_t bytes) {
  if (bytes == 0) return {nullptr, nullptr, 0};
  using Space     = typename Exec::memory_space;
  auto& workspace = Workspace::shared<Space>(Backend<Exec>::workspace_key(exec), purpose);
  return lease_for<Backend<Exec>>(exec, workspace, purpose, bytes);
}

template <class Where, class Scan>
void run_scan(std::string const& label, Where const& where, Scan const& scan) {
  auto const& exec  = instance(where);
  auto const choice = driver::choice(where);
  using Chosen      = typename BackendAt<Where>::type;
  if (scan.n == 0) {
    if (scan.total) Chosen::run_empty(exec, label, scan);
    return;
  }
  Needs const needs = Chosen::needs_of(exec, choice, scan);
  // Leases of nothing would take 2.5 ns, a fifth of a call for one element on a host.
  if (needs.scratch == 0 && needs.states == 0) return Chosen::run(exec, label, choice, scan, Memory{});
  auto const scratch = driver::lease(where, Purpose::scratch, needs.scratch);
  auto const states  = driver::lease(where, Purpose::states, needs.states);
  Chosen::run(exec, label, choice, scan, Memory{scratch.data(), states.data(), states.bytes()});
}

/// Copies a value from where it was left to a variable of the host, and waits for it.
template <class Where, class Value>
void bring_to_host(std::string const& label, Where const& where, Value const* place, Value& total) {
  auto const& exec = driver::instance(where);
  using Space      = typename std::remove_cvref_t<decltype(exec)>::memory_space;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible) {
    if constexpr (requires { requires BackendAt<Where>::type::runs_at_once; })
      show_fence(label, exec);
    else
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
  auto const& exec = driver::instance(where);
  using Exec       = std::remove_cvref_t<decltype(exec)>;
  if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) {
    scan.total = &total;
    driver::run_scan(label, where, scan);
    bring_to_host(label, where, &total, total);
  } else {
    auto const place = driver::lease(where, Purpose::scratch, sizeof(total));
    scan.total       = static_cast<typename Scan::Value*>(place.data());
    driver::run_scan(label, where, scan);
    bring_to_host(label, where, scan.total, total);
  }
}

}  // namespace KokkosScan::driver
