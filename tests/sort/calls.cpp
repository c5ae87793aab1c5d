// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "particle.hpp"
#include "scan/problems.hpp"
#include "support/thrown.hpp"

// What is sorted by a comparison alone, and what calls refuse.
namespace test {
namespace {

using KokkosScan::Bits;

struct ByCell {
  KOKKOS_FUNCTION bool operator()(Particle const& left, Particle const& right) const { return left.cell < right.cell; }
};
struct Backwards {  // of the negative numbers: a comparison that is none of the library's
  KOKKOS_FUNCTION bool operator()(int left, int right) const { return -left > -right; }
};

using Any     = Kokkos::DefaultExecutionSpace;
using Numbers = Kokkos::View<int*, Any::memory_space>;

TEST(SortCalls, keys_of_any_type_by_a_comparison) {
  std::size_t const n = 5000;
  std::vector<Particle> particles(n);
  Random random(5);
  for (std::size_t i = 0; i < n; ++i)
    particles[i] = {{1., static_cast<double>(i)}, static_cast<std::int64_t>(random.below(50))};
  auto const view = to_view<Kokkos::View<Particle*, Any::memory_space>>(particles);
  KokkosScan::sort(Any(), view, ByCell{});
  std::stable_sort(particles.begin(), particles.end(), ByCell{});
  expect_same(particles, to_vector(view, Particle{}), "particles by cell");
}

/// 12 bytes, without a default constructor.
class Constant {
 public:
  KOKKOS_FUNCTION explicit Constant(int number) : parts_{number, -number, 7} {}
  bool operator==(Constant const&) const = default;

 private:
  int parts_[3];
};
struct Bytes {
  unsigned char byte[3];
  bool operator==(Bytes const&) const = default;
};
struct alignas(32) Aligned {
  double numbers[3];
  bool operator==(Aligned const&) const = default;
};

/// The values of a type, which are moved as words of its alignment, or fetched at the end.
template <class Value, class Make>
void expect_moved(Make const& make) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{500}, std::size_t{9001}}) {
    std::vector<int> keys(n);
    std::vector<Value> values;
    Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = static_cast<int>(random.below(100)) - 50;
      values.push_back(make(static_cast<int>(i)));
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    auto const with = to_view<Numbers>(keys), merged = to_view<Numbers>(keys);
    using View           = Kokkos::View<Value*, Any::memory_space>;
    View const by_digits = to_view<View>(values), by_merging = to_view<View>(values);
    KokkosScan::sort_by_key(Any(), with, by_digits);
    KokkosScan::sort_by_key(Any(), merged, by_merging, Backwards{});
    std::vector<Value> expected;
    for (std::size_t const i : order) expected.push_back(values[i]);
    std::string const what = std::to_string(n) + " values of " + std::to_string(sizeof(Value)) + " bytes";
    expect_same(expected, to_vector(by_digits, make(0)), what);
    expect_same(expected, to_vector(by_merging, make(0)), what + ", merged");
  }
}

TEST(SortCalls, values_of_any_size_and_alignment) {
  expect_moved<Constant>([](int i) { return Constant(i); });
  expect_moved<Bytes>(
      [](int i) { return Bytes{{static_cast<unsigned char>(i), static_cast<unsigned char>(i >> 8), 3}}; });
  expect_moved<Aligned>([](int i) { return Aligned{{1. * i, 2., -3. * i}}; });
}

template <class Key>
void expect_keys_sorted(std::vector<Key> const& some) {
  std::vector<Key> keys(3000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = some[i * 7919 % some.size()];
  using View      = Kokkos::View<Key*, Any::memory_space>;
  View const view = to_view<View>(keys);
  KokkosScan::sort(Any(), view);
  std::stable_sort(keys.begin(), keys.end());
  expect_same(keys, to_vector(view, some[0]), std::to_string(sizeof(Key)) + " bytes");
  KokkosScan::sort(Any(), view, KokkosScan::Greater{});
  std::reverse(keys.begin(), keys.end());
  expect_same(keys, to_vector(view, some[0]), std::to_string(sizeof(Key)) + " bytes, downwards");
}

TEST(SortCalls, keys_of_the_other_types) {
  expect_keys_sorted<char>({'b', 'a', '\0', '~', static_cast<char>(-3)});
  expect_keys_sorted<signed char>({3, -128, 127, 0, -1});
  expect_keys_sorted<short>({3, -32768, 32767, 0, -1});
  expect_keys_sorted<long long>({3, std::numeric_limits<long long>::min(), std::numeric_limits<long long>::max(), -1});
  expect_keys_sorted<char32_t>({U'z', U'a', U'\0'});
  using Half = Kokkos::Experimental::half_t;
  if constexpr (!std::is_same_v<Half, float>)
    expect_keys_sorted<Half>({static_cast<Half>(1.5F), static_cast<Half>(-2.F), static_cast<Half>(0.F)});
  using Bhalf = Kokkos::Experimental::bhalf_t;
  if constexpr (!std::is_same_v<Bhalf, float>)
    expect_keys_sorted<Bhalf>({static_cast<Bhalf>(1.5F), static_cast<Bhalf>(-2.F), static_cast<Bhalf>(0.F)});
}

TEST(SortCalls, flags_are_keys_too) {
  std::size_t const n = 3000;
  Kokkos::View<bool*, Any::memory_space> const flags("flags", n);
  Kokkos::View<std::uint8_t*, Any::memory_space> const order("order", 256);
  auto const on_host = Kokkos::create_mirror_view(flags);
  for (std::size_t i = 0; i < n; ++i) on_host(i) = i % 3 == 1;
  Kokkos::deep_copy(flags, on_host);
  KokkosScan::sort_permutation(Any(), Kokkos::subview(flags, std::pair<int, int>(0, 256)), order);  // 255 is an index
  EXPECT_EQ(to_vector(order, std::uint8_t{})[255], 253);
  KokkosScan::sort(Any(), flags);
  Kokkos::deep_copy(on_host, flags);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(on_host(i), i >= 2000) << i;
}

TEST(SortCalls, what_is_wrong_is_said_before_anything_is_written) {
  Numbers const keys("keys", 10), values("values", 9);
  Kokkos::deep_copy(keys, 1);
  auto const refusal = [](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  EXPECT_TRUE(
      says(refusal([&] { KokkosScan::sort_by_key(Any(), keys, values); }), {"sort_by_key", "values", "10", "9"}));
  EXPECT_TRUE(
      says(refusal([&] { KokkosScan::sort_by_key(Any(), keys, Kokkos::subview(keys, std::pair<int, int>(0, 10))); }),
           {"sort_by_key", "keys", "values"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{0, 33}); }), {"Bits{0, 33}", "32"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{5, 4}); }), {"Bits{5, 4}"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{-1, 4}); }), {"Bits{-1, 4}"}));
  Kokkos::View<std::int8_t*, Any::memory_space> const narrow("narrow", 200);
  EXPECT_TRUE(says(refusal([&] { KokkosScan::sort_permutation(Any(), Numbers("many", 200), narrow); }),
                   {"sort_permutation", "200", "order", "127"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::apply_permutation(Any(), keys, keys, values); }), {"dest", "10", "9"}));
}

}  // namespace
}  // namespace test
