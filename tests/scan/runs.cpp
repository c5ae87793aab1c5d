// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <type_traits>

#include "chosen.hpp"

// Runs of equal neighbours: their values, lengths, begins, and what else is made of them.
namespace test {
namespace {

using KokkosScan::Length;
using KokkosScan::Total;

/// Equal keys are those with the same half.
struct SameHalf {
  KOKKOS_FUNCTION bool operator()(int left, int right) const { return left / 2 == right / 2; }
};

/// Runs of keys, and what is to be found of them.
template <class Value>
struct Expected {
  std::vector<int> keys, values_of_runs, lengths, offsets;
  std::vector<Value> reduced;

  Expected(std::vector<int> const& all, std::vector<Value> const& values, auto const& equal) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool const goes_on = i > 0 && equal(all[i - 1], all[i]);
      if (!goes_on) {
        offsets.push_back(static_cast<int>(i));
        values_of_runs.push_back(all[i]);
        lengths.push_back(1);
        reduced.push_back(values[i]);
      } else {
        ++lengths.back();
        Value const combined = OperatorOf<Value>{}(reduced.back(), values[i]);
        ::new (static_cast<void*>(&reduced.back())) Value(combined);
      }
    }
    offsets.push_back(static_cast<int>(all.size()));
  }
};

template <class Setup>
class Runs : public testing::Test {};
using RunsSetups = Setups<Spaces, std::int8_t, double, Record>::Types;
TYPED_TEST_SUITE(Runs, RunsSetups);

/// The results are those expected, and behind them nothing was written.
template <class T, class View>
void expect_results(std::vector<T> const& expected, View const& view, T const& untouched, std::string const& what) {
  auto found = to_vector(view, untouched);
  ASSERT_GT(found.size(), expected.size()) << what;
  EXPECT_TRUE(found[expected.size()] == untouched) << what << ": written past the end";
  found.resize(expected.size(), untouched);
  expect_same(expected, found, what);
}

template <class Setup, class Where>
void expect_runs(Where const& where, std::size_t n, std::vector<int> const& keys, std::string const& what) {
  using Value       = typename Setup::Value;
  using View        = typename Setup::View;
  using Space       = typename Setup::Exec::memory_space;
  using Ints        = Kokkos::View<int*, Space>;
  auto const values = make_values<OperatorOf<Value>, Value>(n + 1, n);
  Value const any   = values.back();
  std::vector<Value> const inputs(values.begin(), values.end() - 1);
  View const from = to_view<View>(inputs), dest = to_view<View>(std::vector<Value>(n + 1, any));
  Ints const on = to_view<Ints>(keys), unique("unique", n + 2), lengths("lengths", n + 2);
  Kokkos::View<unsigned, Space> const count("count");
  auto const expect_count = [&](std::size_t expected, char const* call) {
    unsigned found = 0;
    Kokkos::deep_copy(found, count);
    EXPECT_EQ(found, expected) << what << ", " << call;
    Kokkos::deep_copy(count, ~0U);
  };
  Expected<Value> const expected(keys, inputs, KokkosScan::core::EqualTo{});
  std::size_t const runs = expected.reduced.size();
  Kokkos::deep_copy(unique, -1);
  Kokkos::deep_copy(count, ~0U);
  KokkosScan::reduce_by_key(where, on, from, unique, dest, Total{count}, OperatorOf<Value>{});
  expect_count(runs, "reduce_by_key");
  expect_results(expected.values_of_runs, unique, -1, what + ", keys");
  expect_results(expected.reduced, dest, any, what + ", reduce_by_key");
  if constexpr (!has_choices<Where>) {
    Kokkos::deep_copy(lengths, -1);
    Kokkos::deep_copy(unique, -1);
    KokkosScan::run_length_encode(where, on, unique, lengths, Total{count});
    expect_count(runs, "run_length_encode");
    expect_results(expected.values_of_runs, unique, -1, what + ", values of runs");
    expect_results(expected.lengths, lengths, -1, what + ", lengths of runs");
    Kokkos::deep_copy(lengths, -1);
    KokkosScan::run_offsets(where, on, lengths, Total{count});
    expect_count(runs, "run_offsets");
    expect_results(expected.offsets, lengths, -1, what + ", offsets of runs");
    Expected<Value> const halves(keys, inputs, SameHalf{});
    Kokkos::deep_copy(lengths, -1);
    KokkosScan::run_offsets("label", where, on, lengths, SameHalf{}, Total{count});
    expect_count(halves.reduced.size(), "run_offsets of halves");
    expect_results(halves.offsets, lengths, -1, what + ", offsets of runs of halves");
    KokkosScan::reduce_by_key(where, on, from, unique, dest, OperatorOf<Value>{}, SameHalf{}, Total{count});
    expect_count(halves.reduced.size(), "reduce_by_key of halves");
    auto found = to_vector(dest, any);
    found.resize(halves.reduced.size(), any);
    expect_same(halves.reduced, found, what + ", reduce_by_key of halves");
  }
}

TYPED_TEST(Runs, of_any_length) {
  std::size_t turn = 0;
  for_each_choice<TypeParam>([&](auto const& where, std::size_t n, std::string const& what) {
    for (std::size_t const most : {std::size_t{4}, std::size_t{1}, n + 1}) {
      if (n > 33 && turn++ % 2 == 1) continue;
      std::vector<int> keys(n);
      Random random(n + most);
      for (std::size_t i = 1; i < n; ++i) keys[i] = keys[i - 1] + (random.below(most) == 0 ? 1 : 0);
      expect_runs<TypeParam>(where, n, keys, what + ", of up to " + std::to_string(most));
      if (this->HasFailure()) return;
    }
  });
}

/// A length in memory, that is the count, too: the last run ends where it says.
TYPED_TEST(Runs, of_a_length_in_memory) {
  if constexpr (std::is_same_v<typename TypeParam::Value, Affine>) {
    using Space = typename TypeParam::Exec::memory_space;
    using Ints  = Kokkos::View<int*, Space>;
    Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
    for (int const length : {1'000, 2'000, 7, 0}) {
      std::vector<int> keys(1'000);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 3);
      Ints const on = to_view<Ints>(keys), unique("unique", 1'001), dest("dest", 1'001);
      Kokkos::View<int, Space> const count("count");
      int const n = std::min(length, 1'000), runs = (n + 2) / 3;
      auto const expect = [&](char const* call) {
        int found = -1;
        Kokkos::deep_copy(found, count);
        EXPECT_EQ(found, runs) << call << " of " << length;
        auto const results = to_vector(dest, 0);
        EXPECT_EQ(runs > 0 ? results[static_cast<std::size_t>(runs) - 1] : 0, n - 3 * std::max(runs - 1, 0)) << call;
        EXPECT_EQ(results[static_cast<std::size_t>(runs)], -5) << call;
        Kokkos::deep_copy(dest, -5);
        Kokkos::deep_copy(count, length);
      };
      Kokkos::deep_copy(dest, -5);
      Kokkos::deep_copy(count, length);
      KokkosScan::run_length_encode(where, on, unique, dest, Total{count}, Length{count});
      expect("run_length_encode");
      Ints const ones("ones", 1'000);
      Kokkos::deep_copy(ones, 1);
      KokkosScan::reduce_by_key(where, on, ones, unique, dest, Length{count}, Total{count});
      expect("reduce_by_key");
      KokkosScan::run_offsets(where, on, dest, Length{count}, Total{count});
      EXPECT_EQ(to_vector(dest, 0)[static_cast<std::size_t>(runs)], n) << "run_offsets of " << length;
    }
  }
}

}  // namespace
}  // namespace test
