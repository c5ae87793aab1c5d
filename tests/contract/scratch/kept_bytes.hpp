// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace contract {

/// A Kokkos tool that counts the scratch that is taken and not freed, from its construction to its end.
class KeptBytes {
 public:
  KeptBytes() {
    now = most = blocks = taken = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(take);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(give);
  }
  KeptBytes(KeptBytes const&)            = delete;
  KeptBytes& operator=(KeptBytes const&) = delete;
  ~KeptBytes() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }

  static inline std::int64_t now = 0, most = 0;      // bytes
  static inline std::int64_t blocks = 0, taken = 0;  // those that are there, and all that were

 private:
  using Space = Kokkos::Tools::SpaceHandle;
  /// Kokkos takes memory, too, for teams and reductions.
  static bool is_ours(char const* label) { return std::string_view(label) == "KokkosScan::scratch"; }

  static void take(Space, char const* label, void const*, std::uint64_t bytes) {
    if (!is_ours(label)) return;
    now += static_cast<std::int64_t>(bytes);
    most = std::max(most, now);
    ++blocks, ++taken;
  }
  static void give(Space, char const* label, void const*, std::uint64_t bytes) {
    if (!is_ours(label)) return;
    now -= static_cast<std::int64_t>(bytes);
    --blocks;
  }
};

}  // namespace contract
