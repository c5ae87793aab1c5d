// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "copies.hpp"
#include "layout.hpp"

namespace KokkosScan::cuda::pipelined {

/// A scan, cut into tiles and slices: what every warp knows of it, whatever its part.
template <class Problem>
struct TiledScan {
  using Value = typename Problem::Value;
  using S     = Shape<Value>;

  Problem const& problem;
  CopyPlans plans;
  std::uint32_t count;  // of the tiles

  __device__ TiledScan(Problem const& of, CopyPlans by)
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
