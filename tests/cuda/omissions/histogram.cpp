// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "cuda/streams.hpp"
#include "cuda_native/histogram/histogram.hpp"

namespace test {
namespace {

namespace core      = KokkosScan::core;
namespace histogram = KokkosScan::cuda::histogram;

/// Of bytes two threads share a column.
struct Blocks {
  static constexpr int threads = 128, blocks_per_sm = 2, vectors = 1;
};
using Many = histogram::ManyBinsNumbers<64, 2, 4, 4, 2>;

/// Counts keys of which some come often.
template <class Key, class Count>
bool are_counted(std::size_t n, std::uint32_t bins, std::uint32_t salt, Count const& count) {
  std::vector<Key> keys(n);
  std::vector<std::uint32_t> expected(bins), counts(bins, 77);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t const random = (static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 7;
    keys[i]                    = static_cast<Key>(random % 3 == 0 ? random / 3 % bins : random / 3 % 5 % bins);
    ++expected[static_cast<std::size_t>(keys[i])];
  }
  using Histogram = core::Histogram<core::Contiguous<Key const>, core::KeyBins<Key>, std::uint32_t>;
  std::vector<Key> early(n);
  on_a_stream_behind(keys, early.data(), [&] { count(Histogram{{early.data()}, {bins}, {}, {counts.data(), 1}, n}); });
  return counts == expected;
}

bool of_bytes(std::uint32_t salt) {
  return are_counted<std::uint8_t>(5000, 200, salt, [](auto const& all) {
    histogram::count_bytes<Blocks>(nullptr, all, KokkosScan::cuda::current_device());
  });
}
bool of_few_bins(std::uint32_t salt) {
  return are_counted<std::uint32_t>(1500, 40, salt, [](auto const& all) {
    histogram::count_few_bins<Blocks>(nullptr, all, {2, 1, 2}, KokkosScan::cuda::current_device());
  });
}
bool of_many_bins(std::uint32_t salt) {
  return are_counted<std::uint32_t>(3000, 90, salt, [](auto const& all) {
    histogram::count_many_bins<Many>(nullptr, all, KokkosScan::cuda::current_device());
  });
}
/// As where a word of 32 bits does not number the bins.
bool of_each(std::uint32_t salt) {
  return are_counted<std::uint32_t>(3000, 90, salt, [](auto const& all) {
    auto const device = KokkosScan::cuda::current_device();
    KokkosScan::cuda::clear(nullptr, all.counts, all.bins.count, device);
    KokkosScan::cuda::launch(nullptr, {2, KokkosScan::cuda::walking_threads},
                             histogram::add_each_kernel<std::remove_cvref_t<decltype(all)>>, all);
  });
}

}  // namespace

std::vector<Case> histograms() { return {of_bytes, of_few_bins, of_many_bins, of_each}; }

}  // namespace test
