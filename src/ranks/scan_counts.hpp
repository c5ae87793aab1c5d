// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "../driver/scan_counts.hpp"
#include "calls.hpp"
#include "sum_across.hpp"

// Offsets from counts across ranks: each rank sums its counts, the sums cross, and each scans its counts behind what
// the ranks before it have.
namespace KokkosScan::ranks {

/// What sums of counts are summed in: offsets that are too small for the sum are found out by it.
template <class Offset, class TotalArgument>
struct SumOfCounts {
  using type = std::conditional_t<!std::is_integral_v<Offset> || sizeof(Offset) >= sizeof(std::uint64_t), Offset,
                                  std::conditional_t<std::is_signed_v<Offset>, std::int64_t, std::uint64_t>>;
};
template <class Offset, class T>
  requires(sizeof(typename Total<T>::value_type) > sizeof(Offset))
struct SumOfCounts<Offset, Total<T>> {
  using type = typename Total<T>::value_type;
};

template <class Wide, class ExecOrHandle, class Counts>
Wide sum_of_counts(std::string const& label, ExecOrHandle const& exec_or_handle, Counts const& counts, std::size_t n) {
  Wide sum{};
  driver::with_elements(counts, [&](auto const& elements) {
    driver::run_scan(label, exec_or_handle,
                     driver::make_reduction<Wide, ExecOrHandle>(elements, n, Sum{}, Unchanged{}, Wide{}, nullptr), sum);
  });
  return sum;
}

template <class ExecOrHandle, class Counts, class Offsets, class TotalArgument>
void scan_counts(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, Counts const& counts,
                 Offsets const& offsets, bool in_place, TotalArgument const& total) {
  using Value              = typename Offsets::non_const_value_type;
  using Wide               = typename SumOfCounts<Value, TotalArgument>::type;
  constexpr bool has_total = driver::is_total<TotalArgument>;

  Channel& channel    = Channel::of(comm, label);
  bool const is_empty = counts.extent(0) == 0 && offsets.extent(0) == 0;
  std::size_t const n = counts.extent(0) - (in_place && !is_empty);
  bool is_checked     = false;
  if constexpr (requires { driver::choice(exec).check; }) is_checked = driver::choice(exec).check;
  ranks::check_calls_agree(channel, label, exec, [] {
    return "offsets of " + std::string(type_name<Value>()) + (has_total ? ", with a total" : "");
  });
  bool const is_last = channel.rank() + 1 == channel.size(), is_shared = has_total || is_checked;

  SumAcross<Wide> sum(channel, label, is_shared, [&] {
    ranks::refuse_in_capture(label, exec);
    if (!is_empty) driver::check_offset_views(label, counts, offsets, n, total);
    bool const is_asked_for = n > 0 && (is_shared || !is_last);
    return is_asked_for ? ranks::sum_of_counts<Wide>(label, exec, counts, n) : Wide{};
  });
  sum.finish([&] {
    if (!is_empty) driver::scan_counts(label, exec, counts, offsets, n, static_cast<Value>(sum.before()));
    driver::put_total(exec, total, sum.total());
  });
  if constexpr (!std::is_same_v<Wide, Value>) {
    constexpr bool is_wider = [] {
      if constexpr (has_total)
        return !std::is_same_v<typename TotalArgument::value_type, Value>;
      else
        return false;
    }();
    if (is_wider || is_checked) driver::check_fits<Value>(label, sum.total());
  }
}

/// A call of the API: with counts and offsets, or with offsets that hold counts.
template <class ExecOrHandle, class View, class... Rest>
void offsets_arguments(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, View const& view,
                       std::tuple<Rest...> const& rest) {
  driver::with_counts_and_offsets(
      view,
      [&]<class Counts, class Offsets, class... More>(Counts const& counts, Offsets const& offsets, bool in_place,
                                                      std::tuple<More...> const& more) {
        using Call = driver::OffsetsCall<More...>;
        if constexpr (Call::template check<driver::InstanceOf<ExecOrHandle>, Counts, Offsets>())
          ranks::scan_counts(label, comm, exec, counts, offsets, in_place,
                             driver::argument_or<Call::Order::first(Call::Order::totals), driver::Nothing>(more));
      },
      rest);
}

}  // namespace KokkosScan::ranks
