// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "src/core/memory.hpp"
#include "src/core/radix_sort.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

// A radix sort by a backend, beside std::stable_sort.
namespace test {

using KokkosScan::core::Memory;
using KokkosScan::core::Needs;
using KokkosScan::core::NoValues;
using KokkosScan::core::RadixOrder;
using KokkosScan::core::RadixSort;

template <class Bits, bool is_float = false>
RadixOrder<Bits, is_float> order_of(bool is_signed, bool descends, int begin = 0, int end = 8 * sizeof(Bits)) {
  using Order         = RadixOrder<Bits, is_float>;
  Bits const infinity = sizeof(Bits) == 4 ? static_cast<Bits>(std::bit_cast<std::uint32_t>(HUGE_VALF))
                                          : static_cast<Bits>(std::bit_cast<std::uint64_t>(HUGE_VAL));
  Bits const flip     = descends ? Order::all : Bits{0};
  Bits const sign     = is_signed && !is_float ? Order::sign : Bits{0};
  return {static_cast<Bits>(flip ^ sign), is_float ? infinity : Bits{0}, begin, end};
}

enum class Keys { random, constant, sorted, reversed, few, low_digit, high_digit, of_floats };
inline constexpr Keys all_keys[] = {Keys::random, Keys::constant,  Keys::sorted,     Keys::reversed,
                                    Keys::few,    Keys::low_digit, Keys::high_digit, Keys::of_floats};

/// of_floats are those that are special: zeros and infinities of both signs, numbers that are none, the least of all.
template <class Bits>
std::vector<Bits> make_keys(Keys kind, std::size_t n, std::uint64_t seed = 1) {
  Random random(seed + n);
  int const width               = static_cast<int>(8 * sizeof(Bits));
  int const mantissa            = width == 64 ? 52 : 23;
  std::uint64_t const exponent  = ((std::uint64_t{1} << (width - 1)) - 1) >> mantissa << mantissa;
  std::uint64_t const special[] = {0, 1, exponent, exponent + 1, exponent | (exponent >> 1), exponent / 2};
  std::vector<Bits> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t key = random();
    switch (kind) {
      case Keys::random: break;
      case Keys::constant: key = 0x5a5a5a5a5a5a5a5aU; break;
      case Keys::sorted: key = i; break;
      case Keys::reversed: key = n - i; break;
      case Keys::few: key = key % 3 * 0x1234567890abcdefU; break;
      case Keys::low_digit: key = 0x4711000000000000U | key % 256; break;
      case Keys::high_digit: key = key >> (width - 3) << (width - 3); break;
      case Keys::of_floats: key = special[key % 6] | (key >> 32 & 1) << (width - 1); break;
    }
    keys[i] = static_cast<Bits>(key);
  }
  return keys;
}

/// What is sorted with keys: of 1, 2, 4, 8 bytes a number, of 16 two.
template <class Value>
Value value_of(std::size_t i) {
  std::uint64_t const number[] = {Random(i)(), i};
  Value value{};
  std::memcpy(&value, number, sizeof(Value));
  return value;
}
template <class Value>
bool is_same(Value const& left, Value const& right) {
  return std::memcmp(&left, &right, sizeof(Value)) == 0;
}

/// Memory of a space with elements that must stay as they are before and behind those that are handed out.
template <class T, class Space>
class Guarded {
 public:
  explicit Guarded(std::vector<T> const& values) : n_(values.size()), data_("guarded", n_ + 2 * guards) {
    for (std::size_t k = 0; k < guards; ++k) host_(k) = host_(guards + n_ + k) = guard(k);
    std::copy(values.begin(), values.end(), host_.data() + guards);
    Kokkos::deep_copy(data_, host_);
  }
  T* data() const { return data_.data() + guards; }
  std::vector<T> fetch() {
    Kokkos::deep_copy(host_, data_);
    for (std::size_t k = 0; k < guards; ++k)
      EXPECT_TRUE(is_same(host_(k), guard(k)) && is_same(host_(guards + n_ + k), guard(k))) << "a guard was written";
    return {host_.data() + guards, host_.data() + guards + n_};
  }

 private:
  static constexpr std::size_t guards = 3;  // so that lines of the caches begin elsewhere
  static T guard(std::size_t k) { return value_of<T>(~k); }

  std::size_t n_;
  Kokkos::View<T*, Space> data_;
  decltype(Kokkos::create_mirror_view(data_)) host_ = Kokkos::create_mirror_view(data_);
};

/// Sorts by needs(sort), which returns bytes of scratch, and run(sort, scratch), and compares.
template <class Value, class Space, class Order, class NeedsOf, class Run>
void expect_sorted(Order const& order, std::vector<typename Order::Bits> const& keys, NeedsOf const& needs,
                   Run const& run) {
  using Sort          = RadixSort<Order, Value>;
  using Bits          = typename Order::Bits;
  using Stored        = std::conditional_t<Sort::has_values, Value, unsigned char>;
  std::size_t const n = keys.size();
  std::vector<Stored> values(Sort::has_values ? n : 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of<Stored>(i);

  Guarded<Bits, Space> own(keys), other(std::vector<Bits>(n, Bits{42}));
  Guarded<Stored, Space> own_values(values), other_values(values);
  Sort sort{order, own.data(), other.data(), nullptr, nullptr, n};
  if constexpr (Sort::has_values) {
    sort.values       = own_values.data();
    sort.other_values = other_values.data();
  }
  std::size_t const words = (needs(sort) + 7) / 8;
  Guarded<std::uint64_t, Space> scratch(std::vector<std::uint64_t>(words, 0xdeadbeefdeadbeefU));
  run(sort, scratch.data());
  Kokkos::fence();

  Bits const mask =
      order.end == order.begin ? Bits{0} : static_cast<Bits>(Order::all >> (Order::width - (order.end - order.begin)));
  std::vector<std::size_t> at(n);
  std::iota(at.begin(), at.end(), std::size_t{0});
  auto const rank = [&](std::size_t i) {
    return order.begin == Order::width ? Bits{0} : static_cast<Bits>(order.ordered(keys[i]) >> order.begin & mask);
  };
  std::stable_sort(at.begin(), at.end(), [&](std::size_t i, std::size_t j) { return rank(i) < rank(j); });
  auto const found        = own.fetch();
  auto const found_values = own_values.fetch();
  std::size_t wrong = 0, wrong_values = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += found[i] != keys[at[i]];
  for (std::size_t i = 0; i < values.size(); ++i) wrong_values += !is_same(found_values[i], values[at[i]]);
  EXPECT_EQ(wrong, 0U) << "keys of " << n << " at other places";
  EXPECT_EQ(wrong_values, 0U) << "values of " << n << " at other places";
  other.fetch();
  other_values.fetch();
  scratch.fetch();
}

/// The same by a backend on an instance.
template <class Backend, class Value, class Exec, class Order>
void expect_sorted_by(Exec const& exec, Order const& order, std::vector<typename Order::Bits> const& keys) {
  test::expect_sorted<Value, typename Exec::memory_space>(
      order, keys, [&](auto const& sort) { return Backend::needs_of_sort(exec, sort).scratch; },
      [&](auto const& sort, void* scratch) { Backend::sort(exec, "sort", sort, Memory{scratch, nullptr, 0}); });
}

/// f(order) for integers of either sign and floats, upwards and downwards: for sanitizers of fewer widths.
template <class F>
void for_each_order(F const& f) {
  for (bool const descends : {false, true}) {
    SCOPED_TRACE(descends ? "downwards" : "upwards");
    for (bool const is_signed : {false, true}) {
      f(order_of<std::uint8_t>(is_signed, descends));
      if constexpr (!is_sanitized) f(order_of<std::uint16_t>(is_signed, descends));
      f(order_of<std::uint32_t>(is_signed, descends));
      f(order_of<std::uint64_t>(is_signed, descends));
    }
    if constexpr (!is_sanitized) f(order_of<std::uint32_t, true>(true, descends));
    f(order_of<std::uint64_t, true>(true, descends));
  }
}

/// f(begin, end) of some ranges of so many bits.
template <class F>
void for_each_range(int width, F const& f) {
  constexpr std::array<std::array<int, 2>, 12> ranges{
      {{0, 0}, {0, 1}, {31, 32}, {3, 4}, {5, 5}, {0, 7}, {0, 9}, {3, 20}, {8, 16}, {7, 31}, {30, 45}, {64, 64}}};
  for (auto const [begin, end] : ranges)
    if (end <= width) {
      SCOPED_TRACE(testing::Message() << "bits " << begin << " to " << end);
      f(begin, end);
    }
}

using TwoWords = std::array<std::uint64_t, 2>;

}  // namespace test
