// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "cuda/streams.hpp"
#include "cuda_native/boundaries.hpp"
#include "cuda_native/scan.hpp"

namespace test {
namespace {

namespace core = KokkosScan::core;
namespace cuda = KokkosScan::cuda;

template <class T>
struct alignas(128) Line {
  T values[128 / sizeof(T)] = {};
};
template <class T>
std::vector<Line<T>> lines_of(std::size_t n) {
  return std::vector<Line<T>>(n * sizeof(T) / 128 + 1);
}

using KokkosScan::GridScan;

/// Sums of segments of up to 40 elements, many of them empty: in the pipeline, behind a kernel that makes their
/// boundaries, with the first offset of each word; or in one wave, which makes them as it goes.
template <GridScan grid, bool backward, std::size_t n>
bool are_right(std::uint32_t salt) {
  using T      = std::uint32_t;
  using Array  = std::conditional_t<backward, core::Backward<T>, core::Contiguous<T>>;
  using Source = core::FromSegments<T, Array, KokkosScan::Sum, core::NoInit, std::int64_t, backward>;
  using Value  = core::Keyed<T>;
  std::vector<T> elements(n), brought(n), results(n), expected(n);
  std::vector<std::int64_t> offsets{0};
  for (std::uint32_t k = salt; offsets.back() < static_cast<std::int64_t>(n); ++k) {
    std::uint32_t const length = k * 2654435761U >> 16;
    offsets.push_back(std::min(static_cast<std::int64_t>(n), offsets.back() + (length % 3 == 0 ? 0 : length % 41)));
  }
  for (std::size_t i = 0; i < n; ++i) elements[i] = static_cast<T>(i * 40503U + salt);
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    T sum            = 0;
    auto const begin = static_cast<std::size_t>(offsets[r]), length = static_cast<std::size_t>(offsets[r + 1]) - begin;
    for (std::size_t k = 0; k < length; ++k) {
      std::size_t const i = backward ? begin + length - 1 - k : begin + k;
      expected[i]         = sum += elements[i];
    }
  }

  std::size_t const words = core::words_of_boundaries(n);
  auto bits               = lines_of<std::uint32_t>(words);
  auto first_offsets      = lines_of<std::size_t>(words);
  core::Offsets<std::int64_t> const given{{offsets.data(), 1}, offsets.size() - 1};
  KokkosScan::Options const by{.grid = grid};
  auto states = lines_of<std::byte>(cuda::needs<Value>(by, n).states);
  Source const source{{bits[0].values, backward ? n - 1 : 0}, {&brought[backward ? n - 1 : 0]}, {}, {}, given, n};
  core::Problem<Value, Source, core::WithinRuns<T, KokkosScan::Sum>, core::ToArrayByKey<T, Array>> const scan{
      source, {{&results[backward ? n - 1 : 0]}}, n, {}, {}, nullptr};
  auto const run = [&] { cuda::run(nullptr, by, scan, {nullptr, states.data(), states.size() * sizeof(states[0])}); };
  std::vector<std::int64_t> const brought_offsets = offsets;
  std::fill(offsets.begin(), offsets.end(), 0);
  if (grid == GridScan::one_wave) {
    brought = elements;
    on_a_stream_behind(brought_offsets, offsets.data(), run);
    return results == expected;
  }
  on_a_stream_behind(brought_offsets, offsets.data(), [&] {
    cuda::boundaries::run(
        nullptr, core::MakeBoundaries<std::int64_t>{given, n, bits[0].values, first_offsets[0].values, 0, words, 1});
  });
  for (std::size_t w = 0; w < words; ++w)
    if (first_offsets[0].values[w] != given.find(0, w * core::bits_of_word)) return false;
  on_a_stream_behind(elements, brought.data(), run);
  return results == expected;
}

}  // namespace

std::vector<Case> segments() {
  return {are_right<GridScan::pipelined, false, 50'001>, are_right<GridScan::pipelined, true, 30'000>,
          are_right<GridScan::one_wave, false, 5'001>, are_right<GridScan::one_wave, true, 1'003>};
}

}  // namespace test
