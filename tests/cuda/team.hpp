// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <model/machine.hpp>
#include <optional>
#include <type_traits>
#include <vector>

#include "cuda_native/team.hpp"
#include "support/monoids.hpp"
#include "support/values.hpp"

// Scans by the threads of a block, within kernels that they have something else to do in.
namespace test {

using namespace KokkosScan;
using core::Kind;

template <class Value>
using OperatorOf = std::conditional_t<Monoid<Value>, Then, Sum>;

template <Kind kind, class Value>
using TeamScan =
    core::ArrayScan<kind, Value, core::Contiguous<Value const>, core::Contiguous<Value>, OperatorOf<Value>>;

/// Two scans without a barrier between them, and what the threads then see of the second one.
template <class Problem>
__global__ void scan_kernel(Problem const first, Problem const problem, typename Problem::Value* seen) {
  using Value      = typename Problem::Value;
  auto const slots = cuda::shared_memory<Value>(0);
  int const own    = static_cast<int>(threadIdx.x);
  cuda::TeamThread const thread{own, static_cast<int>(blockDim.x)};
  auto const slots_of = [&] { return slots; };
  cuda::scan_by_team(thread, first, slots_of);
  cuda::scan_by_team(thread, problem, slots_of);
  for (std::size_t i = threadIdx.x; i < problem.n; i += blockDim.x)
    core::put(seen[problem.n - 1 - i], problem.sink.array[problem.n - 1 - i]);
}

template <Kind kind, class Value>
bool array_is_right(int threads, std::size_t n, bool has_init) {
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
    return TeamScan<kind, Value>{{{values.data()}, {}}, {{dest.data()}}, n, {}, start, nullptr};
  };
  cuda::launch(nullptr, {1, threads, 32 * sizeof(Value)}, scan_kernel<TeamScan<kind, Value>>, into(first),
               into(results), seen.data());
  return expected == first && expected == results && expected == seen;
}

/// In place in the shared memory of the block, as a team scans its scratch.
template <class Value>
struct FromShared {
  cuda::Shared<Value> values;
  __device__ Value load(std::size_t i) const { return values.load(static_cast<int>(i)); }
};
template <class Value>
struct ToShared {
  static constexpr core::Uses uses = {.before = false, .own = false, .through = true};
  cuda::Shared<Value> values;
  __device__ void store(std::size_t i, Value const&, Value const&, Value const& through) const {
    values.store(static_cast<int>(i), through);
  }
};
template <class Value>
__global__ void scan_in_shared_kernel(Value const* from, Value* dest, int n) {
  auto const values = cuda::shared_memory<Value>(32 * static_cast<int>(sizeof(Value)));
  int const own = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int i = own; i < n; i += threads) values.store(i, from[i]);
  __syncthreads();
  core::Problem<Value, FromShared<Value>, OperatorOf<Value>, ToShared<Value>> const problem{
      {values}, {values}, static_cast<std::size_t>(n), {}, {}, nullptr};
  cuda::scan_by_team(cuda::TeamThread{own, threads}, problem, [] { return cuda::shared_memory<Value>(0); });
  for (int i = own; i < n; i += threads) core::put(dest[n - 1 - i], values.load(n - 1 - i));
}
template <class Value>
bool shared_array_is_right(int threads, std::size_t n) {
  using Op          = OperatorOf<Value>;
  auto const values = make_values<Op, Value>(n, n);
  std::vector<Value> results(values), expected(values);
  for (std::size_t i = 1; i < n; ++i) core::put(expected[i], Op{}(expected[i - 1], values[i]));
  cuda::launch(nullptr, {1, threads, (32 + n) * sizeof(Value)}, scan_in_shared_kernel<Value>, values.data(),
               results.data(), static_cast<int>(n));
  return results == expected;
}

/// What each lane of the threads of the team gets.
template <class Value>
struct Got {
  Value *before, *through, *total;
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
bool values_are_right(int size, int lanes, bool has_init) {
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
    for (std::size_t lane = t * all / threads; lane < (t + 1) * all / threads; ++lane)
      if (!(through[lane] == behind) || (running && !(before[lane] == *running))) return false;
    running.emplace(behind);
  }
  return std::all_of(total.begin(), total.end(), [&](Value const& one) { return one == *running; });
}

}  // namespace test
