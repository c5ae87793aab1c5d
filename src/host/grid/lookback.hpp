// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "../single_pass.hpp"

//  Decoupled look-back: each tile publishes its aggregate, then walks back to the nearest known prefix
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n through memory: a tile waits in cache for its prefix
//  operations  2 n, and one for each aggregate looked at
//  steps       independent of the number of tiles: nobody waits for a chain of prefixes
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::lookback {

enum class Status : int { nothing, aggregate, prefix };

template <class Value>
struct alignas(line_bytes) State {
  std::atomic<Status> status{Status::nothing};
  Maybe<Value> aggregate;
  Maybe<Value> prefix;  // everything up to and including the tile, init too
};

template <class Value>
class States {
 public:
  States(Counter& counter, State<Value>* states) : counter_(counter), states_(states) {}

  std::size_t take_first(int worker) { return counter_.take_first(worker); }
  std::size_t take() { return counter_.take(); }

  Maybe<Value> poll_prefix(std::size_t k) const {
    State<Value> const& before = states_[k - 1];
    return before.status.load(std::memory_order_acquire) == Status::prefix ? before.prefix : Maybe<Value>();
  }

  /// The aggregates are combined from left to right with the nearest prefix, which was made in the same way, so the
  /// bits do not depend on how far the walk went.
  Value find_prefix(TiledScan<Value> const& scan, std::size_t k, Value const& aggregate, Failure const& failure) {
    core::put(states_[k].aggregate, Maybe<Value>(aggregate));
    states_[k].status.store(Status::aggregate, std::memory_order_release);

    std::size_t nearest = k - 1;
    while (wait_for_status(nearest, failure) != Status::prefix) --nearest;
    Value before(*states_[nearest].prefix);
    for (std::size_t j = nearest + 1; j < k; ++j) core::put(before, scan.combine(before, *states_[j].aggregate));
    return before;
  }

  void publish(std::size_t k, Value const& through) {
    core::put(states_[k].prefix, Maybe<Value>(through));
    states_[k].status.store(Status::prefix, std::memory_order_release);
  }

 private:
  Status wait_for_status(std::size_t k, Failure const& failure) const {
    Status now = Status::nothing;
    wait_until(failure, [&] { return (now = states_[k].status.load(std::memory_order_acquire)) != Status::nothing; });
    return now;
  }

  Counter& counter_;
  State<Value>* states_;
};

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return line_bytes + sizeof(Counter) + tiles.count() * sizeof(State<Value>);
}

template <class Value>
void run(TiledScan<Value> const& scan, WorkersRef workers, void* scratch) {
  std::size_t space = scratch_bytes<Value>(scan.tiles);
  std::align(line_bytes, space - line_bytes, scratch, space);
  auto& counter      = *std::construct_at(static_cast<Counter*>(scratch));
  auto* const states = reinterpret_cast<State<Value>*>(static_cast<std::byte*>(scratch) + sizeof(Counter));
  for (std::size_t k = 0; k < scan.tiles.count(); ++k) std::construct_at(states + k);

  States<Value> all(counter, states);
  single_pass(scan, workers, all);
}

}  // namespace KokkosScan::host::lookback
