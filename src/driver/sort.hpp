// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "function.hpp"
#include "host_function.hpp"
#include "run_sort.hpp"

// The calls that sort.
namespace KokkosScan {

/// The bits of a key that radix_sort looks at, from `begin` on up to `end`, 0 being the lowest one. Of signed integers
/// and floats they are those of the unsigned integer that stands for the key in their order.
///
///   Bits{begin, end}
struct Bits {
  int begin, end;
};

/// The largest key first.
///
///   Descending{}
struct Descending {};

namespace driver {

template <class Keys, class Exec>
consteval bool check_sorted() {
  if constexpr (check_array<Keys, Exec>()) {
    constexpr bool writes = !std::is_const_v<typename Keys::value_type>;
    static_assert(writes, "KokkosScan: what is sorted must be Views of non-const values");
    return writes;
  } else {
    return false;
  }
}

/// Whether a type of integers holds the indices of n keys.
template <class Integer>
void check_holds_indices(std::string const& label, std::size_t n) {
  if (n > 0 && n - 1 > static_cast<std::size_t>(std::numeric_limits<Integer>::max()))
    throw std::invalid_argument(label + ": there are " + std::to_string(n) + " keys, and the type of order holds no " +
                                "index beyond " + std::to_string(std::numeric_limits<Integer>::max()));
}

/// Calls f(by) with how keys are sorted: by their digits where they and the order are such, else by the comparison.
template <class ExecOrHandle, class Key, class Less, class F>
void with_order(Less const& less, F const& f) {
  constexpr bool upwards = is_upwards<Less, Key>, downwards = is_downwards<Less, Key>;
  if constexpr (RadixKey<Key> && (upwards || downwards)) {
    using Order = RadixOrderOf<Key>;
    f(ByDigits<Order>{driver::radix_order<Key>(downwards, 0, Order::width)});
  } else if constexpr (upwards || downwards) {  // by ours, since a device can call them
    f(ByComparison<std::conditional_t<upwards, KokkosScan::Less, KokkosScan::Greater>>{});
  } else {
    f(ByComparison<std::decay_t<decltype(for_exec<ExecOrHandle>(less))>>{for_exec<ExecOrHandle>(less)});
  }
}

struct SortKeys {
  template <class ExecOrHandle, class Keys, class Less_ = Less>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, Less_ const& less = {}) {
    if constexpr (check_sorted<Keys, InstanceOf<ExecOrHandle>>())
      if constexpr (check_less<ValueIn<Keys>, Less_>()) {
        std::size_t const n = keys.extent(0);
        Regions(label).writes("keys", keys, n);
        if (n < 2) return;
        driver::with_order<ExecOrHandle, ValueIn<Keys>>(less, [&](auto const& by) {
          driver::with_elements(
              keys, [&](auto const& elements) { driver::sort_keys(label, exec, by, n, elements, Nothing{}); });
        });
      }
  }
};

struct SortByKey {
  template <class ExecOrHandle, class Keys, class Values, class Less_ = Less>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, Values const& values,
                   Less_ const& less = {}) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_sorted<Keys, Exec>() && check_sorted<Values, Exec>())
      if constexpr (check_less<ValueIn<Keys>, Less_>()) {
        std::size_t const n = keys.extent(0);
        check_extents(label, "keys", n, "values", values.extent(0));
        Regions(label).writes("keys", keys, n).writes("values", values, n);
        if (n < 2) return;
        driver::with_order<ExecOrHandle, ValueIn<Keys>>(less, [&](auto const& by) {
          driver::with_elements(keys, [&](auto const& elements) {
            driver::with_elements(values,
                                  [&](auto const& moved) { driver::sort_keys(label, exec, by, n, elements, moved); });
          });
        });
      }
  }
};

struct SortPermutation {
  template <class ExecOrHandle, class Keys, class Order, class Less_ = Less>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, Order const& order,
                   Less_ const& less = {}) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_array<Keys, Exec>() && check_sorted<Order, Exec>()) {
      constexpr bool is_integer = CountType<ValueIn<Order>>;
      static_assert(is_integer, "KokkosScan: order must be a View of integers");
      if constexpr (is_integer && check_less<ValueIn<Keys>, Less_>()) {
        std::size_t const n = keys.extent(0);
        check_extents(label, "keys", n, "order", order.extent(0));
        driver::check_holds_indices<ValueIn<Order>>(label, n);
        Regions(label).reads("keys", keys, n).writes("order", order, n);
        if (n == 0) return;
        driver::with_order<ExecOrHandle, ValueIn<Keys>>(less, [&](auto const& by) {
          driver::with_elements(keys, [&](auto const& elements) {
            driver::with_elements(
                order, [&](auto const& indices) { driver::sort_indices(label, exec, by, n, elements, indices); });
          });
        });
      }
    }
  }
};

/// dest(i) = from(order(i)).
struct ApplyPermutation {
  template <class ExecOrHandle, class Order, class From, class Dest>
  static void call(std::string const& label, ExecOrHandle const& exec, Order const& order, From const& from,
                   Dest const& dest) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_arrays<Exec, Order, From, Dest>())
      if constexpr (check_written<Dest, ValueIn<From>>()) {
        constexpr bool is_integer = CountType<ValueIn<Order>>;
        static_assert(is_integer, "KokkosScan: order must be a View of integers");
        std::size_t const n = order.extent(0);
        check_extents(label, "order", n, "dest", dest.extent(0));
        Regions(label).reads("order", order, n).reads("from", from, from.extent(0)).writes("dest", dest, n);
        if constexpr (is_integer)
          driver::with_elements(order, [&](auto const& places) {
            driver::with_elements(from, [&](auto const& elements) {
              driver::with_elements(dest, [&](auto const& results) {
                if (n > 0) driver::for_each_index(label, exec, n, n, GatherElements{results, elements, places});
              });
            });
          });
      }
  }
};

/// What stands behind the keys of radix_sort.
template <class... Rest>
inline constexpr bool are_radix_options =
    ((std::is_same_v<Rest, KokkosScan::Bits> || std::is_same_v<Rest, Descending>) && ...);
template <class Option, class... Rest>
inline constexpr int times_given = (0 + ... + static_cast<int>(std::is_same_v<Option, Rest>));

struct RadixSortKeys {
  template <class ExecOrHandle, class Keys, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, Rest const&... rest) {
    constexpr bool options = are_radix_options<Rest...> && times_given<KokkosScan::Bits, Rest...> <= 1 &&
                             times_given<Descending, Rest...> <= 1;
    static_assert(options,
                  "KokkosScan: behind the keys of radix_sort may stand Bits{begin, end} and Descending{}, each once");
    if constexpr (options && check_sorted<Keys, InstanceOf<ExecOrHandle>>()) {
      using Key                 = ValueIn<Keys>;
      constexpr bool has_digits = RadixKey<Key>;
      static_assert(has_digits, "KokkosScan: radix_sort takes integers of up to 64 bits, float, double and half types");
      if constexpr (has_digits) {
        constexpr int width = RadixOrderOf<Key>::width;
        KokkosScan::Bits bits{0, width};
        (take(bits, rest), ...);
        if (bits.begin < 0 || bits.begin > bits.end || bits.end > width)
          throw std::invalid_argument(label + ": Bits{" + std::to_string(bits.begin) + ", " + std::to_string(bits.end) +
                                      "} of keys that have the bits from 0 up to " + std::to_string(width));
        std::size_t const n = keys.extent(0);
        Regions(label).writes("keys", keys, n);
        if (n < 2 || bits.begin == bits.end) return;
        auto const order = driver::radix_order<Key>(times_given<Descending, Rest...> > 0, bits.begin, bits.end);
        driver::with_elements(keys, [&](auto const& elements) {
          driver::sort_keys(label, exec, ByDigits<RadixOrderOf<Key>>{order}, n, elements, Nothing{});
        });
      }
    }
  }

 private:
  static void take(KokkosScan::Bits& bits, KokkosScan::Bits const& given) { bits = given; }
  static void take(KokkosScan::Bits&, Descending const&) {}
};

}  // namespace driver
}  // namespace KokkosScan
