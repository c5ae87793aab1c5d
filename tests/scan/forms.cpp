// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/scan_case.hpp"

// Every form of every function as a user writes it: with and without a label, an operator, init and each kind of total.
namespace {

using namespace KokkosScan;
using core::Kind;
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

  Forms() : from("from", n), dest("dest", n), total("total"), values(n) {
    for (int i = 0; i < n; ++i) sum += from(i) = values[static_cast<std::size_t>(i)] = i % 91 - 20;
  }

  /// What the calls of expect() must give.
  template <class Op = Sum, class Unary = Unchanged>
  test::Expected<Value> result(Kind kind, std::optional<Value> init, Op const& op = {}, Unary const& unary = {}) const {
    return test::serial_scan(kind, test::convert<Value>(values, unary), op, init);
  }

  /// Makes the call under its own name and under a label, without a total, with one in a View and one on the host.
  template <class Function, class... Arguments>
  void expect(test::Expected<Value> const& expected, Function const& function, Arguments const&... arguments) {
    auto const compare = [&](char const* form) {
      Exec().fence();
      EXPECT_TRUE(test::same_values({dest.data(), dest.data() + n}, expected.values)) << "in the form with " << form;
      Kokkos::deep_copy(dest, -1);
    };
    auto const call = [&](auto const&... front) {
      function(front..., from, dest, arguments...);
      compare("no total");
      total() = -1;
      function(front..., from, dest, arguments..., Total{total});
      compare("a View for the total");
      EXPECT_EQ(total(), expected.total);
      Value on_host = -1;
      function(front..., from, dest, arguments..., Total{on_host});  // waits: no fence here
      EXPECT_EQ(on_host, expected.total);
      compare("a total on the host");
    };
    call(Exec());
    call("label", Exec());
  }

  Values from, dest;
  Kokkos::View<Value, Kokkos::SharedSpace> total;
  std::vector<Value> values;
  Value sum       = 0;
  Value const ten = 10;
};

TEST_F(Forms, inclusive_scan) {
  expect(result(Kind::inclusive, {}), inclusive_scan);
  expect(result(Kind::inclusive, {}, SumLessThree{}), inclusive_scan, SumLessThree{});
  expect(result(Kind::inclusive, 10, SumLessThree{}), inclusive_scan, SumLessThree{}, 10);
  expect(result(Kind::inclusive, 10, SumLessThree{}), inclusive_scan, SumLessThree{}, ten);
}

TEST_F(Forms, exclusive_scan) {
  expect(result(Kind::exclusive, 10), exclusive_scan, 10);
  expect(result(Kind::exclusive, 10, SumLessThree{}), exclusive_scan, ten, SumLessThree{});
}

TEST_F(Forms, transform_inclusive_scan) {
  SumLessThree const op;
  TimesTwo const unary;
  expect(result(Kind::inclusive, {}, op, unary), transform_inclusive_scan, op, unary);
  expect(result(Kind::inclusive, 10, op, unary), transform_inclusive_scan, op, unary, ten);
}

TEST_F(Forms, transform_exclusive_scan) {
  SumLessThree const op;
  TimesTwo const unary;
  expect(result(Kind::exclusive, 10, op, unary), transform_exclusive_scan, 10, op, unary);
}

TEST_F(Forms, a_lambda_as_operator) {
  Value maximum = -1;
  exclusive_maximum(from, dest, 5, maximum);
  EXPECT_EQ(maximum, 70);
  EXPECT_EQ(dest(0), 5);
  EXPECT_EQ(dest(26), 5);
  EXPECT_EQ(dest(27), 6);
  EXPECT_EQ(dest(n - 1), 70);
}

/// What is known by its type may stand anywhere behind dest.
TEST_F(Forms, a_total_and_an_accumulator_anywhere) {
  Value found = -1;
  inclusive_scan(Exec(), from, dest, Total{found}, Sum{}, 7);
  EXPECT_EQ(found, sum + 7);
  exclusive_scan(Exec(), from, dest, 7, Total{found}, Sum{});
  EXPECT_EQ(found, sum + 7);
  exclusive_scan("label", Exec(), from, dest, As<Value>{}, 8, Sum{}, Total{found});
  EXPECT_EQ(found, sum + 8);
  transform_inclusive_scan(Exec(), from, dest, Sum{}, Total{found}, TimesTwo{}, As<Value>{}, 7);
  EXPECT_EQ(found, 2 * sum + 7);
}

/// A variable at the end is init, whatever may be assigned to it; one may be init and total of one call.
TEST_F(Forms, a_variable_is_init) {
  Value start = 7;
  inclusive_scan(Exec(), from, dest, Sum{}, start);
  Exec().fence();
  EXPECT_EQ(start, 7);
  EXPECT_EQ(dest(0), 7 + from(0));
  exclusive_scan(Exec(), from, dest, start, Total{start});
  EXPECT_EQ(dest(0), 7);
  EXPECT_EQ(start, 7 + sum);
}

/// Init in a View is read when the scan is made: behind what was asked for before, and before a total that goes to the
/// same View. Each scan goes on where the last one ended, and nobody waits.
TEST_F(Forms, init_in_a_view) {
  Kokkos::deep_copy(Exec(), total, 3);
  for (int run = 0; run < 3; ++run) {
    inclusive_scan(Exec(), from, dest, Sum{}, total, Total{total});
    exclusive_scan(Exec(), from, dest, total, Total{total});
    transform_exclusive_scan(Exec(), from, dest, total, Sum{}, TimesTwo{}, Total{total});
  }
  Exec().fence();
  EXPECT_EQ(dest(0), 3 + 10 * sum);
  EXPECT_EQ(total(), 3 + 12 * sum);
}

TEST_F(Forms, init_in_a_view_for_each_algorithm) {
  for (Options const& options : test::all_choices<driver::Backend<Exec>>()) {
    if (options.block != BlockScan::automatic) continue;
    SCOPED_TRACE(to_string(options.grid));
    Handle const handle(Exec(), options);
    Kokkos::deep_copy(Exec(), total, 3);
    for (int run = 0; run < 3; ++run) inclusive_scan(handle, from, dest, Sum{}, total, Total{total});
    Exec().fence();
    EXPECT_EQ(total(), 3 + 3 * sum);
    EXPECT_EQ(dest(n - 1), 3 + 3 * sum);
    EXPECT_EQ(dest(0), 3 + 2 * sum + from(0));
  }
}

/// Init converts to the value type of dest, from a View too: 0.5 would vanish in an integer.
TEST_F(Forms, init_of_another_type) {
  Kokkos::View<float, Kokkos::SharedSpace> const half("half");
  half() = 0.5F;
  Kokkos::View<double*, Kokkos::SharedSpace> const doubles("doubles", n);
  auto const expect_from = [&](auto const& init) {
    Kokkos::deep_copy(doubles, -1);
    exclusive_scan(Exec(), from, doubles, init);
    Exec().fence();
    EXPECT_EQ(doubles(0), 0.5);
    EXPECT_EQ(doubles(1), -19.5);
  };
  expect_from(0.5F);
  expect_from(Kokkos::View<float const, Kokkos::SharedSpace>(half));
}

TEST_F(Forms, views_of_static_extent) {
  Kokkos::View<Value[5], Kokkos::SharedSpace> const five("five"), sums("sums");
  Kokkos::deep_copy(five, 2);
  Value found = -1;
  exclusive_scan(Exec(), five, sums, 1, Total{found});
  EXPECT_EQ(found, 11);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sums(i), 1 + 2 * i);
}

/// The total of no values is init, or else the identity; dest has no element to write.
TEST_F(Forms, no_values) {
  Values const none("none", 0);
  Value found = -1;
  exclusive_scan(Exec(), none, none, 7, Total{found});
  EXPECT_EQ(found, 7);
  inclusive_scan(Exec(), none, none, Total{found});
  EXPECT_EQ(found, 0);
  inclusive_scan(Exec(), none, none, Max{}, Total{found});
  EXPECT_EQ(found, std::numeric_limits<Value>::min());
  inclusive_scan(Exec(), none, none, Product{}, Total{total});
  Exec().fence();
  EXPECT_EQ(total(), 1);
  inclusive_first(none, none, 5, total);
  Exec().fence();
  EXPECT_EQ(total(), 5);
}

}  // namespace
