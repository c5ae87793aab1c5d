// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../launch.hpp"
#include "../machine.hpp"
#include "../tuning.hpp"
#include "digit.hpp"
#include "insertion.hpp"
#include "writers.hpp"

//  Radix sort by digits from the lowest on: each worker counts the digits of its chunk, a scan makes places of the
//  counts, each worker moves its chunk
//  paper       Zagha and Blelloch 1991; lines gathered before they are written: Satish and others 2010
//  launches    1 to see which digits differ, 2 for each that does, 1 after an odd number of those; 1 of one worker
//  bytes       n for the first, 3 n for each digit, 2 n for the last
//  operations  2 n and digits x workers, for each digit
//  steps       digits x workers, for each digit
//  progress    none: no worker waits for another
namespace KokkosScan::host::sort {

/// How a sort goes, decided once.
struct Plan {
  bool is_sorted = false;  // whatever the keys are
  bool is_short  = false;  // by insertion
  bool streams   = false;
  int workers    = 1;

  template <class Sort>
  static Plan of(Sort const& sort, int threads, std::size_t most_cached) {
    constexpr std::size_t bytes = sizeof(typename Sort::Bits) + (Sort::has_values ? sizeof(typename Sort::Value) : 0);
    Plan plan;
    plan.is_sorted = sort.n < 2 || sort.passes() == 0;
    if (plan.is_sorted) return plan;
    plan.is_short = sort.n < static_cast<std::size_t>(sort.passes()) * least_for_a_digit;
    plan.streams  = sort.n > most_cached / bytes;
    plan.workers =
        static_cast<int>(std::clamp<std::size_t>(sort.n / least_to_sort, 1, static_cast<std::size_t>(threads)));
    return plan;
  }

  /// A worker's counts, or places, and behind them what it gathers of keys and of values.
  template <class Sort>
  std::size_t bytes_of_worker() const {
    std::size_t const arrays = streams ? (Sort::has_values ? 2 : 1) : 0;
    return Sort::digits * (sizeof(std::size_t) + arrays * bytes_to_gather);
  }
  template <class Sort>
  std::size_t scratch_bytes() const {
    return line_bytes + static_cast<std::size_t>(workers) * bytes_of_worker<Sort>();
  }
};

template <class Sort, class Workers>
class Passes {
 public:
  Passes(Sort const& sort, Plan const& plan, Workers const& workers, void* scratch)
      : sort_(sort), workers_(workers), streams_(plan.streams), bytes_of_worker_(plan.bytes_of_worker<Sort>()) {
    std::size_t space = plan.scratch_bytes<Sort>();
    scratch_          = static_cast<std::byte*>(std::align(line_bytes, space - line_bytes, scratch, space));
  }

  /// Returns how often the elements have gone from one array to the other.
  int run() const {
    Bits const differing = find_differing_bits();
    int done             = 0;
    for (int pass = 0; pass < sort_.passes(); ++pass) {
      DigitOfPass const digit = sort_.digit_of(pass);
      if (digit.in(differing) != 0) move_all(digit, done++);
    }
    return done;
  }

  /// Brings the elements back to where they were.
  void bring_back() const {
    workers_.run([&](int worker) {
      auto const [begin, end] = chunk(worker);
      std::copy(sort_.other_keys + begin, sort_.other_keys + end, sort_.keys + begin);
      if constexpr (Sort::has_values)
        std::copy(sort_.other_values + begin, sort_.other_values + end, sort_.values + begin);
    });
  }

 private:
  using Bits        = typename Sort::Bits;
  using Value       = typename Sort::Value;
  using DigitOfPass = Digit<typename Sort::Order>;

  Tile chunk(int worker) const { return core::chunk_of(sort_.n, worker, workers_.size()); }
  /// Of each digit the count, and then the place of the next element.
  std::size_t* counts(int worker) const {
    return reinterpret_cast<std::size_t*>(scratch_ + static_cast<std::size_t>(worker) * bytes_of_worker_);
  }

  /// All keys have the same bits elsewhere.
  Bits find_differing_bits() const {
    auto const found = [&](int worker) -> Bits& { return *reinterpret_cast<Bits*>(counts(worker)); };
    workers_.run([&](int worker) { found(worker) = differing_bits(sort_.order, sort_.keys, chunk(worker)); });
    Bits differing = 0;
    for (int worker = 0; worker < workers_.size(); ++worker) differing = static_cast<Bits>(differing | found(worker));
    return differing;
  }

  void move_all(DigitOfPass const& digit, int done) const {
    auto const keys   = core::of_pass(sort_.keys, sort_.other_keys, done);
    auto const values = core::of_pass(sort_.values, sort_.other_values, done);
    workers_.run([&](int worker) { count_digits<Sort::digits>(digit, keys.from, chunk(worker), counts(worker)); });
    make_places();
    workers_.run([&](int worker) {
      if (streams_)
        move<Streaming>(digit, keys, values, worker);
      else
        move<Cached>(digit, keys, values, worker);
    });
  }

  /// An exclusive scan: digit by digit, and of each the chunks in their order.
  void make_places() const {
    std::size_t before = 0;
    for (std::size_t digit = 0; digit < Sort::digits; ++digit)
      for (int worker = 0; worker < workers_.size(); ++worker) {
        std::size_t const count = counts(worker)[digit];
        counts(worker)[digit]   = before;
        before += count;
      }
  }

  template <template <class, std::size_t> class Writer>
  void move(DigitOfPass const digit, core::FromTo<Bits> keys, core::FromTo<Value> values, int worker) const {
    std::size_t* const at   = counts(worker);
    auto* const lines       = reinterpret_cast<std::byte*>(at + Sort::digits);
    auto const [begin, end] = chunk(worker);
    Writer<Bits, Sort::digits> const to_keys(keys.to, at, lines);
    if constexpr (Sort::has_values) {
      Writer<Value, Sort::digits> const to_values(values.to, at, lines + Sort::digits * bytes_to_gather);
      for (std::size_t i = begin; i < end; ++i) {
        Bits const key      = keys.from[i];
        std::size_t const d = digit(key), place = at[d]++;
        to_keys.put(d, place, key);
        to_values.put(d, place, values.from[i]);
      }
      to_values.finish(at);
    } else {
      for (std::size_t i = begin; i < end; ++i) {
        Bits const key      = keys.from[i];
        std::size_t const d = digit(key);
        to_keys.put(d, at[d]++, key);
      }
    }
    to_keys.finish(at);
  }

  Sort const& sort_;
  Workers const& workers_;
  bool streams_;
  std::size_t bytes_of_worker_;
  std::byte* scratch_;
};

template <class Sort, class Workers>
void run_by(Sort const& sort, Plan const& plan, Workers const& workers, void* scratch) {
  if (plan.is_short) return sort_by_insertion(sort);
  Passes<Sort, Workers> const passes(sort, plan, workers, scratch);
  if (passes.run() % 2 != 0) passes.bring_back();
}

template <class Sort, class Workers>
void run(Sort const& sort, Plan const& plan, Workers const& workers, void* scratch) {
  if (plan.workers > 1) return run_by(sort, plan, workers, scratch);
  workers.run([&](int) {  // one launch for all
    if (!plan.is_sorted) run_by(sort, plan, Alone(), scratch);
  });
}

}  // namespace KokkosScan::host::sort
