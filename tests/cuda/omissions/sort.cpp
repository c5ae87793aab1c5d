// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "cuda_native/sort/radix_sort.hpp"

namespace test {
namespace {

namespace core  = KokkosScan::core;
namespace radix = KokkosScan::cuda::radix;

using Order = core::RadixOrder<std::uint32_t, false>;
using Sort  = core::RadixSort<Order, std::uint32_t>;

/// Sorts by some bits; values tell where keys came from, and by them that equal keys kept their order.
bool are_sorted(std::size_t n, int bits, std::uint32_t salt) {
  std::vector<std::uint32_t> keys(n), other_keys(n), values(n), other_values(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i]   = (static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 7;
    values[i] = static_cast<std::uint32_t>(i);
  }
  auto const from = keys;
  Sort const sort{Order{0, 0, 0, bits}, keys.data(), other_keys.data(), values.data(), other_values.data(), n};
  std::vector<std::uint64_t> scratch(radix::needs(sort).scratch / sizeof(std::uint64_t), 0xa5a5a5a5a5a5a5a5U);
  radix::run(nullptr, sort, {scratch.data(), nullptr, 0}, KokkosScan::cuda::current_device());
  auto const sorted_by = [&](std::size_t i) { return keys[i] & ((std::uint32_t{1} << bits) - 1); };
  for (std::size_t i = 0; i < n; ++i) {
    if (values[i] >= n || keys[i] != from[values[i]]) return false;
    if (i > 0 && (sorted_by(i - 1) > sorted_by(i) || (sorted_by(i - 1) == sorted_by(i) && values[i - 1] >= values[i])))
      return false;
  }
  return true;
}

bool in_one_block(std::uint32_t salt) { return are_sorted(700, 11, salt); }
bool by_passes(std::uint32_t salt) { return are_sorted(radix::Long<Sort>::tile + 77, 10, salt); }

}  // namespace

std::vector<Case> sorts() { return {in_one_block, by_passes}; }

}  // namespace test
