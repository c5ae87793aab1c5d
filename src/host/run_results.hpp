// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../core/runs.hpp"
#include "compacted.hpp"
#include "marks.hpp"
#include "run_tile.hpp"
#include "simd/functions.hpp"

// Results of runs by the kernels: lengths, which are how far runs begin apart, and sums of integers, whose order makes
// no difference to the bits, and which stand, in a scan of the runs, before the begin of the next one.
namespace KokkosScan::host {

/// Whether the values of a problem are what is combined of runs.
template <class Problem, class Sink = typename Problem::Sink>
inline constexpr bool is_of_runs = false;
template <class Problem, class T, class Count, class Keys, class UniqueKeys, class Dest>
inline constexpr bool is_of_runs<Problem, core::ToRuns<T, Count, Keys, UniqueKeys, Dest>> = true;

/// Whether there are kernels for its results.
template <class Problem, class Source = typename Problem::Source, class Sink = typename Problem::Sink>
inline constexpr bool has_run_kernels = false;
template <class Problem, class T, class Count, class Keys, class From, class Equal, class UniqueKeys>
inline constexpr bool has_run_kernels<Problem, core::FromCountedRuns<T, Count, Keys, From, Sum, Equal>,
                                      core::ToRuns<T, Count, Keys, UniqueKeys, core::Contiguous<T>>> =
    std::is_integral_v<T> && is_for_kernels<core::Contiguous<T>> &&
    (std::is_same_v<From, core::Ones> || are_values_in_order<From, T>);

/// Appends the results of as many runs as end in a tile, but no more than `left`. The first run of all ends none.
template <class Problem, class Output>
void append_results(Problem const& problem, Tile tile, simd::Chosen const& begins,
                    Maybe<typename Problem::Value> const& prefix, std::size_t left, Output&& output) {
  using Source       = typename Problem::Source;
  using T            = decltype(problem.source.element(0));
  using Bits         = BitsOf<T>;
  auto const& kernel = compaction_of<T>();
  Bits const before  = prefix ? static_cast<Bits>((*prefix).value()) : Bits{0};
  Bits at[1 + most_appended];  // what is found of some elements, behind what stands before them
  at[0] = Source::of_ones ? static_cast<Bits>(tile.begin) - before : before;
  simd::Runs<Bits> runs{};
  for_each_part(tile, begins, [&](std::size_t i, simd::Chosen ends) {
    std::uint64_t words[most_appended / marks_of_word];
    runs.begins = ends.marks;
    if (i == 0) {
      std::copy_n(ends.marks, words_of_marks(std::min(most_appended, tile.end)), words);
      words[0] &= ~std::uint64_t{1};
      ends = {words, 0, ends.count - 1};
    }
    ends.count = std::min(ends.count, left);
    left -= ends.count;
    if constexpr (Source::of_ones) {
      kernel.indices(static_cast<Bits>(i), ends, at + 1);
      output.append(ends.count, [&](Bits* to) { kernel.differences(at + 1, ends.count, to); });
      at[0] = at[ends.count];
    } else {
      runs.from = reinterpret_cast<Bits const*>(&problem.source.from[i]);
      runs.n    = std::min(most_appended, tile.end - i);
      runs.dest = at + 1;
      simd::run_functions<Sum, Bits>().scan(runs, prefix ? &before : nullptr, simd::Store::cached);
      output.append(ends.count, [&](Bits* to) { kernel.copy(at, ends, to); });
      at[0] = at[runs.n];
    }
  });
  output.finish();
}

}  // namespace KokkosScan::host
