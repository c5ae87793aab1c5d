// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/operators.hpp"
#include "scan_segments.hpp"
#include "sort.hpp"

// Sorts each segment by itself. Where many threads are to be kept busy, all of them at once, and nobody waits for the
// offsets: on CUDA tiles are sorted, and merged where a segment goes through several; on other devices elements are
// numbered by their segments, by a scan, and sorted by these numbers and their keys. On hosts one by one, since short
// ones are sorted in the caches.
namespace KokkosScan::driver {

template <class ExecOrHandle, class Keys, class By, class Integer>
void sort_segments_apart(std::string const& label, ExecOrHandle const& exec, Keys const& keys, By const& by,
                         core::Offsets<Integer> const& offsets, std::size_t n) {
  Parts parts(by.needs_of_segments(exec, n));
  SortedArray<Keys> const sorted(keys, n, parts);
  auto const leases = driver::lease(exec, parts.needs());
  auto const memory = leases.memory();
  sorted.bring(label, exec, memory);
  by.run_segments(label, exec, n, sorted.elements(memory), sorted.other(memory), offsets, memory);
  sorted.take_back(label, exec, memory);
}

/// Marks what is in no segment, each element as a segment of its own: so it stays where it is.
template <class Integer>
struct MarkOthers {
  core::Offsets<Integer> offsets;
  std::size_t n;
  std::uint32_t* words;

  KOKKOS_FUNCTION void operator()(std::size_t w) const {
    std::size_t const begin = w * core::bits_of_word;
    std::size_t const first = offsets.clamped(0, n), last = offsets.clamped(offsets.segments, n);
    if (first <= begin && begin + core::bits_of_word <= last) return;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < core::bits_of_word; ++i)
      if (begin + i < first || begin + i >= last) bits |= std::uint32_t{1} << i;
    words[w] |= bits;
  }
};

/// All segments at once, by a backend that merges only what runs have in common: segments that fit a tile are read and
/// written once.
template <class ExecOrHandle, class Keys, class By, class Integer>
void sort_marked_segments(std::string const& label, ExecOrHandle const& exec, Keys const& keys, By const& by,
                          core::Offsets<Integer> const& offsets, std::size_t n) {
  using Backend = typename BackendFor<ExecOrHandle>::type;
  Parts parts(Backend::template needs_of_marked_segments<core::ElementOf<Keys>>(n));
  SortedArray<Keys> const sorted(keys, n, parts);
  std::size_t const begin = parts.add<std::uint32_t>(core::words_of_boundaries(n));
  auto const leases       = driver::lease(exec, parts.needs());
  auto const memory       = leases.memory();
  auto* const words       = Parts::at<std::uint32_t>(memory, begin);
  driver::make_boundaries(
      label, exec, n, core::MakeBoundaries<Integer>{offsets, n, words, nullptr, 0, core::words_of_boundaries(n), 1});
  driver::for_each_index(label, exec, core::words_of_boundaries(n), n, MarkOthers<Integer>{offsets, n, words});
  sorted.bring(label, exec, memory);
  by.run_marked_segments(label, exec, n, sorted.elements(memory), sorted.other(memory), words, memory);
  sorted.take_back(label, exec, memory);
}

/// Adds up, over all elements, to the number of the segment that an element is in: of those that are not empty, and
/// what is before and behind them all.
template <class Index>
struct BeginningsOfSegments {
  core::Boundaries<false> boundaries;
  KOKKOS_FUNCTION Index load(std::size_t i) const { return boundaries.at(i) ? Index{1} : Index{0}; }
};

/// numbers[i] = the number of the segment of element i.
template <class Index>
struct PutNumbers {
  static constexpr core::Uses uses = {false, false, true};
  Index* numbers;
  KOKKOS_FUNCTION void store(std::size_t i, Index const&, Index const&, Index const& through) const {
    numbers[i] = through;
  }
};

/// A key and the number of its segment.
template <class Key, class Index>
struct KeyInSegment {
  Key key;
  Index segment;
};
/// Keys with their numbers.
template <class Keys, class Index>
struct PutKeysInSegments {
  static constexpr core::Uses uses = {false, false, true};
  Keys keys;
  KeyInSegment<core::ElementOf<Keys>, Index>* numbered;
  KOKKOS_FUNCTION void store(std::size_t i, Index const&, Index const&, Index const& through) const {
    core::put(numbered[i].key, keys[i]);
    numbered[i].segment = through;
  }
};
template <class Less>
struct LessInSegment {
  Less less;
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& left, T const& right) const {
    return left.segment != right.segment ? left.segment < right.segment : less(left.key, right.key);
  }
};

/// What is sorted, back to where it came from; what is in no segment has stayed there. key_of(i) is the i-th of all.
template <class Keys, class KeyOf, class Integer>
struct TakeSegmentsBack {
  Keys keys;
  KeyOf key_of;
  core::Offsets<Integer> offsets;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (i >= offsets.clamped(0, n) && i < offsets.clamped(offsets.segments, n)) core::put(keys[i], key_of(i));
  }
};
template <class Key>
struct KeyIn {
  Key const* keys;
  KOKKOS_FUNCTION Key const& operator()(std::size_t i) const { return keys[i]; }
};
template <class Key, class Index>
struct KeyOfNumbered {
  KeyInSegment<Key, Index> const* keys;
  KOKKOS_FUNCTION Key const& operator()(std::size_t i) const { return keys[i].key; }
};

/// The sort of n elements, Index being the type of the numbers of segments.
template <class Index, class ExecOrHandle, class Keys, class Integer>
class SegmentedSort {
 public:
  using Key = core::ElementOf<Keys>;

  SegmentedSort(std::string const& label, ExecOrHandle const& exec, Keys const& keys,
                core::Offsets<Integer> const& offsets, std::size_t n)
      : label_(label), exec_(exec), keys_(keys), offsets_(offsets), n_(n) {}

  /// By the digits of keys, and then by those of numbers: both sorts are stable.
  template <class Order>
  void by(ByDigits<Order> const& by_keys) const {
    using OfNumbers = RadixOrderOf<Index>;
    auto order      = driver::radix_order<Index>(false, 0, OfNumbers::width);
    order.end       = std::bit_width(std::min<std::size_t>(offsets_.segments + 1, n_));
    ByDigits<OfNumbers> const by_numbers{order};
    PutNumbers<Index> sink{};
    auto const plan = driver::plan(exec_, numbering(sink));
    core::Needs const both =
        most(by_keys.template needs<Key, Index>(exec_, n_), by_numbers.template needs<Index, Key>(exec_, n_));
    Parts parts(most(plan.needs, both));
    SortedArray<Keys, true> const keys(keys_, n_, parts);
    std::size_t const numbers = parts.add<Index>(n_), other_numbers = parts.add<Index>(n_);
    std::size_t const words = parts.add<std::uint32_t>(core::words_of_boundaries(n_));
    auto const leases       = driver::lease(exec_, parts.needs());
    auto const memory       = leases.memory();

    sink.numbers = Parts::at<Index>(memory, numbers);
    number(plan, sink, Parts::at<std::uint32_t>(memory, words), memory);
    keys.bring(label_, exec_, memory);
    Key *const own = keys.elements(memory), *const other = keys.other(memory);
    by_keys.run(label_, exec_, n_, own, other, sink.numbers, Parts::at<Index>(memory, other_numbers), memory);
    by_numbers.run(label_, exec_, n_, sink.numbers, Parts::at<Index>(memory, other_numbers), own, other, memory);
    take_back(KeyIn<Key>{own});
  }

  template <class Less>
  void by(ByComparison<Less> const& by_keys) const {
    using Numbered = KeyInSegment<Key, Index>;
    ByComparison<LessInSegment<Less>> const by_both{{by_keys.less}};
    PutKeysInSegments<Keys, Index> sink{keys_, nullptr};
    auto const plan = driver::plan(exec_, numbering(sink));
    Parts parts(most(plan.needs, by_both.template needs<Numbered, core::NoValues>(exec_, n_)));
    std::size_t const numbered = parts.add<Numbered>(n_), other = parts.add<Numbered>(n_);
    std::size_t const words = parts.add<std::uint32_t>(core::words_of_boundaries(n_));
    auto const leases       = driver::lease(exec_, parts.needs());
    auto const memory       = leases.memory();

    sink.numbered = Parts::at<Numbered>(memory, numbered);
    number(plan, sink, Parts::at<std::uint32_t>(memory, words), memory);
    core::NoValues* const nothing = nullptr;
    by_both.run(label_, exec_, n_, sink.numbered, Parts::at<Numbered>(memory, other), nothing, nothing, memory);
    take_back(KeyOfNumbered<Key, Index>{sink.numbered});
  }

 private:
  static core::Needs most(core::Needs const& a, core::Needs const& b) {
    core::Needs both = a;
    both.scratch     = std::max(a.scratch, b.scratch);
    both.states      = std::max(a.states, b.states);
    return both;
  }

  template <class Sink>
  auto numbering(Sink const& sink, std::uint32_t const* words = nullptr) const {
    using Source = BeginningsOfSegments<Index>;
    return core::Problem<Index, Source, Sum, Sink>{Source{{words, 0}}, sink, n_, {}, {}, nullptr};
  }
  /// Numbers the elements.
  template <class Plan, class Sink>
  void number(Plan const& plan, Sink const& sink, std::uint32_t* words, core::Memory const& memory) const {
    driver::make_boundaries(
        label_, exec_, n_,
        core::MakeBoundaries<Integer>{offsets_, n_, words, nullptr, 0, core::words_of_boundaries(n_), 1});
    driver::run_in(memory, label_, exec_, plan, numbering(sink, words));
  }
  template <class KeyOf>
  void take_back(KeyOf const& key_of) const {
    driver::for_each_index(label_, exec_, n_, n_, TakeSegmentsBack<Keys, KeyOf, Integer>{keys_, key_of, offsets_, n_});
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Keys keys_;
  core::Offsets<Integer> offsets_;
  std::size_t n_;
};

struct SegmentedSortKeys {
  template <class ExecOrHandle, class Keys, class RowOffsets, class Less_ = Less>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, RowOffsets const& row_offsets,
                   Less_ const& less = {}) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_sorted<Keys, Exec>() && check_row_offsets<RowOffsets, Exec>())
      if constexpr (check_less<ValueIn<Keys>, Less_>()) {
        std::size_t const n        = keys.extent(0);
        std::size_t const segments = row_offsets.extent(0) > 0 ? row_offsets.extent(0) - 1 : 0;
        Regions(label).writes("keys", keys, n).reads("row_offsets", row_offsets, row_offsets.extent(0));
        using Integer = ValueIn<RowOffsets>;
        core::Offsets<Integer> const offsets{strided<Integer const>(row_offsets), segments};
        driver::check_segments(label, exec, offsets, n, "row_offsets", "keys");
        if (n < 2 || segments == 0) return;
        driver::with_order<ExecOrHandle, ValueIn<Keys>>(less, [&](auto const& by) {
          driver::with_elements(keys, [&](auto const& elements) {
            using Backend = typename BackendFor<ExecOrHandle>::type;
            if constexpr (runs_at_once<Backend>)
              driver::sort_segments_apart(label, exec, elements, by, offsets, n);
            else if constexpr (requires { Backend::template needs_of_marked_segments<ValueIn<Keys>>(n); })
              driver::sort_marked_segments(label, exec, elements, by, offsets, n);
            else
              driver::with_index_type(segments + 2, [&]<class Index>(Index) {
                SegmentedSort<Index, ExecOrHandle, std::remove_cvref_t<decltype(elements)>, Integer>(
                    label, exec, elements, offsets, n)
                    .by(by);
              });
          });
        });
      }
  }
};

}  // namespace KokkosScan::driver
