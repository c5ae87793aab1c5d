// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include <stdexcept>

#include "problems.hpp"

namespace test {
namespace {

template <class View>
struct In {
  View from;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return from(i); }
};

/// Writes a result over what is read at the same index, and counts how often it is called.
template <class View, class Counts>
struct Out {
  View dest;
  Counts calls;
  KOKKOS_FUNCTION void operator()(std::size_t i, typename View::value_type const& result) const {
    ::new (static_cast<void*>(&dest(i))) typename View::value_type(result);
    Kokkos::atomic_inc(&calls(i));
  }
};

template <class Value>
std::vector<Value> expected_by_index(std::vector<Value> const& from, std::optional<Value> const& init, bool exclusive,
                                     bool reversed, std::optional<Value>& running) {
  std::size_t const n = from.size();
  std::vector<Value> results(from);
  running = init;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = reversed ? n - 1 - k : k;
    Value const through = running ? OperatorOf<Value>{}(*running, from[i]) : from[i];
    ::new (static_cast<void*>(&results[i])) Value(exclusive ? *running : through);
    running.emplace(through);
  }
  return results;
}

template <class Setup>
class ByIndex : public testing::Test {};
using ByIndexSetups = Setups<Spaces, std::int64_t, float, Record>::Types;
TYPED_TEST_SUITE(ByIndex, ByIndexSetups);

template <class Setup>
void expect_by_index() {
  using Value  = typename Setup::Value;
  using View   = typename Setup::View;
  using Space  = typename Setup::Exec::memory_space;
  using Counts = Kokkos::View<int*, Space>;
  using Op     = OperatorOf<Value>;
  for_each_choice<Setup>([&](auto const& where, std::size_t n, std::string const& what) {
    auto const values = make_values<Op, Value>(n + 1, n);
    auto const from   = std::vector<Value>(values.begin(), values.end() - 1);
    auto const init   = std::optional<Value>(values.back());
    View const data   = to_view<View>(from);
    Counts const calls("calls", n);
    Kokkos::View<Value, Space> const total(Kokkos::view_alloc("total", Kokkos::WithoutInitializing));
    In<View> const in{data};
    Out<View, Counts> const out{data, calls};
    auto const expect = [&](std::optional<Value> const& before, bool exclusive, bool reversed, char const* form) {
      std::optional<Value> through;
      auto const expected = expected_by_index(from, before, exclusive, reversed, through);
      expect_same(expected, to_vector(data, *init), what + ", " + form);
      expect_same(std::vector<int>(n, 1), to_vector(calls, 0), what + ", " + form + ", calls");
      Value found(*init);
      Kokkos::deep_copy(Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&found), total);
      EXPECT_TRUE(!through || found == *through) << what << ", " << form << ": the total is wrong";
      Kokkos::deep_copy(data, Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), n));
      Kokkos::deep_copy(calls, 0);
    };
    KokkosScan::exclusive_scan(where, n, in, out, *init, Op{}, KokkosScan::Total{total});
    expect(init, true, false, "exclusive");
    KokkosScan::inclusive_scan(where, n, in, out, Op{}, *init, KokkosScan::Total{total});
    expect(init, false, false, "inclusive behind init");
    if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>) {  // they differ in the tiles alone
      if (n == 0) return;
      KokkosScan::inclusive_scan("label", where, static_cast<int>(n), in, out, Op{}, KokkosScan::Total{total},
                                 KokkosScan::Reversed{});
      expect({}, false, true, "inclusive, reversed");
      KokkosScan::exclusive_scan(where, n, in, out, *init, KokkosScan::Reversed{}, Op{}, KokkosScan::Total{total});
      expect(init, true, true, "exclusive, reversed");
    }
  });
}

TYPED_TEST(ByIndex, every_result_once) { expect_by_index<TypeParam>(); }

#if !KOKKOSSCAN_TEST_ON_MODEL
struct Ones {
  KOKKOS_FUNCTION std::int32_t operator()(std::size_t) const { return 1 << 30; }
};
template <class View>
struct Into {
  View dest;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t prefix) const { dest(i) = prefix; }
};

TEST(ByIndexOfFunctions, as_names_the_accumulator) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<std::int64_t*, Exec> const dest("dest", 8);
  std::int64_t total = 0;
  KokkosScan::exclusive_scan(Exec(), 8, Ones{}, Into<decltype(dest)>{dest}, std::int64_t{3},
                             KokkosScan::As<std::int64_t>{}, KokkosScan::Total{total});
  EXPECT_EQ(total, (std::int64_t{1} << 33) + 3);
  EXPECT_EQ(to_vector(dest, std::int64_t{}).back(), 7 * (std::int64_t{1} << 30) + 3);
}

template <class Value>
struct Halves {
  KOKKOS_FUNCTION Value operator()(std::size_t) const { return Value(0.5F); }
};
template <class View>
struct Store {
  View dest;
  KOKKOS_FUNCTION void operator()(std::size_t i, typename View::value_type const& prefix) const { dest(i) = prefix; }
};

/// Of 4 halves, behind init: the last result is init and three of them.
template <class Value, class Init, class... Named>
void expect_behind(Init const& init, Named const&... named) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<Value*, Exec> const dest("dest", 4);
  KokkosScan::exclusive_scan(Exec(), 4, Halves<Value>{}, Store<decltype(dest)>{dest}, init, named...);
  EXPECT_EQ(to_vector(dest, Value{}).back(), Value(static_cast<Value>(init) + Value(1.5F)));
}

TEST(ByIndexOfFunctions, an_init_may_be_any_number_that_is_no_wider) {
  using Kokkos::complex;
  expect_behind<double>(0);
  expect_behind<double>(2.F);
  expect_behind<float>(2);
  expect_behind<double>(Kokkos::Experimental::half_t(2.F));
  expect_behind<Kokkos::Experimental::half_t>(Kokkos::Experimental::half_t(2.F));
  expect_behind<complex<double>>(complex<float>(1.F, 2.F));
  expect_behind<complex<float>>(2.F);
  expect_behind<float>(2.0, KokkosScan::As<float>{});  // is chosen by name
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<std::int64_t*, Exec> const dest("dest", 4);
  KokkosScan::exclusive_scan(Exec(), 4, In<decltype(dest)>{dest}, Store<decltype(dest)>{dest}, 7);
  EXPECT_EQ(to_vector(dest, std::int64_t{}).back(), 7);
}

TEST(ByIndexOfFunctions, a_negative_length_is_refused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<std::int64_t*, Exec> const dest("dest", 8);
  EXPECT_THROW(KokkosScan::inclusive_scan(Exec(), -1, Ones{}, Into<decltype(dest)>{dest}), std::invalid_argument);
}
#endif

}  // namespace
}  // namespace test
