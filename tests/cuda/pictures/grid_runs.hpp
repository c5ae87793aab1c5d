// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "timeline.hpp"

// The grid algorithms, each run once in the model with short tiles: one value for each thread of two warps.
namespace pictures {

inline constexpr int tile_length = 64;

struct RunSettings {
  std::size_t n;
  std::uint64_t seed;
  unsigned resident;  // blocks at once
  model::Start start = model::Start::seeded;
};

Timeline run_hillis_steele(RunSettings const&);
Timeline run_hierarchical(RunSettings const&);
Timeline run_chained(RunSettings const&);
Timeline run_lookback(RunSettings const&);

}  // namespace pictures
