// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../../block/network.hpp"
#include "../../driver/kernel_event.hpp"
#include "../../driver/scan.hpp"

//  Data-parallel doubling over the whole array, between two buffers
//  paper       Hillis and Steele 1986
//  launches    log2 n, and two to fetch and deliver
//  bytes       2 n log2 n
//  operations  n log2 n - (n - 1)
//  steps       log2 n
//  progress    none: no worker waits for another
namespace KokkosScan::portable::hillis_steele {

using driver::Kind;

template <class Value>
std::size_t scratch_bytes(std::size_t n) {
  return driver::bytes_of(n, 2 * sizeof(Value));
}

template <class Scan>
struct Fetch {
  Scan scan;
  typename Scan::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    block::put(to[i], scan.input(i));
  }
};

template <class Scan>
struct Double {
  Scan scan;
  std::size_t stride;
  typename Scan::Value const* from;
  typename Scan::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    block::put(to[i], i < stride ? from[i] : scan.combine(from[i - stride], from[i]));
  }
};

template <class Scan>
struct Deliver {
  Scan scan;
  typename Scan::Value const* from;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    if constexpr (Scan::kind == Kind::inclusive)
      scan.store(i, scan.combine(scan.start(), from[i]));
    else
      scan.store(i, i == 0 ? *scan.start() : scan.combine(*scan.start(), from[i - 1]));
    if (scan.total && i + 1 == scan.n) block::put(*scan.total, scan.combine(scan.start(), from[i]));
  }
};

template <class Exec, class Scan>
void run(Exec const& exec, std::string const& label, Scan const& scan, void* scratch) {
  using Value = typename Scan::Value;
  Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> const all(exec, 0, static_cast<std::int64_t>(scan.n));
  auto* from = static_cast<Value*>(scratch);
  auto* to   = from + scan.n;

  driver::dispatch(label, exec, all, Fetch<Scan>{scan, from});
  for (std::size_t stride = 1; stride < scan.n; stride *= 2) {
    driver::dispatch(label, exec, all, Double<Scan>{scan, stride, from, to});
    std::swap(from, to);
  }
  driver::dispatch(label, exec, all, Deliver<Scan>{scan, from});
}

}  // namespace KokkosScan::portable::hillis_steele
