// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "../../src/core/problem.hpp"
#include "../warp.hpp"

// Which bytes of an array copies move, and which are left to the warps.
namespace KokkosScan::cuda::pipelined {

/// How many of n values are in a part of that length that begins there.
__device__ inline int part_length(int n, int begin, int length) {
  int const rest = n - begin;
  return rest < 0 ? 0 : rest < length ? rest : length;
}

/// How an array is moved: by copies, or one by one.
struct CopyPlan {
  bool copied;
  int shift;  // the bytes it begins behind a multiple of 128; so do its slices, and their copies in shared memory
};
struct CopyPlans {
  CopyPlan in, out;
};

/// The bytes of a slice in shared memory that copies move, or none. They begin and end at multiples of 16 bytes.
struct Copied {
  int begin, end;
  __device__ int bytes() const { return end > begin ? end - begin : 0; }
};

/// What lies between such multiples of a slice of so many bytes.
__device__ inline Copied copied_within(CopyPlan plan, int bytes) {
  if (!plan.copied) return {0, 0};
  return {(plan.shift + 15) / 16 * 16, (plan.shift + bytes) / 16 * 16};
}

/// What a stage holds of the inputs: they themselves, if they lie side by side and are no larger than values; else the
/// values made of them.
template <class Value, class Source>
struct StagedOf {
  static constexpr bool inputs = false;
  using type                   = Value;
};
template <class Value, class Element, class Unary>
struct StagedOf<Value, core::FromArray<Value, Contiguous<Element>, Unary>> {
  static constexpr bool inputs = std::is_trivially_copyable_v<Element> && sizeof(Element) <= sizeof(Value);
  using type                   = std::conditional_t<inputs, std::remove_cv_t<Element>, Value>;
};

template <class Problem>
inline constexpr bool can_copy_in = StagedOf<typename Problem::Value, typename Problem::Source>::inputs;
template <class Problem>
inline constexpr bool can_copy_out =
    std::is_same_v<core::ArrayOf<typename Problem::Sink>, Contiguous<typename Problem::Value>>;

/// Calls f(j, i) for all values i of a slice of n that are not copied, or not wholly, and g(j, i) for the same: for
/// up to `at_once` values to a lane, j being their number, f is called before g.
template <int at_once, class T, class F, class G>
__device__ void for_the_rest(Copied copied, int shift, int n, F const& f, G const& g) {
  constexpr int size = static_cast<int>(sizeof(T));
  int const head     = copied.begin > shift ? (copied.begin - shift + size - 1) / size : 0;
  int const tail     = copied.bytes() > 0 ? part_length((copied.end - shift) / size, 0, n) : 0;
  int const skipped  = tail > head ? tail - head : 0;
  for (int first = lane(); first < n - skipped; first += at_once * warp_size) {
    auto const for_each = [&](auto const& call) {
#pragma unroll
      for (int j = 0; j < at_once; ++j)
        if (int const i = first + j * warp_size; i < n - skipped) call(j, i < head ? i : i + skipped);
    };
    for_each(f);
    for_each(g);
  }
}

template <class Element>
CopyPlan copy_plan(Element const* data) {
  return {true, static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 128)};
}

/// How a scan's values are moved.
template <class Problem>
CopyPlans copy_plans(Problem const& problem) {
  CopyPlans plans{};
  if constexpr (can_copy_in<Problem>) plans.in = copy_plan(problem.source.array.data);
  if constexpr (can_copy_out<Problem>) plans.out = copy_plan(problem.sink.array.data);
  return plans;
}

}  // namespace KokkosScan::cuda::pipelined
