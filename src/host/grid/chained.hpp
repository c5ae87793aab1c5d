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
//  operations  2 n: the scan of a tile and the joining of its prefix
//  steps       one prefix handed on for each tile
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::chained {

/// The prefixes in a ring of a few places. Nobody overwrites what is still to be read: the prefix behind tile k +
/// places is known only after that behind k + 1, whose worker has by then read the one behind k.
template <class Value>
class Ring {
 public:
  std::size_t take_first(int worker) { return counter_.take_first(worker); }
  std::size_t take() { return counter_.take(); }

  Maybe<Value> known_before(std::size_t k) const {
    Place const& place = places_[(k - 1) % places];
    return place.ready_for.load(std::memory_order_acquire) == k ? place.prefix : Maybe<Value>();
  }

  Value find_before(TiledScan<Value> const&, std::size_t k, Value const&, Failure const& failure) const {
    Place const& place = places_[(k - 1) % places];
    wait_until(failure, [&] { return place.ready_for.load(std::memory_order_acquire) == k; });
    return *place.prefix;
  }

  void publish(std::size_t k, Value const& through) {
    Place& place = places_[k % places];
    block::put(place.prefix, Maybe<Value>(through));
    place.ready_for.store(k + 1, std::memory_order_release);
  }

 private:
  struct alignas(line_bytes) Place {
    std::atomic<std::size_t> ready_for{0};  // the tile that this is the prefix of
    Maybe<Value> prefix;
  };
  static constexpr std::size_t places = 4;
  Counter counter_;
  Place places_[places];
};

template <class Value>
std::size_t scratch_bytes(Tiles) {
  return alignof(Ring<Value>) + sizeof(Ring<Value>);
}

template <class Value, class Crew>
void run(TiledScan<Value> const& scan, Crew const& crew, void* scratch) {
  std::size_t room = scratch_bytes<Value>(scan.tiles);
  auto& ring       = *::new (std::align(alignof(Ring<Value>), sizeof(Ring<Value>), scratch, room)) Ring<Value>;
  single_pass(scan, crew, ring);
}

}  // namespace KokkosScan::host::chained
