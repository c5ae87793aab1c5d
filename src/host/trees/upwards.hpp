// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "forest.hpp"

//  What is summed up on the way from each node to its root
//  paper       a sparse ruling set of the nodes (Helman and JaJa 1999), then walks up to what is known
//  launches    1 by one worker, else 3
//  bytes       a number per node that is read and written anywhere, beside parents that are read anywhere
//  steps       2 nodes / workers
//  progress    none: no worker waits for another
//
// Where a node comes to no root, it ends and says so; then somebody else has to find the others
// (src/core/euler_tour.hpp).
namespace KokkosScan::host::trees {

template <class Word>
inline constexpr Word unknown = static_cast<Word>(-1);

/// The sum of weights from v on up to its root, for v and all on its way that do not know theirs. Whether it comes to a
/// root. Others may do the same at the same time: they find the same.
template <class Word, class Forest, class Weight>
bool sum_up(Forest const& forest, Weight const& weight, std::atomic<Word>* sums, std::size_t v) {
  if (std::size_t const key = forest.key(v); key <= forest.n) {  // what is above is known of most
    Word const above = key == 0 ? 0 : sums[key - 1].load(std::memory_order_relaxed);
    if (above != unknown<Word>) {
      sums[v].store(above + weight(v), std::memory_order_relaxed);
      return true;
    }
  }
  Word total        = 0;
  std::size_t steps = 0;
  for (std::size_t node = v;;) {
    total += weight(node);
    std::size_t const key = forest.key(node);
    if (key == 0) break;
    if (key > forest.n || ++steps > forest.n) return false;
    node           = key - 1;
    Word const sum = sums[node].load(std::memory_order_relaxed);
    if (sum != unknown<Word>) {
      total += sum;
      break;
    }
  }
  for (std::size_t node = v;;) {
    sums[node].store(total, std::memory_order_relaxed);
    total -= weight(node);
    std::size_t const key = forest.key(node);
    if (key == 0) return true;
    node = key - 1;
    if (sums[node].load(std::memory_order_relaxed) != unknown<Word>) return true;
  }
}

/// The sums of nodes that are far apart, one of each block, so that walks from all others are short. One walk after the
/// other would wait for memory at each step: a worker has some by turns.
template <class Word, class Forest, class Weight>
class Starts {
  using Shape = core::TourShape<std::uint64_t>;

  static constexpr int bits             = 8;
  static constexpr std::size_t together = 16;

 public:
  /// Between starts: where the walk from one comes to, as a forest of its own.
  struct Link {
    std::size_t key;
    Word sum;
    std::atomic<Word> all;
  };

  Starts(Forest const& forest, Weight const& weight, Link* links) : forest_(forest), weight_(weight), links_(links) {}

  static std::size_t count(std::size_t n) { return n >> bits; }  // blocks that are whole

  template <class Workers>
  bool sum_up(Workers const& workers, std::atomic<Word>* sums) const {
    std::size_t const n = count(forest_.n);
    std::atomic<bool> is_right{true};
    trees::share(workers, n, [&](std::size_t begin, std::size_t end) {
      if (!walk(begin, end)) is_right.store(false, std::memory_order_relaxed);
    });
    if (!is_right) return false;
    for (std::size_t k = 0; k < n; ++k)
      if (links_[k].all.load(std::memory_order_relaxed) == unknown<Word> && !resolve(k)) return false;
    for (std::size_t k = 0; k < n; ++k)
      sums[start(k)].store(links_[k].all.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return true;
  }

 private:
  static std::size_t start(std::size_t block) { return Shape{0, bits}.start_of(block); }
  bool is_start(std::size_t v) const { return start(v >> bits) == v && v >> bits < count(forest_.n); }

  struct Walk {
    std::size_t number, node, steps;
    Word sum;
  };
  Walk begin(std::size_t number) const { return {number, start(number), 0, 0}; }
  enum class Step { on, done, nowhere };
  Step advance(Walk& walk) const {
    walk.sum += weight_(walk.node);
    std::size_t const key = forest_.key(walk.node);
    if (key > forest_.n || ++walk.steps > forest_.n) return Step::nowhere;
    walk.node = key - 1;
    if (key != 0 && !is_start(walk.node)) return Step::on;
    Link& link = links_[walk.number];
    link.key   = key == 0 ? 0 : (walk.node >> bits) + 1;
    link.sum   = walk.sum;
    ::new (static_cast<void*>(&link.all)) std::atomic<Word>(unknown<Word>);
    return Step::done;
  }
  bool walk(std::size_t next, std::size_t end) const {
    Walk walks[together];
    std::size_t count = 0;
    while (next < end && count < together) walks[count++] = begin(next++);
    while (count > 0)
      for (std::size_t k = 0; k < count; ++k) {
        Step const step = advance(walks[k]);
        if (step == Step::on) continue;
        if (step == Step::nowhere) return false;
        walks[k] = next < end ? begin(next++) : walks[--count];
      }
    return true;
  }

  /// As trees::sum_up, from start to start.
  bool resolve(std::size_t k) const {
    Word total        = 0;
    std::size_t steps = 0, of_all = count(forest_.n);
    for (std::size_t at = k;;) {
      total += links_[at].sum;
      if (links_[at].key == 0) break;
      if (++steps > of_all) return false;
      at             = links_[at].key - 1;
      Word const all = links_[at].all.load(std::memory_order_relaxed);
      if (all != unknown<Word>) {
        total += all;
        break;
      }
    }
    for (std::size_t at = k;; at = links_[at].key - 1) {
      if (links_[at].all.load(std::memory_order_relaxed) != unknown<Word>) return true;
      links_[at].all.store(total, std::memory_order_relaxed);
      total -= links_[at].sum;
      if (links_[at].key == 0) return true;
    }
  }

  Forest const& forest_;
  Weight const& weight_;
  Link* links_;
};

/// put(v, sum) of the weights from each node on up to its root. Whether all come to one.
template <class Word, class Forest, class Weight>
struct SumsUpwards {
  using Links = Starts<Word, Forest, Weight>;

  static std::size_t bytes(std::size_t n) {
    return n * sizeof(Word) + Links::count(n) * sizeof(typename Links::Link) + 16;
  }

  template <class Workers, class Put>
  static bool run(Workers const& workers, Forest const& forest, Weight const& weight, void* memory, Put const& put) {
    auto* const links = static_cast<typename Links::Link*>(memory);
    auto* const sums  = reinterpret_cast<std::atomic<Word>*>(links + Links::count(forest.n));
    auto const clear  = [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) ::new (static_cast<void*>(sums + v)) std::atomic<Word>(unknown<Word>);
    };
    if (workers.size() > 1) {
      trees::share(workers, forest.n, clear);
      if (!Links(forest, weight, links).sum_up(workers, sums)) return false;
    }
    std::atomic<bool> is_right{true};
    constexpr std::size_t at_once = 4096;  // results are made of sums that a cache still has
    trees::share(workers, forest.n, [&](std::size_t begin, std::size_t end) {
      if (workers.size() == 1) clear(begin, end);
      for (; begin < end && is_right.load(std::memory_order_relaxed); begin += at_once) {
        std::size_t const until = std::min(end, begin + at_once);
        for (std::size_t v = begin; v < until; ++v)
          if (sums[v].load(std::memory_order_relaxed) == unknown<Word> && !trees::sum_up(forest, weight, sums, v))
            return is_right.store(false, std::memory_order_relaxed);
        for (std::size_t v = begin; v < until; ++v) put(v, sums[v].load(std::memory_order_relaxed));
      }
    });
    return is_right;
  }
};

}  // namespace KokkosScan::host::trees
