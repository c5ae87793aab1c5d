// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <cub/device/device_scan.cuh>
#include <memory>
#include <vector>

#include "arena.hpp"
#include "timing.hpp"

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

// ---------------------------------------------------------------- Kokkos

inline Kokkos::Cuda const& kokkos_instance() {
  static Kokkos::Cuda* const one = [] {
    auto* const made = new Kokkos::Cuda(stream());
    Kokkos::push_finalize_hook([made] { delete made; });
    return made;
  }();
  return *one;
}

template <class P>
struct KokkosFunctor {
  using value_type = typename P::To;
  typename P::FromView from;
  typename P::ToView to;
  value_type* first;

  KOKKOS_FUNCTION void operator()(std::size_t i, value_type& update, bool is_final) const {
    auto const value = static_cast<value_type>(typename P::Unary{}(from(i)));
    if constexpr (P::kind == Kind::exclusive)
      if (is_final) to(i) = update;
    update = static_cast<value_type>(typename P::Op{}(update, value));
    if constexpr (P::kind == Kind::inclusive)
      if (is_final) to(i) = update;
    if (is_final && i == 0 && first) *first = value_type{};
  }
  KOKKOS_FUNCTION void init(value_type& update) const { update = P::identity(); }
  KOKKOS_FUNCTION void join(value_type& update, value_type const& right) const {
    update = static_cast<value_type>(typename P::Op{}(update, right));
  }
};

template <class P>
void kokkos_scan(P const& p) {
  Kokkos::parallel_scan("perf: parallel_scan", Kokkos::RangePolicy<Kokkos::Cuda>(kokkos_instance(), 0, p.n()),
                        KokkosFunctor<P>{p.from, p.to, p.first});
}

template <class P>
void kokkos_experimental_scan(P const& p) {
  namespace KE = Kokkos::Experimental;
  typename P::To const zero{};
  if constexpr (P::kind == Kind::exclusive && P::transforms)
    KE::transform_exclusive_scan(kokkos_instance(), p.from, p.to, zero, typename P::Op{}, typename P::Unary{});
  else if constexpr (P::kind == Kind::exclusive)
    KE::exclusive_scan(kokkos_instance(), p.from, p.to, zero, typename P::Op{});
  else
    KE::inclusive_scan(kokkos_instance(), p.from, p.to, typename P::Op{});
}

}  // namespace perf::cuda
