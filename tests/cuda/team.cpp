// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <model/machine.hpp>
#include <optional>
#include <vector>

#include "cuda_native/team.hpp"
#include "seeds.hpp"
#include "support/monoids.hpp"
#include "support/values.hpp"

// Scans by the threads of a block within a kernel of somebody else's: blocks of any number of threads, and threads of a
// team that have several lanes.
namespace test {
namespace {

using namespace KokkosScan;
using core::Kind;

template <class Value>
using OperatorOf = std::conditional_t<Monoid<Value>, Then, Sum>;

template <Kind kind, class Value>
using Scan = core::ArrayScan<kind, Value, core::Contiguous<Value const>, core::Contiguous<Value>, OperatorOf<Value>>;

/// Two scans without a barrier between them, and what the threads then see of the second one.
template <class Problem>
__global__ void scan_kernel(Problem const first, Problem const problem, typename Problem::Value* seen) {
  using Value      = typename Problem::Value;
  auto const slots = cuda::shared_memory<Value>(0);
  int const own    = static_cast<int>(threadIdx.x);
  cuda::TeamThread const thread{own, static_cast<int>(blockDim.x)};
  cuda::scan_by_team(thread, first, slots);
  cuda::scan_by_team(thread, problem, slots);
  for (std::size_t i = threadIdx.x; i < problem.n; i += blockDim.x)
    core::put(seen[problem.n - 1 - i], problem.sink.array[problem.n - 1 - i]);
}

template <Kind kind, class Value>
void expect_array(int threads, std::size_t n, bool has_init) {
  using Op          = OperatorOf<Value>;
  auto const values = make_values<Op, Value>(n + 1, n);
  Value const init  = values.back();
  std::vector<Value> first(n + 1, init), results(first), seen(first);
  std::optional<Value> running;
  if (has_init) running.emplace(init);
  std::vector<Value> expected;
  for (std::size_t i = 0; i < n; ++i) {
    Value const through = running ? Op{}(*running, values[i]) : values[i];
    expected.push_back(kind == Kind::exclusive ? *running : through);
    running.emplace(through);
  }
  expected.push_back(init);
  core::Maybe<Value> start;
  if (has_init) start.put(init);
  auto const into = [&](std::vector<Value>& dest) {
    return Scan<kind, Value>{{{values.data()}, {}}, {{dest.data()}}, n, {}, start, nullptr};
  };
  cuda::launch(nullptr, {1, threads, 32 * sizeof(Value)}, scan_kernel<Scan<kind, Value>>, into(first), into(results),
               seen.data());
  EXPECT_TRUE(expected == first);
  EXPECT_TRUE(expected == results);
  EXPECT_TRUE(expected == seen) << "not all threads see the results";
}

template <class Value>
void expect_arrays(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (int const threads : {1, 2, 7, 31, 32, 33, 64, 100, 256})
      for (std::size_t const n : {0U, 1U, 2U, 31U, 33U, 72U, 130U, 257U, 1100U}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << n << " values");
        expect_array<Kind::inclusive, Value>(threads, n, false);
        expect_array<Kind::inclusive, Value>(threads, n, true);
        expect_array<Kind::exclusive, Value>(threads, n, true);
        if (testing::Test::HasFailure()) return;
      }
  });
}
TEST(Team, arrays_of_bytes) { expect_arrays<std::int8_t>(5); }
TEST(Team, arrays_of_values_that_do_not_commute) { expect_arrays<Affine>(5); }
TEST(Team, arrays_of_large_values) { expect_arrays<Record>(1); }

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
  cuda::scan_by_team(thread, scan, cuda::shared_memory<Marked>(0));
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

/// What the first lane of each thread of the team gets, if all its lanes get the same.
template <class Value>
struct Got {
  Value *before, *through, *total;  // of each lane
};
template <bool reversed, class Value>
__global__ void values_kernel(Value const* values, core::Maybe<Value> const start, int lanes, Got<Value> const got) {
  int const own = static_cast<int>(threadIdx.x);
  cuda::TeamThread const thread{own, static_cast<int>(blockDim.x), lanes};
  auto const combine = [](Value const& left, Value const& right) { return OperatorOf<Value>{}(left, right); };
  for (int times = 0; times < 2; ++times) {
    auto const prefix =
        cuda::scan_values_of_team<reversed>(thread, values[own / lanes], start, combine, cuda::shared_memory<Value>(0));
    if (prefix.before) core::put(got.before[own], *prefix.before);
    core::put(got.through[own], prefix.through.value);
    core::put(got.total[own], *prefix.total);
  }
}

template <bool reversed, class Value>
void expect_values(int size, int lanes, bool has_init) {
  using Op           = OperatorOf<Value>;
  auto const threads = static_cast<std::size_t>(size), all = static_cast<std::size_t>(size * lanes);
  auto const values = make_values<Op, Value>(threads + 1, threads);
  Value const init  = values.back();
  std::vector<Value> before(all, init), through(all, init), total(all, init);
  core::Maybe<Value> start;
  if (has_init) start.put(init);
  cuda::launch(nullptr, {1, size * lanes, 32 * sizeof(Value)}, values_kernel<reversed, Value>, values.data(), start,
               lanes, Got<Value>{before.data(), through.data(), total.data()});
  std::optional<Value> running;
  if (has_init) running.emplace(init);
  for (std::size_t k = 0; k < threads; ++k) {
    std::size_t const t = reversed ? threads - 1 - k : k;
    Value const behind  = running ? Op{}(*running, values[t]) : values[t];
    for (std::size_t lane = t * all / threads; lane < (t + 1) * all / threads; ++lane) {
      EXPECT_TRUE(through[lane] == behind) << "lane " << lane;
      EXPECT_TRUE(!running || before[lane] == *running) << "lane " << lane;
    }
    running.emplace(behind);
  }
  for (Value const& one : total) EXPECT_TRUE(one == *running);
}

template <class Value>
void expect_values() {
  for_each_seed(5, [] {
    for (int const lanes : {1, 2, 8, 32})
      for (int const size : {1, 2, 3, 5, 16, 17, 32}) {
        SCOPED_TRACE(testing::Message() << size << " threads of " << lanes << " lanes");
        expect_values<false, Value>(size, lanes, false);
        expect_values<false, Value>(size, lanes, true);
        expect_values<true, Value>(size, lanes, false);
        expect_values<true, Value>(size, lanes, true);
        if (testing::Test::HasFailure()) return;
      }
  });
}
TEST(Team, values_that_do_not_commute) { expect_values<Affine>(); }
TEST(Team, large_values) { expect_values<Record>(); }

}  // namespace
}  // namespace test
