// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "layout.hpp"

namespace KokkosScan::cuda::pipelined {

/// How the arrays of a scan are moved.
template <class Problem>
struct CopyPlans {
  CopyPlan in[Layout<Problem>::Staged::count], out;

  KOKKOSSCAN_FUNCTION explicit CopyPlans(Problem const& problem)
      : CopyPlans(problem, std::make_index_sequence<Layout<Problem>::Staged::count>()) {}

 private:
  template <std::size_t... k>
  KOKKOSSCAN_FUNCTION CopyPlans(Problem const& problem, std::index_sequence<k...>) : in{plan_in<k>(problem)...}, out{} {
    if constexpr (Layout<Problem>::Results::any && !keeps_chosen<Problem>)
      out = Layout<Problem>::Results::plan(problem.sink.array);
  }
  template <std::size_t k>
  KOKKOSSCAN_FUNCTION static CopyPlan plan_in(Problem const& problem) {
    if constexpr (can_copy_in<Problem>)
      return Layout<Problem>::Staged::template At<k>::plan(problem.source.template array_at<static_cast<int>(k)>());
    else
      return {};
  }
};

/// A scan, cut into tiles and slices: what every warp knows of it, whatever its part.
template <class Problem>
struct TiledScan {
  using Value = typename Problem::Value;
  using S     = ShapeOf<Problem>;

  Problem const& problem;
  CopyPlans<Problem> plans;
  std::uint32_t count;  // of the tiles

  __device__ TiledScan(Problem const& of, CopyPlans<Problem> const& by)
      : problem(of), plans(by), count(static_cast<std::uint32_t>(Tiles{of.n, S::tile}.count())) {}

  __device__ Value combine(auto const& left, Value const& right) const { return problem.combine(left, right); }
  __device__ auto combiner() const {
    return [this](auto const& left, Value const& right) { return this->combine(left, right); };
  }

  __device__ static std::size_t begin(std::uint32_t k) { return static_cast<std::size_t>(k) * S::tile; }
  __device__ static std::size_t begin(std::uint32_t k, int slice) {
    return begin(k) + static_cast<std::size_t>(slice * S::slice);
  }
  __device__ int length(std::uint32_t k) const {
    std::size_t const rest = problem.n - begin(k);
    return rest < S::tile ? static_cast<int>(rest) : S::tile;
  }
  __device__ int length(std::uint32_t k, int slice) const { return part_length(length(k), slice * S::slice, S::slice); }
};

}  // namespace KokkosScan::cuda::pipelined
