// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "../single_pass.hpp"

//  Chained scan: each tile waits for its predecessor's prefix
//  paper       Yan, Long, Zhang 2013 (StreamScan)
//  launches    1
//  bytes       2 n through memory: a tile waits in cache for its prefix
//  operations  2 n: the scan of a tile and the combination with its prefix
//  steps       one prefix handed on for each tile
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::chained {

/// The prefixes in a ring of a few slots. Nobody overwrites what is still to be read: the prefix behind tile k +
/// slots is known only after that behind k + 1, whose worker has by then read the one behind k.
template <class Value>
class Ring {
 public:
  std::size_t take_first(int worker) { return counter_.take_first(worker); }
  std::size_t take() { return counter_.take(); }

  Maybe<Value> poll_prefix(std::size_t k) const {
    Slot const& slot = slots_[(k - 1) % slots];
    return slot.ready_for.load(std::memory_order_acquire) == k ? slot.prefix : Maybe<Value>();
  }

  Value find_prefix(TiledScan<Value> const&, std::size_t k, Value const&, Failure const& failure) const {
    Slot const& slot = slots_[(k - 1) % slots];
    wait_until(failure, [&] { return slot.ready_for.load(std::memory_order_acquire) == k; });
    return *slot.prefix;
  }

  void publish(std::size_t k, Value const& through) {
    Slot& slot = slots_[k % slots];
    core::put(slot.prefix, Maybe<Value>(through));
    slot.ready_for.store(k + 1, std::memory_order_release);
  }

 private:
  struct alignas(line_bytes) Slot {
    std::atomic<std::size_t> ready_for{0};  // the tile that this is the prefix of
    Maybe<Value> prefix;
  };
  static constexpr std::size_t slots = 4;
  Counter counter_;
  Slot slots_[slots];
};

template <class Value>
std::size_t scratch_bytes(Tiles) {
  return alignof(Ring<Value>) + sizeof(Ring<Value>);
}

template <class Value>
void run(TiledScan<Value> const& scan, WorkersRef workers, void* scratch) {
  std::size_t space = scratch_bytes<Value>(scan.tiles);
  auto& ring        = *::new (std::align(alignof(Ring<Value>), sizeof(Ring<Value>), scratch, space)) Ring<Value>;
  single_pass(scan, workers, ring);
}

}  // namespace KokkosScan::host::chained
