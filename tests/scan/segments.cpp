// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>
#include <optional>

#include "problems.hpp"

namespace test {
namespace {

using KokkosScan::Reversed;
using KokkosScan::Totals;

/// Offsets of segments of up to that length, some of them empty, with others before the first and behind the last one.
std::vector<std::size_t> make_offsets(std::size_t n, std::size_t longest, std::uint64_t seed) {
  Random random(seed);
  std::size_t const begin = n > 20 ? random.below(20) : 0, end = n > 50 ? n - random.below(10) : n;
  std::vector<std::size_t> offsets{begin};
  while (offsets.back() < end) {
    // Some places have more empty segments than are walked through one by one.
    for (std::size_t empty = random.below(20) == 0 ? random.below(200) : random.below(2); empty > 0; --empty)
      offsets.push_back(offsets.back());
    offsets.push_back(std::min(end, offsets.back() + 1 + random.below(longest)));
  }
  return offsets;
}

template <class Value>
struct Expected {
  std::vector<Value> results, totals;
};

/// By a loop along each segment.
template <class Value>
Expected<Value> expected_of_segments(std::vector<std::size_t> const& offsets, std::vector<Value> const& from,
                                     std::vector<Value> const& before, std::optional<Value> const& init, bool reversed,
                                     Value const& of_nothing) {
  Expected<Value> expected{before, {}};
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    std::optional<Value> running;
    if (init) running.emplace(*init);
    for (std::size_t k = offsets[r]; k < offsets[r + 1]; ++k) {
      std::size_t const i = reversed ? offsets[r + 1] - 1 - (k - offsets[r]) : k;
      Value const through = running ? OperatorOf<Value>{}(*running, from[i]) : from[i];
      KokkosScan::core::put(expected.results[i], init ? *running : through);
      running.emplace(through);
    }
    expected.totals.push_back(running ? *running : of_nothing);
  }
  return expected;
}

template <class Setup>
class Segments : public testing::Test {};
using SegmentsSetups = Setups<Spaces, std::int8_t, float>::Types;
TYPED_TEST_SUITE(Segments, SegmentsSetups);

/// Each type of offsets with one type of values.
template <class Value>
using OffsetOf =
    std::conditional_t<Monoid<Value>, int, std::conditional_t<std::is_integral_v<Value>, std::uint64_t, std::int64_t>>;

template <class Setup>
void expect_segments(std::size_t longest) {
  using Value   = typename Setup::Value;
  using Integer = OffsetOf<Value>;
  using View    = typename Setup::View;
  using Op      = OperatorOf<Value>;
  using Rows    = Kokkos::View<Integer*, typename Setup::Exec::memory_space>;
  for_each_choice<Setup>([&](auto const& where, std::size_t n, std::string const& what) {
    auto const offsets = make_offsets(n, longest, n);
    auto const values  = make_values<Op, Value>(n + 1, n);
    auto const from    = std::vector<Value>(values.begin(), values.end() - 1);
    auto const init    = std::optional<Value>(values.back());
    auto const rows    = to_view<Rows>(std::vector<Integer>(offsets.begin(), offsets.end()));
    auto const inputs  = to_view<View>(from);
    auto const before  = make_values<Op, Value>(n, n + 1);
    auto const dest    = to_view<View>(before);
    auto const totals  = to_view<View>(std::vector<Value>(offsets.size(), *init));
    auto const expect  = [&](std::optional<Value> const& given, bool reversed, bool in_place, std::string const& form) {
      Value of_nothing(*init);
      if constexpr (KokkosScan::HasIdentity<Op, Value>)
        if (!given) of_nothing = Op::template identity<Value>();
      auto const expected = expected_of_segments(offsets, from, in_place ? from : before, given, reversed, of_nothing);
      auto const text     = what + ", segments of " + std::to_string(longest) + ", " + form;
      if (form != "reduced") expect_same(expected.results, to_vector(dest, *init), text);
      if (form != "inclusive" && form != "without totals") {
        auto found = to_vector(totals, *init);
        EXPECT_TRUE(found.back() == *init) << text << ": behind the totals";
        found.pop_back();
        expect_same(expected.totals, found, text + ", totals");
      }
      Kokkos::deep_copy(dest, to_view<View>(before));
      Kokkos::deep_copy(totals, to_view<View>(std::vector<Value>(offsets.size(), *init)));
    };
    KokkosScan::segmented_exclusive_scan(where, inputs, rows, dest, *init, Op{});
    expect(init, false, false, "without totals");
    if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>) {  // they differ in the tiles alone
      KokkosScan::segmented_inclusive_scan(where, inputs, rows, dest, Op{});
      expect({}, false, false, "inclusive");
      KokkosScan::segmented_exclusive_scan(where, inputs, rows, dest, *init, Totals{totals}, Op{});
      expect(init, false, false, "exclusive");
      KokkosScan::segmented_reduce(where, inputs, rows, totals, Op{}, *init);
      expect(init, false, false, "reduced");
      KokkosScan::segmented_inclusive_scan("label", where, inputs, rows, dest, Reversed{}, Op{});
      expect({}, true, false, "inclusive");
      KokkosScan::segmented_exclusive_scan(where, inputs, rows, dest, *init, Op{}, Totals{totals}, Reversed{});
      expect(init, true, false, "exclusive");
      Kokkos::deep_copy(dest, inputs);
      KokkosScan::segmented_exclusive_scan(where, dest, rows, dest, *init, Op{}, Totals{totals});
      expect(init, false, true, "exclusive");
      if constexpr (KokkosScan::HasIdentity<Op, Value>) {
        KokkosScan::segmented_inclusive_scan(where, inputs, rows, dest, Totals{totals}, Reversed{});
        expect({}, true, false, "with totals");
        Kokkos::deep_copy(dest, inputs);
        KokkosScan::segmented_inclusive_scan(where, dest, rows, dest, Totals{totals});
        expect({}, false, true, "with totals");
      }
    }
  });
}

TYPED_TEST(Segments, short_ones) { expect_segments<TypeParam>(3); }
TYPED_TEST(Segments, across_tiles) { expect_segments<TypeParam>(5000); }
TYPED_TEST(Segments, one) { expect_segments<TypeParam>(std::size_t{1} << 40); }

#if !KOKKOSSCAN_TEST_ON_MODEL
using Exec = Kokkos::DefaultExecutionSpace;
using Rows = Kokkos::View<int*, Exec>;
using Ints = Kokkos::View<int*, Exec>;

TEST(SegmentsOfViews, strided_and_of_other_types) {
  Kokkos::View<int* [2], Kokkos::LayoutRight, Exec> const both("both", 8), rows("rows", 4);
  auto const from = Kokkos::subview(both, Kokkos::ALL, 0), dest = Kokkos::subview(both, Kokkos::ALL, 1);
  auto const offsets = Kokkos::subview(rows, Kokkos::ALL, 1);
  Kokkos::deep_copy(from, 1);
  Kokkos::deep_copy(dest, -1);
  Kokkos::deep_copy(offsets, to_view<Rows>({1, 4, 4, 7}));
  Kokkos::View<int, Exec> const init("init");
  Kokkos::deep_copy(init, 5);
  KokkosScan::segmented_exclusive_scan(Exec(), from, offsets, dest, init);
  Ints const copy("copy", 8);
  Kokkos::deep_copy(copy, dest);
  expect_same({-1, 5, 6, 7, 5, 6, 7, -1}, to_vector(copy, 0), "dest");
  Kokkos::View<std::int64_t*, Exec> const sums("sums", 3);
  KokkosScan::segmented_reduce(Exec(), from, offsets, sums);
  expect_same<std::int64_t>({3, 0, 3}, to_vector(sums, std::int64_t{}), "sums");
  KokkosScan::segmented_reduce(Exec(), from, offsets, copy, KokkosScan::Sum{}, init, KokkosScan::As<std::int64_t>{});
  expect_same({8, 5, 8}, to_vector(Kokkos::subview(copy, std::pair(0, 3)), 0), "with init");
}

TEST(SegmentsOfViews, none_and_only_empty_ones) {
  Ints const from("from", 5), dest("dest", 5), nothing("nothing", 0), totals("totals", 3);
  Kokkos::deep_copy(from, 2);
  Kokkos::deep_copy(dest, -1);
  for (Rows const& rows : {Rows(), to_view<Rows>({3})}) KokkosScan::segmented_inclusive_scan(Exec(), from, rows, dest);
  KokkosScan::segmented_inclusive_scan(Exec(), from, to_view<Rows>({3, 3, 3, 3}), dest, Totals{totals});
  expect_same({-1, -1, -1, -1, -1}, to_vector(dest, 0), "dest");
  expect_same({0, 0, 0}, to_vector(totals, 0), "totals");
  KokkosScan::segmented_reduce(Exec(), nothing, to_view<Rows>({0, 0, 0, 0}), totals, KokkosScan::Sum{}, 7);
  expect_same({7, 7, 7}, to_vector(totals, 0), "totals of nothing");
}

TEST(SegmentsOfViews, wrong_offsets_write_nothing_outside_and_are_named_on_request) {
  Ints const whole("whole", 100), from("from", 40), totals("totals", 4);
  auto const dest = Kokkos::subview(whole, std::pair(30, 70));
  Kokkos::deep_copy(from, 1);
  KokkosScan::Handle const asks(Exec(), KokkosScan::Options{.check = true});
  struct Wrong {
    std::vector<int> offsets;
    char const* text;
  };
  for (Wrong const& wrong :
       {Wrong{{0, 10, 5, 40}, "row 1 is from 10 to 5"}, Wrong{{0, 10, 20, 41}, "row 2 is from 20 to 41"},
        Wrong{{-7, 10, 20, 1000000}, "row 0 is from -7 to 10"}, Wrong{{50, 60, 45, 30}, "row 0 is from 50 to 60"},
        Wrong{{30, 20, 10, 0}, "row 0 is from 30 to 20"}}) {
    auto const rows = to_view<Rows>(wrong.offsets);
    Kokkos::deep_copy(whole, -1);
    KokkosScan::segmented_exclusive_scan(Exec(), from, rows, dest, 3, Totals{totals});
    KokkosScan::segmented_reduce(Exec(), from, rows, totals);
    auto const found = to_vector(whole, 0);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_TRUE((i >= 30 && i < 70) || found[i] == -1) << wrong.text << ", element " << i;
    std::string const text = message_of([&] { KokkosScan::segmented_inclusive_scan(asks, from, rows, dest); });
    EXPECT_NE(text.find(wrong.text), std::string::npos) << text;
  }
  KokkosScan::segmented_inclusive_scan(asks, from, to_view<Rows>({0, 40}), dest);
}

TEST(SegmentsOfViews, wrong_calls_name_what_is_wrong) {
  Ints const from("from", 6), dest("dest", 6), few("few", 1);
  auto const rows   = to_view<Rows>({0, 3, 6});
  auto const expect = [](std::string const& text, auto const& call) {
    std::string const found = message_of(call);
    EXPECT_NE(found.find(text), std::string::npos) << found;
  };
  expect("dest", [&] { KokkosScan::segmented_inclusive_scan(Exec(), from, rows, few); });
  expect("totals", [&] { KokkosScan::segmented_inclusive_scan(Exec(), from, rows, dest, Totals{few}); });
  expect("row_offsets and dest may share no memory",
         [&] { KokkosScan::segmented_inclusive_scan(Exec(), from, dest, dest); });
  expect("may share no memory", [&] { KokkosScan::segmented_reduce(Exec(), from, rows, from); });
}
#endif

}  // namespace
}  // namespace test
