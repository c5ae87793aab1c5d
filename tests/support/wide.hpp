// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "support/backend_choices.hpp"

namespace test {

/// A value that stands at multiples of more than the 16 bytes that packs, copies and allocations have.
struct alignas(64) Wide {
  std::int64_t number;
};

/// Clears its result before it reads what it combines: harmless, unless the one is built where the other stands.
struct AddWide {
  KOKKOS_FUNCTION Wide operator()(Wide const& left, Wide const& right) const {
    Wide sum{0};
    sum.number = left.number + right.number;
    return sum;
  }
};

/// In place and from one array to another, by all that the backend serves.
template <class Exec, class Backend>
void expect_scans_of_wide_values() {
  Exec const exec;
  for_each_choice<Backend>(exec, [&](auto const& handle) {
    std::size_t const n = 2 * Backend::template tile_length<Wide>(handle.options()) + 5;
    Kokkos::View<Wide*, typename Exec::memory_space> const values(Kokkos::view_alloc("values", exec), n);
    Kokkos::View<Wide*, typename Exec::memory_space> const sums(Kokkos::view_alloc("sums", exec), n);
    Kokkos::deep_copy(exec, values, Wide{3});
    KokkosScan::exclusive_scan(handle, values, sums, Wide{5}, AddWide{});
    KokkosScan::inclusive_scan(handle, values, values, AddWide{});
    exec.fence();
    auto const exclusive = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    auto const inclusive = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
    for (std::size_t i = 0; i < n; ++i) {
      auto const before = 3 * static_cast<std::int64_t>(i);
      ASSERT_EQ(exclusive(i).number, 5 + before) << i;
      ASSERT_EQ(inclusive(i).number, before + 3) << i;
    }
  });
}

}  // namespace test
