// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "counted.hpp"
#include "function.hpp"
#include "scan_indices.hpp"

// Calls that choose elements: by what they are, by flags, by index, or as those that differ from the one before.
namespace KokkosScan::driver {

/// Calls f(count's type, total, length) with the arguments behind those that are named, if they are as they must be.
template <class ExecOrHandle, std::size_t most_in_order, bool takes_as = false, class F, class... Rest>
void with_count(F const& f, std::tuple<Rest...> const& rest) {
  using Call = CountedCall<most_in_order, takes_as, Rest...>;
  if constexpr (Call::template check<InstanceOf<ExecOrHandle>>())
    f(CountOf<Call>{}, argument_or<Call::Order::first(Call::Order::totals), Nothing>(rest),
      argument_or<Call::Order::first(Call::Order::lengths), Nothing>(rest));
}

/// How many indices there are at most, n being a number or a Length.
template <class ExecOrHandle, class Count, class N>
std::size_t extent_of_indices(std::string const& label, N const& n) {
  return driver::extent_of<ExecOrHandle, Count>(label, most_of_indices(label, n), n).n;
}

/// By index: out(i, place) for each i that is chosen.
template <class ExecOrHandle, class N, class Predicate, class Out, class... Rest>
void select_for(std::string const& label, ExecOrHandle const& exec, N const& n, Predicate const& predicate,
                Out const& out, Rest&&... rest) {
  constexpr bool only_n = (!is_length<std::remove_cvref_t<Rest>> && ...);
  static_assert(only_n, "KokkosScan: by index a Length stands in the place of n");
  if constexpr (only_n && check_predicate<Predicate, std::size_t>() && check_indices<N>())
    driver::with_count<ExecOrHandle, 0>(
        [&]<class Count>(Count, auto const& total, auto const&) {
          std::size_t const most = driver::extent_of_indices<ExecOrHandle, Count>(label, n);
          auto const choose      = driver::choice_by<ExecOrHandle>(predicate);
          driver::run_choice<Count>(label, exec, core::FromIndex<Count, std::remove_const_t<decltype(choose)>>{choose},
                                    core::ToChosen<Count, Out>{out}, most, total, n);
        },
        std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}

/// Whether arguments can only begin with load and store: the first takes no place, and the second is none that its type
/// tells, and no View.
template <class Load, class... Rest>
inline constexpr bool are_load_and_store = false;
template <class Load, class Store, class... Rest>
inline constexpr bool are_load_and_store<Load, Store, Rest...> =
    !std::is_invocable_v<Load const&, std::size_t, std::size_t> &&
    (std::is_class_v<Store> || std::is_function_v<std::remove_pointer_t<Store>>) && !is_by_type<Store> &&
    !Kokkos::is_view_v<Store>;

struct Select {
  template <class ExecOrHandle, class N, class Predicate, class Out, class... Rest>
    requires(!are_load_and_store<Out, std::remove_cvref_t<Rest>...>)
  static void call(std::string const& label, ExecOrHandle const& exec, N const& n, Predicate const& predicate,
                   Out const& out, Rest&&... rest) {
    constexpr bool takes = std::is_invocable_v<Out const&, std::size_t, std::size_t>;
    static_assert(takes, "KokkosScan: out must be callable as out(i, position), and a const out must be");
    if constexpr (takes) {
      auto const& called = for_exec<ExecOrHandle>(out);
      driver::select_for<ExecOrHandle, N, Predicate, std::decay_t<decltype(called)>>(label, exec, n, predicate, called,
                                                                                     static_cast<Rest&&>(rest)...);
    }
  }
  template <class ExecOrHandle, class N, class Predicate, class Load, class Store, class... Rest>
    requires are_load_and_store<Load, Store>
  static void call(std::string const& label, ExecOrHandle const& exec, N const& n, Predicate const& predicate,
                   Load const& load, Store const& store, Rest&&... rest) {
    if constexpr (check_load_and_store<Load, Store>()) {
      auto const& loaded = for_exec<ExecOrHandle>(load);
      auto const& stored = for_exec<ExecOrHandle>(store);
      using Out          = core::LoadThenStore<std::decay_t<decltype(loaded)>, std::decay_t<decltype(stored)>>;
      driver::select_for(label, exec, n, predicate, Out{loaded, stored}, static_cast<Rest&&>(rest)...);
    }
  }

 private:
  template <class Load, class Store>
  static consteval bool check_load_and_store() {
    constexpr bool loads = std::is_invocable_v<Load const&, std::size_t>;
    static_assert(loads, "KokkosScan: load must be callable as load(i), and a const load must be");
    if constexpr (loads) {
      using Loaded          = std::remove_cvref_t<std::invoke_result_t<Load const&, std::size_t>>;
      using Argument        = std::conditional_t<std::is_void_v<Loaded>, Nothing, Loaded>;
      constexpr bool stores = std::is_invocable_v<Store const&, std::size_t, Argument const&>;
      static_assert(stores,
                    "KokkosScan: store must be callable as store(position, what load returns), and a const one");
      constexpr bool copies = std::is_trivially_copyable_v<Argument> && !std::is_void_v<Loaded>;
      static_assert(copies, "KokkosScan: what load returns must be trivially copyable");
      return stores && copies;
    } else {
      return false;
    }
  }
};

/// What is chosen of from, the source's first array, goes to dest.
template <class Count, class ExecOrHandle, class Source, class From, class Dest, class... TotalAndLength>
void run_copy(std::string const& label, ExecOrHandle const& exec, Source const& source, From const& elements,
              Dest const& dest, std::size_t n, TotalAndLength const&... total_and_length) {
  driver::with_elements(dest, [&](auto const& outputs) {
    using Sink = core::ToCompacted<Count, From, std::remove_cvref_t<decltype(outputs)>>;
    driver::run_choice<Count>(label, exec, source, Sink{elements, bounded(outputs, dest.extent(0))}, n,
                              total_and_length...);
  });
}

struct CopyIf {
  template <class ExecOrHandle, class From, class Dest, class Predicate, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                   Predicate const& predicate, Rest&&... rest) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_arrays<Exec, From, Dest>())
      if constexpr (check_written<Dest, ValueIn<From>>() && check_predicate<Predicate, ValueIn<From>>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              Regions(label)
                  .reads("from", from, extent.most)
                  .writes("dest", dest, extent.most)
                  .and_count(total, length);
              driver::with_elements(from, [&](auto const& elements) {
                using Array       = std::remove_cvref_t<decltype(elements)>;
                auto const choose = driver::choice_by<ExecOrHandle>(predicate);
                using Source      = core::FromChosen<Count, Array, std::remove_const_t<decltype(choose)>>;
                driver::run_copy<Count>(label, exec, Source{elements, choose}, elements, dest, extent.n, total, length);
              });
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

/// Chooses by flags that are not 0.
struct IsSet {
  template <class Flag>
  KOKKOSSCAN_FUNCTION bool operator()(Flag const& flag) const {
    return static_cast<bool>(flag);
  }
};
template <class Flags>
consteval bool check_flags() {
  constexpr bool chooses = std::is_constructible_v<bool, typename Flags::non_const_value_type const&>;
  static_assert(chooses, "KokkosScan: flags must convert to bool");
  return chooses;
}
template <class Count, class Flags>
auto choice_by_flags(Flags const& flags) {
  return core::FromArray<Count, Flags, IsSet>{flags, IsSet{}};
}

struct CopyFlagged {
  template <class ExecOrHandle, class From, class Flags, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Flags const& flags,
                   Dest const& dest, Rest&&... rest) {
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, From, Flags, Dest>())
      if constexpr (check_written<Dest, ValueIn<From>>() && check_flags<Flags>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              check_extents(label, "from", extent.most, "flags", flags.extent(0));
              Regions(label)
                  .reads("from", from, extent.most)
                  .reads("flags", flags, extent.most)
                  .writes("dest", dest, extent.most)
                  .and_count(total, length);
              driver::with_elements(from, [&](auto const& elements) {
                driver::with_elements(flags, [&](auto const& set) {
                  using Array  = std::remove_cvref_t<decltype(elements)>;
                  using Source = core::FromFlagged<Count, Array, std::remove_cvref_t<decltype(set)>>;
                  driver::run_copy<Count>(label, exec, Source{elements, set}, elements, dest, extent.n, total, length);
                });
              });
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

/// The indices of what is chosen go to indices.
struct Where {
  template <class ExecOrHandle, class Flags, class Indices, class... Rest>
    requires Kokkos::is_view_v<Flags>
  static void call(std::string const& label, ExecOrHandle const& exec, Flags const& flags, Indices const& indices,
                   Rest&&... rest) {
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, Flags, Indices>())
      if constexpr (check_written<Indices, std::size_t>() && check_integers<Indices>() && check_flags<Flags>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, flags.extent(0), length);
              Regions(label)
                  .reads("flags", flags, extent.most)
                  .writes("indices", indices, extent.most)
                  .and_count(total, length);
              driver::with_elements(flags, [&](auto const& set) {
                write_indices<Count>(label, exec, driver::choice_by_flags<Count>(set), indices, extent.n, total,
                                     length);
              });
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
  template <class ExecOrHandle, class N, class Predicate, class Indices, class... Rest>
    requires(!Kokkos::is_view_v<N>)
  static void call(std::string const& label, ExecOrHandle const& exec, N const& n, Predicate const& predicate,
                   Indices const& indices, Rest&&... rest) {
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, Indices>())
      if constexpr (check_written<Indices, std::size_t>() && check_integers<Indices>() &&
                    check_predicate<Predicate, std::size_t>() && check_indices<N>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const&) {
              std::size_t const most = driver::extent_of_indices<ExecOrHandle, Count>(label, n);
              Regions(label).writes("indices", indices, most).and_count(total, n);
              auto const choose = driver::choice_by<ExecOrHandle>(predicate);
              write_indices<Count>(label, exec, core::FromIndex<Count, std::remove_const_t<decltype(choose)>>{choose},
                                   indices, most, total, n);
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }

 private:
  template <class Count, class ExecOrHandle, class Source, class Indices, class... TotalAndLength>
  static void write_indices(std::string const& label, ExecOrHandle const& exec, Source const& source,
                            Indices const& indices, std::size_t n, TotalAndLength const&... total_and_length) {
    driver::check_holds<ValueIn<Indices>>(label, "indices", n);
    driver::with_elements(indices, [&](auto const& outputs) {
      using Write = core::WriteIndex<std::remove_cvref_t<decltype(outputs)>>;
      driver::run_choice<Count>(label, exec, source,
                                core::ToChosen<Count, Write>{Write{bounded(outputs, indices.extent(0))}}, n,
                                total_and_length...);
    });
  }
};

struct PartitionCopy {
  template <class ExecOrHandle, class From, class Chosen, class Others, class Predicate, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Chosen const& chosen,
                   Others const& others, Predicate const& predicate, Rest&&... rest) {
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, From, Chosen, Others>())
      if constexpr (check_written<Chosen, ValueIn<From>>() && check_written<Others, ValueIn<From>>() &&
                    check_predicate<Predicate, ValueIn<From>>())
        driver::with_count<ExecOrHandle, 0>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              Regions(label)
                  .reads("from", from, extent.most)
                  .writes("chosen", chosen, extent.most)
                  .writes("rest", others, extent.most)
                  .and_count(total, length);
              driver::with_elements(from, [&](auto const& elements) {
                driver::with_elements(chosen, [&](auto const& of_chosen) {
                  driver::with_elements(others, [&](auto const& of_others) {
                    using Array       = std::remove_cvref_t<decltype(elements)>;
                    auto const choose = driver::choice_by<ExecOrHandle>(predicate);
                    using Source      = core::FromChosen<Count, Array, std::remove_const_t<decltype(choose)>>;
                    using Sink        = core::ToParted<Count, Array, std::remove_cvref_t<decltype(of_chosen)>,
                                                       std::remove_cvref_t<decltype(of_others)>>;
                    driver::run_choice<Count>(
                        label, exec, Source{elements, choose},
                        Sink{elements, bounded(of_chosen, chosen.extent(0)), bounded(of_others, others.extent(0))},
                        extent.n, total, length);
                  });
                });
              });
            },
            std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

/// The first of each run of equal neighbours.
struct UniqueCopy {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                   Rest&&... rest) {
    using Order = Sorted<Rest...>;
    using Equal = ArgumentOr<Order::index(0), core::EqualTo, Rest...>;
    if constexpr (check_arrays<InstanceOf<ExecOrHandle>, From, Dest>())
      if constexpr (check_written<Dest, ValueIn<From>>() && check_equal<Equal, ValueIn<From>>()) {
        auto const behind = std::forward_as_tuple(static_cast<Rest&&>(rest)...);
        auto const& same  = argument_or<Order::index(0), core::EqualTo>(behind);
        auto const& equal = for_exec<ExecOrHandle>(same);
        driver::with_count<ExecOrHandle, 1>(
            [&]<class Count>(Count, auto const& total, auto const& length) {
              Extent const extent = driver::extent_of<ExecOrHandle, Count>(label, from.extent(0), length);
              Regions(label)
                  .reads("from", from, extent.most)
                  .writes("dest", dest, extent.most)
                  .and_count(total, length);
              driver::with_elements(from, [&](auto const& elements) {
                using Array  = std::remove_cvref_t<decltype(elements)>;
                using Source = core::FromChanges<Count, Array, std::decay_t<decltype(equal)>>;
                driver::run_copy<Count>(label, exec, Source{elements, equal}, elements, dest, extent.n, total, length);
              });
            },
            behind);
      }
  }
};

}  // namespace KokkosScan::driver
