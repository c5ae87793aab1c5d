// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sort.hpp"

// The scratch of sorts, taken before they are called.
namespace KokkosScan::driver {

/// What a sort of n keys, and of values with them, needs at most, whatever the layout of Views: by digits or by a
/// comparison, with values that are moved, or fetched by indices since they are wide.
template <class Key, class Value, class Handle>
core::Needs most_of_sort(Handle const& handle, std::size_t n) {
  constexpr bool has_values = !std::is_same_v<Value, core::NoValues>;
  core::Needs most{};
  auto const look_at = [&]<class Moved>(Moved*, std::size_t fetched) {
    Parts parts([&]() -> core::Needs {
      if constexpr (RadixKey<Key>)
        return ByDigits<RadixOrderOf<Key>>{driver::radix_order<Key>(false, 0, RadixOrderOf<Key>::width)}
            .template needs<Key, Moved>(handle, n);
      else
        return {};
    }());
    for (int array = 0; array < 2; ++array) {
      parts.add<Key>(n);
      if constexpr (has_values) parts.add<Moved>(n);
    }
    core::Needs const& needs = parts.needs();
    most.scratch = std::max(most.scratch, core::round_up(needs.scratch, 128) + core::bytes_of(fetched, sizeof(Value)));
    most.states  = std::max(most.states, needs.states);
  };
  if constexpr (std::is_integral_v<Value> && sizeof(Value) < sizeof(std::uint32_t))
    look_at(static_cast<std::uint32_t*>(nullptr), 0);  // by which a permutation is sorted
  if constexpr (sizeof(Value) <= ByDigits<int>::template moved_bytes_most<Handle>)
    look_at(static_cast<Value*>(nullptr), 0);
  else
    driver::with_index_type(n, [&]<class Index>(Index) {
      look_at(static_cast<Index*>(nullptr), 2 * n);  // as many as would be moved where that is done
    });
  return most;
}

/// reserve_sort<Key[, Value]>(handle, n).
template <class Key, class Value>
struct ReserveSort {
  template <class Handle>
  void operator()(Handle const& handle, std::size_t n) const {
    static_assert(is_handle<Handle>, "KokkosScan: only a KokkosScan::Handle can reserve scratch");
    if constexpr (is_handle<Handle>) auto const leases = handle.lease(driver::most_of_sort<Key, Value>(handle, n));
  }
};

}  // namespace KokkosScan::driver
