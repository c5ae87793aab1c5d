// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

// What wrong calls are made with.
namespace {

using namespace KokkosScan;
using Exec    = Kokkos::DefaultHostExecutionSpace;
using Space   = Exec::memory_space;
using Numbers = Kokkos::View<int*, Space>;
using Number  = Kokkos::View<int, Space>;

template <std::size_t size>
struct Bytes {
  std::array<char, size> content;
  KOKKOS_FUNCTION friend Bytes operator+(Bytes const& left, Bytes const&) { return left; }
};

/// Memory that no host space is told it could access.
struct FarSpace {
  using memory_space    = FarSpace;
  using execution_space = Exec;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;
  static constexpr char const* name() { return "Far"; }
};
using FarNumbers = Kokkos::View<int*, FarSpace, Kokkos::MemoryUnmanaged>;
using FarNumber  = Kokkos::View<int, FarSpace, Kokkos::MemoryUnmanaged>;
using Matrix     = Kokkos::View<int**, Space>;

}  // namespace
