// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "../single_pass.hpp"

//  Decoupled look-back: each tile publishes its total, then walks back to the nearest known prefix
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n through memory: a tile waits in cache for its prefix
//  operations  2 n, and a join for each total looked at
//  steps       independent of the number of tiles: nobody waits for a chain of prefixes
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::lookback {

enum class Known : int { nothing, total, prefix };

template <class Value>
struct alignas(line_bytes) State {
  std::atomic<Known> known{Known::nothing};
  Maybe<Value> total;
  Maybe<Value> prefix;  // everything up to and including the tile, init too
};

template <class Value>
class States {
 public:
  States(Counter& counter, State<Value>* states) : counter_(counter), states_(states) {}

  std::size_t take_first(int worker) { return counter_.take_first(worker); }
  std::size_t take() { return counter_.take(); }

  Maybe<Value> known_before(std::size_t k) const {
    State<Value> const& before = states_[k - 1];
    return before.known.load(std::memory_order_acquire) == Known::prefix ? before.prefix : Maybe<Value>();
  }

  /// The totals are joined from left to right onto the nearest prefix, which was made in the same way, so the bits do
  /// not depend on how far the walk went.
  Value find_before(TiledScan<Value> const& scan, std::size_t k, Value const& total, Failure const& failure) {
    block::put(states_[k].total, Maybe<Value>(total));
    states_[k].known.store(Known::total, std::memory_order_release);

    std::size_t nearest = k - 1;
    while (wait_for_something(nearest, failure) != Known::prefix) --nearest;
    Value before(*states_[nearest].prefix);
    for (std::size_t j = nearest + 1; j < k; ++j) block::put(before, scan.combine(before, *states_[j].total));
    return before;
  }

  void publish(std::size_t k, Value const& through) {
    block::put(states_[k].prefix, Maybe<Value>(through));
    states_[k].known.store(Known::prefix, std::memory_order_release);
  }

 private:
  Known wait_for_something(std::size_t k, Failure const& failure) const {
    Known now = Known::nothing;
    wait_until(failure, [&] { return (now = states_[k].known.load(std::memory_order_acquire)) != Known::nothing; });
    return now;
  }

  Counter& counter_;
  State<Value>* states_;
};

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return line_bytes + sizeof(Counter) + tiles.count() * sizeof(State<Value>);
}

template <class Value, class Crew>
void run(TiledScan<Value> const& scan, Crew const& crew, void* scratch) {
  std::size_t room = scratch_bytes<Value>(scan.tiles);
  std::align(line_bytes, room - line_bytes, scratch, room);
  auto& counter      = *std::construct_at(static_cast<Counter*>(scratch));
  auto* const states = reinterpret_cast<State<Value>*>(static_cast<std::byte*>(scratch) + sizeof(Counter));
  for (std::size_t k = 0; k < scan.tiles.count(); ++k) std::construct_at(states + k);

  States<Value> all(counter, states);
  single_pass(scan, crew, all);
}

}  // namespace KokkosScan::host::lookback
