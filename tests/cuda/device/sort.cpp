// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "sums.hpp"

// Sorts on a device: within a graph, with other keys each time, and of more than 2^32 keys.
namespace {

using namespace device;
using KokkosScan::Handle;
using Bytes   = View<std::uint8_t>;
using Numbers = View<std::uint32_t>;
using All     = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

/// One that no digits know.
struct LowBitsFirst {
  KOKKOS_FUNCTION static unsigned turned(std::uint8_t key) { return (key & 0x0fU) << 4 | key >> 4; }
  KOKKOS_FUNCTION bool operator()(std::uint8_t a, std::uint8_t b) const { return turned(a) < turned(b); }
};
struct Ascending {
  KOKKOS_FUNCTION bool operator()(std::uint8_t a, std::uint8_t b) const { return a < b; }
};

KOKKOS_INLINE_FUNCTION std::uint32_t key_of(std::uint64_t i, std::uint32_t salt) {
  std::uint64_t const x = (i + salt + 1) * 0x9e3779b97f4a7c15U;
  return static_cast<std::uint32_t>((x ^ x >> 31) * 0xff51afd7ed558ccdU >> 32);
}
/// Two neighbours have the same number and the same key.
KOKKOS_INLINE_FUNCTION std::uint8_t key_of_pair(std::uint64_t number) {
  return static_cast<std::uint8_t>(key_of(number, 0) >> 24);
}

void fill(Exec const& exec, Numbers const& keys, Numbers const& values, std::uint32_t salt) {
  Kokkos::parallel_for(
      "fill", All(exec, 0, static_cast<std::int64_t>(keys.size())), KOKKOS_LAMBDA(std::int64_t at) {
        auto const i = static_cast<std::size_t>(at);
        keys(i)      = key_of(i, salt) >> 8;
        values(i)    = static_cast<std::uint32_t>(i);
      });
}
/// How many are not behind their predecessor, or of another key. As many different values as there are keys, of which
/// none is larger than the last, are each of them once.
std::size_t wrong_ones(Exec const& exec, Numbers const& keys, Numbers const& values, std::uint32_t salt) {
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, static_cast<std::int64_t>(keys.size())),
      KOKKOS_LAMBDA(std::int64_t at, std::size_t& sum) {
        auto const i = static_cast<std::size_t>(at);
        bool right   = values(i) < keys.size() && keys(i) == key_of(values(i), salt) >> 8;
        if (i > 0) right = right && (keys(i - 1) < keys(i) || (keys(i - 1) == keys(i) && values(i - 1) < values(i)));
        sum += right ? 0 : 1;
      },
      wrong);
  return wrong;
}

void fill_pairs(Exec const& exec, Bytes const& keys, Numbers const& values) {
  Kokkos::parallel_for(
      "fill", All(exec, 0, static_cast<std::int64_t>(keys.size())), KOKKOS_LAMBDA(std::int64_t at) {
        auto const i = static_cast<std::size_t>(at);
        keys(i)      = key_of_pair(i / 2);
        values(i)    = static_cast<std::uint32_t>(i / 2);
      });
}
/// As wrong_ones, where each value may stand there twice.
template <class Less>
std::size_t wrong_pairs(Exec const& exec, Bytes const& keys, Numbers const& values, Less const& less) {
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, static_cast<std::int64_t>(keys.size())),
      KOKKOS_LAMBDA(std::int64_t at, std::size_t& sum) {
        auto const i = static_cast<std::size_t>(at);
        bool right   = values(i) <= (keys.size() - 1) / 2 && keys(i) == key_of_pair(values(i));
        if (i > 0) right = right && !less(keys(i), keys(i - 1));
        if (i > 0 && keys(i) == keys(i - 1)) right = right && values(i - 1) <= values(i);
        if (i > 1 && keys(i) == keys(i - 2)) right = right && values(i - 2) < values(i);
        sum += right ? 0 : 1;
      },
      wrong);
  return wrong;
}

class Sort : public testing::Test, protected Instance {};

TEST_F(Sort, is_replayed_with_other_keys) {
  for (std::size_t const n : {std::size_t{700}, std::size_t{1'000'003}}) {
    Numbers const keys("keys", n), values("values", n);
    Handle const handle(exec);
    KokkosScan::reserve_sort<std::uint32_t, std::uint32_t>(handle, n);
    Graph const graph(exec, [&] { KokkosScan::sort_by_key(handle, keys, values); });
    for (std::uint32_t const salt : {1U, 20U, 300U}) {
      fill(exec, keys, values, salt);
      ASSERT_GT(wrong_ones(exec, keys, values, salt), 0U) << "sorted before";
      graph.launch();
      ASSERT_EQ(wrong_ones(exec, keys, values, salt), 0U) << n << " keys, " << salt;
    }
  }
}

/// By digits, and by merging.
TEST_F(Sort, of_more_than_two_to_the_32) {
  std::size_t free = 0, all = 0;
  cudaMemGetInfo(&free, &all);
  if ((free >> 30) < 64) GTEST_SKIP() << "needs 64 GiB of free memory";
  std::size_t const n = (std::size_t{1} << 32) + 12'345;
  Bytes const keys(Kokkos::view_alloc(Kokkos::WithoutInitializing, "keys"), n);
  Numbers const values(Kokkos::view_alloc(Kokkos::WithoutInitializing, "values"), n);
  fill_pairs(exec, keys, values);
  KokkosScan::sort_by_key(exec, keys, values);
  ASSERT_EQ(wrong_pairs(exec, keys, values, Ascending{}), 0U);
  fill_pairs(exec, keys, values);
  KokkosScan::sort_by_key(exec, keys, values, LowBitsFirst{});
  ASSERT_EQ(wrong_pairs(exec, keys, values, LowBitsFirst{}), 0U);
}

}  // namespace
