// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/segments.hpp"
#include "arguments.hpp"
#include "boundaries.hpp"
#include "scan_views.hpp"

// Scans and reductions of segments: of the elements between a row offset and the next.
namespace KokkosScan::driver {

template <class RowOffsets, class Exec>
consteval bool check_row_offsets() {
  static_assert(Kokkos::is_view_v<RowOffsets>, "KokkosScan: row_offsets must be a Kokkos::View, and stand behind from");
  if constexpr (Kokkos::is_view_v<RowOffsets>) {
    constexpr bool counts = RowOffsets::rank() == 1 && std::integral<typename RowOffsets::non_const_value_type>;
    static_assert(counts, "KokkosScan: row_offsets must be a View of rank 1, of integers");
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename RowOffsets::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of row_offsets");
    return counts && reaches;
  } else {
    return false;
  }
}

/// The View of the totals of segments, if there is one.
template <class Argument>
struct ViewOfTotals {
  using type = Nothing;
};
template <class View>
struct ViewOfTotals<Totals<View>> {
  using type = View;
};

/// The types of a call's arguments. A reduction has totals, and no results.
template <Roles roles, class From, class Results, class... Rest>
struct SegmentedCall {
  using Order  = Sorted<Rest...>;
  using Op     = ArgumentOr<Order::index(roles.op), Sum, Rest...>;
  using Init   = ArgumentOr<Order::index(roles.init), Nothing, Rest...>;
  using Named  = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using Totals = typename ViewOfTotals<ArgumentOr<Order::first(Order::of_segments), Nothing, Rest...>>::type;
  using Value  = typename AccumulatorOf<Named, typename Results::non_const_value_type>::type;

  template <class Exec, class Totals>
  static consteval bool check_totals() {
    if constexpr (std::is_same_v<Totals, Nothing>) {
      return true;
    } else {
      constexpr bool is_row = Totals::rank() == 1 && !std::is_const_v<typename Totals::value_type>;
      static_assert(is_row, "KokkosScan: the totals of segments must be a View of rank 1, of non-const values");
      constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Totals::memory_space>::accessible;
      static_assert(reaches, "KokkosScan: exec cannot access the memory space of the totals");
      constexpr bool is_defined = HasIdentity<Op, Value> || !std::is_same_v<Init, Nothing>;
      static_assert(is_defined,
                    "KokkosScan: a segment may be empty, and the total of no values under an operator without "
                    "identity<T>() is not defined; only what takes an init has one then");
      return is_row && reaches && is_defined && check_stored<Value, Totals>();
    }
  }

  template <class Exec>
  static consteval bool check() {
    constexpr bool no_total = Order::first(Order::totals) == absent;
    static_assert(no_total,
                  "KokkosScan: segments have no total of all; those of each go to Totals{view}, a View of rank 1");
    constexpr bool in_a_row = Order::first(Order::axes) == absent && Order::first(Order::lengths) == absent;
    static_assert(in_a_row, "KokkosScan: segments have neither an Axis nor a Length: the offsets say where they are");
    if constexpr (no_total && in_a_row)
      return check_functions<Value, typename From::non_const_value_type, Op, Unchanged, Init>() &&
             check_init<Exec, Init>() && check_stored<Value, Results>() && check_totals<Exec, Totals>();
    else
      return false;
  }
};

/// On request: offsets that do not ascend, or leave the array.
template <class ExecOrHandle, class RowOffsets, class Integer>
void check_segments(std::string const& label, ExecOrHandle const& exec_or_handle, RowOffsets const& row_offsets,
                    core::Offsets<Integer> const& offsets, std::size_t n) {
  if constexpr (requires { driver::choice(exec_or_handle).check; }) {
    if (!driver::choice(exec_or_handle).check) return;
    auto const& exec = driver::instance(exec_or_handle);
    using Exec       = std::remove_cvref_t<decltype(exec)>;
    if (Scratch<Exec>::capture_of(exec))
      throw std::runtime_error(label + ": row_offsets cannot be checked while exec is captured into a graph");
    std::size_t const wrong = driver::find_wrong_segment(label, exec, offsets, n);
    if (wrong >= offsets.segments) return;
    Integer of_wrong[2];
    for (std::size_t k = 0; k < 2; ++k)
      Kokkos::deep_copy(exec, Kokkos::View<Integer, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(of_wrong + k),
                        Kokkos::subview(row_offsets, wrong + k));
    exec.fence(label);
    throw std::invalid_argument(label + ": row " + std::to_string(wrong) + " is from " + std::to_string(of_wrong[0]) +
                                " to " + std::to_string(of_wrong[1]) +
                                "; row_offsets must ascend from 0 on, and not beyond from, which has " +
                                std::to_string(n) + " elements");
  }
}

/// Makes the boundaries and scans; a backend that is done when it returns sees no more than the segments hold.
template <class ExecOrHandle, class Problem, class Integer>
void run_segments(std::string const& label, ExecOrHandle const& exec_or_handle, Problem problem,
                  core::Offsets<Integer> const& offsets, std::size_t n) {
  if (problem.n == 0) return;
  auto const& exec          = driver::instance(exec_or_handle);
  using Exec                = std::remove_cvref_t<decltype(exec)>;
  auto const plan           = driver::plan(exec_or_handle, problem);
  auto const leases         = driver::lease(exec_or_handle, with_boundaries(plan.needs, n));
  auto* const begin         = static_cast<std::byte*>(leases.memory().scratch) + begin_of_boundaries(plan.needs);
  constexpr bool on_host    = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;
  constexpr std::size_t one = on_host ? 1024 : 1;  // a word to a thread of a device

  MakeBoundaries<Integer> const make{offsets, n, reinterpret_cast<std::uint32_t*>(begin), one};
  driver::with_shown_label(label, exec_or_handle,
                           [&](std::string const& shown) { driver::for_each_index(shown, exec, make.count(), make); });
  problem.source.boundaries.words = make.words;
  if constexpr (requires { problem.sink.boundaries; }) problem.sink.boundaries.words = make.words;
  driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
}

template <core::Kind kind, bool reversed, class Value, class ExecOrHandle, class From, class Sink, class Integer,
          class Op, class Start>
void run_segments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, Sink const& sink,
                  core::Offsets<Integer> const& offsets, std::size_t n, Op const& op, Start const& start) {
  using Stored            = core::StoredSegments<Integer, reversed>;
  using Source            = core::FromSegments<Value, From, Op, Start, reversed>;
  using P                 = core::Problem<core::Keyed<Value>, Source, core::WithinRuns<Value, Op>, Sink>;
  std::size_t const first = reversed && n > 0 ? n - 1 : 0;
  core::OfStoredLength<P, Stored> const given{{{{nullptr, first}, from, op, start}, sink, n, {op}, {}, nullptr},
                                              {&offsets.offsets[0], &offsets.offsets[offsets.segments], n}};
  if constexpr (requires { requires BackendFor<ExecOrHandle>::type::runs_at_once; })
    driver::run_segments(label, exec_or_handle, core::resolved(given), offsets, n);
  else
    driver::run_segments(label, exec_or_handle, given, offsets, n);
}

/// What a scan leaves in dest; a reduction leaves nothing there.
template <core::Kind kind, class Value, class Array, class Start>
auto sink_of_segments(Array const& array, Start const& start) {
  if constexpr (std::is_same_v<Array, Nothing>)
    return core::ToNowhere<Value>{};
  else if constexpr (kind == core::Kind::inclusive)
    return core::ToArrayByKey<Value, Array>{array};
  else
    return core::ToArrayByKeyBehindInit<Value, Array, Start>{array, start};
}

/// results or totals may be Nothing.
template <core::Kind kind, Roles roles, class ExecOrHandle, class From, class RowOffsets, class Results, class Totals,
          class C, class... Rest>
void scan_segments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from,
                   RowOffsets const& row_offsets, Results const& results, Totals const& totals, C,
                   std::tuple<Rest...> const& rest) {
  using Order                = typename C::Order;
  using Value                = typename C::Value;
  using Integer              = typename RowOffsets::non_const_value_type;
  constexpr bool has_results = !std::is_same_v<Results, Nothing>;
  constexpr bool has_totals  = !std::is_same_v<Totals, Nothing>;
  auto const& op             = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& init           = argument_or<Order::index(roles.init), Nothing>(rest);
  std::size_t const n        = from.extent(0);
  std::size_t const segments = row_offsets.extent(0) > 0 ? row_offsets.extent(0) - 1 : 0;
  Footprint const of_from = footprint(from), of_offsets = footprint(row_offsets);
  auto const check_written = [&](char const* name, auto const& view, std::size_t count) {
    Footprint const written = footprint(view, count);
    check_distinct(label, name, written);
    check_apart(label, "row_offsets", of_offsets, name, written);
    if constexpr (Kokkos::is_view_v<typename C::Init>) check_apart(label, name, written, "init", footprint(init));
  };
  if constexpr (has_results) {
    check_extents(label, "from", n, "dest", results.extent(0));
    check_written("dest", results, n);
    check_in_place_or_apart(label, "from", of_from, "dest", footprint(results, n));
  }
  if constexpr (has_totals) {
    char const* const name = has_results ? "the View of totals" : "dest";
    check_extents(label, "the rows of row_offsets", segments, name, totals.extent(0));
    check_written(name, totals, segments);
    check_apart(label, "from", of_from, name, footprint(totals, segments));
    if constexpr (has_results) check_apart(label, "dest", footprint(results, n), name, footprint(totals, segments));
  }
  if (segments == 0) return;

  core::Offsets<Integer> const offsets{{row_offsets.data(), static_cast<std::ptrdiff_t>(row_offsets.stride(0))},
                                       segments};
  driver::check_segments(label, exec_or_handle, row_offsets, offsets, n);
  auto const start = [&] {
    if constexpr (std::is_same_v<typename C::Init, Nothing>)
      return core::NoInit{};
    else
      return start_of<typename BackendFor<ExecOrHandle>::type, Value>(init);
  }();
  using Start  = std::remove_const_t<decltype(start)>;
  using Called = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;

  auto const run = [&](auto const& elements, auto const& outputs) {
    auto const inputs = in_direction<Order::reversed>(elements, n);
    auto const sink   = sink_of_segments<kind, Value>(outputs, start);
    if constexpr (has_totals) {
      using Stored = typename Totals::value_type;
      core::Strided<Stored> const places{totals.data(), static_cast<std::ptrdiff_t>(totals.stride(0))};
      auto const empty = [&] {
        if constexpr (std::is_same_v<Start, core::NoInit>)
          return core::Maybe<Value>(C::Op::template identity<Value>());
        else
          return start;
      }();
      PutEmptyTotals<Value, Integer, core::Strided<Stored>, std::remove_const_t<decltype(empty)>> const put{
          offsets, places, empty};
      driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
        driver::for_each_index(shown, instance(exec_or_handle), segments, put);
      });
      std::size_t const first = Order::reversed && n > 0 ? n - 1 : 0;
      run_segments<kind, Order::reversed, Value>(
          label, exec_or_handle, inputs,
          core::WithTotals<Value, std::remove_const_t<decltype(sink)>, core::Strided<Stored>, Integer, Order::reversed>{
              sink, places, offsets, {nullptr, first}},
          offsets, n, Called(for_exec<ExecOrHandle>(op)), start);
    } else {
      run_segments<kind, Order::reversed, Value>(label, exec_or_handle, inputs, sink, offsets, n,
                                                 Called(for_exec<ExecOrHandle>(op)), start);
    }
  };
  driver::with_elements(from, [&](auto const& elements) {
    if constexpr (has_results)
      driver::with_elements(results,
                            [&](auto const& outputs) { run(elements, in_direction<Order::reversed>(outputs, n)); });
    else
      run(elements, results);
  });
}

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles, bool reduces, class ExecOrHandle, class From, class RowOffsets, class Dest,
          class... Rest>
void segments_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from,
                        RowOffsets const& row_offsets, Dest const& dest, std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (is_exec_or_handle<ExecOrHandle>) {
    using Exec = std::remove_cvref_t<decltype(instance(exec_or_handle))>;
    if constexpr (check_view<From, Exec>() && check_row_offsets<RowOffsets, Exec>() && check_view<Dest, Exec>())
      if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>()) {
        using C = SegmentedCall<roles, From, Dest, Rest...>;
        if constexpr (C::template check<Exec>()) {
          if constexpr (!reduces) {
            auto const& totals = argument_or<C::Order::first(C::Order::of_segments), Nothing>(rest);
            if constexpr (std::is_same_v<typename C::Totals, Nothing>)
              scan_segments<kind, roles>(label, exec_or_handle, from, row_offsets, dest, totals, C{}, rest);
            else
              scan_segments<kind, roles>(label, exec_or_handle, from, row_offsets, dest, totals.view, C{}, rest);
          } else if constexpr (C::template check_totals<Exec, Dest>()) {
            scan_segments<kind, roles>(label, exec_or_handle, from, row_offsets, Nothing{}, dest, C{}, rest);
          }
        }
      }
  }
}

}  // namespace KokkosScan::driver
