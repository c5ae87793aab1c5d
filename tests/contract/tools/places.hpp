// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Every function of the API at every place where it can be called: what the tests of this folder go through. The calls
// are behind std::function so that they are compiled once and not for each test.
namespace contract {

struct Call {
  std::string function;  // "KokkosScan::inclusive_scan"
  bool host_total;       // whether it asks for one, and so may wait
  std::function<void()> run;
  std::function<void(std::string const&)> run_labelled;
  std::function<void()> run_with_literal;  // the label is literal_label

  std::string text() const { return function + (host_total ? " with a host total" : ""); }
};
inline constexpr char const* literal_label = "row map";

/// An instance or a Handle.
struct Place {
  std::string name;
  std::uint32_t device;   // its instance, as a tool sees it
  bool one_launch;        // whether one kernel serves every call
  bool host;              // whether memory can be had there without waiting
  bool launch_allocates;  // whether Kokkos itself calls operator new at each launch, as Kokkos::Threads does
  std::size_t large;      // a size of several tiles
  std::function<std::vector<Call>(std::size_t n)> calls;
  /// Calls f with a place of the same kind that has been told to reserve scratch for n values; null for an instance.
  std::function<Place(std::size_t n)> reserved;

  static constexpr std::size_t small = 100;
};

std::vector<Place> instances();
std::vector<Place> handles();
std::vector<Place> portable_handles();

inline std::vector<Place> places() {
  std::vector<Place> all = instances();
  for (auto const& more : {handles(), portable_handles()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace contract
