// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../core/segments.hpp"
#include "arguments.hpp"
#include "boundaries.hpp"
#include "first_found.hpp"
#include "reduce_rows.hpp"
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
inline Nothing view_of(Nothing) { return {}; }
template <class View>
View const& view_of(Totals<View> const& totals) {
  return totals.view;
}

/// The types of a call's arguments. A reduction has totals, and no results.
template <Roles roles, class From, class Results, class... Rest>
struct SegmentedCall {
  using Order  = Sorted<Rest...>;
  using Op     = ArgumentOr<Order::index(roles.op), Sum, Rest...>;
  using Init   = ArgumentOr<Order::index(roles.init), Nothing, Rest...>;
  using Named  = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using Totals = std::remove_cvref_t<decltype(driver::view_of(
      std::declval<ArgumentOr<Order::first(Order::of_segments), Nothing, Rest...> const&>()))>;
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
      constexpr bool converts = ValueType<typename Totals::non_const_value_type> &&
                                std::is_constructible_v<typename Totals::non_const_value_type, Value const&>;
      static_assert(converts, "KokkosScan: the accumulator must convert to the value type of the totals");
      return is_row && reaches && is_defined && converts;
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
template <class ExecOrHandle, class Integer>
void check_segments(std::string const& label, ExecOrHandle const& exec_or_handle, core::Offsets<Integer> const& offsets,
                    std::size_t n, char const* name = "row_offsets", char const* array = "from") {
  if constexpr (requires { driver::choice(exec_or_handle).check; }) {
    if (!driver::choice(exec_or_handle).check) return;
    std::size_t const wrong = driver::first_found(label, exec_or_handle, name, offsets.segments, offsets.segments,
                                                  FindWrongSegment<Integer>{offsets, n});
    if (wrong >= offsets.segments) return;
    Integer of_wrong[2]{};
    for (std::size_t k = 0; k < 2; ++k)
      driver::copy_to_host(label, exec_or_handle, &offsets.offsets[wrong + k], of_wrong[k]);
    throw std::invalid_argument(
        label + ": row " + std::to_string(wrong) + " is from " + std::to_string(of_wrong[0]) + " to " +
        std::to_string(of_wrong[1]) + "; " + name + " must ascend from 0 on" +
        (array ? std::string(", and not beyond ") + array + ", which has " + std::to_string(n) + " elements"
               : std::string()));
  }
}

/// The words of the boundaries that a scan reads: all, unless it is known where the segments are.
template <class ExecOrHandle, class Problem, class Integer>
auto boundaries_of(Problem const& problem, core::Offsets<Integer> const& offsets, std::size_t n, std::uint32_t* words,
                   std::size_t* first_of_words) {
  core::MakeBoundaries<Integer> make{offsets, n, words, first_of_words, 0, core::words_of_boundaries(n), 1};
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
    auto const& boundaries    = problem.source.boundaries;
    std::size_t const one_end = boundaries.first, other_end = boundaries.element(problem.n - 1);
    make.begin      = std::min(one_end, other_end) / core::bits_of_word;
    make.end        = (std::max(one_end, other_end) + 1) / core::bits_of_word + 2;
    make.words_each = 64;  // who looks for the first offset goes on from it
  }
  return make;
}

/// Makes the boundaries, unless the backend's kernels do as they go, and then scans.
template <class ExecOrHandle, class Problem, class Integer>
void run_within_boundaries(std::string const& label, ExecOrHandle const& exec_or_handle, Problem problem,
                           core::Offsets<Integer> const& offsets, std::size_t n) {
  constexpr bool of_totals = requires { problem.sink.first_of_words; };
  auto const plan          = driver::plan(exec_or_handle, problem);
  if constexpr (!of_totals && requires { plan.makes_boundaries; })
    if (plan.makes_boundaries) {
      auto const leases = driver::lease(exec_or_handle, plan.needs);
      return driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
    }
  auto const leases           = driver::lease(exec_or_handle, core::with_boundaries(plan.needs, n, of_totals));
  auto* const scratch         = static_cast<std::byte*>(leases.memory().scratch);
  auto* const words           = reinterpret_cast<std::uint32_t*>(scratch + core::begin_of_boundaries(plan.needs));
  std::size_t* first_of_words = nullptr;
  if constexpr (of_totals)
    first_of_words = reinterpret_cast<std::size_t*>(scratch + core::begin_of_first_offsets(plan.needs, n));
  auto const make = boundaries_of<ExecOrHandle>(problem, offsets, n, words, first_of_words);
  driver::make_boundaries(label, exec_or_handle, problem.n, make);
  problem.source.boundaries.words = words;
  if constexpr (of_totals) {
    problem.sink.boundaries.words = words;
    problem.sink.first_of_words   = first_of_words;
  }
  driver::run_in(leases.memory(), label, exec_or_handle, plan, problem);
}

/// A backend that is done when it returns sees no more than the segments hold.
template <class ExecOrHandle, class Source, class Sink, class Op, class Integer>
void run_segments(std::string const& label, ExecOrHandle const& exec_or_handle, Source const& source, Sink const& sink,
                  Op const& op, core::Offsets<Integer> const& offsets, std::size_t n) {
  constexpr bool reversed = decltype(source.boundaries)::backward;
  using Value             = decltype(source.load(0));
  using P                 = core::Problem<Value, Source, core::WithinRuns<typename Value::Value, Op>, Sink>;
  using Stored            = core::StoredSegments<Integer, reversed>;
  core::OfStoredLength<P, Stored> const given{{source, sink, n, {op}, {}, nullptr},
                                              {&offsets.offsets[0], &offsets.offsets[offsets.segments], n}};
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
    auto const problem = core::resolved(given);
    if (problem.n > 0) driver::run_within_boundaries(label, exec_or_handle, problem, offsets, n);
  } else if (n > 0) {
    driver::run_within_boundaries(label, exec_or_handle, given, offsets, n);
  }
}

/// The totals of segments, of which nothing else is wanted: by the backend's own way, or by a scan that stores them and
/// put_empty() for those that it does not come to. (Not within a lambda: of a class that it knows nvcc instantiates
/// what is discarded there, too.)
template <class ExecOrHandle, class Source, class Elements, class Integer, class Places, class Empty, class PutEmpty>
void reduce_segments(std::string const& label, ExecOrHandle const& exec_or_handle, Source const& source,
                     Elements const& elements, core::Offsets<Integer> const& offsets, std::size_t n,
                     Places const& totals, Empty const& of_empty, PutEmpty const& put_empty) {
  using Value             = typename decltype(source.load(0))::Value;
  constexpr bool reversed = decltype(source.boundaries)::backward;
  if constexpr (reduces_rows<ExecOrHandle, Value>) {
    core::Rows<core::Strided<Integer const>> const rows{offsets.offsets, offsets.segments, n};
    driver::reduce_rows(label, exec_or_handle,
                        core::row_reduction<Value, reversed>(elements, rows, source.op, totals, source.init, of_empty));
  } else {
    core::ToTotals<Value, Places, Integer, reversed> const sink{totals, offsets, source.boundaries, nullptr};
    driver::run_segments(label, exec_or_handle, source, sink, source.op, offsets, n);
    put_empty();
  }
}

/// What is checked of a View that is written, and is apart from all but perhaps from.
template <class View, class Init>
Footprint check_written(std::string const& label, char const* name, View const& view, std::size_t count,
                        Footprint const& row_offsets, Init const& init) {
  Footprint const written = footprint(view, count);
  check_distinct(label, name, written);
  check_apart(label, "row_offsets", row_offsets, name, written);
  if constexpr (Kokkos::is_view_v<Init>) check_apart(label, name, written, "init", footprint(init));
  return written;
}

/// Results or totals may be Nothing.
template <class From, class RowOffsets, class Results, class Totals, class Init>
void check_views_of_segments(std::string const& label, From const& from, RowOffsets const& row_offsets,
                             std::size_t segments, Results const& results, Totals const& totals, Init const& init) {
  constexpr bool has_results = !std::is_same_v<Results, Nothing>;
  std::size_t const n        = from.extent(0);
  Footprint const of_offsets = footprint(row_offsets);
  if constexpr (has_results) {
    check_extents(label, "from", n, "dest", results.extent(0));
    check_in_place_or_apart(label, "from", footprint(from), "dest",
                            check_written(label, "dest", results, n, of_offsets, init));
  }
  if constexpr (!std::is_same_v<Totals, Nothing>) {
    char const* const name = has_results ? "the View of totals" : "dest";
    check_extents(label, "row_offsets without its last entry", segments, name, totals.extent(0));
    Footprint const written = check_written(label, name, totals, segments, of_offsets, init);
    check_apart(label, "from", footprint(from), name, written);
    if constexpr (has_results) check_apart(label, "dest", footprint(results, n), name, written);
  }
}

template <class Element, class View>
core::Strided<Element> strided(View const& view) {
  return {view.data(), static_cast<std::ptrdiff_t>(view.stride(0))};
}

/// Scans into results, if that is a View; totals go to a View, or are Nothing. Those of a scan that another type holds
/// than the accumulator's, or that is exclusive, are reduced before it.
template <core::Kind kind, Roles roles, class C, class ExecOrHandle, class From, class RowOffsets, class Results,
          class Totals, class... Rest>
void scan_segments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from,
                   RowOffsets const& row_offsets, Results const& results, Totals const& totals,
                   std::tuple<Rest...> const& rest) {
  using Order                = typename C::Order;
  using Value                = typename C::Value;
  using Init                 = typename C::Init;
  using Integer              = typename RowOffsets::non_const_value_type;
  constexpr bool has_results = !std::is_same_v<Results, Nothing>;
  constexpr bool has_totals  = !std::is_same_v<Totals, Nothing>;
  // Whether the results hold the totals.
  constexpr bool takes_results = [] {
    if constexpr (std::is_same_v<Results, Nothing> || kind == core::Kind::exclusive)
      return false;
    else
      return std::is_same_v<typename Results::value_type, Value>;
  }();
  auto const& op             = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& init           = argument_or<Order::index(roles.init), Nothing>(rest);
  std::size_t const n        = from.extent(0);
  std::size_t const segments = row_offsets.extent(0) > 0 ? row_offsets.extent(0) - 1 : 0;
  driver::check_views_of_segments(label, from, row_offsets, segments, results, totals, init);
  if (segments == 0) return;
  core::Offsets<Integer> const offsets{strided<Integer const>(row_offsets), segments};
  if constexpr (!roles.own_offsets) driver::check_segments(label, exec_or_handle, offsets, n);

  auto const start = [&] {
    if constexpr (std::is_same_v<Init, Nothing>)
      return core::NoInit{};
    else
      return start_of<typename BackendFor<ExecOrHandle>::type, Value>(init);
  }();
  using Start = std::remove_const_t<decltype(start)>;
  using Op    = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  core::Boundaries<Order::reversed> const boundaries{nullptr, Order::reversed && n > 0 ? n - 1 : 0};

  auto const of_empty = [&] {
    if constexpr (!has_totals || !std::is_same_v<Start, core::NoInit>)
      return start;
    else
      return core::Maybe<Value>(C::Op::template identity<Value>());
  }();
  auto const put_totals = [&]([[maybe_unused]] auto const& array) {
    if constexpr (has_totals) {
      using Array       = std::remove_cvref_t<decltype(array)>;
      using Empty       = std::remove_const_t<decltype(of_empty)>;
      auto const places = strided<typename Totals::value_type>(totals);
      driver::for_each_index(
          label, exec_or_handle, segments, segments,
          PutTotals<Value, Integer, std::remove_const_t<decltype(places)>, Array, Empty, Order::reversed>{
              offsets, n, places, array, of_empty});
    }
  };

  driver::with_elements(from, [&](auto const& elements) {
    auto const inputs = in_direction<Order::reversed>(elements, n);
    core::FromSegments<Value, std::remove_const_t<decltype(inputs)>, Op, Start, Integer, Order::reversed> const source{
        boundaries, inputs, for_exec<ExecOrHandle>(op), start, offsets, n};
    if constexpr (has_totals && !takes_results) {
      auto const places = strided<typename Totals::value_type>(totals);
      driver::reduce_segments(label, exec_or_handle, source, elements, offsets, n, places, of_empty,
                              [&] { put_totals(Nothing{}); });
    }
    if constexpr (has_results)
      driver::with_elements(results, [&](auto const& outputs) {
        auto const array = in_direction<Order::reversed>(outputs, n);
        using Array      = std::remove_const_t<decltype(array)>;
        if constexpr (kind == core::Kind::inclusive)
          driver::run_segments(label, exec_or_handle, source, core::ToArrayByKey<Value, Array>{array}, source.op,
                               offsets, n);
        else
          driver::run_segments(label, exec_or_handle, source,
                               core::ToArrayByKeyBehindInit<Value, Array, Start>{array, start}, source.op, offsets, n);
        if constexpr (takes_results) put_totals(array);
      });
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
            scan_segments<kind, roles, C>(label, exec_or_handle, from, row_offsets, dest, view_of(totals), rest);
          } else if constexpr (C::template check_totals<Exec, Dest>()) {
            scan_segments<kind, roles, C>(label, exec_or_handle, from, row_offsets, Nothing{}, dest, rest);
          }
        }
      }
  }
}

}  // namespace KokkosScan::driver
