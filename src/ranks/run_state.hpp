// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/by_key.hpp"

// What ranks must know of each other in a scan by key: how the run goes on with which one ends.
namespace KokkosScan::ranks {

/// Of some neighbouring elements, in the direction of the scan: their outermost keys, what the last run combines to as
/// far as it is in them, and whether there is no other.
template <class Key, class T>
struct RunState {
  Key first, last;
  T aggregate;
  bool is_one_run;
};

/// That of elements and of those behind them.
template <class Key, class T, class Op, class Equal>
struct JoinRunStates {
  using State = RunState<Key, T>;

  Op op;
  Equal equal;

  State operator()(State const& left, State const& right) const {
    if (right.is_one_run && equal(left.last, right.first))
      return {left.first, right.last, static_cast<T>(op(left.aggregate, right.aggregate)), left.is_one_run};
    return {left.first, right.last, right.aggregate, false};
  }
};

}  // namespace KokkosScan::ranks
