// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "comparison.hpp"

// What families on every machine have in common. An arena holds the arrays of a comparison, as many as it needs there.
namespace perf {

/// Whether KokkosScan takes part with its own choice alone, or with every algorithm besides.
enum class Algorithms { automatic, every };

/// Where an operation writes: to another array or to its input, from the first element on or, for offsets, from the
/// second.
struct Placement {
  bool in_place = false;
  bool offsets  = false;
};

struct Shape {
  std::size_t n;
  Placement placement = {};
};

/// A comparison in an arena, without contestants yet.
template <class Arena>
Comparison comparison_in(std::shared_ptr<Arena> const& arena, Shape const& shape, std::string operation,
                         std::string type) {
  Comparison c;
  c.operation = std::move(operation);
  c.type      = std::move(type);
  c.n         = shape.n;
  c.bytes     = Arena::bytes(shape);
  c.allocate  = [arena] { arena->allocate(); };
  c.prepare   = [arena] { arena->prepare(); };
  c.settle    = [arena] { arena->settle(); };
  c.check     = [arena] { return arena->check(); };
  return c;
}

}  // namespace perf
