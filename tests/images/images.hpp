// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <KokkosScan/summed_area_table.hpp>
#include <KokkosScan/window_scan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "problem_setups.hpp"
#include "support/monoids.hpp"
#include "support/thrown.hpp"
#include "support/values.hpp"

namespace test {

using KokkosScan::Axis;
using KokkosScan::Window;
using Sizes = std::vector<std::size_t>;

/// dest(i) = from(i - before) op ... op from(i + after), by a queue that is made of two stacks: at its end with what is
/// combined from the middle on, at its beginning from each element up to the middle. It takes nothing away from a
/// value.
template <class Value, class Op>
std::vector<Value> expected_windows(std::vector<Value> const& from, std::size_t before, std::size_t after,
                                    Op const& op) {
  std::size_t const n = from.size();
  std::vector<Value> results, front, back;  // the next value is the last one of the front; the back is one, or none
  results.reserve(n);
  std::size_t first = 0, middle = 0, end = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (; end < n && end <= i + after; ++end) {
      Value const through = back.empty() ? from[end] : op(back[0], from[end]);
      back.assign(1, through);
    }
    for (std::size_t const begin = i > before ? i - before : 0; first < begin; ++first) {
      if (front.empty()) {
        for (middle = end; middle > first; --middle)
          front.push_back(front.empty() ? from[middle - 1] : op(from[middle - 1], front.back()));
        middle = end;
        back.clear();
      }
      front.pop_back();
    }
    results.push_back(front.empty() ? back[0] : back.empty() ? front.back() : op(front.back(), back[0]));
  }
  return results;
}

/// The same, each window by itself.
template <class Value, class Op>
std::vector<Value> expected_one_by_one(std::vector<Value> const& from, std::size_t before, std::size_t after,
                                       Op const& op) {
  std::vector<Value> results;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t k = i > before ? i - before : 0;
    results.push_back(from[k]);
    for (++k; k < std::min(from.size(), i + after + 1); ++k) {
      Value const through = op(results.back(), from[k]);
      results.pop_back();
      results.push_back(through);
    }
  }
  return results;
}

}  // namespace test
