// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <utility>

#include "../launch.hpp"
#include "../tile.hpp"
#include "../tuning.hpp"

//  Data-parallel doubling over the whole array, between two buffers
//  paper       Hillis and Steele 1986
//  launches    log2 n, and two to fetch and deliver
//  bytes       2 n log2 n
//  operations  n log2 n - (n - 1)
//  steps       log2 n
//  progress    none: no worker waits for another
namespace KokkosScan::host::hillis_steele {

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return alignof(Value) + driver::bytes_of(tiles.n, 2 * sizeof(Value));
}

/// Each worker takes one piece of [0, n).
template <class Scan, class Workers, class F>
void for_each(Workers const& workers, std::size_t n, F const& f) {
  std::size_t const pieces = static_cast<std::size_t>(workers.size());
  launch(workers, [&](int worker, Failure const&) {
    std::size_t const piece = static_cast<std::size_t>(worker);
    std::size_t const end   = n / pieces * (piece + 1) + n % pieces * (piece + 1) / pieces;
    as_written<Scan>([&] {
      for (std::size_t i = n / pieces * piece + n % pieces * piece / pieces; i < end; ++i) f(i);
    });
  });
}

template <class Scan, class Workers>
void run(Scan const& scan, Workers const& workers, void* scratch) {
  using Value         = typename Scan::Value;
  std::size_t const n = scan.n;
  std::size_t space   = 2 * n * sizeof(Value) + alignof(Value);
  Value* from         = static_cast<Value*>(std::align(alignof(Value), 2 * n * sizeof(Value), scratch, space));
  Value* to           = from + n;

  for_each<Scan>(workers, n, [&](std::size_t i) { block::put(from[i], scan.input(i)); });

  for (std::size_t stride = 1; stride < n; stride *= 2) {
    for_each<Scan>(workers, n, [&](std::size_t i) {
      block::put(to[i], i < stride ? from[i] : scan.combine(from[i - stride], from[i]));
    });
    std::swap(from, to);
  }

  for_each<Scan>(workers, n, [&](std::size_t i) {
    if constexpr (Scan::kind == Kind::inclusive)
      scan.store(i, scan.combine(scan.start(), from[i]));
    else
      scan.store(i, i == 0 ? *scan.start() : scan.combine(*scan.start(), from[i - 1]));
  });
  if (scan.total) block::put(*scan.total, combine_tiles(scan, scan.start(), from[n - 1]));
}

}  // namespace KokkosScan::host::hillis_steele
