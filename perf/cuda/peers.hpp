// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <Kokkos_Core.hpp>
#include <cub/device/device_scan.cuh>
#include <memory>

#include "../problem.hpp"

// What else can do the work of a Problem on CUDA. Each `run` puts one call on stream().
namespace perf::cuda {

// ---------------------------------------------------------------- CUB

/// Its scratch is taken once, as an application would.
template <class P>
class Cub {
 public:
  void run(P const& p) {
    if (!scratch_.data()) {
      std::size_t bytes = 0;
      require(scan(nullptr, bytes, p));
      scratch_ = Kokkos::View<unsigned char*, Memory>("CUB", bytes + 1);
    }
    std::size_t bytes = scratch_.extent(0);
    require(scan(scratch_.data(), bytes, p));
  }

 private:
  static cudaError_t scan(void* scratch, std::size_t& bytes, P const& p)
    requires(P::by_key)
  {
    auto const keys = p.keys.data();
    auto const from = p.from.data();
    auto const to   = p.to.data();
    if constexpr (P::kind == Kind::inclusive)
      return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, keys, from, to, p.n(), {}, stream());
    else
      return cub::DeviceScan::ExclusiveSumByKey(scratch, bytes, keys, from, to, p.n(), {}, stream());
  }

  static cudaError_t scan(void* scratch, std::size_t& bytes, P const& p) {
    using To            = typename P::To;
    using Op            = typename P::Op;
    auto const from     = p.from.data();
    std::size_t const n = p.n();
    if (p.first)  // one count too many is read, whose value does not matter
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, from, p.first, Op{}, To{}, n + 1, stream());
    if constexpr (P::transforms) {
      auto const values = thrust::make_transform_iterator(from, typename P::Unary{});
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, values, p.to.data(), Op{}, To{}, n, stream());
    } else if constexpr (P::kind == Kind::exclusive) {
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, from, p.to.data(), Op{}, To{}, n, stream());
    } else if constexpr (std::is_same_v<Op, Plus<To>>) {
      return cub::DeviceScan::InclusiveSum(scratch, bytes, from, p.to.data(), n, stream());
    } else {
      return cub::DeviceScan::InclusiveScan(scratch, bytes, from, p.to.data(), Op{}, n, stream());
    }
  }

  Kokkos::View<unsigned char*, Memory> scratch_ = {};
};

// ---------------------------------------------------------------- Thrust

template <class P>
void thrust_scan(P const& p) {
  using To          = typename P::To;
  auto const policy = thrust::cuda::par_nosync.on(stream());
  auto const from = p.from.data(), end = from + p.n();
  if (p.first)
    thrust::exclusive_scan(policy, from, end + 1, p.first, To{}, typename P::Op{});
  else if constexpr (P::transforms)
    thrust::transform_exclusive_scan(policy, from, end, p.to.data(), typename P::Unary{}, To{}, typename P::Op{});
  else if constexpr (P::kind == Kind::exclusive)
    thrust::exclusive_scan(policy, from, end, p.to.data(), To{}, typename P::Op{});
  else
    thrust::inclusive_scan(policy, from, end, p.to.data(), typename P::Op{});
}

// ---------------------------------------------------------------- all of them

template <class P>
void add_cub(auto& contest) {
  contest.add("cub::DeviceScan", [cub = std::make_shared<Cub<P>>()](P const& p) { cub->run(p); }, one_thread);
}
template <class P>
void add_peers_by_key(auto& contest) {
  add_cub<P>(contest);
}
template <class P>
void add_peers(auto& contest) {
  add_cub<P>(contest);
  contest.add("Thrust", thrust_scan<P>, one_thread, "takes scratch in each call: cannot be captured into a graph");
}

/// Of cases that are drawn.
template <class P>
void add_peers_of_drawn(auto& contest) {
  add_cub<P>(contest);
}

/// The comparison keeps the arena.
template <class A>
void complete(Comparison& c, Mode mode, A const& arena) {
  c.copies = copies(arena.memory(), mode, arena.half());
  c.contestants.push_back(empty_kernel(mode, arena.memory().size()));
}

}  // namespace perf::cuda
