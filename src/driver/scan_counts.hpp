// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "scan_views.hpp"

// Offsets from counts: an exclusive scan whose total is one more result.
namespace KokkosScan::driver {

/// Counts with a zero behind them, so that the total is the last result of a scan, and can be had in another type, too.
template <class Counts>
struct EndingInZero {
  Counts counts;
  std::size_t n;
  decltype(Counts::data) data;  // where they begin

  KOKKOSSCAN_FUNCTION auto operator[](std::size_t i) const {
    using Count = std::remove_cvref_t<decltype(counts[i])>;
    return i < n ? counts[i] : Count{};
  }
};

template <class Offset, class Total>
void check_fits(std::string const& label, Total const& total) {
  if constexpr (std::is_integral_v<Offset> && std::is_integral_v<Total>) {
    auto const stored = static_cast<Offset>(total);
    bool const fits   = static_cast<Total>(stored) == total && (stored < Offset{}) == (total < Total{});
    if (!fits) throw_overflow(label, std::to_string(total), std::to_string(std::numeric_limits<Offset>::max()));
  }
}

/// As the scan of n counts, whose total goes to the last offset; with what stands before all of them.
template <class ExecOrHandle, class Counts, class Offsets, class Value = typename Offsets::non_const_value_type>
void scan_counts(std::string const& label, ExecOrHandle const& exec_or_handle, Counts const& counts,
                 Offsets const& offsets, std::size_t n, Value const& before = {}) {
  auto* const last = offsets.data() + static_cast<std::ptrdiff_t>(n) * static_cast<std::ptrdiff_t>(offsets.stride(0));
  driver::with_elements(counts, [&](auto const& elements) {
    driver::with_elements(offsets, [&](auto const& outputs) {
      auto problem  = driver::make_scan<core::Kind::exclusive, Value, ExecOrHandle>(elements, outputs, n, Sum{},
                                                                                    Unchanged{}, before);
      problem.total = const_cast<Value*>(last);
      driver::run_scan(label, exec_or_handle, problem);
    });
  });
}

/// As the scan of n counts and a zero, in Value.
template <class Value, class ExecOrHandle, class Counts, class Offsets, class TotalArgument>
void scan_counts_as(std::string const& label, ExecOrHandle const& exec_or_handle, Counts const& counts,
                    Offsets const& offsets, std::size_t n, TotalArgument const& total) {
  driver::with_elements(counts, [&](auto const& elements) {
    driver::with_elements(offsets, [&](auto const& outputs) {
      EndingInZero<std::remove_cvref_t<decltype(elements)>> const ending{elements, n, elements.data};
      driver::run_with_total(label, exec_or_handle,
                             driver::make_scan<core::Kind::exclusive, Value, ExecOrHandle>(ending, outputs, n + 1,
                                                                                           Sum{}, Unchanged{}, Value{}),
                             total);
    });
  });
}

/// A sum that the host knows, where it was asked for.
template <class ExecOrHandle, class TotalArgument, class Wide>
void put_total(ExecOrHandle const& exec_or_handle, TotalArgument const& total, Wide const& sum) {
  if constexpr (is_total<TotalArgument>) {
    using Sum = typename TotalArgument::value_type;
    if constexpr (requires { total.address; }) {
      using Space = typename std::remove_cvref_t<decltype(instance(exec_or_handle))>::memory_space;
      Kokkos::deep_copy(instance(exec_or_handle), Kokkos::View<Sum, Space, Kokkos::MemoryUnmanaged>(total.address),
                        static_cast<Sum>(sum));
    } else {
      total.value = static_cast<Sum>(sum);
    }
  }
}

template <class ExecOrHandle, class Counts, class Offsets, class TotalArgument>
void offsets_from_counts(std::string const& label, ExecOrHandle const& exec_or_handle, Counts const& counts,
                         Offsets const& offsets, std::size_t n, TotalArgument const& total) {
  using Value = typename Offsets::non_const_value_type;
  using Wide  = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
  if constexpr (std::is_integral_v<Value> && sizeof(Value) < sizeof(Wide) && requires { choice(exec_or_handle).check; })
    if (choice(exec_or_handle).check) {
      Wide sum{};
      driver::scan_counts_as<Wide>(label, exec_or_handle, counts, offsets, n, Total{sum});
      driver::put_total(exec_or_handle, total, sum);
      return check_fits<Value>(label, sum);
    }
  if constexpr (!is_total<TotalArgument>) {
    driver::scan_counts(label, exec_or_handle, counts, offsets, n);
  } else {
    using Sum                = typename TotalArgument::value_type;
    constexpr bool to_a_view = requires { total.address; };
    if constexpr (std::is_same_v<Sum, Value> && !to_a_view) {
      driver::refuse_in_capture(label, instance(exec_or_handle));
      driver::scan_counts(label, exec_or_handle, counts, offsets, n);
      auto const last = static_cast<std::ptrdiff_t>(n) * static_cast<std::ptrdiff_t>(offsets.stride(0));
      driver::copy_to_host(label, exec_or_handle, offsets.data() + last, total.value);
    } else {
      driver::scan_counts_as<Sum>(label, exec_or_handle, counts, offsets, n, total);
      if constexpr (!to_a_view) check_fits<Value>(label, total.value);
    }
  }
}

/// The total of no counts, without an offset to hold it.
template <class ExecOrHandle, class TotalArgument>
void offsets_of_nothing(std::string const& label, ExecOrHandle const& exec_or_handle, TotalArgument const& total) {
  if constexpr (is_total<TotalArgument>) {
    using Value = typename TotalArgument::value_type;
    core::Contiguous<Value> const none{nullptr};
    driver::run_with_total(
        label, exec_or_handle,
        driver::make_scan<core::Kind::exclusive, Value, ExecOrHandle>(none, none, 0, Sum{}, Unchanged{}, Value{}),
        total);
  }
}

template <class Offsets, class Exec, class TotalArgument>
consteval bool check_total_of_offsets() {
  if constexpr (!is_total<TotalArgument>) {
    return true;
  } else {
    using Value          = typename Offsets::non_const_value_type;
    using Sum            = typename TotalArgument::value_type;
    constexpr bool wider = std::is_integral_v<Sum> && std::is_integral_v<Value> && sizeof(Sum) > sizeof(Value);
    constexpr bool good  = std::is_same_v<Sum, Value> || wider;
    static_assert(good,
                  "KokkosScan: the total of offsets_from_counts must have the value type of offsets, or be a wider "
                  "integer");
    if constexpr (good)
      return check_total<Sum, Exec, TotalArgument>();
    else
      return false;
  }
}

template <class Counts, class Offsets>
consteval bool check_counts() {
  using Count             = typename Counts::non_const_value_type;
  constexpr bool converts = std::is_constructible_v<typename Offsets::non_const_value_type, Count const&> &&
                            std::is_default_constructible_v<Count>;
  static_assert(converts, "KokkosScan: counts must be numbers that convert to the value type of offsets");
  return converts;
}

/// The types of a call: counts and offsets, or in place offsets alone, and what stands behind them.
template <class... Rest>
struct OffsetsCall {
  using Order         = Sorted<Rest...>;
  using TotalArgument = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;

  template <class Exec, class Counts, class Offsets>
  static consteval bool check() {
    constexpr bool total_alone = Order::in_order == 0 && Order::count(Order::named) == 0 &&
                                 Order::count(Order::lengths) == 0 && Order::count(Order::axes) == 0 &&
                                 !Order::reversed && Order::once_each;
    static_assert(total_alone, "KokkosScan: behind offsets may stand a Total and nothing else");
    if constexpr (total_alone && check_view<Counts, Exec>() && check_view<Offsets, Exec>())
      return check_dest<Offsets>() && check_counts<Counts, Offsets>() &&
             check_total_of_offsets<Offsets, Exec, TotalArgument>();
    else
      return false;
  }
};

/// Where the Views of a call with n counts lie, which are not both empty.
template <class Counts, class Offsets, class TotalArgument>
void check_offset_views(std::string const& label, Counts const& counts, Offsets const& offsets, std::size_t n,
                        TotalArgument const& total) {
  check_extents(label, "counts", n, "offsets", offsets.extent(0), 1);
  Footprint const inputs = footprint(counts, n), results = footprint(offsets, n + 1);
  Footprint const front = footprint(offsets, n);
  Footprint const last{results.first + n * results.stride, 1, results.stride, results.size};
  check_distinct(label, "offsets", results);
  check_in_place_or_apart(label, "counts", inputs, "offsets", front);
  check_apart(label, "counts", inputs, "the last entry of offsets", last);
  if constexpr (is_total<TotalArgument>) {
    check_total_apart(label, "counts", inputs, total);
    check_total_apart(label, "offsets", results, total);
  }
}

/// Calls f(counts, offsets, n, rest) with the Views of a call: with counts and offsets, or with offsets that hold
/// counts.
template <class View, class F, class... Rest>
void with_counts_and_offsets(View const& view, F const& f, std::tuple<Rest...> const& rest) {
  constexpr bool in_place = [] {
    if constexpr (sizeof...(Rest) == 0)
      return true;
    else
      return is_total<std::remove_cvref_t<std::tuple_element_t<0, std::tuple<Rest...>>>>;
  }();
  if constexpr (in_place)
    f(view, view, true, rest);
  else
    std::apply(
        [&](auto const& offsets, auto&&... more) {
          f(view, offsets, false, std::forward_as_tuple(static_cast<decltype(more)&&>(more)...));
        },
        rest);
}

/// A call of the API.
template <class ExecOrHandle, class View, class... Rest>
void offsets_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, View const& view,
                       std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (is_exec_or_handle<ExecOrHandle>)
    driver::with_counts_and_offsets(
        view,
        [&]<class Counts, class Offsets, class... More>(Counts const& counts, Offsets const& offsets, bool in_place,
                                                        std::tuple<More...> const& more) {
          using Call = OffsetsCall<More...>;
          if constexpr (Call::template check<InstanceOf<ExecOrHandle>, Counts, Offsets>()) {
            auto const& total = argument_or<Call::Order::first(Call::Order::totals), Nothing>(more);
            if (counts.extent(0) == 0 && offsets.extent(0) == 0)
              return offsets_of_nothing(label, exec_or_handle, total);
            std::size_t const n = counts.extent(0) - in_place;
            check_offset_views(label, counts, offsets, n, total);
            offsets_from_counts(label, exec_or_handle, counts, offsets, n, total);
          }
        },
        rest);
}

}  // namespace KokkosScan::driver
