// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../../core/memory.hpp"
#include "../../core/tiles.hpp"
#include "tables.hpp"

//  Histograms by private counters: each worker counts its share, then each adds up some of the bins
//  paper       none
//  launches    2; 1 of one worker
//  bytes       n, and twice the counters of each worker
//  operations  n, and bins x workers
//  steps       n / workers + bins
//  progress    none: no worker waits for another
namespace KokkosScan::host::histogram {

/// How counting goes, decided once.
struct Plan {
  int workers             = 1;
  std::size_t own_words   = 0;  // counters of a worker, where there are several
  std::size_t table_words = 0;  // those that it counts in before
  std::size_t word_bytes  = 0;

  /// Counters are cleared and added up: no more workers than have twice as many elements as there are counters.
  template <class Histogram>
  static Plan of(Histogram const& histogram, int threads) {
    std::size_t const bins = std::max<std::size_t>(1, histogram.bins.count);
    std::size_t const most = std::min(histogram.n / least_to_count, core::bytes_of(histogram.n, 2) / bins);
    Plan plan;
    plan.workers     = static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(threads)));
    plan.own_words   = plan.workers > 1 ? histogram.bins.count : 0;
    plan.table_words = words_of_tables(histogram, histogram.n / static_cast<std::size_t>(plan.workers));
    plan.word_bytes  = sizeof(typename Histogram::Word);
    return plan;
  }

  std::size_t bytes_of_worker() const {
    return core::round_up(core::bytes_of(own_words + table_words, word_bytes), line_bytes);
  }
  std::size_t scratch_bytes() const {
    return own_words + table_words == 0
               ? 0
               : core::bytes_of(static_cast<std::size_t>(workers), bytes_of_worker()) + line_bytes;
  }
};

template <class Histogram, class Workers>
void run(Histogram const& histogram, Plan const& plan, Workers const& workers, void* scratch) {
  using Word        = typename Histogram::Word;
  std::size_t space = plan.scratch_bytes();
  auto* const first =
      space == 0 ? nullptr : static_cast<std::byte*>(std::align(line_bytes, space - line_bytes, scratch, space));
  auto const own = [&](int worker) {
    return reinterpret_cast<Word*>(first + static_cast<std::size_t>(worker) * plan.bytes_of_worker());
  };
  bool const by_tables = plan.table_words > 0;
  auto const& all      = histogram.counts;
  if (plan.workers == 1)
    return workers.run([&](int) {
      if (all.stride == 1)
        count(histogram, {0, histogram.n}, core::Contiguous<Word>{all.data}, own(0), by_tables);
      else
        count(histogram, {0, histogram.n}, all, own(0), by_tables);
    });
  workers.run([&](int worker) {
    count(histogram, core::chunk_of(histogram.n, worker, plan.workers), core::Contiguous<Word>{own(worker)},
          own(worker) + plan.own_words, by_tables);
  });
  workers.run([&](int worker) {
    Tile const bins = core::chunk_of(histogram.bins.count, worker, plan.workers);
    for (std::size_t k = bins.begin; k < bins.end; ++k) {
      Word sum = 0;
      for (int w = 0; w < plan.workers; ++w) sum = static_cast<Word>(sum + own(w)[k]);
      all[k] = sum;
    }
  });
}

}  // namespace KokkosScan::host::histogram
