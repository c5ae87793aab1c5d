// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <KokkosScan/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>

// Scans by a host, with functions for the host alone, in a file for nvcc: it has nothing to warn of.
namespace {

using Exec    = Kokkos::DefaultHostExecutionSpace;
using Numbers = Kokkos::View<double*, Kokkos::HostSpace>;
using Keys    = Kokkos::View<int*, Kokkos::HostSpace>;

struct Larger {
  double operator()(double left, double right) const { return left > right ? left : right; }
};

}  // namespace

void scans(Exec const& exec, Numbers const& from, Numbers const& dest, Keys const& keys) {
  auto const twice = [](auto value) { return 2 * value; };
  auto const same  = [](int left, int right) { return left == right; };
  auto const in    = [=](std::size_t i) { return from(i); };
  auto const out   = [=](std::size_t i, double prefix) { dest(i) = prefix; };
  KokkosScan::transform_inclusive_scan(exec, from, dest, Larger{}, twice);
  KokkosScan::exclusive_scan(exec, 8, in, out, 0.0, KokkosScan::Reversed{});
  KokkosScan::exclusive_scan_by_key(exec, keys, from, dest, 0.0, Larger{}, same);
  KokkosScan::Handle const handle(exec, KokkosScan::Options{});  // by all grid and block algorithms
  KokkosScan::inclusive_scan(handle, from, dest, [](double left, double right) { return left + right; });
}

void compactions(Exec const& exec, Numbers const& from, Numbers const& dest, Keys const& keys) {
  int count            = 0;
  auto const is_large  = [](double value) { return value > 1; };
  auto const same      = [](double left, double right) { return left == right; };
  auto const is_chosen = [=](std::size_t i) { return keys(i) > 0; };
  auto const out       = [=](std::size_t i, std::size_t position) { dest(position) = from(i); };
  KokkosScan::select(exec, 8, is_chosen, out, KokkosScan::Total{count});
  auto const load  = [=](std::size_t i) { return from(i); };
  auto const store = [=](std::size_t position, double value) { dest(position) = value; };
  KokkosScan::select(exec, 8, is_chosen, load, store, KokkosScan::Total{count});
  KokkosScan::copy_if(exec, from, dest, is_large, KokkosScan::Total{count});
  KokkosScan::unique_copy(exec, from, dest, same, KokkosScan::Total{count});
  KokkosScan::stable_partition(exec, from, is_large, KokkosScan::Total{count});
  KokkosScan::reduce_by_key(exec, from, from, dest, dest, KokkosScan::Total{count}, Larger{}, same);
  KokkosScan::count_then_fill(exec, 8, [=](std::size_t i) { return keys(i); }, out);
}
