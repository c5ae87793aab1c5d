// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_native/rows/owners.hpp"
#include "cuda_native/rows/reduce.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "cuda/streams.hpp"

namespace test {
namespace {

namespace core = KokkosScan::core;

struct Warps {
  static constexpr int warps = 2, blocks_per_sm = 1, share = 1000, most_waves = 2, items = 128, window = 1,
                       groups_at_once = 1;
};

/// Of short rows, so that every chunk has seeds, and of some chunks to a warp.
bool have_owners(std::uint32_t salt) {
  constexpr std::size_t n = 2000;
  std::vector<std::int32_t> offsets, expected;
  for (std::uint32_t item = 0; item < n; item += 1 + (item + salt) % 7)
    offsets.push_back(static_cast<std::int32_t>(item));
  std::size_t const rows = offsets.size();
  offsets.push_back(static_cast<std::int32_t>(n));
  for (std::size_t row = 0; row < rows; ++row)
    expected.resize(static_cast<std::size_t>(offsets[row + 1]), static_cast<std::int32_t>(row));
  std::vector<std::int32_t> early(offsets.size()), owners(n, -1);
  on_a_stream_behind(offsets, early.data(), [&] {
    KokkosScan::cuda::rows::put_owners<Warps>(
        nullptr, core::Rows<core::Contiguous<std::int32_t const>>{{early.data()}, rows},
        core::Contiguous<std::int32_t>{owners.data()}, KokkosScan::cuda::current_device());
  });
  return owners == expected;
}

struct Shares {
  static constexpr int warps = 2, blocks_per_sm = 1, items = 3, window = 1;
  static constexpr std::size_t few_shares = 6, most_shares = 6;
};

/// Of short rows, empty ones and one that several shares have.
bool have_totals(std::uint32_t salt) {
  constexpr std::size_t n = 3000;
  std::vector<std::int32_t> offsets;
  for (std::uint32_t item = 0; item < n; item = item == 700 ? 2200 : item + (item + salt) % 9)
    if (offsets.push_back(static_cast<std::int32_t>(item)); (item + salt) % 9 == 0) ++item;
  std::size_t const rows = offsets.size();
  offsets.push_back(static_cast<std::int32_t>(n));
  std::vector<std::uint32_t> const items(n, 3);
  std::vector<std::int32_t> early(offsets.size());
  std::vector<std::uint32_t> totals(rows, 1), expected;
  for (std::size_t row = 0; row < rows; ++row)
    expected.push_back(3 * static_cast<std::uint32_t>(offsets[row + 1] - offsets[row]));
  core::Rows<core::Strided<std::int32_t const>> const of_rows{{early.data(), 1}, rows, n};
  auto const reduction = core::row_reduction<std::uint32_t, false>(
      core::Contiguous<std::uint32_t const>{items.data()}, of_rows, KokkosScan::Sum{},
      core::Strided<std::uint32_t>{totals.data(), 1}, core::NoInit{}, core::Maybe<std::uint32_t>(0));
  auto const needs = KokkosScan::cuda::rows::needs_of_reductions<std::uint32_t, Shares>(core::Automatic{}, n);
  std::vector<std::uint64_t> scratch(needs.scratch / 8 + 1);
  std::vector<KokkosScan::cuda::Slot> states(needs.states / sizeof(KokkosScan::cuda::Slot) + 1);
  on_a_stream_behind(offsets, early.data(), [&] {
    KokkosScan::cuda::rows::reduce<Shares>(
        nullptr, core::Automatic{}, reduction,
        {scratch.data(), states.data(), states.size() * sizeof(KokkosScan::cuda::Slot)});
  });
  return totals == expected;
}

}  // namespace

std::vector<Case> ragged_rows() { return {have_owners, have_totals}; }

}  // namespace test
