// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

#include <KokkosScan/compare.hpp>

// Comparisons beside std::lexicographical_compare and std::mismatch: of differences wherever tiles begin and end, of
// two of them, of arrays at any addresses, of prefixes, of what is empty, of bytes that are 0.
namespace test {
namespace {

using KokkosScan::compare;
using KokkosScan::first_difference;
using KokkosScan::Total;

/// As std::string orders them.
struct Before {
  template <class T>
  bool operator()(T const& left, T const& right) const {
    if constexpr (std::is_same_v<T, char>)
      return std::char_traits<char>::lt(left, right);
    else
      return left < right;
  }
};

template <class T>
int order_of(std::vector<T> const& a, std::vector<T> const& b) {
  if (std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Before())) return -1;
  return std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end(), Before()) ? 1 : 0;
}
template <class T>
std::size_t place_of(std::vector<T> const& a, std::vector<T> const& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

template <class Setup>
class Comparison : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using T     = typename Setup::Value;
  using Row   = Kokkos::View<T*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  Where const where{};
  Kokkos::View<std::int8_t, Space> const order{"order"};
  Kokkos::View<std::size_t, Space> const place{"place"};

  static std::vector<T> make(std::size_t n) {
    Random random(n);
    std::vector<T> values(n);
    for (T& value : values) value = static_cast<T>(random.below(3) == 0 ? 0 : random.below(256));
    return values;
  }

  template <class A, class B>
  void expect(std::vector<T> const& a, std::vector<T> const& b, A const& view_a, B const& view_b,
              std::string const& what) const {
    Kokkos::deep_copy(order, static_cast<std::int8_t>(77));
    Kokkos::deep_copy(place, std::size_t{12345});
    compare(where, view_a, view_b, Total{order});
    first_difference(where, view_a, view_b, Total{place});
    where.exec().fence();
    std::int8_t found = 0;
    std::size_t first = 0;
    Kokkos::deep_copy(found, order);
    Kokkos::deep_copy(first, place);
    ASSERT_EQ(order_of(a, b), found) << what;
    ASSERT_EQ(place_of(a, b), first) << what;
  }
  void expect(std::vector<T> const& a, std::vector<T> const& b, std::string const& what) const {
    Row const view_a = to_view<Row>(a), view_b = to_view<Row>(b);
    expect(a, b, view_a, view_b, what);
  }
};

using ComparisonSetups = PlainSetups<Spaces, char, std::int64_t>::Types;
TYPED_TEST_SUITE(Comparison, ComparisonSetups);

/// Lengths around words, the first team's part and tiles, in bytes.
std::vector<std::size_t> const lengths{0,      1,      2,      15,     16,      17,      48,        4095,   16'384,
                                       16'385, 49'152, 49'153, 81'920, 100'003, 1 << 17, 1'100'003, 1 << 21};

TYPED_TEST(Comparison, finds_one_difference_anywhere) {
  for (std::size_t const bytes : lengths) {
    std::size_t const n = bytes / sizeof(typename TestFixture::T);
    auto const a        = this->make(n);
    this->expect(a, a, std::to_string(n) + " equal ones");
    std::vector<std::size_t> places{0, 1, n / 2, n - 2, n - 1};
    for (std::size_t at = 16'384; at <= bytes; at += 32'768)
      if (at < 150'000 || at % 524'288 == 16'384)
        for (std::size_t const near : {at - 17, at - 1, at, at + 1})
          places.push_back(near / sizeof(typename TestFixture::T));
    for (std::size_t const place : places) {
      if (place >= n) continue;
      auto b = a;
      b[place] ^= 0x40;
      this->expect(a, b, std::to_string(n) + " that differ at " + std::to_string(place));
      this->expect(b, a, std::to_string(n) + " that differ at " + std::to_string(place) + ", the other way round");
    }
  }
}

TYPED_TEST(Comparison, finds_the_first_of_many) {
  std::size_t const n = 1'600'000 / sizeof(typename TestFixture::T);
  auto const a        = this->make(n);
  Random random(7);
  for (int repetition = 0; repetition < 40; ++repetition) {
    auto b = a;
    // Two tiles that other teams look at, and more behind.
    std::size_t const first = random.below(n - 1);
    for (std::size_t const at : {first, first + 1, first + 32'768 / sizeof(a[0]), first + random.below(n), n - 1})
      if (at < n) b[at] ^= 1;
    this->expect(a, b, "from " + std::to_string(first) + " on");
  }
  auto all = a;
  for (auto& value : all) value ^= 1;
  this->expect(a, all, "all");
}

TYPED_TEST(Comparison, a_prefix_comes_first) {
  for (std::size_t const n : std::vector<std::size_t>{1, 2, 30, 5000, 130'007}) {
    auto const a = this->make(n);
    for (std::size_t const less : std::vector<std::size_t>{1, n / 2, n}) {
      std::vector const b(a.begin(), a.end() - static_cast<std::ptrdiff_t>(less));
      this->expect(a, b, "a prefix behind");
      this->expect(b, a, "a prefix before");
      auto other = b;
      if (other.empty()) continue;
      other.back() ^= 2;
      this->expect(a, other, "no prefix behind");
      this->expect(other, a, "no prefix before");
    }
  }
}

TYPED_TEST(Comparison, takes_views_at_any_address) {
  using Row           = typename TestFixture::Row;
  std::size_t const n = 70'001;
  auto const from     = this->make(n + 64);
  for (std::size_t shift_a = 0; shift_a < 19; shift_a += 3)
    for (std::size_t shift_b = 0; shift_b < 18; ++shift_b) {
      std::vector const a(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n - 5 * shift_b));
      auto b = a;
      std::vector<typename TestFixture::T> whole_a(n + 64, 1), whole_b(n + 64, 2);
      for (std::size_t const place :
           {a.size(), std::size_t{0}, std::size_t{13}, 31 + shift_a, a.size() - 1 - shift_a}) {
        if (place < b.size()) b[place] ^= 4;
        std::copy(a.begin(), a.end(), whole_a.begin() + static_cast<std::ptrdiff_t>(shift_a));
        std::copy(b.begin(), b.end(), whole_b.begin() + static_cast<std::ptrdiff_t>(shift_b));
        Row const view_a = to_view<Row>(whole_a), view_b = to_view<Row>(whole_b);
        this->expect(a, b, Kokkos::subview(view_a, Kokkos::make_pair(shift_a, shift_a + a.size())),
                     Kokkos::subview(view_b, Kokkos::make_pair(shift_b, shift_b + b.size())),
                     std::to_string(shift_a) + " and " + std::to_string(shift_b) + " on, at " + std::to_string(place));
        if (place < b.size()) b[place] ^= 4;
      }
    }
}

TYPED_TEST(Comparison, takes_strided_views) {
  using T             = typename TestFixture::T;
  std::size_t const n = 40'007;
  Kokkos::View<T**, Kokkos::LayoutRight, typename TestFixture::Space> const plane("plane", n, 3);
  auto const on_host = Kokkos::create_mirror_view(plane);
  auto const a       = this->make(n);
  for (std::size_t const place : std::vector<std::size_t>{n, 0, 2048, n - 1}) {
    auto b = a;
    if (place < n) b[place] ^= 8;
    for (std::size_t i = 0; i < n; ++i) on_host(i, 0) = a[i], on_host(i, 2) = b[i];
    Kokkos::deep_copy(plane, on_host);
    this->expect(a, b, Kokkos::subview(plane, Kokkos::ALL, 0), Kokkos::subview(plane, Kokkos::ALL, 2), "columns");
    typename TestFixture::Row const row = to_view<typename TestFixture::Row>(a);
    this->expect(a, b, row, Kokkos::subview(plane, Kokkos::ALL, 2), "a row and a column");
  }
}

TYPED_TEST(Comparison, has_forms_with_labels_variables_and_instances) {
  auto const a = this->make(100'000);
  auto b       = a;
  b[77'777] ^= 1;
  using Row        = typename TestFixture::Row;
  Row const view_a = to_view<Row>(a), view_b = to_view<Row>(b);
  int order      = 7;
  unsigned place = 7;
  compare("label", this->where, view_a, view_b, Total{order});
  first_difference("label", this->where, view_a, view_b, Total{place});
  EXPECT_EQ(order_of(a, b), order);
  EXPECT_EQ(77'777U, place);
  compare(this->where.exec(), view_b, view_a, Total{order});
  first_difference(this->where.exec(), view_b, view_a, Total{place});
  EXPECT_EQ(-order_of(a, b), order);
  EXPECT_EQ(77'777U, place);
}

using DefaultExec = Kokkos::DefaultExecutionSpace;
template <class T>
using DefaultRow = Kokkos::View<T*, DefaultExec>;

template <class T, class... Function>
int order_on_default(std::vector<T> const& a, std::vector<T> const& b, Function const&... less) {
  int order = 77;
  compare(DefaultExec(), to_view<DefaultRow<T>>(a), to_view<DefaultRow<T>>(b), Total{order}, less...);
  return order;
}
template <class T, class... Function>
long place_on_default(std::vector<T> const& a, std::vector<T> const& b, Function const&... equal) {
  long place = 77;
  first_difference(DefaultExec(), to_view<DefaultRow<T>>(a), to_view<DefaultRow<T>>(b), Total{place}, equal...);
  return place;
}

TEST(ComparisonOf, char_has_no_sign_and_signed_char_has_one) {
  EXPECT_EQ(1, order_on_default<char>({'a', static_cast<char>(200)}, {'a', 'b'}));
  EXPECT_EQ(-1, order_on_default<signed char>({1, -56}, {1, 98}));
  EXPECT_EQ(1, order_on_default<std::byte>({std::byte{200}}, {std::byte{100}}));
  EXPECT_EQ(-1, order_on_default<char>({'a', 0, 'x'}, {'a', 0, 'y'}));
  EXPECT_EQ(1, order_on_default<char>({'a', 0}, {'a'}));
}

TEST(ComparisonOf, floats_goes_by_their_values) {
  double const none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> a(100'000, 0.0), b(100'000, -0.0);
  EXPECT_EQ(0, order_on_default(a, b));
  EXPECT_EQ(100'000, place_on_default(a, b));
  a[70'000] = none;  // of which neither is less
  a[90'001] = -1;
  EXPECT_EQ(-1, order_on_default(a, b));
  EXPECT_EQ(70'000, place_on_default(a, b));
  a.back() = b.back() = 5;
  a[90'001]           = 0;
  EXPECT_EQ(0, order_on_default(a, b));
}

TEST(ComparisonOf, wide_elements_on_the_portable_backend) {
  Handle<DefaultExec, KokkosScan::portable::Backend> const handle;
  std::size_t const n = 50'000;
  for (std::size_t const place : std::vector<std::size_t>{0, 1, 2, 5000, 30'001, n - 1, n}) {
    std::vector<std::int32_t> a(n + 1, -3), b(n + 1, -3);
    b[place]                              = -2;  // larger in its first byte
    DefaultRow<std::int32_t> const view_a = to_view<DefaultRow<std::int32_t>>(a);
    for (std::size_t const on : {std::size_t{0}, std::size_t{1}}) {  // at the same address within a word, and at others
      b.insert(b.begin(), on, 0);
      DefaultRow<std::int32_t> const shifted = to_view<DefaultRow<std::int32_t>>(b);
      int order = 7, first = 7;
      compare(handle, view_a, Kokkos::subview(shifted, Kokkos::make_pair(on, on + n)), Total{order});
      first_difference(handle, view_a, Kokkos::subview(shifted, Kokkos::make_pair(on, on + n)), Total{first});
      EXPECT_EQ(place < n ? -1 : 1, order);  // else the longer one
      EXPECT_EQ(place, static_cast<std::size_t>(first));
    }
  }
}

struct Entry {
  std::int32_t key, other;
  KOKKOS_FUNCTION bool operator==(Entry const& right) const { return key == right.key; }
};
struct IsFurther {
  KOKKOS_FUNCTION bool operator()(Entry const& left, Entry const& right) const { return left.key > right.key; }
};
struct IsTheSameNumber {
  KOKKOS_FUNCTION bool operator()(int left, int right) const { return left % 10 == right % 10; }
};

TEST(ComparisonOf, other_types_takes_functions) {
  std::vector<Entry> a(90'000, {1, 1}), b(90'000, {1, 2});
  EXPECT_EQ(0, order_on_default(a, b, IsFurther()));
  EXPECT_EQ(90'000, place_on_default(a, b));
  b[80'000].key = 2;
  b[80'100].key = 0;
  EXPECT_EQ(1, order_on_default(a, b, IsFurther()));
  EXPECT_EQ(80'000, place_on_default(a, b));
  EXPECT_EQ(2, place_on_default<int>({1, 12, 4, 5}, {11, 2, 5, 6}, IsTheSameNumber()));
  EXPECT_EQ(1, order_on_default<int>({1, 2}, {1, 3}, KokkosScan::Greater{}));
}

/// Finds the second difference only when another thread looks at the first one, and is slower to say so; a thread that
/// is alone goes on.
struct SlowBehind {
  int const *first, *second;
  std::atomic<int>* seen;

  bool operator()(int const& left, int const& right) const {
    if (&left == first) wait(1, 2);
    if (&left == second) wait(2, 1), std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return left == right;
  }
  void wait(int own, int other) const {
    *seen |= own;
    for (int k = 0; k < 50 && (*seen & other) == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};
TEST(ComparisonOf, threads_that_are_late_changes_nothing) {
  using Host          = Kokkos::DefaultHostExecutionSpace;
  std::size_t const n = 1'000'000, first = 700'000, block = 64 * 1024 / sizeof(int);
  Kokkos::View<int*, Host> const a("a", n), b("b", n);
  for (std::size_t const second : {first + block, first + 2 * block}) {
    Kokkos::deep_copy(b, 0);
    b(first)  = 1;
    b(second) = 1;
    std::atomic<int> seen{0};
    long place = 0;
    first_difference(Host(), a, b, Total{place}, SlowBehind{&a(first), &a(second), &seen});
    EXPECT_EQ(static_cast<long>(first), place);
  }
}

/// While a result is handed on somebody else finds a smaller difference, and hands that on first.
TEST(ComparisonOf, late_results_gives_way_to_earlier_differences) {
  namespace difference = KokkosScan::portable::difference;
  struct Late {
    long* result;
    difference::Found* found;
    long of(std::size_t first) const {
      if (first == 900) *result = static_cast<long>(*found = 100);
      return static_cast<long>(first);
    }
  };
  long result             = 1'000;
  difference::Found found = 900;
  difference::hand_on(Late{&result, &found}, &found);
  EXPECT_EQ(100, result);
}

TEST(ComparisonOf, wrong_results_throws_before_anything_is_written) {
  DefaultRow<char> const a("a", 300), b("b", 300);
  std::int8_t place = 5;
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { first_difference(DefaultExec(), a, b, Total{place}); }),
                   {"KokkosScan::first_difference", "300", "127", "Total{x}"}));
  EXPECT_EQ(5, place);
  DefaultRow<signed char> const same("same", 10);
  Kokkos::View<signed char, DefaultExec> const within(same.data() + 3);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { compare("mine", DefaultExec(), same, same, Total{within}); }),
                   {"mine"}));
}

}  // namespace
}  // namespace test
