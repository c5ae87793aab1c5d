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

#include "counted_new.hpp"
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

template <class ExecOrHandle, class F>
Call make_call(std::string const& function, bool host_total, ExecOrHandle const& exec_or_handle, F const& f) {
  return {function, host_total, [=] { f(exec_or_handle); }, [=](std::string const& label) { f(label, exec_or_handle); },
          [=] { f("row map", exec_or_handle); }};
}

/// Each function, without a total, with one in a View, and with one on the host.
template <class Exec, class ExecOrHandle>
std::vector<Call> make_calls(ExecOrHandle const& exec_or_handle, std::size_t n) {
  auto const d = std::make_shared<Data<Exec> const>(n);
  using namespace KokkosScan;
  return {
      make_call("KokkosScan::inclusive_scan", false, exec_or_handle,
                [=](auto const&... at) { inclusive_scan(at..., d->from, d->dest, Total{d->total_view}); }),
      make_call("KokkosScan::exclusive_scan", true, exec_or_handle,
                [=](auto const&... at) { exclusive_scan(at..., d->from, d->dest, 0, Sum{}, Total{d->total}); }),
      make_call("KokkosScan::inclusive_scan", true, exec_or_handle,
                [=](auto const&... at) { inclusive_scan(at..., d->from, d->dest, Total{d->total}); }),
      make_call("KokkosScan::exclusive_scan", false, exec_or_handle,
                [=](auto const&... at) { exclusive_scan(at..., d->from, d->dest, 0); }),
      make_call("KokkosScan::transform_inclusive_scan", false, exec_or_handle,
                [=](auto const&... at) { transform_inclusive_scan(at..., d->from, d->dest, Sum{}, Twice{}); }),
      make_call("KokkosScan::transform_inclusive_scan", true, exec_or_handle,
                [=](auto const&... at) {
                  transform_inclusive_scan(at..., d->from, d->dest, Sum{}, Twice{}, Total{d->total});
                }),
      make_call("KokkosScan::transform_exclusive_scan", false, exec_or_handle,
                [=](auto const&... at) {
                  transform_exclusive_scan(at..., d->from, d->dest, 0, Sum{}, Twice{}, Total{d->total_view});
                }),
      make_call("KokkosScan::transform_exclusive_scan", true, exec_or_handle,
                [=](auto const&... at) {
                  transform_exclusive_scan(at..., d->from, d->dest, 0, Sum{}, Twice{}, Total{d->total});
                }),
      make_call("KokkosScan::offsets_from_counts", false, exec_or_handle,
                [=](auto const&... at) { offsets_from_counts(at..., d->from, d->offsets); }),
      make_call("KokkosScan::offsets_from_counts", true, exec_or_handle,
                [=](auto const&... at) { offsets_from_counts(at..., d->from, d->offsets, Total{d->total}); }),
  };
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

/// A Handle with these options. Unless they are the default, two functions stand for all.
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
        std::vector<Call> calls = all(n);
        calls.resize(2);
        return calls;
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

/// Calls f(std::type_identity<Exec>{}) for each execution space of this Kokkos.
template <class F>
void for_each_space(F const& f) {
  [&]<class... Execs>(std::type_identity<testing::Types<Execs...>>) {
    (f(std::type_identity<Execs>{}), ...);
  }(std::type_identity<test::Spaces::Types>{});
}

}  // namespace contract
