// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include "../core/options.hpp"

namespace KokkosScan::driver {

template <class Names, class Enum, std::size_t count>
void require_served(char const* backend, char const* option, Names const& names, Enum chosen,
                    Enum const (&served)[count]) {
  if (std::find(std::begin(served), std::end(served), chosen) != std::end(served)) return;
  std::string list;
  for (Enum const one : served) list += (list.empty() ? "" : ", ") + core::name_of(names, one, option);
  throw std::invalid_argument(std::string("KokkosScan: Options::") + option + " = " + to_string(chosen) +
                              " cannot be served by the " + backend + " backend, which has " + list);
}

/// Throws unless the backend serves these options where `exec` runs.
template <class Backend, class Exec>
void check(Exec const& exec, Options const& options) {
  require_served(Backend::name, "grid", core::grid_scan_names, options.grid, Backend::grids);
  require_served(Backend::name, "block", core::block_scan_names, options.block, Backend::blocks);
  if constexpr (requires { Backend::lacks(exec, options.grid); })
    if (char const* const needed = Backend::lacks(exec, options.grid))
      throw std::invalid_argument("KokkosScan: Options::grid = " + to_string(options.grid) +
                                  " cannot be served by this device; it needs " + needed);
  if (!core::takes_a_block(options.grid) && options.block != BlockScan::automatic)
    throw std::invalid_argument("KokkosScan: Options::block = " + to_string(options.block) +
                                " does not combine with Options::grid = " + to_string(options.grid) + ", which has " +
                                (options.grid == GridScan::hillis_steele ? "no tiles" : "a way of its own with tiles") +
                                "; leave block automatic");
}

}  // namespace KokkosScan::driver
