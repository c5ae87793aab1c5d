// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <vector>

namespace test {

/// Scans, one after the other with the same states, and whether their results are right.
using Case = bool (*)(std::uint32_t salt);

// The kernels of a kind, so that all that they do for each other is done in some case, and no case takes long.
std::vector<Case> single_passes();
std::vector<Case> single_waves();
std::vector<Case> pipelines();
std::vector<Case> teams();
std::vector<Case> columns();
std::vector<Case> segments();
std::vector<Case> compactions();
std::vector<Case> sorts();
std::vector<Case> histograms();
std::vector<Case> ragged_rows();

}  // namespace test
