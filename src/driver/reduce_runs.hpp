// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/runs.hpp"
#include "compact.hpp"

// Calls that find one thing for each run of equal neighbours: where it begins, how long it is, or what its values make.
namespace KokkosScan::driver {

/// Reduces runs of keys. `from` is a View, or Ones.
template <class T, class Count, class ExecOrHandle, class Keys, class From, class UniqueKeys, class Dest, class Op,
          class Equal, class... TotalAndLength>
void run_runs(std::string const& label, ExecOrHandle const& exec, Keys const& keys, From const& from,
              UniqueKeys const& unique_keys, Dest const& dest, Op const& op, Equal const& equal, std::size_t n,
              TotalAndLength const&... total_and_length) {
  using Run = core::Run<T, Count>;
  driver::with_elements(keys, [&](auto const& key_elements) {
    driver::with_elements(unique_keys, [&](auto const& key_results) {
      driver::with_elements(dest, [&](auto const& results) {
        auto const run_from = [&](auto const& elements) {
          using KeyArray = std::remove_cvref_t<decltype(key_elements)>;
          using Source = core::FromCountedRuns<T, Count, KeyArray, std::remove_cvref_t<decltype(elements)>, Op, Equal>;
          using Sink   = core::ToRuns<T, Count, KeyArray, std::remove_cvref_t<decltype(key_results)>,
                                      std::remove_cvref_t<decltype(results)>>;
          driver::run_counted<Run>(
              label, exec, Source{key_elements, elements, op, equal}, core::WithinCountedRuns<T, Count, Op>{op},
              Sink{key_elements, bounded(key_results, unique_keys.extent(0)), bounded(results, dest.extent(0)), n},
              core::Maybe<Run>(), n, total_and_length...);
        };
        if constexpr (std::is_same_v<From, core::Ones>)
          run_from(from);
        else
          driver::with_elements(from, run_from);
      });
    });
  });
}

struct RunLengthEncode {
  template <class ExecOrHandle, class From, class Values, class Lengths, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Values const& values,
                   Lengths const& lengths, Rest&&... rest) {
    using Order = Sorted<Rest...>;
    using Equal = ArgumentOr<Order::index(0), core::EqualTo, Rest...>;
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, From, Values, Lengths>())
      if constexpr (check_written<Values, ValueIn<From>>() && check_written<Lengths, std::size_t>() &&
                    check_integers<Lengths>() && check_equal<Equal, ValueIn<From>>()) {
        auto const behind = std::forward_as_tuple(static_cast<Rest&&>(rest)...);
        auto const& same  = argument_or<Order::index(0), core::EqualTo>(behind);
        driver::with_count<ExecOrHandle, 1>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              Regions(label)
                  .reads("from", from, extent.most)
                  .writes("values", values, extent.most)
                  .writes("lengths", lengths, extent.most)
                  .and_count(total, length);
              driver::run_runs<ValueIn<Lengths>, Count>(label, exec, from, core::Ones{}, values, lengths, Sum{},
                                                        for_exec<ExecOrHandle>(same), extent.n, total, length);
            },
            behind);
      }
  }
};

struct RunOffsets {
  template <class ExecOrHandle, class From, class Offsets, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Offsets const& offsets,
                   Rest&&... rest) {
    using Order = Sorted<Rest...>;
    using Equal = ArgumentOr<Order::index(0), core::EqualTo, Rest...>;
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, From, Offsets>())
      if constexpr (check_written<Offsets, std::size_t>() && check_integers<Offsets>() &&
                    check_equal<Equal, ValueIn<From>>()) {
        auto const behind = std::forward_as_tuple(static_cast<Rest&&>(rest)...);
        auto const& same  = argument_or<Order::index(0), core::EqualTo>(behind);
        auto const& equal = for_exec<ExecOrHandle>(same);
        driver::with_count<ExecOrHandle, 1>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              Regions(label)
                  .reads("from", from, extent.most)
                  .writes("offsets", offsets, extent.most + 1)
                  .and_count(total, length);
              driver::check_holds<ValueIn<Offsets>>(label, "offsets", extent.n);
              driver::with_elements(from, [&](auto const& elements) {
                driver::with_elements(offsets, [&](auto const& results) {
                  using Source =
                      core::FromChanges<Count, std::remove_cvref_t<decltype(elements)>, std::decay_t<decltype(equal)>>;
                  using Sink = core::ToOffsets<Count, std::remove_cvref_t<decltype(results)>>;
                  driver::run_choice<Count>(label, exec, Source{elements, equal},
                                            Sink{bounded(results, offsets.extent(0)), extent.n}, extent.n, total,
                                            length);
                });
              });
            },
            behind);
      }
  }
};

struct ReduceByKey {
  template <class ExecOrHandle, class Keys, class From, class UniqueKeys, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, From const& from,
                   UniqueKeys const& unique_keys, Dest const& dest, Rest&&... rest) {
    using Order = Sorted<Rest...>;
    using Op    = ArgumentOr<Order::index(0), Sum, Rest...>;
    using Equal = ArgumentOr<Order::index(1), core::EqualTo, Rest...>;
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, Keys, From, UniqueKeys, Dest>())
      if constexpr (check_written<UniqueKeys, ValueIn<Keys>>() && check_equal<Equal, ValueIn<Keys>>()) {
        using Named = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
        using T     = typename AccumulatorOf<Named, ValueIn<Dest>>::type;
        if constexpr (check_written<Dest, T>() && check_functions<T, ValueIn<From>, Op, Unchanged, Nothing>()) {
          auto const behind = std::forward_as_tuple(static_cast<Rest&&>(rest)...);
          auto const& given = argument_or<Order::index(0), Sum>(behind);
          auto const& same  = argument_or<Order::index(1), core::EqualTo>(behind);
          driver::with_count<ExecOrHandle, 2, true>(
              [&]<class Count>(Count, auto const& total, auto const& length) {
                Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, keys.extent(0), length);
                check_extents(label, "keys", extent.most, "from", from.extent(0));
                Regions(label)
                    .reads("keys", keys, extent.most)
                    .reads("from", from, extent.most)
                    .writes("unique_keys", unique_keys, extent.most)
                    .writes("dest", dest, extent.most)
                    .and_count(total, length);
                driver::run_runs<T, Count>(label, exec, keys, from, unique_keys, dest, for_exec<ExecOrHandle>(given),
                                           for_exec<ExecOrHandle>(same), extent.n, total, length);
              },
              behind);
        }
      }
  }
};

}  // namespace KokkosScan::driver
