// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../single_pass.hpp"

//  Shares: every worker has a share of neighbouring tiles; all reduce the tiles of all shares but the last one (of
//  that too, where a scan at once would reduce them anyway), and each then polls every aggregate before its own share
//  paper       Chatterjee, Blelloch, Zagha 1990
//  launches    1
//  bytes       2 n, and what is reduced once more: for arrays that stay in the caches
//  operations  2 n, less n / workers
//  steps       2
//  progress    a worker that holds a tile must be able to go on; what its owner does not come for, others take
namespace KokkosScan::host::shares {

/// What the workers have published of a tile.
template <class Value>
class alignas(line_bytes) State {
 public:
  /// Whether the calling worker, and no other, is to reduce the tile, or to finish it.
  bool take_reduction() { return take(reduction_); }
  bool take_finish() { return take(finish_); }
  bool is_taken() const { return reduction_.load(std::memory_order_relaxed); }
  bool is_reduced() const { return is_reduced_.load(std::memory_order_acquire); }
  bool is_left() const { return !finish_.load(std::memory_order_relaxed); }

  void publish(Reduced<Value> const& reduced) {
    core::put(reduced_, Maybe<Reduced<Value>>(reduced));
    is_reduced_.store(true, std::memory_order_release);
  }
  Reduced<Value> const& wait(Failure const& failure) const {
    wait_until(failure, [&] { return is_reduced(); });
    return *reduced_;
  }

 private:
  static bool take(std::atomic<bool>& taken) {
    return !taken.load(std::memory_order_relaxed) && !taken.exchange(true, std::memory_order_relaxed);
  }

  std::atomic<bool> reduction_{false}, finish_{false}, is_reduced_{false};
  Maybe<Reduced<Value>> reduced_;
};

template <class Value>
class Shares {
 public:
  Shares(TiledScan<Value> const& scan, std::size_t workers, State<Value>* states)
      : scan_(scan),
        tiles_(scan.tiles),
        workers_(workers),
        states_(states),
        reduced_tiles_(scan.scan_reduces_first && workers > 1 ? tiles_.count() : share(workers - 1)) {}

  void work(int worker, Failure const& failure) const {
    reduce_tiles(worker);
    for (std::size_t i = 0; i < workers_; ++i) {
      std::size_t const of = (static_cast<std::size_t>(worker) + i) % workers_;
      if (share(of) < reduced_tiles_)
        finish_tiles(worker, share(of), share(of + 1), failure);
      else
        scan_at_once(worker, share(of), share(of + 1), failure);
    }
  }

 private:
  /// The first tile of a share.
  std::size_t share(std::size_t of) const { return tiles_.count() * of / workers_; }

  /// First the own share from its begin, then what others have not come to, from its end: whoever has nothing to reduce
  /// meets the others halfway. In place, a share is left to its owner if that is at work: whoever reads there takes
  /// from the owner's cache what is about to be overwritten, which costs more than to wait.
  void reduce_tiles(int worker) const {
    auto const reduce_tile = [&](std::size_t k) {
      if (states_[k].take_reduction()) states_[k].publish(scan_.reduce_tile(worker, tiles_[k]));
    };
    std::size_t const own = static_cast<std::size_t>(worker);
    for (std::size_t k = share(own); k < std::min(share(own + 1), reduced_tiles_); ++k) reduce_tile(k);
    bool are_here = true;  // the others, as far as is known
    for (std::size_t of = workers_; of-- > 0;) {
      if (share(of) >= reduced_tiles_) continue;
      auto const is_taken = [&] { return states_[share(of)].is_taken(); };
      are_here            = are_here && wait_some(is_taken);
      if (scan_.is_in_place && is_taken()) continue;
      for (std::size_t k = std::min(share(of + 1), reduced_tiles_); k > share(of); --k) reduce_tile(k - 1);
    }
  }

  void finish_tiles(int worker, std::size_t first, std::size_t end, Failure const& failure) const {
    if (std::none_of(states_ + first, states_ + end, [](auto const& state) { return state.is_left(); })) return;
    Maybe<Value> before = before_share(first, failure);
    for (std::size_t k = first; k < end; ++k) {
      auto const& reduced = states_[k].wait(failure);  // also since dest may be from, which nobody may read any more
      Value const through = scan_.combine(before, reduced.aggregate);
      if (states_[k].take_finish()) {
        scan_.finish_tile(worker, tiles_[k], before, reduced);
        if (k + 1 == tiles_.count()) scan_.put_total(through);
      }
      core::put(before, Maybe<Value>(through));
    }
  }

  /// The last share, for which nobody waits.
  void scan_at_once(int worker, std::size_t first, std::size_t end, Failure const& failure) const {
    if (!states_[first].take_finish()) return;
    Maybe<Value> before = before_share(first, failure);
    for (std::size_t k = first; k < end; ++k)
      core::put(before, Maybe<Value>(scan_.scan_tile(worker, tiles_[k], before)));
    scan_.put_total(*before);
  }

  Maybe<Value> before_share(std::size_t first, Failure const& failure) const {
    Maybe<Value> before = scan_.start;
    for (std::size_t k = 0; k < first; ++k)
      core::put(before, Maybe<Value>(scan_.combine(before, states_[k].wait(failure).aggregate)));
    return before;
  }

  TiledScan<Value> const& scan_;
  Tiles tiles_;
  std::size_t workers_;
  State<Value>* states_;
  std::size_t reduced_tiles_;  // so many are reduced before they are finished
};

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return line_bytes + tiles.count() * sizeof(State<Value>);
}

template <class Value>
void run(TiledScan<Value> const& scan, WorkersRef workers, void* scratch) {
  Tiles const tiles  = scan.tiles;
  std::size_t space  = scratch_bytes<Value>(tiles);
  auto* const states = static_cast<State<Value>*>(std::align(line_bytes, space - line_bytes, scratch, space));
  for (std::size_t k = 0; k < tiles.count(); ++k) std::construct_at(states + k);

  // Small arrays may come with more workers than tiles.
  std::size_t const most = std::min(static_cast<std::size_t>(workers.size()), tiles.count());
  Shares<Value> const shares(scan, most, states);
  launch(workers, [&](int worker, Failure const& failure) {
    if (static_cast<std::size_t>(worker) < most) shares.work(worker, failure);
  });
}

}  // namespace KokkosScan::host::shares
