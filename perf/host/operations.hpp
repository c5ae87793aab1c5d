// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "../comparison.hpp"

// Each in a source of its own, to compile side by side.
namespace perf::host {

std::vector<Family> inclusive_sum_of_integers();
std::vector<Family> inclusive_sum_of_floats();
std::vector<Family> exclusive_sum();
std::vector<Family> inclusive_extremes();
std::vector<Family> inclusive_lambda();
std::vector<Family> transform_exclusive();
std::vector<Family> in_place_and_strided();
std::vector<Family> offsets();

}  // namespace perf::host
