// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include "handle.hpp"

#include "../core/length.hpp"
#include "../core/memory.hpp"
#include "../exec/regions.hpp"
#include "arguments.hpp"
#include "backend.hpp"
#include "choice.hpp"
#include "instances.hpp"

// From a checked call to the backend that serves it.
namespace KokkosScan::driver {

template <class ExecOrHandle>
inline constexpr bool is_handle = false;
template <class Exec, class Backend, class Choice>
inline constexpr bool is_handle<Handle<Exec, Backend, Choice>> = true;

/// What a call may take as its exec.
template <class T>
inline constexpr bool is_exec_or_handle = Kokkos::is_execution_space_v<T> || is_handle<T>;

template <class Exec, class Backend, class Choice>
Exec const& instance(Handle<Exec, Backend, Choice> const& handle) {
  return handle.exec();
}
template <class Exec>
Exec const& instance(Exec const& exec) {
  return exec;
}
template <class ExecOrHandle>
using InstanceOf = std::remove_cvref_t<decltype(instance(std::declval<ExecOrHandle const&>()))>;

template <class ExecOrHandle>
struct BackendFor {
  using type = Backend<ExecOrHandle>;
};
template <class Exec, class Backend, class Choice>
struct BackendFor<Handle<Exec, Backend, Choice>> {
  using type = Backend;
};

template <class Exec, class Backend, class Choice>
Choice const& choice(Handle<Exec, Backend, Choice> const& handle) {
  return handle.options();
}
template <class Exec>
core::Automatic choice(Exec const&) {
  return {};
}

/// Scratch for one call.
template <class Exec, class Backend, class Choice>
Leases<Exec> lease(Handle<Exec, Backend, Choice> const& handle, core::Needs const& needs) {
  return handle.lease(needs);
}
template <class Exec>
Leases<Exec> lease(Exec const& exec, core::Needs const& needs) {
  return {exec, needs};
}

/// How the backend will run a scan, and what memory that needs; for nothing, nothing.
template <class ExecOrHandle, class Problem>
auto plan(ExecOrHandle const& exec_or_handle, Problem const& problem) {
  return BackendFor<ExecOrHandle>::type::plan(instance(exec_or_handle), driver::choice(exec_or_handle), problem);
}

/// Calls f with the label that Kokkos Tools see: behind the prefix of a Handle, if a tool is there to read it.
template <class ExecOrHandle, class F>
void with_shown_label(std::string const& label, ExecOrHandle const& exec_or_handle, F const& f) {
  if constexpr (is_handle<ExecOrHandle>)
    if (!exec_or_handle.label_prefix().empty() && Kokkos::Tools::profileLibraryLoaded())
      return f(exec_or_handle.label_prefix() + label);
  f(label);
}

template <class ExecOrHandle, class Plan, class Problem>
void run_in(core::Memory const& memory, std::string const& label, ExecOrHandle const& exec_or_handle, Plan const& plan,
            Problem const& problem) {
  using Chosen = typename BackendFor<ExecOrHandle>::type;
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    if (problem.n > 0)
      Chosen::run(instance(exec_or_handle), shown, driver::choice(exec_or_handle), plan, problem, memory);
    else if (problem.total)
      Chosen::run_empty(instance(exec_or_handle), shown, problem);
  });
}

/// Whether kernels of Exec can write variables of the host.
template <class Exec>
inline constexpr bool writes_to_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// Calls f(address) for each place in memory, init's and the length's, that kernels read when they come to it.
template <class Problem, class F>
void for_each_read(Problem& problem, F const& f) {
  if constexpr (requires { problem.before_all.address; }) f(problem.before_all.address);
  if constexpr (requires { problem.stored.address; }) f(problem.stored.address);
}

template <class Problem>
inline constexpr bool reads_memory = requires(Problem const& problem) { problem.stored.address; } ||
                                     requires(Problem const& problem) { problem.before_all.address; };

/// Whether what stands at one address shares a byte with what stands at another.
template <class A, class B>
bool share_a_byte(A const* a, B const* b) {
  auto const *const first = reinterpret_cast<std::byte const*>(a), *const second =
                                                                       reinterpret_cast<std::byte const*>(b);
  return std::less<>()(first, second + sizeof(B)) && std::less<>()(second, first + sizeof(A));
}
/// Calls f(address) for each of them that the total will overwrite before all have read it.
template <class Problem, class F>
void for_each_overwritten(Problem& problem, F const& f) {
  if (problem.total)
    driver::for_each_read(problem, [&](auto& address) {
      if (driver::share_a_byte(address, problem.total)) f(address);
    });
}

/// Copies a value within memory of exec, in order, and returns where it then is.
template <class Exec, class T>
T const* copy_on(Exec const& exec, T const* from, T* to) {
  using Space = typename Exec::memory_space;
  Kokkos::deep_copy(exec, Kokkos::View<T, Space, Kokkos::MemoryUnmanaged>(to),
                    Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(from));
  return to;
}

/// A scan whose total goes to where init or the length is: from copies of what it overwrites.
template <class ExecOrHandle, class Problem>
void run_from_copies(std::string const& label, ExecOrHandle const& exec_or_handle, Problem problem) {
  auto const& exec  = instance(exec_or_handle);
  auto const plan   = driver::plan(exec_or_handle, problem);
  core::Needs needs = plan.needs;
  driver::for_each_overwritten(problem, [&]<class T>(T const*) { needs = with_total<T>(needs); });
  auto const leases = driver::lease(exec_or_handle, needs);
  needs             = plan.needs;
  driver::for_each_overwritten(problem, [&]<class T>(T const*& address) {
    needs   = with_total<T>(needs);
    address = driver::copy_on(
        exec, address, reinterpret_cast<T*>(static_cast<std::byte*>(leases.memory().scratch) + needs.scratch) - 1);
  });
  driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
}

template <class ExecOrHandle, class Problem>
void run_scan(std::string const& label, ExecOrHandle const& exec_or_handle, Problem const& problem) {
  if constexpr (reads_memory<Problem>) {
    bool overwrites = false;
    driver::for_each_overwritten(problem, [&](auto const*) { overwrites = true; });
    if (overwrites) return driver::run_from_copies(label, exec_or_handle, problem);
  }
  using Exec        = std::remove_cvref_t<decltype(instance(exec_or_handle))>;
  auto const plan   = driver::plan(exec_or_handle, problem);
  core::Needs needs = plan.needs;
  // Leases of nothing would take 2.5 ns, a fifth of a call for one element on a host.
  if (needs.scratch == 0 && needs.states == 0)
    return driver::run_in(core::Memory{}, label, exec_or_handle, plan, problem);
  // A call of that size with a total on the host must find what it needs.
  if constexpr (!writes_to_host<Exec>)
    if (needs.scratch > 0) needs = with_total<typename Problem::Total>(needs);
  auto const leases = driver::lease(exec_or_handle, needs);
  driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
}

/// Waits until all work of an instance is done, where it is not already.
template <class ExecOrHandle>
void wait_for(std::string const& label, ExecOrHandle const& exec_or_handle) {
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>)
      exec::show_fence(shown, driver::instance(exec_or_handle));
    else
      driver::instance(exec_or_handle).fence(shown);
  });
}

/// The same behind a failure, which says more than another one could. Within a kernel all launches were refused, and to
/// wait for its instance would be for ever.
template <class ExecOrHandle>
void wait_behind_failure(std::string const& label, ExecOrHandle const& exec_or_handle) {
  auto const& instance = driver::instance(exec_or_handle);
  if (exec::is_in_region(instance) || exec::is_taken(instance)) return;
  try {
    driver::wait_for(label, exec_or_handle);
  } catch (std::exception const&) {
    // Said already.
  }
}

/// Copies a value from memory of exec to a variable of the host, and waits for it.
template <class ExecOrHandle, class Value>
void copy_to_host(std::string const& label, ExecOrHandle const& exec_or_handle, Value const* from, Value& total) {
  auto const& exec = driver::instance(exec_or_handle);
  using Space      = typename std::remove_cvref_t<decltype(exec)>::memory_space;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible) {
    driver::wait_for(label, exec_or_handle);
    if (from != &total) ::new (static_cast<void*>(&total)) Value(*from);  // it may have no assignment
  } else {
    Kokkos::deep_copy(exec, Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&total),
                      Kokkos::View<Value const, Space, Kokkos::MemoryUnmanaged>(from));
    driver::wait_for(label, exec_or_handle);
  }
}

/// What is waited for would end a capture, as a total on the host is.
template <class Exec>
void refuse_in_capture(std::string const& label, Exec const& exec,
                       char const* why =
                           ": a total on the host cannot be had while exec is captured into a graph, which "
                           "would have to wait; let the total be a View of rank 0 that exec can write") {
  if (Scratch<Exec>::capture_of(exec)) throw std::runtime_error(label + why);
}

/// Where the total of a scan is to go: a sink that has a place for it sees to that, unless there is nothing to store.
template <class Problem>
void send_total(Problem& problem, typename Problem::Total* address) {
  if constexpr (requires { problem.sink.total; })
    if (problem.n > 0) {
      problem.sink.total = address;
      return;
    }
  problem.total = address;
}

/// A scan whose total goes to a variable of the host.
template <class ExecOrHandle, class Problem>
void run_scan(std::string const& label, ExecOrHandle const& exec_or_handle, Problem problem,
              typename Problem::Total& total) {
  using Value      = typename Problem::Total;
  auto const& exec = driver::instance(exec_or_handle);
  using Exec       = std::remove_cvref_t<decltype(exec)>;
  driver::refuse_in_capture(label, exec);
  if constexpr (writes_to_host<Exec>) {
    driver::send_total(problem, &total);
    driver::run_scan(label, exec_or_handle, problem);
    driver::copy_to_host(label, exec_or_handle, &total, total);
  } else {
    auto const plan         = driver::plan(exec_or_handle, problem);
    core::Needs const needs = with_total<Value>(plan.needs);
    auto const leases       = driver::lease(exec_or_handle, needs);
    auto* const end         = static_cast<std::byte*>(leases.memory().scratch) + needs.scratch;
    auto* const address     = reinterpret_cast<Value*>(end) - 1;
    driver::send_total(problem, address);
    driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
    driver::copy_to_host(label, exec_or_handle, static_cast<Value const*>(address), total);
  }
}

}  // namespace KokkosScan::driver
