// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../../block/three_phase.hpp"
#include "../../core/radix_sort.hpp"
#include "../../exec/kernel_event.hpp"
#include "../grid/hierarchical.hpp"

//  Radix sort by digits of a bit or a few, from the lowest on: a scan counts the elements of each digit, and an element
//  goes behind all of lower digits and what stands before it of its own
//  paper       Blelloch 1990 (split); digits of several bits: Satish, Harris, Garland 2009
//  launches    those of a hierarchical scan for each digit, and 1 to copy where those are odd in number
//  bytes       4 n for each digit
//  operations  2^bits n additions, twice for each digit
//  progress    none: no team waits for another
namespace KokkosScan::portable::sort {

/// One is fastest (docs/decisions/host-sort.md).
inline constexpr int digit_bits = 1;
inline constexpr int digits     = 1 << digit_bits;

/// How many elements there are of each digit.
struct Counts {
  std::uint64_t of[digits];
};
struct AddCounts {
  KOKKOS_FUNCTION Counts operator()(Counts const& left, Counts const& right) const {
    Counts sum;
    for (int d = 0; d < digits; ++d) sum.of[d] = left.of[d] + right.of[d];
    return sum;
  }
};

template <class Order>
struct OneOfDigit {
  core::Digit<Order> digit;
  typename Order::Bits const* keys;

  KOKKOS_FUNCTION Counts load(std::size_t i) const {
    Counts one{};
    one.of[digit(keys[i])] = 1;
    return one;
  }
};

/// Elements go behind all of lower digits and what stands before them of their own.
template <class Sort>
struct ToPlaces {
  static constexpr core::Uses uses = {true, false, false};
  core::Digit<typename Sort::Order> digit;
  core::FromTo<typename Sort::Bits> keys;
  core::FromTo<typename Sort::Value> values;
  Counts const* all;

  KOKKOS_FUNCTION void store(std::size_t i, Counts const& before, Counts const&, Counts const&) const {
    std::uint32_t const own = digit(keys.from[i]);
    std::uint64_t at        = before.of[own];
    for (std::uint32_t d = 0; d < own; ++d) at += all->of[d];
    keys.to[at] = keys.from[i];
    if constexpr (Sort::has_values) values.to[at] = values.from[i];
  }
};

/// How many there are of each digit, where all elements are in one tile.
template <class Order>
struct CountFew {
  OneOfDigit<Order> source;
  std::size_t n;
  Counts* all;

  KOKKOS_FUNCTION void operator()(int) const {
    *all = Counts{};
    for (std::size_t i = 0; i < n; ++i) *all = AddCounts()(*all, source.load(i));
  }
};

template <class Sort>
struct BringBack {
  Sort sort;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    sort.keys[i] = sort.other_keys[i];
    if constexpr (Sort::has_values) sort.values[i] = sort.other_values[i];
  }
};

inline std::size_t scratch_bytes(std::size_t n) { return sizeof(Counts) + hierarchical::scratch_bytes<Counts>(n); }

template <class Exec, class Sort>
void run(Exec const& exec, std::string const& label, Sort const& sort, void* scratch) {
  using Order = typename Sort::Order;
  core::Tiles const tiles{sort.n, tile_length(sizeof(Counts))};
  auto* const counts = static_cast<Counts*>(scratch);
  // The scan keeps there what is counted behind each tile: behind the last one it is all that there are.
  Counts* const all = counts + (tiles.count() > 1 ? tiles.count() - 1 : 0);
  int done          = 0;
  for (int first = sort.order.begin; first < sort.order.end; first += digit_bits, ++done) {
    auto const keys   = core::of_pass(sort.keys, sort.other_keys, done);
    auto const values = core::of_pass(sort.values, sort.other_values, done);
    core::Digit<Order> const digit(sort.order, first, std::min(digit_bits, sort.order.end - first));
    OneOfDigit<Order> const source{digit, keys.from};
    if (tiles.count() == 1)
      exec::dispatch(label, exec, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, 1),
                     CountFew<Order>{source, sort.n, all});
    using Scan = core::Problem<Counts, OneOfDigit<Order>, AddCounts, ToPlaces<Sort>>;
    hierarchical::run<block::ThreePhase>(
        exec, label, Scan{source, {digit, keys, values, all}, sort.n, {}, core::Maybe<Counts>(Counts{}), nullptr},
        counts);
  }
  if (done % 2 != 0)
    exec::dispatch(label, exec, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, sort.n),
                   BringBack<Sort>{sort});
}

}  // namespace KokkosScan::portable::sort
