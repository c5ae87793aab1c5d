// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>

#include "../driver/scan.hpp"
#include "tuning.hpp"

// What the workers of the single-pass algorithms tell each other: one state to a tile, and the counter that hands the
// tiles out. A tile is taken from the counter, so whoever waits does so for a tile that a running worker holds; no
// schedule of the workers can hang the scan, not even one after the other.
namespace KokkosScan::host {

using driver::Maybe;
using driver::Tiles;

enum class Known : int { nothing, total, prefix };

template <class Value>
class alignas(line_bytes) TileState {
 public:
  void publish_total(Value const& value) {
    ::new (&total_) Maybe<Value>(value);
    known_.store(Known::total, std::memory_order_release);
  }
  void publish_prefix(Value const& value) {
    ::new (&prefix_) Maybe<Value>(value);
    known_.store(Known::prefix, std::memory_order_release);
  }

  Known known() const { return known_.load(std::memory_order_acquire); }

  /// Waits until at least that much is known.
  Known wait_for(Known least) const {
    for (int spins = 0;; ++spins) {
      Known const now = known();
      if (now >= least) return now;
      if (spins >= spins_before_yield) std::this_thread::yield();
    }
  }

  Value const& total() const { return *total_; }
  /// Everything up to and including the tile, init too.
  Value const& prefix() const { return *prefix_; }

 private:
  std::atomic<Known> known_{Known::nothing};
  Maybe<Value> total_;
  Maybe<Value> prefix_;
};

template <class Value>
class TileStates {
 public:
  static std::size_t bytes(std::size_t tiles) { return line_bytes + (tiles + 1) * sizeof(TileState<Value>); }

  TileStates(void* memory, std::size_t tiles) {
    std::size_t room = bytes(tiles);
    std::align(alignof(TileState<Value>), room - line_bytes, memory, room);
    counter_ = ::new (memory) Counter;
    states_  = reinterpret_cast<TileState<Value>*>(static_cast<std::byte*>(memory) + sizeof(TileState<Value>));
    for (std::size_t k = 0; k < tiles; ++k) ::new (states_ + k) TileState<Value>;
  }

  /// The next tile that nobody has.
  std::size_t take() const { return counter_->next.fetch_add(1, std::memory_order_relaxed); }

  TileState<Value>& operator[](std::size_t k) const { return states_[k]; }

 private:
  struct alignas(line_bytes) Counter {
    std::atomic<std::size_t> next{0};
  };
  Counter* counter_;
  TileState<Value>* states_;
};

}  // namespace KokkosScan::host
