// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/backend_choices.hpp"

// Every form of every function as a user writes it: with and without a label, an operator, init and each kind of total.
namespace {

using namespace KokkosScan;
using Exec  = Kokkos::DefaultExecutionSpace;
using Value = std::int64_t;

/// Subtracts what a pair of operands have in common, so that the order of operands and a forgotten operator show:
/// x op y = x + y - 3, associative, with identity 3.
struct SumLessThree {
  template <class T>
  KOKKOS_FUNCTION static constexpr T identity() {
    return 3;
  }
  KOKKOS_FUNCTION Value operator()(Value left, Value right) const { return left + right - 3; }
};

struct TimesTwo {
  KOKKOS_FUNCTION Value operator()(Value x) const { return 2 * x; }
};

// CUDA takes lambdas from functions, but not from the body of a test.

using Values = Kokkos::View<Value*, Kokkos::SharedSpace>;

void exclusive_maximum(Values const& from, Values const& dest, Value init, Value& total) {
  exclusive_scan(
      Exec(), from, dest, init, KOKKOS_LAMBDA(Value left, Value right) { return left < right ? right : left; },
      Total{total});
}

void inclusive_first(Values const& from, Values const& dest, Value init,
                     Kokkos::View<Value, Kokkos::SharedSpace> const& total) {
  inclusive_scan(Exec(), from, dest, KOKKOS_LAMBDA(Value left, Value) { return left; }, init, Total{total});
}

class Forms : public testing::Test {
 protected:
  static constexpr int n = 40'000;  // three tiles

  Forms() : from("from", n), dest("dest", n), total("total") {
    for (int i = 0; i < n; ++i) from(i) = i % 91 - 20;
  }

  /// Makes the call without a total, with one in a View and one on the host, and compares what comes out.
  template <class Op, class Unary, class F>
  void expect(bool inclusive, Op const& op, Unary const& unary, Value const* init, F const& call) {
    std::vector<Value> expected;
    Value running = init ? *init : Op::template identity<Value>();
    for (int i = 0; i < n; ++i) {
      if (!inclusive) expected.push_back(running);
      running = op(running, unary(from(i)));
      if (inclusive) expected.push_back(running);
    }
    auto const compare = [&](char const* form) {
      int wrong = 0;
      for (int i = 0; i < n; ++i) wrong += dest(i) != expected[static_cast<std::size_t>(i)];
      EXPECT_EQ(wrong, 0) << "elements are wrong in the form with " << form;
      Kokkos::deep_copy(dest, -1);
    };
    Kokkos::deep_copy(dest, -1);

    call();
    Exec().fence();
    compare("no total");

    total() = -1;
    call(Total{total});
    Exec().fence();
    compare("a View for the total");
    EXPECT_EQ(total(), running);

    Value on_host = -1;
    call(Total{on_host});  // waits: no fence here
    EXPECT_EQ(on_host, running);
    compare("a total on the host");
  }

  Kokkos::View<Value*, Kokkos::SharedSpace> from, dest;
  Kokkos::View<Value, Kokkos::SharedSpace> total;
  Value const ten = 10;
};

TEST_F(Forms, inclusive_scan) {
  expect(true, Sum{}, Unchanged{}, nullptr, [&](auto&&... t) { inclusive_scan(Exec(), from, dest, t...); });
  expect(true, SumLessThree{}, Unchanged{}, nullptr,
         [&](auto&&... t) { inclusive_scan(Exec(), from, dest, SumLessThree{}, t...); });
  expect(true, SumLessThree{}, Unchanged{}, &ten,
         [&](auto&&... t) { inclusive_scan(Exec(), from, dest, SumLessThree{}, 10, t...); });
}

TEST_F(Forms, inclusive_scan_with_a_label) {
  expect(true, Sum{}, Unchanged{}, nullptr, [&](auto&&... t) { inclusive_scan("label", Exec(), from, dest, t...); });
  std::string const label = "label";
  expect(true, SumLessThree{}, Unchanged{}, nullptr,
         [&](auto&&... t) { inclusive_scan(label, Exec(), from, dest, SumLessThree{}, t...); });
  expect(true, SumLessThree{}, Unchanged{}, &ten,
         [&](auto&&... t) { inclusive_scan(label, Exec(), from, dest, SumLessThree{}, ten, t...); });
}

TEST_F(Forms, exclusive_scan) {
  expect(false, Sum{}, Unchanged{}, &ten, [&](auto&&... t) { exclusive_scan(Exec(), from, dest, 10, t...); });
  expect(false, SumLessThree{}, Unchanged{}, &ten,
         [&](auto&&... t) { exclusive_scan(Exec(), from, dest, ten, SumLessThree{}, t...); });
}

TEST_F(Forms, exclusive_scan_with_a_label) {
  expect(false, Sum{}, Unchanged{}, &ten, [&](auto&&... t) { exclusive_scan("label", Exec(), from, dest, 10, t...); });
  expect(false, SumLessThree{}, Unchanged{}, &ten,
         [&](auto&&... t) { exclusive_scan("label", Exec(), from, dest, 10, SumLessThree{}, t...); });
}

TEST_F(Forms, transform_inclusive_scan) {
  expect(true, SumLessThree{}, TimesTwo{}, nullptr,
         [&](auto&&... t) { transform_inclusive_scan(Exec(), from, dest, SumLessThree{}, TimesTwo{}, t...); });
  expect(true, SumLessThree{}, TimesTwo{}, &ten,
         [&](auto&&... t) { transform_inclusive_scan(Exec(), from, dest, SumLessThree{}, TimesTwo{}, 10, t...); });
}

TEST_F(Forms, transform_inclusive_scan_with_a_label) {
  expect(true, SumLessThree{}, TimesTwo{}, nullptr,
         [&](auto&&... t) { transform_inclusive_scan("label", Exec(), from, dest, SumLessThree{}, TimesTwo{}, t...); });
  expect(true, SumLessThree{}, TimesTwo{}, &ten, [&](auto&&... t) {
    transform_inclusive_scan("label", Exec(), from, dest, SumLessThree{}, TimesTwo{}, ten, t...);
  });
}

TEST_F(Forms, transform_exclusive_scan) {
  expect(false, SumLessThree{}, TimesTwo{}, &ten,
         [&](auto&&... t) { transform_exclusive_scan(Exec(), from, dest, 10, SumLessThree{}, TimesTwo{}, t...); });
  expect(false, SumLessThree{}, TimesTwo{}, &ten, [&](auto&&... t) {
    transform_exclusive_scan("label", Exec(), from, dest, ten, SumLessThree{}, TimesTwo{}, t...);
  });
}

TEST_F(Forms, a_lambda_as_operator) {
  Value sum = -1;
  exclusive_maximum(from, dest, 5, sum);
  EXPECT_EQ(sum, 70);
  EXPECT_EQ(dest(0), 5);
  EXPECT_EQ(dest(26), 5);
  EXPECT_EQ(dest(27), 6);
  EXPECT_EQ(dest(n - 1), 70);
}

/// What is known by its type may stand anywhere behind dest.
TEST_F(Forms, a_total_and_an_accumulator_anywhere) {
  Value expected = 0;
  for (int i = 0; i < n; ++i) expected += from(i);
  Value sum = -1;
  inclusive_scan(Exec(), from, dest, Total{sum});
  EXPECT_EQ(sum, expected);
  inclusive_scan(Exec(), from, dest, Total{sum}, Sum{}, 7);
  EXPECT_EQ(sum, expected + 7);
  exclusive_scan(Exec(), from, dest, 7, Total{sum}, Sum{});
  EXPECT_EQ(sum, expected + 7);
  exclusive_scan("label", Exec(), from, dest, As<Value>{}, 7, Sum{}, Total{sum});
  EXPECT_EQ(sum, expected + 7);
  transform_inclusive_scan(Exec(), from, dest, Sum{}, Total{sum}, TimesTwo{}, As<Value>{}, 7);
  EXPECT_EQ(sum, 2 * expected + 7);
}

/// A variable at the end is init, whatever may be assigned to it.
TEST_F(Forms, a_variable_is_init) {
  Value start = 7;
  inclusive_scan(Exec(), from, dest, Sum{}, start);
  Exec().fence();
  EXPECT_EQ(start, 7);
  EXPECT_EQ(dest(0), 7 + from(0));
}

/// Init in a View is read when the scan is made: behind what was asked for before, and before a total that goes to the
/// same View. Each scan goes on where the last one ended, and nobody waits.
TEST_F(Forms, init_in_a_view) {
  Value expected = 3;
  Kokkos::deep_copy(Exec(), total, 3);
  for (int run = 0; run < 3; ++run) {
    inclusive_scan(Exec(), from, dest, Sum{}, total, Total{total});
    exclusive_scan(Exec(), from, dest, total, Total{total});
    transform_exclusive_scan(Exec(), from, dest, total, Sum{}, TimesTwo{}, Total{total});
  }
  Exec().fence();
  Value sum = 0;
  for (int i = 0; i < n; ++i) sum += from(i);
  EXPECT_EQ(dest(0), expected + 10 * sum);
  EXPECT_EQ(total(), expected + 12 * sum);
}

/// It converts as a value does.
TEST_F(Forms, init_of_another_type_in_a_view) {
  Kokkos::View<std::int8_t const, Kokkos::SharedSpace> const start = [] {
    Kokkos::View<std::int8_t, Kokkos::SharedSpace> const place("start");
    place() = -5;
    return place;
  }();
  exclusive_scan(Exec(), from, dest, start);
  Exec().fence();
  EXPECT_EQ(dest(0), -5);
  EXPECT_EQ(dest(1), -5 + from(0));
}

TEST_F(Forms, init_in_a_view_for_each_algorithm) {
  for (Options const& options : test::all_choices<driver::Backend<Exec>>()) {
    if (options.block != BlockScan::automatic) continue;
    GridScan const grid = options.grid;
    Handle const handle(Exec(), options);
    Kokkos::deep_copy(Exec(), total, 3);
    for (int run = 0; run < 3; ++run) inclusive_scan(handle, from, dest, Sum{}, total, Total{total});
    Exec().fence();
    Value sum = 0;
    for (int i = 0; i < n; ++i) sum += from(i);
    EXPECT_EQ(total(), 3 + 3 * sum) << to_string(grid);
    EXPECT_EQ(dest(n - 1), 3 + 3 * sum) << to_string(grid);
    EXPECT_EQ(dest(0), 3 + 2 * sum + from(0)) << to_string(grid);
  }
}

/// dest may be longer, and keeps what is behind.
TEST_F(Forms, a_longer_dest) {
  Kokkos::View<Value*, Kokkos::SharedSpace> const longer("longer", n + 2);
  for (bool const by_handle : {false, true}) {
    Kokkos::deep_copy(longer, -1);
    if (by_handle)
      inclusive_scan(Handle(Exec()), from, longer);
    else
      exclusive_scan(Exec(), from, longer, 5);
    Exec().fence();
    EXPECT_EQ(longer(0), by_handle ? from(0) : 5);
    EXPECT_EQ(longer(n), -1);
    EXPECT_EQ(longer(n + 1), -1);
  }
}

/// A variable may be init and total of one call: init is read first.
TEST_F(Forms, one_variable_as_init_and_total) {
  Value expected = 0;
  for (int i = 0; i < n; ++i) expected += from(i);
  Value running = 7;
  exclusive_scan(Exec(), from, dest, running, Total{running});
  EXPECT_EQ(dest(0), 7);
  EXPECT_EQ(running, expected + 7);
}

TEST_F(Forms, a_handle_in_the_place_of_exec) {
  Handle const handle{Exec()};
  expect(true, Sum{}, Unchanged{}, nullptr, [&](auto&&... t) { inclusive_scan(handle, from, dest, t...); });
  expect(false, Sum{}, Unchanged{}, &ten, [&](auto&&... t) { exclusive_scan("label", handle, from, dest, ten, t...); });
}

TEST_F(Forms, a_handle_that_reserved_its_scratch) {
  Handle const handle{Exec(), Options{.grid = GridScan::hierarchical}};
  handle.reserve<Value>(n);
  expect(true, Sum{}, Unchanged{}, nullptr, [&](auto&&... t) { inclusive_scan(handle, from, dest, t...); });
}

TEST_F(Forms, views_of_static_extent) {
  Kokkos::View<Value[5], Kokkos::SharedSpace> const five("five"), sums("sums");
  Kokkos::deep_copy(five, 2);
  Value sum = -1;
  exclusive_scan(Exec(), five, sums, 1, Total{sum});
  EXPECT_EQ(sum, 11);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sums(i), 1 + 2 * i);
}

/// Init converts to the value type of dest: 0.5 would vanish in an integer.
TEST_F(Forms, init_of_another_type) {
  Kokkos::View<double*, Kokkos::SharedSpace> const doubles("doubles", n);
  exclusive_scan(Exec(), from, doubles, 0.5F);
  Exec().fence();
  EXPECT_EQ(doubles(0), 0.5);
  EXPECT_EQ(doubles(1), -19.5);
}

/// The total of no values is init, or else the identity; dest has no element to write.
TEST_F(Forms, no_values) {
  Kokkos::View<Value*, Kokkos::SharedSpace> const none("none", 0);
  Value sum = -1;
  exclusive_scan(Exec(), none, none, 7, Total{sum});
  EXPECT_EQ(sum, 7);
  inclusive_scan(Exec(), none, none, Total{sum});
  EXPECT_EQ(sum, 0);
  inclusive_scan(Exec(), none, none, Max{}, Total{sum});
  EXPECT_EQ(sum, std::numeric_limits<Value>::min());
  inclusive_scan(Exec(), none, none, Product{}, Total{total});
  Exec().fence();
  EXPECT_EQ(total(), 1);
  inclusive_first(none, none, 5, total);
  Exec().fence();
  EXPECT_EQ(total(), 5);
}

}  // namespace
