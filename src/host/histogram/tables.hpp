// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "../../core/histogram.hpp"
#include "../../core/tiles.hpp"
#include "../tuning.hpp"

// How a worker counts its share.
namespace KokkosScan::host::histogram {

using core::Tile;

/// Whether values are counted as they are, and fall into their bins at the end.
template <class Histogram>
inline constexpr bool counts_values = sizeof(typename Histogram::Value) == 1 && !Histogram::has_weights;

/// f(0) ... f(count - 1), none of them in a loop, which compilers would keep.
template <std::size_t count, class F>
void unrolled(F const& f) {
  [&]<std::size_t... t>(std::index_sequence<t...>) { (f(t), ...); }(std::make_index_sequence<count>());
}

/// Adds what all values of a byte there are, each counted as it is.
template <class Histogram, class Counts>
void add_bytes(Histogram const& histogram, Tile share, Counts const& to) {
  using Value                  = typename Histogram::Value;
  constexpr std::size_t values = 256, word = sizeof(std::uint64_t);
  std::size_t counts[count_tables][values]{};
  auto const from = histogram.from;
  std::size_t i   = share.begin;
  if constexpr (core::is_side_by_side<typename Histogram::From>)
    for (; i + word <= share.end; i += word) {
      std::uint64_t bytes;
      std::memcpy(&bytes, &from[i], word);
      unrolled<word>([&](std::size_t b) { ++counts[b % count_tables][bytes >> (8 * b) & 0xff]; });
    }
  for (; i < share.end; ++i) ++counts[i % count_tables][static_cast<std::uint8_t>(from[i])];
  for (std::size_t v = 0; v < values; ++v) {
    std::size_t sum = 0;
    for (auto const& table : counts) sum += table[v];
    if (sum == 0) continue;
    auto const bin = histogram.bins.template of<std::size_t>(static_cast<Value>(static_cast<std::uint8_t>(v)));
    if (bin < histogram.bins.count) to[bin] = static_cast<typename Histogram::Word>(to[bin] + sum);
  }
}

/// Adds elements from i on, one after the other.
template <class Histogram, class Counts>
void add_each(Histogram const& histogram, Tile share, Counts const& to) {
  auto const of    = histogram;  // its own, which no store changes
  auto const& bins = of.bins;
  for (std::size_t i = share.begin; i < share.end; ++i)
    if (auto const bin = bins.template of<std::size_t>(of.from[i]); bin < bins.count)
      to[bin] = static_cast<typename Histogram::Word>(to[bin] + of.weight(i));
}

/// Adds them by several tables in `room`, so that of neighbours in one bin none waits for what another stores.
template <class Histogram, class Counts>
void add_by_tables(Histogram const& histogram, Tile share, Counts const& to, typename Histogram::Word* room) {
  using Word             = typename Histogram::Word;
  auto const of          = histogram;  // its own, which no store changes
  auto const& bins       = of.bins;
  std::size_t const size = bins.count + 1;  // with one for what is in no bin
  std::fill_n(room, size * count_tables, Word{0});
  std::size_t i = share.begin;
  for (; i + count_tables <= share.end; i += count_tables)
    unrolled<count_tables>([&](std::size_t t) {
      Word& count = room[t * size + std::min(bins.template of<std::size_t>(of.from[i + t]), bins.count)];
      count       = static_cast<Word>(count + of.weight(i + t));
    });
  for (std::size_t k = 0; k < bins.count; ++k)
    for (std::size_t t = 0; t < count_tables; ++t) to[k] = static_cast<Word>(to[k] + room[t * size + k]);
  add_each(histogram, {i, share.end}, to);
}

/// The words that such tables take, if they pay for so many elements; else 0.
template <class Histogram>
std::size_t words_of_tables(Histogram const& histogram, std::size_t elements) {
  constexpr std::size_t most = count_tables_bytes / count_tables / sizeof(typename Histogram::Word);
  if (counts_values<Histogram> && elements >= least_for_bytes) return 0;
  bool const pays = histogram.bins.count < most && histogram.bins.count <= elements / (2 * count_tables);
  return pays ? (histogram.bins.count + 1) * count_tables : 0;
}

/// Clears counters, and counts a share there.
template <class Histogram, class Counts>
void count(Histogram const& histogram, Tile share, Counts const& to, typename Histogram::Word* room, bool by_tables) {
  for (std::size_t k = 0; k < histogram.bins.count; ++k) to[k] = 0;
  if constexpr (counts_values<Histogram>)
    if (share.size() >= least_for_bytes) return add_bytes(histogram, share, to);
  if (by_tables)
    add_by_tables(histogram, share, to, room);
  else
    add_each(histogram, share, to);
}

}  // namespace KokkosScan::host::histogram
