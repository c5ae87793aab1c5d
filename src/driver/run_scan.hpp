// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/handle.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <functional>
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

/// Scratch for one call.
template <class Exec, class Backend, class Choice>
Leases<Exec> lease(Handle<Exec, Backend, Choice> const& handle, Needs const& needs) {
  return handle.lease(needs);
}
template <class Exec>
Leases<Exec> lease(Exec const& exec, Needs const& needs) {
  return {exec, needs};
}

/// How the backend will run a scan, and what memory that needs; for nothing, nothing.
template <class Where, class Scan>
auto plan(Where const& where, Scan const& scan) {
  return BackendAt<Where>::type::plan(instance(where), driver::choice(where), scan);
}

/// Calls f with the label that Kokkos Tools see: behind the prefix of a Handle, if a tool is there to read it.
template <class Where, class F>
void with_shown_label(std::string const& label, Where const& where, F const& f) {
  if constexpr (is_handle<Where>)
    if (!where.label_prefix().empty() && Kokkos::Tools::profileLibraryLoaded()) return f(where.label_prefix() + label);
  f(label);
}

template <class Where, class Plan, class Scan>
void run_in(Memory const& memory, std::string const& label, Where const& where, Plan const& plan, Scan const& scan) {
  using Chosen = typename BackendAt<Where>::type;
  driver::with_shown_label(label, where, [&](std::string const& shown) {
    if (scan.n > 0)
      Chosen::run(instance(where), shown, driver::choice(where), plan, scan, memory);
    else if (scan.total)
      Chosen::run_empty(instance(where), shown, scan);
  });
}

/// Whether kernels of Exec can write variables of the host.
template <class Exec>
inline constexpr bool writes_to_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// Whether the total will overwrite init before all have read it: kernels read it whenever they come to it.
template <class Scan>
bool overwrites_init(Scan const& scan) {
  if constexpr (requires { scan.init.place; }) {
    auto const* const init  = reinterpret_cast<std::byte const*>(scan.init.place);
    auto const* const total = reinterpret_cast<std::byte const*>(scan.total);
    return total && std::less<>()(init, total + sizeof(*scan.total)) &&
           std::less<>()(total, init + sizeof(*scan.init.place));
  } else {
    return false;
  }
}

/// A scan whose total goes to where init is: from a copy of it.
template <class Where, class Scan>
void run_from_copy(std::string const& label, Where const& where, Scan scan) {
  if constexpr (requires { scan.init.place; }) {
    using T           = std::remove_cvref_t<decltype(*scan.init.place)>;
    using Space       = typename std::remove_cvref_t<decltype(instance(where))>::memory_space;
    auto const plan   = driver::plan(where, scan);
    Needs const needs = with_total<T>(plan.needs);
    auto const leases = driver::lease(where, needs);
    auto* const copy  = reinterpret_cast<T*>(static_cast<std::byte*>(leases.memory().scratch) + needs.scratch) - 1;
    Kokkos::deep_copy(instance(where), Kokkos::View<T, Space, Kokkos::MemoryUnmanaged>(copy),
                      Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(scan.init.place));
    scan.init.place = copy;
    driver::run_in(leases.memory(), label, where, plan, scan);
  }
}

template <class Where, class Scan>
void run_scan(std::string const& label, Where const& where, Scan const& scan) {
  if (driver::overwrites_init(scan)) return driver::run_from_copy(label, where, scan);
  using Exec      = std::remove_cvref_t<decltype(instance(where))>;
  auto const plan = driver::plan(where, scan);
  Needs needs     = plan.needs;
  // Leases of nothing would take 2.5 ns, a fifth of a call for one element on a host.
  if (needs.scratch == 0 && needs.states == 0) return driver::run_in(Memory{}, label, where, plan, scan);
  // A call of that size with a total on the host must find what it needs.
  if constexpr (!writes_to_host<Exec>)
    if (needs.scratch > 0) needs = with_total<typename Scan::Value>(needs);
  auto const leases = driver::lease(where, needs);
  driver::run_in(leases.memory(), label, where, plan, scan);
}

/// Copies a value from where it was left to a variable of the host, and waits for it.
template <class Where, class Value>
void bring_to_host(std::string const& label, Where const& where, Value const* place, Value& total) {
  auto const& exec = driver::instance(where);
  using Space      = typename std::remove_cvref_t<decltype(exec)>::memory_space;
  auto const wait  = [&] {
    driver::with_shown_label(label, where, [&](std::string const& shown) {
      if constexpr (requires { requires BackendAt<Where>::type::runs_at_once; })
        show_fence(shown, exec);
      else
        exec.fence(shown);
    });
  };
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible) {
    wait();
    if (place != &total) ::new (static_cast<void*>(&total)) Value(*place);  // it may have no assignment
  } else {
    Kokkos::deep_copy(exec, Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&total),
                      Kokkos::View<Value const, Space, Kokkos::MemoryUnmanaged>(place));
    wait();
  }
}

/// A total on the host is waited for, which would end a capture.
template <class Exec>
void refuse_in_capture(std::string const& label, Exec const& exec) {
  if (Scratch<Exec>::capture_of(exec))
    throw std::runtime_error(label +
                             ": a total on the host cannot be had while exec is captured into a graph, which would "
                             "have to wait; let the total be a View of rank 0 that exec can write");
}

/// A scan whose total goes to a variable of the host.
template <class Where, class Scan>
void run_scan(std::string const& label, Where const& where, Scan scan, typename Scan::Value& total) {
  using Value      = typename Scan::Value;
  auto const& exec = driver::instance(where);
  using Exec       = std::remove_cvref_t<decltype(exec)>;
  driver::refuse_in_capture(label, exec);
  if constexpr (writes_to_host<Exec>) {
    scan.total = &total;
    driver::run_scan(label, where, scan);
    driver::bring_to_host(label, where, &total, total);
  } else {
    auto const plan   = driver::plan(where, scan);
    Needs const needs = with_total<Value>(plan.needs);
    auto const leases = driver::lease(where, needs);
    auto* const end   = static_cast<std::byte*>(leases.memory().scratch) + needs.scratch;
    scan.total        = reinterpret_cast<Value*>(end) - 1;
    driver::run_in(leases.memory(), label, where, plan, scan);
    driver::bring_to_host(label, where, scan.total, total);
  }
}

}  // namespace KokkosScan::driver
