// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "boundaries.hpp"
#include "compact.hpp"

// Compaction in place: by the backend's own algorithm where it has one, else by a scan. By a scan what is chosen of a
// View goes to scratch, and from there to its begin: a tile could not write there while others, that come later, are
// still to be read from it.
namespace KokkosScan::driver {

/// Where a count is left until it is where it was asked for.
template <class Exec, class Count, class TotalArgument>
Count* address_of_count(TotalArgument const& total, std::byte* in_scratch) {
  if constexpr (requires { total.address; })
    return total.address;
  else if constexpr (writes_to_host<Exec>)
    return &total.value;
  else
    return reinterpret_cast<Count*>(in_scratch);
}

/// `with_others`: what is not chosen comes behind what is, else it is lost.
template <bool with_others, class Count, class ExecOrHandle, class Array, class Choose, class TotalArgument,
          class LengthArgument>
void compact_by_scan(std::string const& label, ExecOrHandle const& exec_or_handle, Array const& array,
                     Choose const& choose, std::size_t n, TotalArgument const& total, LengthArgument const& length) {
  using Exec                 = InstanceOf<ExecOrHandle>;
  using Backend              = typename BackendFor<ExecOrHandle>::type;
  using T                    = core::ElementOf<Array>;
  using Moved                = core::Contiguous<T>;
  using Sink                 = std::conditional_t<with_others, core::ToParted<Count, Array, Moved, core::Backward<T>>,
                                                  core::ToCompacted<Count, Array, Moved>>;
  using P                    = core::Problem<Count, core::FromChosen<Count, Array, Choose>, Sum, Sink>;
  constexpr bool to_variable = !requires { total.address; };
  auto const& exec           = instance(exec_or_handle);
  if constexpr (to_variable) driver::refuse_in_capture(label, exec);

  auto given = [&] {
    P const problem{{array, choose}, {}, n, {}, core::Maybe<Count>(Count{0}), nullptr};
    if constexpr (is_read_by_kernels<Backend, LengthArgument>)
      return of_stored_length<false>(problem, length);
    else
      return problem;
  }();
  auto const plan      = driver::plan(exec_or_handle, given);
  auto const leases    = driver::lease(exec_or_handle, core::with_elements_moved<T>(plan.needs, n));
  auto* const scratch  = static_cast<std::byte*>(leases.memory().scratch);
  auto* const moved    = reinterpret_cast<T*>(scratch + core::begin_of_moved(plan.needs));
  auto* const of_count = scratch + core::begin_of_count<T>(plan.needs, n);
  Count* const count   = address_of_count<Exec, Count>(total, of_count);
  given.total          = count;
  auto const known     = [&] {
    if constexpr (is_read_by_kernels<Backend, LengthArgument>) {
      using Integer = typename LengthArgument::value_type;
      if (driver::share_a_byte(given.stored.address, count))
        given.stored.address = driver::copy_on(exec, given.stored.address,
                                                   reinterpret_cast<Integer*>(of_count + core::most_bytes_of_integer));
      return given.stored;
    } else {
      return core::KnownLength{n};
    }
  }();
  if constexpr (with_others)
    given.sink = {array, {{moved}, n}, {core::backwards(Moved{moved}, n), n}};
  else
    given.sink = {array, {{moved}, n}};
  driver::run_in(leases.memory(), label, exec_or_handle, plan, given);

  std::size_t moves = n;
  if constexpr (runs_at_once<Backend> && !with_others) moves = static_cast<std::size_t>(*count);
  using Back = core::MoveBack<Array, Count, std::remove_const_t<decltype(known)>, with_others>;
  if (moves > 0) driver::for_each_index(label, exec_or_handle, moves, moves, Back{array, moved, n, known, count});
  if constexpr (to_variable) driver::copy_to_host(label, exec_or_handle, const_cast<Count const*>(count), total.value);
}

/// By the backend, which is done when it returns.
template <bool with_others, class ExecOrHandle, class Source, class TotalArgument>
void compact_at_once(std::string const& label, ExecOrHandle const& exec_or_handle, Source const& source, std::size_t n,
                     TotalArgument const& total) {
  using Backend     = typename BackendFor<ExecOrHandle>::type;
  using T           = std::remove_cvref_t<decltype(source.from[0])>;
  using Count       = typename TotalArgument::value_type;
  auto const& exec  = instance(exec_or_handle);
  auto const leases = driver::lease(exec_or_handle, Backend::template needs_in_place<T>(exec, n, with_others));
  Count* const to   = address_of_count<InstanceOf<ExecOrHandle>, Count>(total, nullptr);
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    *to = static_cast<Count>(Backend::template compact_in_place<with_others>(exec, shown, source, n, leases.memory()));
  });
  if constexpr (!requires { total.address; }) driver::copy_to_host(label, exec_or_handle, to, total.value);
}

template <bool with_others, class Count, class ExecOrHandle, class Array, class Choose, class TotalArgument,
          class LengthArgument>
void compact_in_place(std::string const& label, ExecOrHandle const& exec, Array const& array, Choose const& choose,
                      std::size_t n, TotalArgument const& total, LengthArgument const& length) {
  using Backend             = typename BackendFor<ExecOrHandle>::type;
  using Choice              = std::remove_cvref_t<decltype(driver::choice(exec))>;
  constexpr bool has_own    = requires { Backend::template needs_in_place<core::ElementOf<Array>>(instance(exec), n); };
  constexpr bool takes_both = !has_own || !std::is_same_v<Choice, core::Automatic>;
  if constexpr (has_own) {
    auto const choice = driver::choice(exec);
    if (choice.grid == GridScan::automatic && choice.block == BlockScan::automatic)
      return compact_at_once<with_others>(label, exec, core::FromChosen<Count, Array, Choose>{array, choose}, n, total);
  }
  if constexpr (takes_both) compact_by_scan<with_others, Count>(label, exec, array, choose, n, total, length);
}

/// `chooses`: whether predicate says what is chosen, or what is not.
template <bool with_others, bool chooses>
struct CompactInPlace {
  template <class Function>
  struct Inverse {
    Function function;
    template <class Element>
    KOKKOSSCAN_FUNCTION bool operator()(Element const& element) const {
      return !function(element);
    }
  };

  template <class ExecOrHandle, class View, class Predicate, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, View const& view, Predicate const& predicate,
                   Rest&&... rest) {
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, View>())
      if constexpr (check_written<View, ValueIn<View>>() && check_predicate<Predicate, ValueIn<View>>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, view.extent(0), length);
              Regions(label).writes("the view", view, extent.most).and_count(total, length);
              auto const choose = driver::choice_by<ExecOrHandle>(predicate);
              using Choose      = std::remove_const_t<decltype(choose)>;
              driver::with_elements(view, [&](auto const& array) {
                if constexpr (chooses)
                  compact_in_place<with_others, Count>(label, exec, array, choose, extent.n, total, length);
                else
                  compact_in_place<with_others, Count>(label, exec, array, Inverse<Choose>{choose}, extent.n, total,
                                                       length);
              });
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

}  // namespace KokkosScan::driver
