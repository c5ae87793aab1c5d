// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "by_key.hpp"
#include "maybe.hpp"
#include "sinks.hpp"

// What neighbours that share the elements of a scan by key, as ranks and instances do, must know of each other: how the
// run goes on with which one ends.
namespace KokkosScan::core {

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

/// What stands before the first of some elements, if that is known and goes on with a run of those before. init() is
/// what stands before the first value of a run, in an exclusive scan.
template <Kind kind, class Key, class T, class Op, class Equal, class Init>
Maybe<Keyed<T>> carry_into_run(Maybe<RunState<Key, T>> const& before, Maybe<Key> const& first, Op const& op,
                               Equal const& equal, Init const& init) {
  if (!before || !first || !equal((*before).last, *first)) return {};
  if constexpr (kind == Kind::inclusive)
    return Keyed<T>((*before).aggregate, false);
  else
    return Keyed<T>(static_cast<T>(op(init(), (*before).aggregate)), false);
}

}  // namespace KokkosScan::core
