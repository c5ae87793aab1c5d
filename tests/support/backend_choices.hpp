// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "src/host/tuning.hpp"
#include "src/portable/tuning.hpp"

// The grid and block algorithms of a backend.
namespace test {

using KokkosScan::BlockScan;
using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;

/// All that it serves.
template <class Backend>
std::vector<Options> all_choices() {
  std::vector<Options> choices;
  for (GridScan const grid : Backend::grids)
    for (BlockScan const block : Backend::blocks)
      if (grid != GridScan::hillis_steele || block == BlockScan::automatic) choices.push_back({grid, block});
  return choices;
}

template <class Backend>
std::size_t tile_length(Options const& options, std::size_t value_bytes) {
  if constexpr (std::is_same_v<Backend, KokkosScan::host::Backend>)
    return KokkosScan::host::tile_length(options.block, value_bytes);
  else
    return KokkosScan::portable::tile_length(value_bytes);
}

}  // namespace test
