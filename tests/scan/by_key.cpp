// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>

#include "problems.hpp"

namespace test {
namespace {

struct SameHalf {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a / 2 == b / 2; }
};

/// Keys in runs of up to that length; some keys come again in a later run.
template <class Key = int>
std::vector<Key> make_keys(std::size_t n, std::size_t longest, std::uint64_t seed) {
  Random random(seed);
  std::vector<Key> keys;
  keys.reserve(n);
  while (keys.size() < n) {
    Key key = static_cast<Key>(random.below(10));
    if (!keys.empty() && keys.back() == key) key = 10 + key;
    for (std::size_t k = 1 + random.below(longest); k > 0 && keys.size() < n; --k) keys.push_back(key);
  }
  return keys;
}

/// The fold of each run, from the first element on or from the last.
template <class Value, class Key, class Equal>
std::vector<Value> expected_by_key(std::vector<Key> const& keys, std::vector<Value> const& from,
                                   std::optional<Value> const& init, Equal const& equal, bool reversed) {
  std::size_t const n = from.size();
  std::vector<Value> results(from);
  std::optional<Value> running;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = reversed ? n - 1 - k : k;
    bool const begins   = k == 0 || !equal(keys[reversed ? i + 1 : i - 1], keys[i]);
    if (begins) running = std::nullopt;
    if (begins && init) running.emplace(*init);
    auto const put = [&](Value const& result) { ::new (static_cast<void*>(&results[i])) Value(result); };
    if (init) put(*running);
    Value const through = running ? OperatorOf<Value>{}(*running, from[i]) : from[i];
    running.emplace(through);
    if (!init) put(through);
  }
  return results;
}

template <class Setup>
class ByKey : public testing::Test {};
using ByKeySetups = Setups<Spaces, std::int8_t, std::int64_t, float, Record>::Types;
TYPED_TEST_SUITE(ByKey, ByKeySetups);

template <class Setup>
void expect_by_key(std::size_t longest) {
  using Value = typename Setup::Value;
  using View  = typename Setup::View;
  using Op    = OperatorOf<Value>;
  for_each_choice<Setup>([&](auto const& where, std::size_t n, std::string const& what) {
    auto const keys   = make_keys(n, longest, n);
    auto const values = make_values<Op, Value>(n + 1, n);
    auto const from   = std::vector<Value>(values.begin(), values.end() - 1);
    auto const init   = std::optional<Value>(values.back());
    auto const on     = to_view<Kokkos::View<int*, typename Setup::Exec::memory_space>>(keys);
    auto const inputs = to_view<View>(from);
    View const dest(Kokkos::view_alloc("dest", Kokkos::WithoutInitializing), n);
    auto const expect = [&](std::optional<Value> const& before, auto const& equal, bool reversed, char const* form) {
      expect_same(expected_by_key(keys, from, before, equal, reversed), to_vector(dest, *init),
                  what + ", runs of " + std::to_string(longest) + ", " + form);
    };
    std::equal_to<int> const equal;
    KokkosScan::inclusive_scan_by_key(where, on, inputs, dest, Op{});
    expect({}, equal, false, "inclusive");
    KokkosScan::exclusive_scan_by_key(where, on, inputs, dest, *init, Op{});
    expect(init, equal, false, "exclusive");
    if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>) {  // they differ in the tiles alone
      KokkosScan::exclusive_scan_by_key(where, on, inputs, dest, *init, Op{}, SameHalf{}, KokkosScan::Reversed{});
      expect(init, SameHalf{}, true, "exclusive, reversed");
      KokkosScan::inclusive_scan_by_key("label", where, on, inputs, dest, KokkosScan::Reversed{}, Op{}, SameHalf{});
      expect({}, SameHalf{}, true, "inclusive, reversed");
      Kokkos::deep_copy(dest, inputs);
      KokkosScan::exclusive_scan_by_key(where, on, dest, dest, *init, Op{});
      expect(init, equal, false, "exclusive, in place");
    }
  });
}

TYPED_TEST(ByKey, short_runs) { expect_by_key<TypeParam>(3); }
TYPED_TEST(ByKey, runs_across_tiles) { expect_by_key<TypeParam>(5000); }
TYPED_TEST(ByKey, one_run) { expect_by_key<TypeParam>(std::size_t{1} << 40); }

/// Keys and values that are together wider than twice a value, by every algorithm: there is less room for them
/// than a device is to have under way.
TYPED_TEST(ByKey, wide_keys_by_each_algorithm) {
  if constexpr (std::is_same_v<typename TypeParam::Value, float>) {
    using View          = typename TypeParam::View;
    std::size_t const n = 20'011;
    auto const keys     = make_keys<std::int64_t>(n, 700, n);
    auto const from     = make_values<KokkosScan::Sum, float>(n, n);
    auto const on       = to_view<Kokkos::View<std::int64_t*, typename TypeParam::Exec::memory_space>>(keys);
    auto const inputs   = to_view<View>(from);
    View const dest("dest", n);
    auto const expected = expected_by_key(keys, from, std::optional<float>(), std::equal_to<std::int64_t>(), false);
    try_choices<TypeParam>([&](auto const& handle, std::size_t, std::string const& what) {
      KokkosScan::inclusive_scan_by_key(handle, on, inputs, dest);
      expect_same(expected, to_vector(dest, 0.F), what + ", keys of 8 bytes");
    });
  }
}

#if !KOKKOSSCAN_TEST_ON_MODEL
TEST(ByKeyOfViews, init_may_be_a_view_and_dest_longer) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<int*, Exec> const keys("keys", 7), from("from", 6), dest("dest", 9);
  Kokkos::View<int, Exec> const init("init");
  Kokkos::deep_copy(init, 5);
  Kokkos::deep_copy(from, 1);
  Kokkos::deep_copy(dest, -1);
  KokkosScan::exclusive_scan_by_key(Exec(), keys, from, dest, init);
  expect_same({5, 6, 7, 8, 9, 10, -1, -1, -1}, to_vector(dest, 0), "dest");
}

TEST(ByKeyOfViews, wrong_calls_name_what_is_wrong) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<int*, Exec> const keys("keys", 5), from("from", 6), dest("dest", 6);
  std::string const too_few = message_of([&] { KokkosScan::inclusive_scan_by_key(Exec(), keys, from, dest); });
  EXPECT_NE(too_few.find("keys"), std::string::npos) << too_few;
  EXPECT_NE(too_few.find('5'), std::string::npos) << too_few;
  EXPECT_NE(too_few.find('6'), std::string::npos) << too_few;
  std::string const same = message_of([&] { KokkosScan::inclusive_scan_by_key(Exec(), dest, from, dest); });
  EXPECT_NE(same.find("overlap; keys and dest may share no memory"), std::string::npos) << same;
  std::string const in_part = message_of([&] {
    KokkosScan::inclusive_scan_by_key(Exec(), keys, Kokkos::subview(from, std::pair(0, 5)),
                                      Kokkos::subview(from, std::pair(1, 6)));
  });
  EXPECT_NE(in_part.find("by being the same View"), std::string::npos) << in_part;
}
#endif

}  // namespace
}  // namespace test
