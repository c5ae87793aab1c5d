// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seeds.hpp"
#include "team.hpp"

// Scans by the threads of a block within a kernel of somebody else's: blocks of any number of threads, and threads of a
// team that have several lanes.
namespace test {
namespace {

template <class Value>
void expect_arrays(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (int const threads : {1, 2, 7, 31, 32, 33, 64, 100, 256})
      for (std::size_t const n : {0U, 1U, 2U, 31U, 33U, 72U, 130U, 257U, 1100U}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << n << " values");
        EXPECT_TRUE((array_is_right<Kind::inclusive, Value>(threads, n, false)));
        EXPECT_TRUE((array_is_right<Kind::inclusive, Value>(threads, n, true)));
        EXPECT_TRUE((array_is_right<Kind::exclusive, Value>(threads, n, true)));
        if (testing::Test::HasFailure()) return;
      }
  });
}
TEST(Team, arrays_of_bytes) { expect_arrays<std::int8_t>(5); }
TEST(Team, arrays_of_values_that_do_not_commute) { expect_arrays<Affine>(5); }
TEST(Team, arrays_of_large_values) { expect_arrays<Record>(1); }
TEST(Team, arrays_in_shared_memory_in_place) {
  for_each_seed(2, [] {
    for (int const threads : {1, 7, 32, 33, 64, 100})
      for (std::size_t const n : {1U, 5U, 31U, 33U, 72U, 300U})
        EXPECT_TRUE(shared_array_is_right<Affine>(threads, n)) << threads << " threads, " << n << " values";
  });
}

/// A value that shows whether anybody made it.
struct Marked {
  std::uint32_t value, mark;
  static Marked of(std::uint32_t value) { return {value, ~value}; }
};
struct AddMarked {
  Marked operator()(Marked const& left, Marked const& right) const {
    EXPECT_TRUE(left.value == ~left.mark && right.value == ~right.mark) << "the operator gets a value that none is";
    return Marked::of(left.value + right.value);
  }
};
using MarkedScan =
    core::ArrayScan<Kind::inclusive, Marked, core::Contiguous<Marked const>, core::Contiguous<Marked>, AddMarked>;
__global__ void marked_kernel(MarkedScan const scan) {
  cuda::TeamThread const thread{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)};
  cuda::scan_by_team(thread, scan, [] { return cuda::shared_memory<Marked>(0); });
}
TEST(Team, the_operator_gets_nothing_but_values) {
  for (std::size_t const n : {1U, 5U, 37U, 70U}) {
    std::vector<Marked> const from(n, Marked::of(3));
    std::vector<Marked> dest(n);
    cuda::launch(nullptr, {1, 96, 32 * sizeof(Marked)}, marked_kernel,
                 MarkedScan{{{from.data()}, {}}, {{dest.data()}}, n, {}, {}, nullptr});
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(dest[i].value, 3 * (i + 1));
  }
}

template <class Value>
void expect_values() {
  for_each_seed(5, [] {
    for (int const lanes : {1, 2, 8, 32})
      for (int const size : {1, 2, 3, 5, 16, 17, 32}) {
        SCOPED_TRACE(testing::Message() << size << " threads of " << lanes << " lanes");
        EXPECT_TRUE((values_are_right<false, Value>(size, lanes, false)));
        EXPECT_TRUE((values_are_right<false, Value>(size, lanes, true)));
        EXPECT_TRUE((values_are_right<true, Value>(size, lanes, false)));
        EXPECT_TRUE((values_are_right<true, Value>(size, lanes, true)));
        if (testing::Test::HasFailure()) return;
      }
  });
}
TEST(Team, values_that_do_not_commute) { expect_values<Affine>(); }
TEST(Team, large_values) { expect_values<Record>(); }

}  // namespace
}  // namespace test
