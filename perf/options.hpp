// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include "rounds.hpp"

namespace perf {

enum class Extent { full, quick, smoke };

struct RunOptions {
  Extent extent       = Extent::full;
  std::string json    = {};
  std::string filter  = {};
  int threads         = 0;  ///< as many as Kokkos takes
  int rounds          = 7;
  int patience        = -1;  ///< seconds for each comparison; if negative 2, or none where it is to be quick
  bool list           = false;
  std::string command = {};  ///< the command line, for the record

  Timing timing() const;
};

/// Throws std::invalid_argument.
RunOptions parse(int count, char** arguments);

}  // namespace perf
