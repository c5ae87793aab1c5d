// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

/// Every pair of grid and block that the backend of Exec serves.
template <class Exec>
std::vector<KokkosScan::Options> every_algorithm() {
  std::vector<KokkosScan::Options> list;
  for (auto const& [grid, grid_name] : KokkosScan::driver::grid_scan_names)
    for (auto const& [block, block_name] : KokkosScan::driver::block_scan_names) {
      KokkosScan::Options const options{.grid = grid, .block = block};
      try {
        KokkosScan::driver::check<KokkosScan::driver::Backend<Exec>>(Exec(), options);
        list.push_back(options);
      } catch (std::invalid_argument const&) {
      }
    }
  return list;
}

inline std::string name_of(KokkosScan::Options const& options) {
  std::string name = "KokkosScan/" + to_string(options.grid);
  if (options.block != KokkosScan::BlockScan::automatic) name += "+" + to_string(options.block);
  return name;
}

}  // namespace perf
