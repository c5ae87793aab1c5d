// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/histogram.hpp"
#include "sort_arrays.hpp"
#include "weighted_sums.hpp"

// From checked arrays and bins to a histogram.
namespace KokkosScan::driver {

/// Counts into words of 4 or 8 bytes.
template <class ExecOrHandle, class From, class Bins, class Word, class Weights>
void count_words(std::string const& label, ExecOrHandle const& exec_or_handle,
                 core::Histogram<From, Bins, Word, Weights> const& histogram, core::Memory const& memory) {
  using Backend = typename BackendFor<ExecOrHandle>::type;
  // To the compiler words are of another type than counts: what whoever calls has written is in memory before, and is
  // read anew behind.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    Backend::count(driver::instance(exec_or_handle), shown, histogram, memory);
  });
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Counts, or adds integers; weights are an array or core::NoWeights.
template <class ExecOrHandle, class From, class Bins, class Weights, class Counts>
void count(std::string const& label, ExecOrHandle const& exec, From const& from, Bins const& bins, std::size_t n,
           Weights const& weights, Counts const& counts) {
  using Count            = typename Counts::non_const_value_type;
  using Backend          = typename BackendFor<ExecOrHandle>::type;
  constexpr bool is_word = sizeof(Count) == 4 || sizeof(Count) == 8;
  using Word             = std::conditional_t<sizeof(Count) == 8, std::uint64_t, std::uint32_t>;
  auto const places      = strided<Count>(counts);
  core::Histogram<From, Bins, Word, Weights> histogram{from, bins, weights, {nullptr, 1}, n};
  Parts parts(Backend::needs_of_histogram(driver::instance(exec), histogram));
  std::size_t const wide = is_word ? 0 : parts.add<Word>(bins.count);  // where narrow counts are words before
  auto const leases      = driver::lease(exec, parts.needs());
  if constexpr (is_word)
    histogram.counts = {reinterpret_cast<Word*>(places.data), places.stride};
  else
    histogram.counts = {Parts::at<Word>(leases.memory(), wide), 1};
  driver::count_words(label, exec, histogram, leases.memory());
  if constexpr (!is_word)
    driver::for_each_index(label, exec, bins.count, bins.count,
                           CopyElements{places, core::Contiguous<Word>{histogram.counts.data}});
}

/// Counts, or sums of weights, by what they are.
template <class ExecOrHandle, class From, class Bins, class Weights, class Counts>
void run_histogram(std::string const& label, ExecOrHandle const& exec, From const& from, Bins const& bins,
                   std::size_t n, Weights const& weights, Counts const& counts) {
  using Count = typename Counts::non_const_value_type;
  if constexpr (std::is_integral_v<Count> && sizeof(Count) <= 8)  // some compilers call integers of 16 bytes integral
    driver::count(label, exec, from, bins, n, weights, counts);
  else
    driver::sum_weights(label, exec, from, bins, n, weights, counts);
}

}  // namespace KokkosScan::driver
