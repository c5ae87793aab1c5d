// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>

#include "../core/rows.hpp"
#include "launch.hpp"
#include "tile.hpp"
#include "workers.hpp"

//  The items of ragged rows: each worker walks over a share of the rows and items
//  paper       Green, McColl, Bader 2012 (where shares begin: core/rows.hpp)
//  launches    1
//  bytes       those of the offsets, once, and what f reads and writes
//  steps       (rows + items) / workers, and a binary search for the first row
//  progress    none: no worker waits for another
namespace KokkosScan::host::rows {

/// f(row, item) for the positions of the order from begin up to end.
template <class Order, class F>
void walk(Order const& order, F const& f, std::size_t begin, std::size_t end) {
  Held<F> call               = f;
  std::size_t row            = order.row_at(begin);
  std::size_t item           = order.first + (begin - row);
  std::size_t const end_item = order.first + (end - order.row_at(end));
  // Rows that descend could end with items left.
  for (; item < end_item && row < order.rows; ++row)
    for (std::size_t const behind = core::clamped(order.offsets[row + 1], end_item); item < behind; ++item)
      call(row, item);
}

/// The same for what a row has of them at once: f(row, begin, end), of items.
template <class Order, class F>
void walk_spans(Order const& order, F const& f, std::size_t begin, std::size_t end) {
  std::size_t row            = order.row_at(begin);
  std::size_t item           = order.first + (begin - row);
  std::size_t const end_item = order.first + (end - order.row_at(end));
  for (; item < end_item && row < order.rows; ++row) {
    std::size_t const behind = core::clamped(order.offsets[row + 1], end_item);
    if (item >= behind) continue;
    f(row, item, behind);
    item = behind;
  }
}

/// share(order, begin, end) for the share of each worker.
template <class Exec, class Rows, class Share>
void for_each_share(Exec const& exec, std::string const& label, Rows const& rows, Share const& share) {
  auto const order          = rows.in_order();
  std::size_t const size    = order.size();
  std::size_t const workers = static_cast<std::size_t>(workers_for_loop(exec, size, size));
  std::size_t const each = size / workers, more = size % workers;
  auto const begin_of_worker = [&](std::size_t worker) { return worker * each + std::min(worker, more); };
  host::launch(KokkosWorkers<Exec>(exec, label, static_cast<int>(workers)), [&](int worker, Failure const&) {
    auto const k = static_cast<std::size_t>(worker);
    share(order, begin_of_worker(k), begin_of_worker(k + 1));
  });
}

/// share(order, begin, end) for chunks of up to so many positions: some for each worker, whoever has time.
template <class Exec, class Rows, class Share>
void for_each_chunk(Exec const& exec, std::string const& label, Rows const& rows, std::size_t most,
                    Share const& share) {
  auto const order              = rows.in_order();
  std::size_t const size        = order.size();
  int const workers             = workers_for_loop(exec, size, size);
  std::size_t const chunk       = std::min(most, size / (4 * static_cast<std::size_t>(workers)) + 1);
  std::atomic<std::size_t> next = 0;
  host::launch(KokkosWorkers<Exec>(exec, label, workers), [&](int, Failure const&) {
    for (std::size_t begin = 0; (begin = next.fetch_add(chunk)) < size;)
      share(order, begin, std::min(begin + chunk, size));
  });
}

template <class Exec, class Rows, class F>
void for_each(Exec const& exec, std::string const& label, Rows const& rows, F const& f) {
  rows::for_each_share(exec, label, rows, [&](auto const& order, std::size_t begin, std::size_t end) {
    rows::walk(order, f, begin, end);
  });
}

}  // namespace KokkosScan::host::rows
