// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "even_bins.hpp"
#include "function.hpp"
#include "radix_keys.hpp"
#include "run_histogram.hpp"

// The calls that count.
namespace KokkosScan {

/// What each element weighs in a histogram: a View of as many numbers as there are elements.
///
///   Weights{view}
template <class View>
struct Weights {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: the weights of a histogram must be a View");
  using view_type = View;

  View view;

  explicit Weights(View const& of_elements) : view(of_elements) {}
};

namespace driver {

template <class X>
inline constexpr bool is_weights = false;
template <class View>
inline constexpr bool is_weights<Weights<View>> = true;

/// What falls into bins: integers and floats that a double holds.
template <class Value>
concept BinnedValue = RadixKey<Value> && !std::is_same_v<Value, bool>;

/// The arguments behind the elements: weights anywhere, and the others in their order.
template <class... Rest>
struct HistogramCall {
  static constexpr std::size_t weights  = (std::size_t{0} + ... + std::size_t{is_weights<Rest>});
  static constexpr std::size_t in_order = sizeof...(Rest) - weights;

  /// The index of the k-th of those that are weights, or of those that are not.
  template <bool of_weights>
  static constexpr std::size_t index(std::size_t k) {
    constexpr bool is[] = {is_weights<Rest>..., false};
    for (std::size_t i = 0; i < sizeof...(Rest); ++i)
      if (is[i] == of_weights && k-- == 0) return i;
    return absent;
  }
  /// The View of weights, or Nothing.
  static auto view_of_weights(std::tuple<Rest const&...> const& rest) {
    if constexpr (weights > 0)
      return std::get<index<true>(0)>(rest).view;
    else
      return Nothing{};
  }
  using Weights = decltype(view_of_weights(std::declval<std::tuple<Rest const&...> const&>()));

  static consteval bool check() {
    static_assert(weights <= 1, "KokkosScan: there is more than one Weights");
    return weights <= 1;
  }
};

/// Counts of a type that holds them.
template <class Counts, class Weights, class Exec>
consteval bool check_counts() {
  if constexpr (check_array<Counts, Exec>()) {
    constexpr bool writes = !std::is_const_v<typename Counts::value_type>;
    static_assert(writes, "KokkosScan: counts must be a View of non-const values");
    using Count               = ValueIn<Counts>;
    constexpr bool is_integer = CountType<Count> && sizeof(Count) <= 8;
    if constexpr (std::is_same_v<Weights, Nothing>) {
      static_assert(is_integer, "KokkosScan: counts must be a View of integers; only weights have sums of other types");
      return writes && is_integer;
    } else if constexpr (check_array<Weights, Exec>()) {
      constexpr bool adds = std::is_constructible_v<Count, ValueIn<Weights> const&> && OperatorOn<Sum, Count> &&
                            HasIdentity<Sum, Count> && sizeof(Count) <= 16 && !std::is_same_v<Count, bool>;
      static_assert(adds,
                    "KokkosScan: weights must convert to the value type of counts, which has a sum, and up to 16 "
                    "bytes");
      constexpr bool keeps = !is_integer || CountType<ValueIn<Weights>>;
      static_assert(keeps, "KokkosScan: weights that are no integers need counts that are none: their sums are not");
      return writes && adds && keeps;
    } else {
      return false;
    }
  } else {
    return false;
  }
}

template <class From>
consteval bool check_binned() {
  constexpr bool is_binned = BinnedValue<ValueIn<From>>;
  static_assert(is_binned, "KokkosScan: a histogram is one of integers of up to 64 bits, float, double and half types");
  return is_binned;
}

template <class Bound>
concept BoundType = std::is_arithmetic_v<Bound> || std::is_constructible_v<double, Bound const&>;

/// Checks what is read and written, and then counts; make_bins() throws what is wrong with bins.
template <class ExecOrHandle, class From, class Counts, class Weights, class MakeBins>
void count_checked(std::string const& label, ExecOrHandle const& exec, Regions& regions, char const* from_name,
                   From const& from, Counts const& counts, Weights const& weights, MakeBins const& make_bins) {
  std::size_t const n = from.extent(0);
  regions.reads(from_name, from, n);
  if constexpr (!std::is_same_v<Weights, Nothing>) {
    check_extents(label, from_name, n, "weights", weights.extent(0));
    regions.reads("weights", weights, n);
  }
  regions.writes("counts", counts, counts.extent(0));
  auto const bins = make_bins();
  if (counts.extent(0) == 0) return;
  driver::with_elements(from, [&](auto const& elements) {
    if constexpr (std::is_same_v<Weights, Nothing>)
      driver::run_histogram(label, exec, elements, bins, n, core::NoWeights{}, counts);
    else
      driver::run_histogram(label, exec, elements, bins, n, strided<typename Weights::value_type>(weights), counts);
  });
}

/// Bins between two bounds or between edges: `counts, lower, upper`, or `edges, counts`.
struct CountValues {
  template <class ExecOrHandle, class From, class... Rest>
    requires(sizeof...(Rest) >= 2)
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Rest const&... rest) {
    using Call = HistogramCall<Rest...>;
    std::tuple<Rest const&...> const all(rest...);
    if constexpr (Call::check()) {
      constexpr bool few = Call::in_order == 2 || Call::in_order == 3;
      static_assert(few,
                    "KokkosScan: behind from a histogram takes counts, lower and upper, or edges and counts; "
                    "weights are written Weights{view}");
      if constexpr (Call::in_order == 3)
        between_bounds(label, exec, from, std::get<Call::template index<false>(0)>(all),
                       std::get<Call::template index<false>(1)>(all), std::get<Call::template index<false>(2)>(all),
                       Call::view_of_weights(all));
      else if constexpr (Call::in_order == 2)
        between_edges(label, exec, from, std::get<Call::template index<false>(0)>(all),
                      std::get<Call::template index<false>(1)>(all), Call::view_of_weights(all));
    }
  }

 private:
  template <class ExecOrHandle, class From, class Counts, class Lower, class Upper, class Weights>
  static void between_bounds(std::string const& label, ExecOrHandle const& exec, From const& from, Counts const& counts,
                             Lower const& lower, Upper const& upper, Weights const& weights) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_array<From, Exec>() && check_counts<Counts, Weights, Exec>())
      if constexpr (check_binned<From>()) {
        constexpr bool are_bounds = BoundType<Lower> && BoundType<Upper>;
        static_assert(are_bounds, "KokkosScan: lower and upper must be numbers, and stand behind counts");
        if constexpr (are_bounds) {
          Regions regions(label);
          std::size_t const bins = counts.extent(0);
          driver::count_checked(label, exec, regions, "from", from, counts, weights, [&] {
            return driver::even_bins<ValueIn<From>>(label, bins > 0 ? bins : 1, lower, upper);
          });
        }
      }
  }

  template <class ExecOrHandle, class From, class Edges, class Counts, class Weights>
  static void between_edges(std::string const& label, ExecOrHandle const& exec, From const& from, Edges const& edges,
                            Counts const& counts, Weights const& weights) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_arrays<Exec, From, Edges>() && check_counts<Counts, Weights, Exec>())
      if constexpr (check_binned<From>()) {
        constexpr bool are_edges = BinnedValue<ValueIn<Edges>>;
        static_assert(are_edges,
                      "KokkosScan: edges must be a View of integers, float, double or half types, and stand before "
                      "counts");
        if constexpr (are_edges) {
          std::size_t const bins = counts.extent(0);
          if (bins + 1 != edges.extent(0) && bins + edges.extent(0) != 0) throw_not_edges(label, edges.extent(0), bins);
          Regions regions(label);
          regions.reads("edges", edges, edges.extent(0));
          driver::count_checked(label, exec, regions, "from", from, counts, weights, [&] {
            using Places = core::Strided<typename Edges::value_type>;
            return core::EdgeBins<ValueIn<From>, Places>{bins, strided<typename Edges::value_type>(edges)};
          });
        }
      }
  }
};

/// Keys that are numbers of bins.
struct CountKeys {
  template <class ExecOrHandle, class Keys, class... Rest>
    requires(sizeof...(Rest) >= 1)
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, Rest const&... rest) {
    using Exec = InstanceOf<ExecOrHandle>;
    using Call = HistogramCall<Rest...>;
    std::tuple<Rest const&...> const all(rest...);
    if constexpr (Call::check()) {
      constexpr bool one = Call::in_order == 1;
      static_assert(one, "KokkosScan: behind keys count_keys takes counts; weights are written Weights{view}");
      if constexpr (one) {
        auto const& counts = std::get<Call::template index<false>(0)>(all);
        using Counts       = std::remove_cvref_t<decltype(counts)>;
        if constexpr (check_array<Keys, Exec>() && check_counts<Counts, typename Call::Weights, Exec>()) {
          constexpr bool are_integers = CountType<ValueIn<Keys>> && sizeof(ValueIn<Keys>) <= 8;
          static_assert(are_integers, "KokkosScan: keys that are counted must be integers of up to 64 bits");
          if constexpr (are_integers) {
            Regions regions(label);
            driver::count_checked(label, exec, regions, "keys", keys, counts, Call::view_of_weights(all),
                                  [&] { return core::KeyBins<ValueIn<Keys>>{counts.extent(0)}; });
          }
        }
      }
    }
  }
};

}  // namespace driver
}  // namespace KokkosScan
