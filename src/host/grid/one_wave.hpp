// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../single_pass.hpp"

//  One wave: every worker has a share of neighbouring tiles; all begin the tiles of all shares but the last one (of
//  that too, where a scan at once would begin them anyway), and each then looks at every total before its own share
//  paper       Chatterjee, Blelloch, Zagha 1990
//  launches    1
//  bytes       2 n, and what is begun once more: for arrays that stay in the caches
//  operations  2 n, less n / workers
//  steps       2
//  progress    a worker that holds a tile must be able to go on; what its owner does not come for, others take
namespace KokkosScan::host::one_wave {

/// What the workers know of a tile.
template <class Value>
class alignas(line_bytes) State {
 public:
  /// Whether the calling worker, and no other, is to begin the tile, or to finish it.
  bool take_beginning() { return take(beginning_); }
  bool take_finish() { return take(finish_); }
  bool has_begun() const { return beginning_.load(std::memory_order_relaxed); }
  bool is_known() const { return known_.load(std::memory_order_acquire); }
  bool is_left() const { return !finish_.load(std::memory_order_relaxed); }

  void publish(Begun<Value> const& begun) {
    block::put(begun_, Maybe<Begun<Value>>(begun));
    known_.store(true, std::memory_order_release);
  }
  Begun<Value> const& wait(Failure const& failure) const {
    wait_until(failure, [&] { return is_known(); });
    return *begun_;
  }

 private:
  static bool take(std::atomic<bool>& taken) {
    return !taken.load(std::memory_order_relaxed) && !taken.exchange(true, std::memory_order_relaxed);
  }

  std::atomic<bool> beginning_{false}, finish_{false}, known_{false};
  Maybe<Begun<Value>> begun_;
};

template <class Value>
class Wave {
 public:
  Wave(TiledScan<Value> const& scan, std::size_t workers, State<Value>* states)
      : scan_(scan),
        tiles_(scan.tiles),
        workers_(workers),
        states_(states),
        begun_(scan.whole_begins && workers > 1 ? tiles_.count() : share(workers - 1)) {}

  void work(int worker, Failure const& failure) const {
    begin(worker);
    for (std::size_t i = 0; i < workers_; ++i) {
      std::size_t const of = (static_cast<std::size_t>(worker) + i) % workers_;
      if (share(of) < begun_)
        finish_tiles(worker, share(of), share(of + 1), failure);
      else
        scan_at_once(worker, share(of), share(of + 1), failure);
    }
  }

 private:
  /// The first tile of a share.
  std::size_t share(std::size_t of) const { return tiles_.count() * of / workers_; }

  /// First the own share from its begin, then what others have not come to, from its end: whoever has nothing to begin
  /// meets the others halfway. In place, a share is left to its owner if that is at work: whoever reads there takes
  /// from the owner's cache what is about to be overwritten, which costs more than to wait.
  void begin(int worker) const {
    auto const begin_tile = [&](std::size_t k) {
      if (states_[k].take_beginning()) states_[k].publish(scan_.begin(worker, tiles_[k]));
    };
    std::size_t const own = static_cast<std::size_t>(worker);
    for (std::size_t k = share(own); k < std::min(share(own + 1), begun_); ++k) begin_tile(k);
    bool are_here = true;  // the others, as far as is known
    for (std::size_t of = workers_; of-- > 0;) {
      if (share(of) >= begun_) continue;
      auto const has_begun = [&] { return states_[share(of)].has_begun(); };
      are_here             = are_here && wait_some(has_begun);
      if (scan_.is_in_place && has_begun()) continue;
      for (std::size_t k = std::min(share(of + 1), begun_); k > share(of); --k) begin_tile(k - 1);
    }
  }

  void finish_tiles(int worker, std::size_t first, std::size_t end, Failure const& failure) const {
    if (std::none_of(states_ + first, states_ + end, [](auto const& state) { return state.is_left(); })) return;
    Maybe<Value> before = before_share(first, failure);
    for (std::size_t k = first; k < end; ++k) {
      auto const& begun   = states_[k].wait(failure);  // also since dest may be from, which nobody may read any more
      Value const through = scan_.combine(before, begun.total);
      if (states_[k].take_finish()) {
        scan_.finish(worker, tiles_[k], before, begun);
        if (k + 1 == tiles_.count()) scan_.put_total(through);
      }
      block::put(before, Maybe<Value>(through));
    }
  }

  /// The last share, for which nobody waits.
  void scan_at_once(int worker, std::size_t first, std::size_t end, Failure const& failure) const {
    if (!states_[first].take_finish()) return;
    Maybe<Value> before = before_share(first, failure);
    for (std::size_t k = first; k < end; ++k) block::put(before, Maybe<Value>(scan_.whole(worker, tiles_[k], before)));
    scan_.put_total(*before);
  }

  Maybe<Value> before_share(std::size_t first, Failure const& failure) const {
    Maybe<Value> before = scan_.start;
    for (std::size_t k = 0; k < first; ++k)
      block::put(before, Maybe<Value>(scan_.combine(before, states_[k].wait(failure).total)));
    return before;
  }

  TiledScan<Value> const& scan_;
  Tiles tiles_;
  std::size_t workers_;
  State<Value>* states_;
  std::size_t begun_;  // so many tiles are begun before they are finished
};

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return line_bytes + tiles.count() * sizeof(State<Value>);
}

template <class Value, class Crew>
void run(TiledScan<Value> const& scan, Crew const& crew, void* scratch) {
  Tiles const tiles  = scan.tiles;
  std::size_t room   = scratch_bytes<Value>(tiles);
  auto* const states = static_cast<State<Value>*>(std::align(line_bytes, room - line_bytes, scratch, room));
  for (std::size_t k = 0; k < tiles.count(); ++k) std::construct_at(states + k);

  // Small arrays may come with more workers than tiles.
  std::size_t const workers = std::min(static_cast<std::size_t>(crew.size()), tiles.count());
  Wave<Value> const wave(scan, workers, states);
  launch(crew, [&](int worker, Failure const& failure) {
    if (static_cast<std::size_t>(worker) < workers) wave.work(worker, failure);
  });
}

}  // namespace KokkosScan::host::one_wave
