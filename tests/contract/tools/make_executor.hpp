// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "executors.hpp"
#include "support/spaces.hpp"

namespace contract {

struct Twice {
  KOKKOS_FUNCTION int operator()(int value) const { return 2 * value; }
};

/// What the calls are made with: n ones, and where the results go.
template <class Exec>
struct Data {
  using Space = typename Exec::memory_space;
  Kokkos::View<int*, Space> from, dest, offsets;
  Kokkos::View<int, Space> total_view;
  int mutable total = -1;

  explicit Data(std::size_t n) : from("from", n), dest("dest", n), offsets("offsets", n + 1), total_view("total") {
    Kokkos::deep_copy(from, 1);
    Kokkos::fence();
  }
};

/// Each function, without a total, with one on the host, and with one in a View.
template <class Exec, class ExecOrHandle>
std::vector<Call> make_calls(ExecOrHandle const& exec, std::size_t n) {
  using namespace KokkosScan;
  auto const d = std::make_shared<Data<Exec> const>(n);
  std::vector<Call> calls;
  auto const add = [&](std::string const& function, bool host_total, auto const& call) {
    calls.push_back({function, host_total, [=] { call(exec); }, [=](std::string const& label) { call(label, exec); }});
  };
  auto const add_all = [&](std::string const& name, auto const& function, auto const& dest, auto const&... arguments) {
    add(name, false, [=](auto const&... at) { function(at..., d->from, dest, arguments...); });
    add(name, true, [=](auto const&... at) { function(at..., d->from, dest, arguments..., Total{d->total}); });
    add(name, false, [=](auto const&... at) { function(at..., d->from, dest, arguments..., Total{d->total_view}); });
  };
  add_all("KokkosScan::inclusive_scan", inclusive_scan, d->dest);
  add_all("KokkosScan::exclusive_scan", exclusive_scan, d->dest, 0);
  add_all("KokkosScan::transform_inclusive_scan", transform_inclusive_scan, d->dest, Sum{}, Twice{});
  add_all("KokkosScan::transform_exclusive_scan", transform_exclusive_scan, d->dest, 0, Sum{}, Twice{});
  add_all("KokkosScan::offsets_from_counts", offsets_from_counts, d->offsets);
  return calls;
}

template <class Exec>
inline constexpr bool on_host = std::is_same_v<KokkosScan::driver::Backend<Exec>, KokkosScan::host::Backend>;

template <class Exec>
bool launch_allocates(Exec const& exec) {
  auto const launch = [&, label = std::string("nothing")] {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(exec, 0, 1), KOKKOS_LAMBDA(int){});
  };
  launch();
  std::size_t const before = calls_of_new();
  launch();
  return calls_of_new() != before;
}

template <class Exec, class ExecOrHandle>
Executor make_executor(std::string const& kind, Exec const& exec, ExecOrHandle const& exec_or_handle) {
  return {kind + " of " + Exec::name(),
          Kokkos::Tools::Experimental::device_id(exec),
          std::is_same_v<ExecOrHandle, Exec> && on_host<Exec>,
          on_host<Exec>,
          launch_allocates(exec),
          2 * test::automatic_tile<Exec, int>() + 5,
          [=](std::size_t n) { return make_calls<Exec>(exec_or_handle, n); },
          {}};
}

/// A Handle with these options. Unless they are the default, an inclusive scan with a total in a View and an exclusive
/// one with a total on the host stand for all.
template <class Handle>
Executor make_executor(KokkosScan::Options const& options) {
  bool const by_default =
      options.grid == KokkosScan::GridScan::automatic && options.block == KokkosScan::BlockScan::automatic;
  auto const make = [=](Handle const& handle) {
    Executor executor = make_executor(std::string(Handle::Backend::name) + " handle (" + to_string(options.grid) +
                                          " x " + to_string(options.block) + ")",
                                      handle.exec(), handle);
    if (!by_default)
      executor.calls = [all = executor.calls](std::size_t n) {
        std::vector<Call> const calls = all(n);
        return std::vector<Call>{calls[2], calls[4]};
      };
    return executor;
  };
  Executor executor = make(Handle({}, options));
  executor.reserved = [=](std::size_t n) {
    Handle const handle({}, options);
    handle.template reserve<int>(n);
    return make(handle);
  };
  return executor;
}

/// Every grid and every block that the backend has.
template <class Handle>
void add_executors(std::vector<Executor>& all) {
  for (KokkosScan::GridScan const grid : Handle::Backend::grids) all.push_back(make_executor<Handle>({.grid = grid}));
  for (KokkosScan::BlockScan const block : Handle::Backend::blocks)
    if (block != KokkosScan::BlockScan::automatic) all.push_back(make_executor<Handle>({.block = block}));
}

}  // namespace contract
