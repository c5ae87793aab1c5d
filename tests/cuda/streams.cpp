// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda_native/histogram/histogram.hpp"
#include "cuda_native/sort/radix_sort.hpp"
#include "scans.hpp"
#include "seeds.hpp"
#include "streams.hpp"

// Calls behind each other on one stream, by the same memory, each on what the one before it made: every kernel may
// start while the one before it still runs.
namespace test {
namespace {

namespace core = KokkosScan::core;
namespace cuda = KokkosScan::cuda;

using Value = AffineOf<std::uint64_t>;
using Scan =
    core::ArrayScan<core::Kind::inclusive, Value, core::Contiguous<Value const>, core::Contiguous<Value>, FollowedBy>;

struct alignas(128) Line {
  unsigned char bytes[128] = {};
};

/// Scans of two arrays to and fro and in place, of several lengths, by kernels of all kinds.
class Chain {
 public:
  explicit Chain(std::uint32_t salt) : states_(cuda::States::bytes(256) / sizeof(Line)), a_(n), b_(n) {
    for (std::size_t i = 0; i < n; ++i) given_.push_back(element<Value>(i * 40503U + salt, i * 2654435761U + salt));
    b_ = given_;
    std::reverse(b_.begin(), b_.end());
    expected_a_ = given_;
    expected_b_ = b_;
  }

  bool is_right(std::uint32_t salt) {
    on_a_stream_behind(given_, a_.data(), [&] {
      for (std::uint32_t call = 0; call < 8; ++call) enqueue((call * 5 + salt) % 5, call + salt);
    });
    return a_ == expected_a_ && b_ == expected_b_;
  }

 private:
  static constexpr std::size_t tile = cuda::pipelined::Shape<Value>::tile, n = tile + 77;
  using Small = cuda::Block<Value, cuda::block::WarpShuffle, cuda::warp_size>;

  void enqueue(std::uint32_t kernel, std::uint32_t turn) {
    bool const to_b = turn % 2 == 0, in_place = turn % 3 == 0;
    auto &from = to_b ? a_ : b_, &dest = in_place ? from : to_b ? b_ : a_;
    auto &expected_from = to_b ? expected_a_ : expected_b_, &expected = in_place ? expected_from
                                                                        : to_b   ? expected_b_
                                                                                 : expected_a_;
    std::size_t const length = kernel == 0 ? n - turn : 40 * cuda::warp_size - turn;
    Scan const scan{{{from.data()}, {}}, {{dest.data()}}, length, {}, {}, nullptr};
    cuda::States const states = cuda::States::in(states_.data(), states_.size() * sizeof(Line));
    switch (kernel) {
      case 0: cuda::pipelined::run(nullptr, scan, states, cuda::current_device()); break;
      case 1: cuda::lookback::run<Small>(nullptr, scan, states, nullptr); break;
      case 2: cuda::chained::run<Small>(nullptr, scan, states, nullptr); break;
      case 3: cuda::one_wave::run(nullptr, scan, states, {64, cuda::one_wave::Shape<Value>::rounds}); break;
      default: cuda::hillis_steele::run(nullptr, scan, scratch()); break;
    }
    auto const prefixes = serial_scan(core::Kind::inclusive,
                                      std::vector<Value>(expected_from.begin(), expected_from.begin() + at(length)),
                                      FollowedBy{}, std::optional<Value>());
    std::copy(prefixes.values.begin(), prefixes.values.end(), expected.begin());
  }
  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  Value* scratch() {
    scratch_.resize(cuda::hillis_steele::scratch_values(n));
    return scratch_.data();
  }

  std::vector<Line> states_;
  std::vector<Value> given_, a_, b_, expected_a_, expected_b_, scratch_;
};

TEST(Streams, of_scans_that_share_states_and_arrays) {
  std::uint32_t salt = 0;
  for_each_seed(40, [&] {
    ++salt;
    EXPECT_TRUE(Chain(salt).is_right(salt)) << "salt " << salt;
  });
}

/// Keys sorted by their lower bits, then by the others with the same scratch, and counted.
TEST(Streams, of_sorts_and_counts) {
  using Sort = core::RadixSort<core::RadixOrder<std::uint32_t, false>, core::NoValues>;
  for_each_seed(10, [] {
    std::size_t const n = cuda::radix::Long<Sort>::tile + 77;
    std::vector<std::uint32_t> given(n), keys(n), other(n), counts(256, 77), expected_counts(256);
    for (std::size_t i = 0; i < n; ++i) given[i] = (static_cast<std::uint32_t>(i) * 2654435761U >> 9) % (1U << 18);
    for (std::uint32_t const key : given) ++expected_counts[key % 256];
    auto sorted = given;
    std::sort(sorted.begin(), sorted.end());
    Sort low{{0, 0, 0, 10}, keys.data(), other.data(), nullptr, nullptr, n}, high = low;
    high.order = {0, 0, 10, 18};
    std::vector<std::uint64_t> scratch(cuda::radix::needs(low).scratch / sizeof(std::uint64_t), 0xa5a5a5a5a5a5a5a5U);
    core::Memory const memory{scratch.data(), nullptr, 0};
    auto const device = cuda::current_device();
    auto const* bytes = reinterpret_cast<std::uint8_t const*>(keys.data());
    using Bytes       = core::Histogram<core::Strided<std::uint8_t const>, core::KeyBins<std::uint8_t>, std::uint32_t>;
    Bytes const all{{bytes, 4}, {256}, {}, {counts.data(), 1}, n};
    on_a_stream_behind(given, keys.data(), [&] {
      cuda::radix::run(nullptr, low, memory, device);
      cuda::radix::run(nullptr, high, memory, device);
      cuda::histogram::run(nullptr, all, device);
    });
    EXPECT_EQ(keys, sorted);
    EXPECT_EQ(counts, expected_counts);
  });
}

}  // namespace
}  // namespace test
