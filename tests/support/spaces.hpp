// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "src/host/simd/instruction_set.hpp"

namespace test {

/// All execution spaces that this Kokkos has, the default one first.
template <class... Spaces>
struct SpaceList {
  using Types = testing::Types<Spaces...>;
  template <class Space>
  using With = std::conditional_t<(std::is_same_v<Space, Spaces> || ...), SpaceList, SpaceList<Spaces..., Space>>;
};

using Spaces0 = SpaceList<Kokkos::DefaultExecutionSpace>;
#ifdef KOKKOS_ENABLE_OPENMP
using Spaces1 = Spaces0::With<Kokkos::OpenMP>;
#else
using Spaces1 = Spaces0;
#endif
#ifdef KOKKOS_ENABLE_THREADS
using Spaces2 = Spaces1::With<Kokkos::Threads>;
#else
using Spaces2 = Spaces1;
#endif
#ifdef KOKKOS_ENABLE_SERIAL
using Spaces = Spaces2::With<Kokkos::Serial>;
#else
using Spaces = Spaces2;
#endif

/// Those of the host.
using HostSpaces0 = SpaceList<Kokkos::DefaultHostExecutionSpace>;
#ifdef KOKKOS_ENABLE_SERIAL
using HostSpaces = HostSpaces0::With<Kokkos::Serial>;
#else
using HostSpaces = HostSpaces0;
#endif

/// Lengths around every edge of a partition into tiles of that length, and around those of vectors and small groups.
inline std::vector<std::size_t> edge_lengths(std::size_t tile) {
  return {0,   1,   2,   3,        7,    31,       32,           33,       64,           127,         129,
          255, 256, 257, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 7};
}

/// Calls f once with each instruction set that the compiled kernels of the host backend may use here.
template <class F>
void for_each_instruction_set(F const& f) {
  namespace simd    = KokkosScan::host::simd;
  auto const before = simd::instruction_set();
  for (auto const set : simd::available_instruction_sets()) {
    SCOPED_TRACE("instruction set " + std::string(simd::to_string(set)));
    simd::use(set);
    f();
  }
  simd::use(before);
}

/// The tile length of a scan without a Handle.
template <class Exec, class T>
std::size_t automatic_tile() {
  return KokkosScan::driver::Backend<Exec>::template tile_length<T>(KokkosScan::core::Automatic{});
}

}  // namespace test
