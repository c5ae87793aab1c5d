// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/compaction.hpp"
#include "lengths.hpp"
#include "scan_views.hpp"

// What all calls have in common that choose or group elements, and say how many they found.
namespace KokkosScan::driver {

template <class T>
concept CountType = std::integral<T> && !std::is_same_v<T, bool>;

/// Whether an array can hold lengths, offsets or indices.
template <class Array>
consteval bool check_integers() {
  constexpr bool are_integers = CountType<typename Array::non_const_value_type>;
  static_assert(are_integers, "KokkosScan: lengths, offsets and indices must be integers");
  return are_integers;
}

/// The arguments behind those that a call names: a count, perhaps a length, and so many others in order.
template <std::size_t most_in_order, bool takes_as, class... Rest>
struct CountedCall {
  using Order          = Sorted<Rest...>;
  using CountArgument  = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
  using LengthArgument = ArgumentOr<Order::first(Order::lengths), Nothing, Rest...>;

  template <class Exec>
  static consteval bool check() {
    constexpr bool once = Order::once_each;
    static_assert(once, "KokkosScan: there is more than one Total, Totals, As, Length, Reversed or Axis");
    constexpr bool counts = is_total<CountArgument>;
    static_assert(!once || counts,
                  "KokkosScan: the count is missing; it is written Total{x}, x being a variable or a View of rank 0");
    constexpr bool few = Order::in_order <= most_in_order;
    static_assert(few, "KokkosScan: too many arguments; the count is written Total{x}, a length Length{view}");
    constexpr bool others = !Order::reversed && Order::first(Order::axes) == absent &&
                            Order::first(Order::windows) == absent && Order::first(Order::of_segments) == absent &&
                            (takes_as || Order::first(Order::named) == absent);
    static_assert(others,
                  "KokkosScan: what chooses or groups elements goes upwards along a View of rank 1, and takes "
                  "neither Reversed, Axis, Window nor Totals; As<T>{} only where values are reduced");
    if constexpr (once && counts && few && others) {
      constexpr bool is_integer = CountType<typename CountArgument::value_type>;
      static_assert(is_integer, "KokkosScan: a count must be an integer");
      if constexpr (is_integer)
        return check_total<typename CountArgument::value_type, Exec, CountArgument>() &&
               check_length<Exec, LengthArgument>();
      else
        return false;
    } else {
      return false;
    }
  }
};

template <class View>
using ValueIn = typename View::non_const_value_type;
template <class Call>
using CountOf = typename Call::CountArgument::value_type;

template <class View, class Exec>
consteval bool check_array() {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: the arrays of this call must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>) {
    constexpr bool is_row = View::rank() == 1;
    static_assert(is_row, "KokkosScan: the arrays of this call must be Views of rank 1");
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of an array of this call");
    constexpr bool serves = ValueType<typename View::non_const_value_type>;
    static_assert(serves, "KokkosScan: the values of arrays must be trivially copyable and of 1 to 64 bytes");
    return is_row && reaches && serves;
  } else {
    return false;
  }
}
template <class Exec, class... Views>
consteval bool check_arrays() {
  return (check_array<Views, Exec>() && ...);
}

/// Whether an array takes values of that type.
template <class View, class Value>
consteval bool check_written() {
  constexpr bool writes = !std::is_const_v<typename View::value_type>;
  static_assert(writes, "KokkosScan: the arrays that results go to must be Views of non-const values");
  constexpr bool converts = std::is_constructible_v<typename View::non_const_value_type, Value const&>;
  static_assert(!writes || converts, "KokkosScan: results must convert to the value type of the array they go to");
  return writes && converts;
}

template <class Function, class... Arguments>
consteval bool check_predicate() {
  constexpr bool chooses = std::is_invocable_r_v<bool, Function const&, Arguments const&...>;
  static_assert(chooses,
                "KokkosScan: predicate must be callable as bool predicate(x), x being an element, or an index "
                "where there is no array, and a const predicate must be");
  return chooses;
}

template <class Function, class Element>
consteval bool check_equal() {
  constexpr bool compares = [] {
    if constexpr (std::is_same_v<Function, core::EqualTo>)
      return requires(Element const& element) {
        { element == element } -> std::convertible_to<bool>;
      };
    else
      return std::is_invocable_r_v<bool, Function const&, Element const&, Element const&>;
  }();
  static_assert(compares,
                "KokkosScan: equal must be callable as bool equal(a, b) with two elements, and a const equal "
                "must be; elements with == need none");
  return compares;
}

/// Whether a type of integers holds as many elements as there may be.
template <class Integer>
void check_holds(std::string const& label, char const* name, std::size_t n) {
  if constexpr (std::is_integral_v<Integer>)
    if (n > static_cast<std::size_t>(std::numeric_limits<Integer>::max()))
      throw std::invalid_argument(label + ": there are up to " + std::to_string(n) + " elements, and the type of " +
                                  name + " holds at most " + std::to_string(std::numeric_limits<Integer>::max()));
}

/// How many elements there are at most, and as far as the host knows; they must be few enough to be counted.
struct Extent {
  std::size_t most, n;
};
template <class ExecOrHandle, class Count, class LengthArgument>
Extent extent_of(std::string const& label, std::size_t elements, LengthArgument const& length) {
  std::size_t const most = driver::most_of(label, elements, length);
  std::size_t const n    = known_length<typename BackendFor<ExecOrHandle>::type>(most, length);
  driver::check_holds<Count>(label, "the count, Total{x},", n);
  return {most, n};
}

/// What is read and what is written: every two of them apart, unless both are read, and the count, too.
class Regions {
 public:
  explicit Regions(std::string const& label) : label_(label) {}

  template <class View>
  Regions& reads(char const* name, View const& view, std::size_t count) {
    return add(name, footprint(view, std::min<std::size_t>(count, view.extent(0))), false);
  }
  template <class View>
  Regions& writes(char const* name, View const& view, std::size_t count) {
    Footprint const written = footprint(view, std::min<std::size_t>(count, view.extent(0)));
    check_distinct(label_, name, written);
    return add(name, written, true);
  }
  /// The count may be where the length is.
  template <class TotalArgument, class LengthArgument>
  void and_count(TotalArgument const& total, LengthArgument const& length) const {
    for (int k = 0; k < size_; ++k) {
      check_total_apart(label_, parts_[k].name, parts_[k].footprint, total);
      if (parts_[k].is_written) check_length_apart(label_, parts_[k].footprint, length, parts_[k].name);
    }
  }

 private:
  struct Part {
    char const* name;
    Footprint footprint;
    bool is_written;
  };

  Regions& add(char const* name, Footprint const& footprint, bool is_written) {
    for (int k = 0; k < size_; ++k)
      if (is_written || parts_[k].is_written) check_apart(label_, parts_[k].name, parts_[k].footprint, name, footprint);
    parts_[size_++] = {name, footprint, is_written};
    return *this;
  }

  std::string const& label_;
  Part parts_[4] = {};
  int size_      = 0;
};

/// Runs the scan that a source and a sink make, with its count where it is asked for.
template <class Value, class ExecOrHandle, class Source, class Op, class Sink, class TotalArgument,
          class LengthArgument>
void run_counted(std::string const& label, ExecOrHandle const& exec_or_handle, Source const& source, Op const& op,
                 Sink const& sink, core::Maybe<Value> const& start, std::size_t n, TotalArgument const& total,
                 LengthArgument const& length) {
  driver::run_of_length<false>(label, exec_or_handle,
                               core::Problem<Value, Source, Op, Sink>{source, sink, n, op, start, nullptr}, length,
                               total);
}

/// The scan that counts what a source chooses, each place handed to `sink`.
template <class Count, class ExecOrHandle, class Source, class Sink, class TotalArgument, class LengthArgument>
void run_choice(std::string const& label, ExecOrHandle const& exec_or_handle, Source const& source, Sink const& sink,
                std::size_t n, TotalArgument const& total, LengthArgument const& length) {
  driver::run_counted<Count>(label, exec_or_handle, source, Sum{}, sink, core::Maybe<Count>(Count{0}), n, total,
                             length);
}

/// A function as it is called by index or with an element.
template <class ExecOrHandle, class Function>
auto choice_by(Function const& function) {
  return core::Chooses<std::decay_t<decltype(for_exec<ExecOrHandle>(function))>>{for_exec<ExecOrHandle>(function)};
}

template <class Array>
core::Bounded<Array> bounded(Array const& array, std::size_t extent) {
  return {array, extent};
}

}  // namespace KokkosScan::driver
