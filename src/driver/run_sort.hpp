// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/merge_sort.hpp"
#include "../core/segments.hpp"
#include "radix_keys.hpp"
#include "sort_arrays.hpp"

// From checked arrays to a sort: by the digits of keys, or by a comparison.
namespace KokkosScan::driver {

/// By digits, on the backend.
template <class Order>
struct ByDigits {
  /// What goes with keys, as words of its alignment: so that one piece of code moves all types of a size.
  template <std::size_t size, std::size_t alignment>
  struct Moved {
    using Word = WordOf<(alignment < 8 ? alignment : 8)>;
    Word word[size / sizeof(Word)];
  };
  template <class T>
  using MovedOf = std::conditional_t<std::is_same_v<T, core::NoValues>, T, Moved<sizeof(T), alignof(T)>>;
  template <class Value>
  using Sort = core::RadixSort<Order, MovedOf<Value>>;

  /// Wider values are fetched once it is known where they go.
  template <class ExecOrHandle>
  static constexpr std::size_t moved_bytes_most = 16;

  Order order;

  template <class Key, class Value, class ExecOrHandle>
  core::Needs needs(ExecOrHandle const& exec_or_handle, std::size_t n) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    return Backend::needs_of_sort(driver::instance(exec_or_handle),
                                  Sort<Value>{order, nullptr, nullptr, nullptr, nullptr, n});
  }
  template <class ExecOrHandle>
  core::Needs needs_of_segments(ExecOrHandle const& exec_or_handle, std::size_t n) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    return Backend::needs_of_segments(driver::instance(exec_or_handle),
                                      Sort<core::NoValues>{order, nullptr, nullptr, nullptr, nullptr, n});
  }
  template <class ExecOrHandle, class Key, class Value>
  void run(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys, Key* other_keys,
           Value* values, Value* other_values, core::Memory const& memory) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    using Bits    = typename Order::Bits;
    using Words   = MovedOf<Value>;
    Sort<Value> const sort{order,
                           reinterpret_cast<Bits*>(keys),
                           reinterpret_cast<Bits*>(other_keys),
                           reinterpret_cast<Words*>(values),
                           reinterpret_cast<Words*>(other_values),
                           n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      with_words_in_memory([&] { Backend::sort(driver::instance(exec_or_handle), shown, sort, memory); });
    });
  }
  /// Each segment by itself, on a backend that sorts them so.
  template <class ExecOrHandle, class Key, class Integer>
  void run_segments(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys,
                    Key* other_keys, core::Offsets<Integer> const& offsets, core::Memory const& memory) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    using Bits    = typename Order::Bits;
    Sort<core::NoValues> const sort{
        order, reinterpret_cast<Bits*>(keys), reinterpret_cast<Bits*>(other_keys), nullptr, nullptr, n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      with_words_in_memory(
          [&] { Backend::sort_segments(driver::instance(exec_or_handle), shown, sort, offsets, memory); });
    });
  }
  /// Each segment by itself, segments beginning where words have a bit.
  template <class ExecOrHandle, class Key>
  void run_marked_segments(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys,
                           Key* other_keys, std::uint32_t const* words, core::Memory const& memory) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    using Bits    = typename Order::Bits;
    core::MergeSort<Bits, core::NoValues, core::LessInOrder<Order>> const sort{
        {order}, reinterpret_cast<Bits*>(keys), reinterpret_cast<Bits*>(other_keys), nullptr, nullptr, n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      with_words_in_memory(
          [&] { Backend::merge_sort_marked_segments(driver::instance(exec_or_handle), shown, sort, words, memory); });
    });
  }

 private:
  /// To the compiler words are of another type than keys: what whoever calls has written is in memory before, and is
  /// read anew behind.
  template <class F>
  static void with_words_in_memory(F const& f) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    f();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

/// By a comparison, on the backend.
template <class Less>
struct ByComparison {
  /// Wider values are fetched once it is known where they go.
  template <class ExecOrHandle>
  static constexpr std::size_t moved_bytes_most = BackendFor<ExecOrHandle>::type::merged_value_bytes_most;

  Less less;

  template <class Key, class Value, class ExecOrHandle>
  static core::Needs needs(ExecOrHandle const&, std::size_t) {
    return {};
  }
  template <class ExecOrHandle, class Key, class Value>
  void run(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys, Key* other_keys,
           Value* values, Value* other_values, core::Memory const&) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    core::MergeSort<Key, Value, Less> const sort{less, keys, other_keys, values, other_values, n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Backend::merge_sort(driver::instance(exec_or_handle), shown, sort);
    });
  }

  template <class ExecOrHandle>
  static core::Needs needs_of_segments(ExecOrHandle const&, std::size_t) {
    return {};
  }
  template <class ExecOrHandle, class Key, class Integer>
  void run_segments(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys,
                    Key* other_keys, core::Offsets<Integer> const& offsets, core::Memory const&) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    core::MergeSort<Key, core::NoValues, Less> const sort{less, keys, other_keys, nullptr, nullptr, n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Backend::merge_sort_segments(driver::instance(exec_or_handle), shown, sort, offsets);
    });
  }
  template <class ExecOrHandle, class Key>
  void run_marked_segments(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t n, Key* keys,
                           Key* other_keys, std::uint32_t const* words, core::Memory const& memory) const {
    using Backend = typename BackendFor<ExecOrHandle>::type;
    core::MergeSort<Key, core::NoValues, Less> const sort{less, keys, other_keys, nullptr, nullptr, n};
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Backend::merge_sort_marked_segments(driver::instance(exec_or_handle), shown, sort, words, memory);
    });
  }
};

/// Sorts n elements: `make_keys` and `make_values` make the arrays of sort_arrays.hpp of parts of scratch; when all is
/// sorted, finish(values, memory) is called.
template <class By, class ExecOrHandle, class MakeKeys, class MakeValues, class Finish>
void sort_arrays(std::string const& label, ExecOrHandle const& exec, By const& by, std::size_t n,
                 MakeKeys const& make_keys, MakeValues const& make_values, Finish const& finish) {
  using Key   = typename std::invoke_result_t<MakeKeys const&, Parts&>::Element;
  using Value = typename std::invoke_result_t<MakeValues const&, Parts&>::Element;
  Parts parts(by.template needs<Key, Value>(exec, n));
  auto const keys   = make_keys(parts);
  auto const values = make_values(parts);
  auto const leases = driver::lease(exec, parts.needs());
  auto const memory = leases.memory();
  keys.bring(label, exec, memory);
  values.bring(label, exec, memory);
  by.run(label, exec, n, keys.elements(memory), keys.other(memory), values.elements(memory), values.other(memory),
         memory);
  keys.take_back(label, exec, memory);
  values.take_back(label, exec, memory);
  finish(values, memory);
}

/// Calls f(Index{}) with the type of indices below n.
template <class F>
void with_index_type(std::size_t n, F const& f) {
  if (n <= std::size_t{1} << 32)
    f(std::uint32_t{});
  else
    f(std::uint64_t{});
}

/// Sorts keys, and `values`, if there are any; those that are too wide for every pass are fetched at the end.
template <class By, class ExecOrHandle, class Keys, class Values>
void sort_keys(std::string const& label, ExecOrHandle const& exec, By const& by, std::size_t n, Keys const& keys,
               Values const& values) {
  auto const make_keys    = [&](Parts& parts) { return SortedArray<Keys>(keys, n, parts); };
  auto const nothing_more = [](auto const&, core::Memory const&) {};
  if constexpr (std::is_same_v<Values, Nothing>) {
    driver::sort_arrays(label, exec, by, n, make_keys, [](Parts&) { return NoArray(); }, nothing_more);
  } else if constexpr (sizeof(core::ElementOf<Values>) <= By::template moved_bytes_most<ExecOrHandle>) {
    driver::sort_arrays(
        label, exec, by, n, make_keys, [&](Parts& parts) { return SortedArray<Values>(values, n, parts); },
        nothing_more);
  } else {
    using Value = core::ElementOf<Values>;
    driver::with_index_type(n, [&]<class Index>(Index) {
      std::size_t copied = 0;
      driver::sort_arrays(
          label, exec, by, n, make_keys,
          [&](Parts& parts) {
            copied = parts.add<Value>(n);
            return SortedIndices<Index, Nothing>({}, n, parts);
          },
          [&](auto const& indices, core::Memory const& memory) {
            core::Contiguous<Value> const copy{Parts::at<Value>(memory, copied)};
            driver::for_each_index(label, exec, n, n, CopyElements{copy, values});
            driver::for_each_index(label, exec, n, n,
                                   GatherElements{values, copy, core::Contiguous<Index>{indices.elements(memory)}});
          });
    });
  }
}

/// Finds the order that keys would be sorted to, and leaves them.
template <class By, class ExecOrHandle, class Keys, class Order>
void sort_indices(std::string const& label, ExecOrHandle const& exec, By const& by, std::size_t n, Keys const& keys,
                  Order const& order) {
  auto const sort_as = [&]<class Index>(Index) {
    driver::sort_arrays(
        label, exec, by, n, [&](Parts& parts) { return SortedArray<Keys, true>(keys, n, parts); },
        [&](Parts& parts) { return SortedIndices<Index, Order>(order, n, parts); },
        [](auto const&, core::Memory const&) {});
  };
  if constexpr (sizeof(core::ElementOf<Order>) == 4 || sizeof(core::ElementOf<Order>) == 8)
    sort_as(core::ElementOf<Order>{});  // which holds all indices, as has been checked
  else
    driver::with_index_type(n, sort_as);
}

}  // namespace KokkosScan::driver
