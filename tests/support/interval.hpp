// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

/// A value that knows from which inputs it was made. The stamp tells it from anything else that lies in memory, also
/// from what an earlier test left in scratch.
struct Interval {
  std::uint32_t first, last, stamp;
  bool operator==(Interval const&) const = default;
};

/// Joins neighbours, and counts everything else that it is handed: values that neither input nor init produced,
/// operands in the wrong order, ranges that overlap or leave a gap.
struct CombineNeighbours {
  std::uint32_t stamp;
  std::uint32_t* strangers;
  std::uint32_t* no_neighbours;

  KOKKOS_FUNCTION Interval operator()(Interval const& left, Interval const& right) const {
    if (left.stamp != stamp || right.stamp != stamp)
      Kokkos::atomic_inc(strangers);
    else if (left.last + 1 != right.first)
      Kokkos::atomic_inc(no_neighbours);
    return {left.first, right.last, stamp};
  }
};

/// One use of that operator: its counters, and the values that belong to it.
template <class Space>
class Neighbours {
 public:
  Neighbours() : counters_("mistakes"), stamp_(0x5ca9'0000U + next_stamp()) {}

  CombineNeighbours op() const { return {stamp_, &counters_.data()[0], &counters_.data()[1]}; }
  Interval init() const { return {0, 0, stamp_}; }
  std::vector<Interval> values(std::size_t n) const {
    std::vector<Interval> values;
    for (std::uint32_t i = 1; i <= n; ++i) values.push_back({i, i, stamp_});
    return values;
  }

  void expect_no_mistakes() const {
    auto const mistakes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters_);
    EXPECT_EQ(mistakes(0), 0U) << "combinations of values that no input and no init produced";
    EXPECT_EQ(mistakes(1), 0U) << "combinations of values that are no neighbours in this order";
  }

 private:
  static std::uint32_t next_stamp() {
    static std::uint32_t last = 0;
    return ++last;
  }

  Kokkos::View<std::uint32_t[2], Space> counters_;
  std::uint32_t stamp_;
};

}  // namespace test
