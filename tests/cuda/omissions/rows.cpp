// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_native/rows.hpp"

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

}  // namespace

std::vector<Case> ragged_rows() { return {have_owners}; }

}  // namespace test
