// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "cuda_native/tile_states.hpp"

namespace pictures {

/// A value that remembers which elements it covers.
struct Interval {
  std::uint32_t first, last;
  auto operator<=>(Interval const&) const = default;
};

/// Counts everything that threads do: the events of the model, the applications of the operator, and the accesses to
/// the arrays.
using Time = std::int64_t;

struct Span {
  Time begin, end;
};

/// From the first pause in a loop to the last poll.
struct Wait {
  Span span;
  model::Site where;               // the loop
  std::set<std::uintptr_t> words;  // that were polled
  int ended_by = -1;               // the publication that came last of those that it waited for
};

/// What one block does in one launch.
struct Bar {
  unsigned launch, block;
  int tile;  // from the first values that it combines
  Span span;
  std::vector<Span> turns;
  std::vector<Wait> waits;
};

struct Publication {
  int bar;
  KokkosScan::cuda::TileState state;
  std::uintptr_t word;
  Time time;
};

/// A block of a launch uses what another block made in an earlier launch.
struct Flow {
  unsigned from_block;
  int to_bar;
  auto operator<=>(Flow const&) const = default;
};

/// One scan.
struct Timeline {
  std::vector<Bar> bars;
  std::vector<Publication> publications;
  std::set<Flow> flows;
  std::vector<std::uint32_t> strides;  // of the launches: how far before the right operand the left one stands, at most
  Time end = 0;
};

}  // namespace pictures
