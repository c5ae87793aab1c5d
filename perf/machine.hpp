// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Names and values, in the order in which they are shown: what a figure depends on besides the code.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of the machine and of this build. Kokkos must be initialised.
Facts machine_facts();

/// Bytes that can be taken without swapping; 0 if unknown.
std::size_t available_memory();

}  // namespace perf
