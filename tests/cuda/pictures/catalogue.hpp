// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

namespace pictures {

/// By file name, the text of the file.
using Files = std::map<std::string, std::string>;

/// Runs the kernels and draws them.
Files draw_all();

}  // namespace pictures
