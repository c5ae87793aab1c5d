// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "cuda_native/boundaries.hpp"
#include "cuda_native/columns/scan.hpp"
#include "cuda_native/histogram/histogram.hpp"
#include "cuda_native/rows/owners.hpp"
#include "cuda_native/rows/reduce.hpp"
#include "cuda_native/scan.hpp"
#include "cuda_native/sort/merge_sort.hpp"
#include "cuda_native/sort/radix_sort.hpp"
#include "cuda_native/sort/segmented_sort.hpp"
#include "cuda_native/team.hpp"
#include "src/core/functor.hpp"
#include "src/core/options.hpp"
#include "src/core/runs.hpp"
#include "src/core/segments.hpp"
#include "values.cuh"

// Every kernel, for values of 1, 4 and 64 bytes, of a kind each, and for one that can be made but never assigned; those
// that automatic may take for common sums, for a widening transform of strided elements, for strided bytes, for bytes
// whose sums are stored far wider, and for values of 12 and 16 bytes whose operators need many registers. Only
// one_of_each where KOKKOSSCAN_EVERY_KERNEL is 0.
#ifndef KOKKOSSCAN_EVERY_KERNEL
#define KOKKOSSCAN_EVERY_KERNEL 1
#endif
namespace list {

using namespace KokkosScan;
using core::Contiguous;
using core::Kind;
using core::Strided;

template <Kind kind, class Value, class Op>
void every_choice() {
  using Scan = core::ArrayScan<kind, Value, Contiguous<Value const>, Contiguous<Value>, Op>;
  cuda::run(nullptr, Options{}, Scan{}, {});
}

template <Kind kind, class Value, class Op, class From = Contiguous<Value const>, class Dest = Contiguous<Value>,
          class Transform = Unchanged>
void automatic() {
  cuda::run(nullptr, core::Automatic{}, core::ArrayScan<kind, Value, From, Dest, Op, Transform>{}, {});
}

/// Whose length stands in memory, forwards or from the far end.
template <Kind kind, class Value, class Op, bool from_end = false>
void of_stored_length() {
  using From = std::conditional_t<from_end, core::Backward<Value const>, Contiguous<Value const>>;
  using Dest = std::conditional_t<from_end, core::Backward<Value>, Contiguous<Value>>;
  using Scan = core::ArrayScan<kind, Value, From, Dest, Op>;
  cuda::run(nullptr, core::Automatic{}, core::OfStoredLength<Scan, core::StoredLength<std::int64_t, from_end>>{}, {});
}

/// Sums by a functor of the user's, as parallel_scan has them.
template <class T>
struct AddUp {
  T const* from;
  T* dest;
  __device__ void operator()(std::int64_t i, T& update, bool final) const {
    update += from[i];
    if (final) dest[i] = update;
  }
};
template <class T>
void of_functor() {
  using Functor = core::ScanFunctor<T, std::int64_t, void, AddUp<T>>;
  cuda::run(nullptr, core::Automatic{}, core::FunctorScan<Functor>{{}, 0, {}}, {});
}

/// Of lines whose neighbours are neighbours in memory.
template <Kind kind, class Value, class Op, class From = Value, class Start = core::NoInit, bool reversed = false>
void of_columns() {
  core::LineScan<kind, reversed, Value, From const, Value, Op, Unchanged, Start> const scan{};
  cuda::columns::run(nullptr, cuda::columns::plan(scan), scan, {}, cuda::current_device);
}

/// Copies what is chosen.
template <class Count, class Value>
void of_chosen() {
  using From = Contiguous<Value const>;
  using Scan = core::Problem<Count, core::FromChosen<Count, From, core::Chooses<IsPositive>>, Sum,
                             core::ToCompacted<Count, From, Contiguous<Value>>>;
  cuda::run(nullptr, core::Automatic{}, Scan{}, {});
}
/// Hands on what is chosen by index, in two halves.
struct Both {
  float first;
  std::int32_t second;
};
struct Item {
  float const* from;
  std::int32_t const* from_second;
  float* dest;
  std::int32_t* dest_second;
  __device__ bool operator()(std::size_t i) const { return from[i] > 0; }
};
struct LoadItem : Item {
  __device__ Both operator()(std::size_t i) const { return {from[i], from_second[i]}; }
};
struct StoreItem : Item {
  __device__ void operator()(std::size_t place, Both const& both) const {
    dest[place] = both.first, dest_second[place] = both.second;
  }
};
template <class Count>
void of_selected() {
  using Choose = core::Chooses<Item>;
  using Sink   = core::ToChosen<Count, core::LoadThenStore<LoadItem, StoreItem>>;
  cuda::run(nullptr, core::Automatic{}, core::Problem<Count, core::FromIndex<Count, Choose>, Sum, Sink>{}, {});
}
/// Parts what lies apart.
template <class Count, class Value>
void of_parted() {
  using From = Strided<Value const>;
  using To   = Strided<Value>;
  using Scan = core::Problem<Count, core::FromChosen<Count, From, core::Chooses<IsPositive>>, Sum,
                             core::ToParted<Count, From, To, To>>;
  cuda::run(nullptr, core::Automatic{}, Scan{}, {});
}
/// Reduces runs.
template <class Count, class T, class Op>
void of_runs() {
  using Keys = Contiguous<std::int32_t const>;
  using From = Contiguous<T const>;
  using Scan = core::Problem<core::Run<T, Count>, core::FromCountedRuns<T, Count, Keys, From, Op, core::EqualTo>,
                             core::WithinCountedRuns<T, Count, Op>,
                             core::ToRuns<T, Count, Keys, Contiguous<std::int32_t>, Contiguous<T>>>;
  cuda::run(nullptr, core::Automatic{}, Scan{}, {});
}

/// By the threads of a block that somebody else has launched.
template <Kind kind, class Value, class Op>
__global__ void team_kernel(core::ArrayScan<kind, Value, Contiguous<Value const>, Contiguous<Value>, Op> const scan,
                            int lanes) {
  auto const combine = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
  auto const slots   = cuda::shared_memory<Value>(0);
  cuda::TeamThread const thread{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)};
  cuda::scan_by_team(thread, scan, [&] { return slots; });
  cuda::TeamThread const of_lanes{thread.index, thread.count, lanes};
  auto const prefix = cuda::scan_values_of_team < kind ==
                      Kind::exclusive > (of_lanes, scan.source.load(0), scan.start(), combine, slots);
  scan.sink.store(0, prefix.through.value, *prefix.total, prefix.through.value);
}
template <class Value, class Offset, class Op, bool reversed, class Start>
void of_row_reduction() {
  auto const reduction =
      core::row_reduction<Value, reversed>(Contiguous<Value const>{}, core::Rows<Strided<Offset const>>{}, Op{},
                                           Strided<Value>{}, Start{}, core::Maybe<Value>());
  cuda::rows::reduce(nullptr, core::Automatic{}, reduction, {});
}

template __global__ void team_kernel(
    core::ArrayScan<Kind::inclusive, double, Contiguous<double const>, Contiguous<double>, Sum>, int);

template <class Bits, bool is_float, class Value = core::NoValues>
void of_keys() {
  cuda::radix::run(nullptr, core::RadixSort<core::RadixOrder<Bits, is_float>, Value>{}, {}, cuda::current_device());
}

template <class Key, class Value = core::NoValues>
void of_compared() {
  cuda::merge::run(nullptr, core::MergeSort<Key, Value, ByFirst>{});
}

/// Keys alone, within segments.
template <class Key>
void of_sorted_segments() {
  cuda::merge::run_segments(nullptr, core::MergeSort<Key, core::NoValues, ByFirst>{}, nullptr, {});
}
/// Scans of segments, by offsets.
template <class T, class Op>
void of_scanned_segments() {
  using Source = core::FromSegments<T, Contiguous<T const>, Op, core::NoInit, std::int32_t, false>;
  using Sink   = core::ToArrayByKey<T, Contiguous<T>>;
  cuda::run(nullptr, core::Automatic{}, core::Problem<core::Keyed<T>, Source, core::WithinRuns<T, Op>, Sink>{}, {});
}
template <class Integer>
void of_boundaries() {
  cuda::boundaries::run(nullptr, core::MakeBoundaries<Integer>{});
}
/// Of what is stored nowhere.
template <class Value, class Op>
void of_total() {
  using From = core::FromArray<Value, Contiguous<Value const>, Unchanged>;
  cuda::run(nullptr, core::Automatic{}, core::Problem<Value, From, Op, core::Discard<Value>>{}, {});
}

template <class Bins, class Word, class From = Contiguous<typename Bins::Value const>, class Weights = core::NoWeights>
void of_bins() {
  cuda::histogram::run(nullptr, core::Histogram<From, Bins, Word, Weights>{}, cuda::current_device());
}

template <class Offsets, class Owners>
void of_rows() {
  cuda::rows::put_owners(nullptr, core::Rows<Offsets>{}, Owners{}, cuda::current_device());
}

template __global__ void team_kernel(
    core::ArrayScan<Kind::exclusive, Large, Contiguous<Large const>, Contiguous<Large>, Then>, int);

void one_of_each() {
  every_choice<Kind::inclusive, std::int32_t, Max>();
  automatic<Kind::inclusive, std::int8_t, Max, Strided<std::int8_t const>, Strided<std::int8_t>>();
  automatic<Kind::exclusive, float, Sum>();
  automatic<Kind::inclusive, Four, Chain>();
  of_stored_length<Kind::exclusive, float, Sum>();
  of_functor<double>();
  of_columns<Kind::exclusive, double, Sum, float, core::Maybe<double>, true>();
  of_columns<Kind::inclusive, std::int16_t, Max>();
  of_chosen<std::int64_t, std::int8_t>();
  of_selected<std::int32_t>();
  of_runs<std::int32_t, Large, Then>();
  of_keys<std::uint32_t, true, std::uint32_t>();
  of_keys<std::uint8_t, false, std::uint16_t>();
  of_compared<std::uint64_t, std::uint32_t>();
  of_compared<Pair>();
  of_bins<core::KeyBins<std::int32_t>, std::uint32_t>();
  of_bins<core::EvenFloatBins<double>, std::uint64_t, Strided<double const>, Strided<std::int64_t const>>();
  of_bins<core::KeyBins<std::uint8_t>, std::uint64_t>();
  of_bins<core::EdgeBins<float, Strided<float const>>, std::uint32_t>();
  of_rows<Contiguous<std::int32_t const>, Contiguous<std::int32_t>>();
  of_rows<Strided<std::int64_t const>, Strided<std::int64_t>>();
  of_row_reduction<float, std::int32_t, Sum, false, core::NoInit>();
  of_scanned_segments<std::int32_t, Sum>();
  of_row_reduction<Large, std::int64_t, Then, true, core::Maybe<Large>>();
  of_sorted_segments<std::uint32_t>();
  of_boundaries<std::int32_t>();
  of_total<float, Sum>();
  of_total<Four, Chain>();
}

#if KOKKOSSCAN_EVERY_KERNEL
template __global__ void team_kernel(
    core::ArrayScan<Kind::inclusive, Constant, Contiguous<Constant const>, Contiguous<Constant>, AddConstants>, int);

void all_others() {
  every_choice<Kind::exclusive, std::int8_t, Sum>();
  every_choice<Kind::exclusive, Large, Then>();
  every_choice<Kind::inclusive, Constant, AddConstants>();
  automatic<Kind::inclusive, std::int8_t, Max>();
  automatic<Kind::exclusive, bool, LogicalOr>();
  automatic<Kind::exclusive, std::uint16_t, Max>();
  automatic<Kind::exclusive, std::int32_t, Sum>();
  automatic<Kind::inclusive, std::int64_t, Min>();
  automatic<Kind::exclusive, std::int64_t, Sum, Strided<std::int32_t const>, Strided<std::int64_t>, Twice>();
  automatic<Kind::exclusive, std::uint8_t, Sum>();
  automatic<Kind::inclusive, std::int8_t, Sum, Contiguous<std::int8_t const>, Contiguous<std::int64_t>>();
  automatic<Kind::inclusive, std::int16_t, Sum>();
  automatic<Kind::exclusive, std::int32_t, BitXor>();
  automatic<Kind::inclusive, double, Max>();
  automatic<Kind::exclusive, Three, Chain>();
  of_stored_length<Kind::inclusive, std::int64_t, Max, true>();
  of_stored_length<Kind::exclusive, std::uint8_t, Sum, true>();
  of_functor<std::int32_t>();
  of_columns<Kind::inclusive, float, Sum>();
  of_columns<Kind::inclusive, float, Sum, Color>();
  of_columns<Kind::exclusive, Four, Chain, Four, core::Maybe<Four>>();
  of_columns<Kind::exclusive, std::int8_t, Sum, std::int8_t, core::Lines<std::int8_t const>>();
  of_columns<Kind::exclusive, Three, Chain, Three, core::StoredStart<Three>>();
  of_columns<Kind::inclusive, Constant, AddConstants>();
  of_chosen<std::int32_t, float>();
  of_parted<std::int32_t, float>();
  of_keys<std::uint32_t, false>();
  of_keys<std::uint64_t, true, Wide>();
  of_keys<std::uint64_t, false>();
  of_keys<std::uint16_t, true>();
  of_keys<std::uint32_t, false, Odd>();
  of_compared<Large, std::uint32_t>();
  of_compared<std::int8_t>();
  of_compared<std::uint32_t>();
  of_compared<Constant, std::uint32_t>();
  of_compared<Pair, Wide>();
  of_compared<Three>();
  of_compared<std::uint8_t, std::uint16_t>();
  of_bins<core::EvenIntegerBins<std::int64_t>, std::uint64_t>();
  of_bins<core::EvenIntegerBins<std::int8_t>, std::uint32_t>();
  of_bins<core::EvenNarrowFloatBins<float>, std::uint32_t>();
  of_bins<core::EvenFloatBins<double>, std::uint32_t>();
  of_bins<core::EdgeBins<std::uint16_t, Strided<double const>>, std::uint64_t>();
  of_bins<core::KeyBins<std::uint64_t>, std::uint64_t, Strided<std::uint64_t const>>();
  of_row_reduction<double, std::int64_t, Sum, false, core::NoInit>();
  of_row_reduction<std::int32_t, std::uint64_t, Max, true, core::StoredStart<std::int32_t>>();
  of_row_reduction<std::int8_t, std::int16_t, Sum, false, core::Maybe<std::int8_t>>();
  of_row_reduction<Four, std::uint32_t, Chain, false, core::NoInit>();
  of_row_reduction<Constant, std::int32_t, AddConstants, false, core::NoInit>();
  of_rows<Contiguous<std::uint64_t const>, Contiguous<std::int64_t>>();
  of_rows<Contiguous<std::int32_t const>, Contiguous<std::uint8_t>>();
}
#endif

}  // namespace list
