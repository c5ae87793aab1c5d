// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../src/core/arrays.hpp"
#include "../../src/core/compaction.hpp"
#include "../../src/host/compact_in_place.hpp"
#include "workers.hpp"

// Compaction in place by many workers of few elements each, at once and one after the other in any order: what a worker
// writes nobody reads any more.
namespace concurrency {
namespace {

namespace core = KokkosScan::core;
namespace host = KokkosScan::host;

constexpr std::size_t word = host::marks_of_word, part = host::most_appended;

/// 24 bytes, for which there is no kernel.
struct Wide {
  std::array<std::uint64_t, 3> words;
  explicit Wide(std::uint64_t value = 0) : words{value, ~value, value * 3} {}
  explicit operator std::uint64_t() const { return words[0]; }
  friend bool operator==(Wide const&, Wide const&) = default;
};

/// The lowest bit says whether an element is chosen, the others which one it is.
struct IsOdd {
  template <class T>
  bool operator()(T const& value) const {
    return static_cast<std::uint64_t>(value) % 2 == 1;
  }
};

/// Whether element i of n is chosen.
struct Pattern {
  std::string name;
  bool (*chooses)(std::size_t i, std::size_t n);
};
std::vector<Pattern> patterns() {
  return {{"none", [](std::size_t, std::size_t) { return false; }},
          {"all", [](std::size_t, std::size_t) { return true; }},
          {"the last one", [](std::size_t i, std::size_t n) { return i + 1 == n; }},
          {"all but the first", [](std::size_t i, std::size_t) { return i > 0; }},
          {"all but the last", [](std::size_t i, std::size_t n) { return i + 1 < n; }},
          {"all but one", [](std::size_t i, std::size_t n) { return i != n / 3; }},
          {"one", [](std::size_t i, std::size_t n) { return i == n / 3 * 2; }},
          {"the first half", [](std::size_t i, std::size_t n) { return i < n / 2; }},
          {"the second half", [](std::size_t i, std::size_t n) { return i >= n / 2; }},
          {"every other one", [](std::size_t i, std::size_t) { return i % 2 == 0; }},
          {"words", [](std::size_t i, std::size_t) { return i / word % 2 == 1; }},
          {"most", [](std::size_t i, std::size_t) { return i * 2654435761U % 4294967296U / 16 % 100 < 97; }},
          {"few", [](std::size_t i, std::size_t) { return i * 2654435761U % 4294967296U / 16 % 100 < 3; }},
          {"some", [](std::size_t i, std::size_t) { return i * 2654435761U % 4294967296U / 16 % 2 == 1; }}};
}

/// An element and, where they are strided, two that are none.
template <class Element, int step>
class Values {
 public:
  using T     = Element;
  using Array = std::conditional_t<step == 1, core::Contiguous<T>, core::Strided<T>>;

  Values(std::size_t n, Pattern const& pattern) : n_(n), memory_((n + 2) * step) {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = T(static_cast<std::uint8_t>(77 + i));
    for (std::size_t i = 0; i < n; ++i) at(i) = T(static_cast<std::uint64_t>(2 * i + (pattern.chooses(i, n) ? 1 : 0)));
  }

  Array array() {
    if constexpr (step == 1)
      return {&at(0)};
    else
      return {&at(0), step};
  }
  T& at(std::size_t i) { return memory_[(1 + i) * step]; }

  /// By std, on a copy of the elements.
  template <bool with_others>
  std::size_t compact() {
    std::vector<T> elements(n_);
    for (std::size_t i = 0; i < n_; ++i) elements[i] = at(i);
    auto const choose = IsOdd{};
    auto middle       = elements.end();
    if (with_others) {
      middle = std::stable_partition(elements.begin(), elements.end(), choose);
    } else {
      std::vector<T> chosen;
      std::copy_if(elements.begin(), elements.end(), std::back_inserter(chosen), choose);
      middle = std::copy(chosen.begin(), chosen.end(), elements.begin());
    }
    for (std::size_t i = 0; i < n_; ++i) at(i) = elements[i];
    return static_cast<std::size_t>(middle - elements.begin());
  }

  friend bool operator==(Values const& a, Values const& b) { return a.memory_ == b.memory_; }

 private:
  std::size_t n_;
  std::vector<T> memory_;
};

template <class Values>
class InPlace : public testing::Test {
 protected:
  using T = typename Values::T;

  template <bool with_others>
  static void expect_right(std::size_t n, Pattern const& pattern, Workers const& workers) {
    Values found(n, pattern), expected = found;
    core::FromChosen<std::size_t, typename Values::Array, IsOdd> const source(found.array(), {});
    host::in_place::Plan const plan{n, workers.size(), with_others || workers.size() > 1};
    std::vector<std::byte> scratch(plan.scratch_bytes<T>() + 1, std::byte{99});
    std::size_t const count =
        host::in_place::run<with_others>(source, plan, workers, static_cast<void*>(scratch.data()));
    std::string const what = pattern.name + " of " + std::to_string(n) + ", " + workers.name();
    EXPECT_EQ(count, expected.template compact<with_others>()) << what;
    EXPECT_TRUE(found == expected) << what << (with_others ? ", the others behind" : ", the others lost");
    EXPECT_EQ(scratch.back(), std::byte{99}) << what;
  }
  static void expect_all(std::size_t n, Workers const& workers) {
    for (Pattern const& pattern : patterns()) {
      expect_right<false>(n, pattern, workers);
      expect_right<true>(n, pattern, workers);
      if (testing::Test::HasFailure()) return;
    }
  }
};
using AllValues = testing::Types<Values<std::uint32_t, 1>, Values<std::uint64_t, 1>, Values<std::uint16_t, 1>,
                                 Values<Wide, 1>, Values<std::uint32_t, 3>>;
TYPED_TEST_SUITE(InPlace, AllValues);

TYPED_TEST(InPlace, by_one_worker) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, word - 1, word, word + 1, 2 * word + 5,
                              part - 1, part, part + 1, 3 * part + 77})
    this->expect_all(n, in_turn({0}));
}

/// Whatever the order, and with fewer words than workers.
TYPED_TEST(InPlace, by_workers_one_after_the_other) {
  for (std::vector<int> const& order : {std::vector{0, 1}, std::vector{1, 0}, std::vector{0, 1, 2, 3, 4},
                                        std::vector{4, 3, 2, 1, 0}, std::vector{3, 0, 6, 2, 5, 1, 4}})
    for (std::size_t const n : {std::size_t{1}, word, 3 * word + 1, 7 * word, 20 * word + 63, 2 * part, 7 * part + 9,
                                15 * part + 3 * word + 1})
      this->expect_all(n, in_turn(order));
}

TYPED_TEST(InPlace, by_threads) {
  for (int const size : {2, 3, 5})
    for (std::size_t const n : {5 * word + 3, 9 * part + 500}) this->expect_all(n, threads(size));
}

/// Where it throws nothing has moved; and no element is looked at once more where it went.
TEST(InPlaceChoice, is_made_before_anything_moves) {
  std::size_t const n = 5 * part + 7;
  for (int const size : {1, 2, 5}) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 0);
    auto const before = values;
    std::vector<std::atomic<int>> calls(n);
    int refused       = 0;
    auto const choose = [&](int value) {
      ++calls[static_cast<std::size_t>(value)];
      if (value == refused) throw std::domain_error("refused");
      return value % 3 == 0;
    };
    core::FromChosen<int, core::Contiguous<int>, decltype(choose)> const source({values.data()}, choose);
    host::in_place::Plan const plan{n, size, true};
    std::vector<std::byte> scratch(plan.scratch_bytes<int>());
    for (int const at : {0, 1, 1234, static_cast<int>(n) - 1}) {
      refused = at;
      EXPECT_THROW(host::in_place::run<true>(source, plan, threads(size), static_cast<void*>(scratch.data())),
                   std::domain_error);
      EXPECT_EQ(values, before) << at << ", " << size;
    }
    refused = -1;
    for (auto& count : calls) count = 0;
    EXPECT_EQ(host::in_place::run<true>(source, plan, threads(size), static_cast<void*>(scratch.data())), (n + 2) / 3);
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(calls[i] == 1 || calls[i] == 2) << i << ", " << size;
  }
}

}  // namespace
}  // namespace concurrency
