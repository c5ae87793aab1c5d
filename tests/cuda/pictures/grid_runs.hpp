// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "timeline.hpp"

// The grid algorithms, each run once in the model with short tiles: one value for each thread of two warps, where they
// do not say themselves how long theirs are.
namespace pictures {

inline constexpr int tile_length          = 64;
inline constexpr int one_wave_tile_length = 512;  // eight values to a thread
extern int const pipelined_tile_length;           // what the kernel takes for these values

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
Timeline run_one_wave(RunSettings const&);
Timeline run_pipelined(RunSettings const&);

}  // namespace pictures
