// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Every function of the API with every instance or Handle that it can be called with: what the tests of this folder go
// through. The calls are behind std::function so that they are compiled once and not for each test.
namespace contract {

struct Call {
  std::string function;  // "KokkosScan::inclusive_scan"
  bool host_total;       // whether it asks for one, and so may wait
  std::function<void()> run;
  std::function<void(std::string const&)> run_labelled;

  std::string text() const { return function + (host_total ? " with a host total" : ""); }
};

/// An instance or a Handle.
struct Executor {
  std::string name;
  std::uint32_t device;   // its instance, as a tool sees it
  bool one_launch;        // whether one kernel serves every call
  bool host;              // whether it can have memory without waiting
  bool launch_allocates;  // whether Kokkos itself calls operator new at each launch, as Kokkos::Threads does
  std::size_t large;      // a size of several tiles
  std::function<std::vector<Call>(std::size_t n)> calls;
  /// One of the same kind that has reserved scratch for n values; null for an instance.
  std::function<Executor(std::size_t n)> reserved;

  static constexpr std::size_t small = 100;
};

std::vector<Executor> instances();
std::vector<Executor> handles();
std::vector<Executor> portable_handles();

/// How often the program, in any thread, has called any operator new (counted_new.cpp replaces them all).
std::size_t calls_of_new();

inline std::vector<Executor> executors() {
  std::vector<Executor> all = instances();
  for (auto const& more : {handles(), portable_handles()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace contract
