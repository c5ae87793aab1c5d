// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "scan_axis.hpp"

//  Summed area tables (Crow 1984): a scan along each axis, one after the other
//  launches    those of a scan along an axis, for each dimension
//  bytes       2 n for each dimension; all but the first are in place
//
// A box is a sum of differences of the table's entries at its corners. Of floats these cancel: what a box of the table
// is off by is a matter of how large the table is there, not of how large the box is.
namespace KokkosScan::driver {

inline constexpr Roles table_roles{.op = 0, .unary = absent, .init = absent, .required = 0, .most = 0};

template <class From, class Dest, class Exec>
consteval bool check_table() {
  if constexpr (check_view_of_lines<From, Exec>() && check_view_of_lines<Dest, Exec>()) {
    constexpr bool is_image = From::rank() <= 3;
    static_assert(is_image, "KokkosScan: summed_area_table takes Views of rank 2 and 3");
    constexpr bool same_rank = From::rank() == Dest::rank();
    static_assert(same_rank, "KokkosScan: from and dest of a summed_area_table must have the same rank");
    return is_image && same_rank && check_dest<Dest>();
  } else {
    return false;
  }
}

struct SummedAreaTable {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                   Rest const&... rest) {
    constexpr bool options = sizeof...(Rest) <= 1 && (is_as<Rest> && ...);
    static_assert(options, "KokkosScan: behind dest summed_area_table takes As<T>{} and nothing else");
    if constexpr (options && check_table<From, Dest, InstanceOf<ExecOrHandle>>()) {
      along<0>(label, exec, from, dest, rest...);
      auto const all = std::make_index_sequence<Dest::rank()>();
      if (from.size() > 0) scan_in_place(label, exec, part_of(dest, from, all), rest...);
    }
  }

 private:
  template <int dimension, class ExecOrHandle, class From, class Dest, class... Rest>
  static void along(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                    Rest const&... rest) {
    driver::axis_arguments<core::Kind::inclusive, table_roles>(label, exec, from, dest,
                                                               std::tuple(Axis{dimension}, rest...));
  }
  template <class ExecOrHandle, class Dest, class... Rest>
  static void scan_in_place(std::string const& label, ExecOrHandle const& exec, Dest const& dest, Rest const&... rest) {
    along<1>(label, exec, dest, dest, rest...);
    if constexpr (Dest::rank() == 3) along<2>(label, exec, dest, dest, rest...);
  }

  /// The results without what is behind them.
  template <class Dest, class From, std::size_t... d>
  static auto part_of(Dest const& dest, From const& from, std::index_sequence<d...>) {
    using Layout = Kokkos::LayoutStride;
    using Value  = typename Dest::value_type;
    using Data   = std::conditional_t<sizeof...(d) == 2, Value**, Value***>;  // the type of dest may say other extents
    using Part   = Kokkos::View<Data, Layout, typename Dest::memory_space, Kokkos::MemoryUnmanaged>;
    Layout layout;
    ((layout.dimension[d] = from.extent(d)), ...);
    ((layout.stride[d] = dest.stride(d)), ...);
    return Part(dest.data(), layout);
  }
};

/// The sum over a box, by a difference along each dimension.
struct BoxSum {
  template <class Table, class Low, class High>
  KOKKOS_FUNCTION auto operator()(Table const& table, Low const& low, High const& high) const {
    static_assert(Kokkos::is_view_v<Table>, "KokkosScan: box_sum takes a table that summed_area_table has filled");
    using Value                = typename Table::non_const_value_type;
    constexpr std::size_t rank = Table::rank();
    static_assert(rank == 2 || rank == 3, "KokkosScan: box_sum takes a table of rank 2 or 3");
    for (std::size_t d = 0; d < rank; ++d)
      if (!(low[d] < high[d])) return Value{};
    if constexpr (rank == 2) {
      return upper_half<0>(
          low, high, [&](auto i) { return upper_half<1>(low, high, [&](auto j) { return Value(table(i, j)); }); });
    } else if constexpr (rank == 3) {
      return upper_half<0>(low, high, [&](auto i) {
        return upper_half<1>(
            low, high, [&](auto j) { return upper_half<2>(low, high, [&](auto k) { return Value(table(i, j, k)); }); });
      });
    }
  }

 private:
  /// What f gives up to the end of the box in a dimension, without what it gives before its beginning.
  template <std::size_t dimension, class Low, class High, class F>
  KOKKOS_FUNCTION static auto upper_half(Low const& low, High const& high, F const& f) {
    auto const all = f(high[dimension] - 1);
    if (low[dimension] == 0) return all;
    return difference(all, f(low[dimension] - 1));
  }
  /// Integers wrap around, as the sums in the table do.
  template <class T>
  KOKKOS_FUNCTION static T difference(T const& all, T const& before) {
    using Counted = typename core::CountsAs<T>::type;
    return static_cast<T>(static_cast<Counted>(all) - static_cast<Counted>(before));
  }
};

}  // namespace KokkosScan::driver
