// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

#include <KokkosScan/lexicographical_ranks.hpp>

// Ranks of strings beside those of a std::map: strings of all lengths, that differ in their last characters, in how
// many bytes of 0 they end with, in nothing; one that is very long among many that are short.
namespace test {
namespace {

using KokkosScan::lexicographical_ranks;
using KokkosScan::Longest;
using KokkosScan::Total;

template <class T>
struct Text {
  using String = std::vector<T>;

  std::vector<T> characters;
  std::vector<std::int32_t> offsets{0};
  std::vector<String> strings;

  /// Characters before the first string, which are in none.
  explicit Text(std::size_t before = 0) : characters(before, T{1}), offsets{static_cast<std::int32_t>(before)} {}

  void add(String const& string) {
    characters.insert(characters.end(), string.begin(), string.end());
    offsets.push_back(static_cast<std::int32_t>(characters.size()));
    strings.push_back(string);
  }
  struct IsBefore {
    bool operator()(String const& left, String const& right) const {
      return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), [](T a, T b) {
        if constexpr (std::is_same_v<T, char>)
          return std::char_traits<char>::lt(a, b);
        else
          return a < b;
      });
    }
  };
  /// Ranks, of which each string counts by its first so many characters, and how many are distinct behind them.
  std::vector<std::int64_t> ranks(std::size_t most = static_cast<std::size_t>(-1)) const {
    auto const cut = [&](String const& s) {
      return String(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(std::min(most, s.size())));
    };
    std::map<String, std::int64_t, IsBefore> rank_of;
    for (String const& string : strings) rank_of[cut(string)] = 0;
    std::int64_t rank = 0;
    for (auto& [string, its] : rank_of) its = rank++;
    std::vector<std::int64_t> all;
    for (String const& string : strings) all.push_back(rank_of[cut(string)]);
    all.push_back(rank);
    return all;
  }
};

template <class Setup>
class Ranks : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using T     = typename Setup::Value;
  template <class Element>
  using Row   = Kokkos::View<Element*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  /// The execution model takes its time.
  static constexpr std::size_t scale = std::is_same_v<typename Setup::Backend, KokkosScan::host::Backend> ? 10 : 1;

  Where const where{};

  static std::vector<T> random_string(Random& random, std::size_t length, std::uint64_t alphabet) {
    std::vector<T> string(length);
    for (T& c : string) c = static_cast<T>(static_cast<std::int64_t>(random.below(alphabet)) - 1);
    return string;
  }

  /// Ranks, and behind them how many are distinct.
  template <class... More>
  std::vector<std::int64_t> found(Text<T> const& text, More const&... more) const {
    Row<T> const characters         = to_view<Row<T>>(text.characters);
    Row<std::int32_t> const offsets = to_view<Row<std::int32_t>>(text.offsets);
    std::size_t const n             = text.strings.size();
    Row<std::int64_t> const ranks("ranks", n + 1);
    auto const distinct = Kokkos::subview(ranks, n);
    Kokkos::deep_copy(ranks, std::int64_t{-7});
    lexicographical_ranks(where, characters, offsets, ranks, Total{distinct}, more...);
    where.exec().fence();
    return to_vector(ranks, std::int64_t{0});
  }
  void expect(Text<T> const& text, std::string const& what) const { expect_same(text.ranks(), found(text), what); }
};

using RanksSetups = PlainSetups<Spaces, char, std::int64_t>::Types;
TYPED_TEST_SUITE(Ranks, RanksSetups);

TYPED_TEST(Ranks, of_strings_of_all_lengths) {
  using T = typename TestFixture::T;
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 3, 100, 500 * this->scale + 3}) {
    Random random(n);
    for (std::size_t const longest : std::vector<std::size_t>{0, 1, 6, 7, 8, 14, 15, 40}) {
      Text<T> text(n % 3);
      for (std::size_t i = 0; i < n; ++i)
        text.add(this->random_string(random, random.below(longest + 1), i % 2 == 0 ? 2 : 256));
      this->expect(text, std::to_string(n) + " strings of up to " + std::to_string(longest) + " characters");
    }
  }
}

TYPED_TEST(Ranks, of_strings_that_differ_in_little) {
  using T = typename TestFixture::T;
  Text<T> text;
  Random random(3);
  for (std::size_t const length : std::vector<std::size_t>{0, 1, 6, 7, 8, 13, 14, 15, 28, 29, 55, 56, 57, 200}) {
    auto const string = this->random_string(random, length, 256);
    text.add(string);
    for (std::size_t zeros = 1; zeros < 9; ++zeros) {  // which are no end
      auto longer = string;
      longer.resize(length + zeros, T{0});
      text.add(longer);
    }
    for (std::size_t const place : std::vector<std::size_t>{0, length / 2, length - 1}) {
      if (place >= length) continue;
      auto other = string;
      other[place] ^= 1;
      text.add(other);
      other.resize(place);
      text.add(other);
    }
    text.add(string);
  }
  this->expect(text, "differences");
}

TYPED_TEST(Ranks, of_equal_strings) {
  using T = typename TestFixture::T;
  for (std::size_t const length : std::vector<std::size_t>{0, 1, 7, 8, 100}) {
    Text<T> text;
    for (std::size_t i = 0; i < 200 * this->scale; ++i) text.add(std::vector<T>(length, T{5}));
    this->expect(text, "equal ones of " + std::to_string(length));
  }
}

TYPED_TEST(Ranks, of_a_long_string_among_short_ones) {
  using T = typename TestFixture::T;
  Random random(9);
  auto const words = [&](Text<T>& text) {
    for (std::size_t i = 0; i < 100 * this->scale; ++i) text.add(this->random_string(random, random.below(9), 3));
  };
  auto const longest = this->random_string(random, 5000 * this->scale, 2);
  auto other         = longest;
  other.back() ^= 2;
  Text<T> text(5);
  words(text);
  text.add(longest);
  words(text);
  text.add(std::vector<T>(longest.begin(), longest.end() - 1));
  text.add(longest);
  text.add(other);
  words(text);
  this->expect(text, "a long one");
}

TYPED_TEST(Ranks, by_the_first_characters_alone) {
  using T = typename TestFixture::T;
  Random random(4);
  Text<T> text(2);
  for (std::size_t i = 0; i < 200 * this->scale; ++i) text.add(this->random_string(random, random.below(30), 2));
  for (std::size_t const most : std::vector<std::size_t>{0, 1, 7, 8, 29, 500})
    expect_same(text.ranks(most), this->found(text, Longest{most}), "up to " + std::to_string(most));
}

TYPED_TEST(Ranks, has_forms_and_takes_strided_views) {
  using T     = typename TestFixture::T;
  using Exec  = typename TestFixture::Exec;
  using Space = typename TestFixture::Space;
  Text<T> text;
  Random random(8);
  for (std::size_t i = 0; i < 300; ++i) text.add(this->random_string(random, random.below(12), 2));
  std::size_t const n = text.strings.size();
  Kokkos::View<T**, Kokkos::LayoutRight, Space> const characters("characters", text.characters.size(), 2);
  Kokkos::View<std::int16_t**, Kokkos::LayoutRight, Space> const ranks("ranks", n + 1, 2);
  Kokkos::deep_copy(Kokkos::subview(characters, Kokkos::ALL, 1),
                    to_view<typename TestFixture::template Row<T>>(text.characters));
  auto const offsets = to_view<typename TestFixture::template Row<std::int32_t>>(text.offsets);
  Kokkos::deep_copy(ranks, static_cast<std::int16_t>(-3));
  int distinct     = 0;
  auto expected    = text.ranks();
  auto const check = [&] {
    auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ranks);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(expected[i], on_host(i, 0));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(-3, on_host(i, 1));
    ASSERT_EQ(-3, on_host(n, 0));
  };
  lexicographical_ranks("label", this->where, Kokkos::subview(characters, Kokkos::ALL, 1), offsets,
                        Kokkos::subview(ranks, Kokkos::ALL, 0), Total{distinct});
  EXPECT_EQ(expected.back(), distinct);
  check();
  Kokkos::deep_copy(Kokkos::subview(ranks, Kokkos::ALL, 0), static_cast<std::int16_t>(-3));
  lexicographical_ranks(this->where.exec(), Kokkos::subview(characters, Kokkos::ALL, 1), offsets,
                        Kokkos::subview(ranks, Kokkos::ALL, 0));
  Exec().fence();
  check();
}

TYPED_TEST(Ranks, offsets_that_are_none_write_nothing_elsewhere) {
  using T = typename TestFixture::T;
  Text<T> text;
  text.characters.assign(100, T{3});
  text.offsets = {50, -7, 90, 20, 1000, 3};
  text.strings.resize(5);
  auto const found = this->found(text);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(found[i] >= 0 && found[i] < 5);
}

#if !KOKKOSSCAN_TEST_ON_MODEL
using DefaultExec = Kokkos::DefaultExecutionSpace;
template <class T>
using DefaultRow = Kokkos::View<T*, DefaultExec>;

/// Characters of one to eight bytes, with a sign or without.
template <class T>
void expect_on_default(std::size_t lengths) {
  Text<T> text;
  Random random(sizeof(T));
  for (std::size_t i = 0; i < 3000; ++i) {
    std::vector<T> string(random.below(lengths));
    for (T& c : string) c = static_cast<T>(random.below(3) - 1);
    text.add(string);
  }
  DefaultRow<std::uint32_t> const ranks("ranks", text.strings.size());
  std::int64_t distinct = 0;
  lexicographical_ranks(DefaultExec(), to_view<DefaultRow<T>>(text.characters),
                        to_view<DefaultRow<std::int32_t>>(text.offsets), ranks, Total{distinct});
  std::vector<std::int64_t> found;
  for (std::uint32_t const rank : to_vector(ranks, std::uint32_t{})) found.push_back(rank);
  found.push_back(distinct);
  expect_same(text.ranks(), found, "characters of " + std::to_string(sizeof(T)) + " bytes");
}
TEST(RanksOf, wide_characters) {
  expect_on_default<signed char>(8);
  expect_on_default<std::uint16_t>(8);
  expect_on_default<std::int16_t>(8);
  expect_on_default<char32_t>(8);
  expect_on_default<int>(8);
  expect_on_default<std::uint64_t>(8);
}
TEST(RanksOf, the_smallest_character_and_nothing) {
  expect_on_default<std::uint16_t>(2);
  expect_on_default<std::uint64_t>(2);
}

TEST(RanksOf, wrong_calls_throws_before_anything_is_written) {
  DefaultRow<char> const text("text", 1000);
  DefaultRow<int> const offsets("offsets", 301);
  DefaultRow<int> const few("few", 299);
  DefaultRow<std::int8_t> const narrow("narrow", 300);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { lexicographical_ranks(DefaultExec(), text, offsets, few); }),
                   {"ranks", "300", "299"}));
  EXPECT_TRUE(
      says(thrown_by<std::invalid_argument>([&] { lexicographical_ranks(DefaultExec(), text, offsets, narrow); }),
           {"ranks", "299", "127"}));
  EXPECT_TRUE(says(
      thrown_by<std::invalid_argument>([&] { lexicographical_ranks("mine", DefaultExec(), text, offsets, offsets); }),
      {"mine", "offsets", "ranks"}));
  DefaultRow<int> const ranks("ranks", 300);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>(
                       [&] { lexicographical_ranks(DefaultExec(), text, offsets, ranks, Longest{-1}); }),
                   {"Longest", "-1"}));
}
#endif

}  // namespace
}  // namespace test
