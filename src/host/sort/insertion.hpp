// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "../../core/radix_sort.hpp"

//  Insertion sort, of few elements
//  paper       Knuth, The Art of Computer Programming 3, 5.2.1
//  launches    1, of one worker
//  operations  n^2 / 4
//  steps       n
//  progress    none: nobody waits
namespace KokkosScan::host::sort {

template <class Sort>
void sort_by_insertion(Sort const& sort) {
  auto const order = sort.order;  // which no store can change
  auto const move  = [&sort](std::size_t from, std::size_t to) {
    sort.keys[to] = sort.keys[from];
    if constexpr (Sort::has_values) sort.values[to] = sort.values[from];
  };
  for (std::size_t i = 1; i < sort.n; ++i) {
    auto const own    = order.compared(sort.keys[i]);
    auto const key    = sort.keys[i];
    auto const insert = [&](auto const&... value) {
      std::size_t to = i;
      for (; to > 0 && own < order.compared(sort.keys[to - 1]); --to) move(to - 1, to);
      sort.keys[to] = key;
      if constexpr (Sort::has_values) ((sort.values[to] = value), ...);
    };
    if constexpr (Sort::has_values)
      insert(typename Sort::Value(sort.values[i]));
    else
      insert();
  }
}

}  // namespace KokkosScan::host::sort
