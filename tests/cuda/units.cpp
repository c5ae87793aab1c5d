// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "scans.hpp"

// Bytes that are added four at a time, against bytes that are added one by one.
namespace test {
namespace {

using namespace KokkosScan;
using core::Contiguous;
using core::Kind;

/// Sum, though not by that name, so that nothing is made of words.
struct OneByOne {
  template <class T>
  T operator()(T const& left, T const& right) const {
    return Sum{}(left, right);
  }
};

template <class Value, Kind kind, class Op>
using ScanOf = core::ArrayScan<kind, Value, Contiguous<Value const>, Contiguous<Value>, Op>;

template <class Value>
using Unit = cuda::Unit<Value>;

/// One unit behind another, as a thread goes through its piece.
template <class Value, Kind kind, class Op>
std::vector<Value> results_of(std::vector<Unit<Value>> units, bool any, Value before) {
  constexpr int count = Unit<Value>::count;
  ScanOf<Value, kind, Op> const scan{};
  std::vector<Value> results;
  cuda::Uninitialized<Value> running, total;
  if (any || kind == Kind::exclusive) running.put(before);
  if (any) total.put(before);
  for (auto unit : units) {
    cuda::fold_unit(scan, any, total, unit);
    cuda::scan_unit(scan, any, running, unit);
    for (int v = 0; v < count; ++v) results.push_back(unit.get(v));
    any = true;
    EXPECT_EQ(total.value, running.value);
  }
  results.push_back(total.value);
  return results;
}

template <class Value, Kind kind>
void expect_alike(std::vector<Unit<Value>> const& units, bool any, Value before) {
  static_assert(cuda::adds_bytes<ScanOf<Value, kind, Sum>> && !cuda::adds_bytes<ScanOf<Value, kind, OneByOne>>);
  auto const words = results_of<Value, kind, Sum>(units, any, before);
  ASSERT_EQ(words, (results_of<Value, kind, OneByOne>(units, any, before)));
}

template <class Value>
void expect_sums_of_bytes() {
  std::mt19937 random(std::is_signed_v<Value> ? 1 : 2);
  // Few different bytes first: all of the largest, all of the least, and where halves of words might run over.
  std::vector<int> const extremes = {0, 1, 127, 128, 255};
  for (int round = 0; round < 2000; ++round) {
    std::vector<Unit<Value>> units(1 + random() % 20);
    for (auto& unit : units)
      for (int v = 0; v < Unit<Value>::count; ++v)
        unit.put(v, static_cast<Value>(round % 2 == 0 ? extremes[random() % (1 + round % extremes.size())] : random()));
    auto const before = static_cast<Value>(random());
    expect_alike<Value, Kind::inclusive>(units, false, Value{});
    expect_alike<Value, Kind::inclusive>(units, true, before);
    expect_alike<Value, Kind::exclusive>(units, true, before);
  }
}

TEST(Units, sums_of_signed_bytes) { expect_sums_of_bytes<std::int8_t>(); }
TEST(Units, sums_of_unsigned_bytes) { expect_sums_of_bytes<std::uint8_t>(); }
TEST(Units, sums_of_characters) { expect_sums_of_bytes<char>(); }

TEST(Units, of_other_values_are_not_added_as_bytes) {
  static_assert(!cuda::adds_bytes<ScanOf<bool, Kind::inclusive, Sum>>);
  static_assert(!cuda::adds_bytes<ScanOf<std::int16_t, Kind::inclusive, Sum>>);
  static_assert(!cuda::adds_bytes<ScanOf<std::int8_t, Kind::inclusive, Max>>);
  static_assert(!cuda::adds_bytes<ScanOf<Nibbles, Kind::inclusive, Sum>>);
}

}  // namespace
}  // namespace test
