// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "timeline.hpp"

namespace pictures {

/// What of a time line is to be seen.
struct TimelineView {
  std::string title, about;
  std::string row_name;                 // "tile" or "block"
  std::vector<int> rows;                // in ascending order; -1 stands for those in between
  int group         = 0;                // so many tiles form one
  bool names_blocks = false;            // beside the tiles
  std::string launch_name{};            // if there are several launches
  std::vector<std::string> launches{};  // an empty name stands for the stride that was recorded
};

/// Time from left to right, a row for each tile or block: when it works, waits and publishes, and who ends whose wait.
std::string draw_timeline(Timeline const& timeline, TimelineView const& view);

}  // namespace pictures
