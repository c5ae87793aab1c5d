// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "support/backend_choices.hpp"
#include "support/interval.hpp"
#include "support/matrix.hpp"

// Calls of random shape under a seed that is printed. KOKKOSSCAN_SEED=... repeats a run, and with KOKKOSSCAN_CASE=...
// one call of it.
namespace test {
namespace {

using KokkosScan::core::Kind;
using Exec = Kokkos::DefaultExecutionSpace;

/// Small, near an edge of a partition, or anything up to a few tiles.
std::size_t random_length(Random& random, std::size_t tile) {
  std::size_t const kind = random.below(3);
  if (kind == 0) return random.below(40);
  if (kind == 1) return (1 + random.below(4)) * tile + random.below(5) - 2;
  return random.below(std::size_t{1} << random.between(1, 18));
}

Shape random_shape(Random& random, std::size_t n, bool strided, bool same_type) {
  Shape shape{.n = n, .from_offset = random.below(8), .dest_offset = random.below(8)};
  if (strided) {
    shape.from_stride = 1 + random.below(4);
    shape.dest_stride = 1 + random.below(4);
  }
  if (same_type && random.one_in(3)) shape.lie = Lie::in_place;
  if (same_type && strided && random.one_in(3)) shape.lie = Lie::columns;
  return shape;
}

/// A call of either kind, with or without init.
template <class T, class Arrangement, class Where, class From, class Op, class Unary = KokkosScan::Unchanged>
void expect_either_kind(Random& random, Where const& where, std::vector<From> const& values, Shape const& shape,
                        T const& init, Op const& op, Unary const& unary = {}) {
  Call<T> call{.shape = shape, .init = init, .total_to = TotalTo::view};
  if (Arrangement::every_total) call.total_to = static_cast<TotalTo>(random.below(3));
  if (random.one_in(2)) return expect_scan<Kind::exclusive, T, Arrangement>(where, values, call, op, unary);
  if (random.one_in(2)) call.init.reset();
  expect_scan<Kind::inclusive, T, Arrangement>(where, values, call, op, unary);
}

/// Any choice of a backend, with the operator that records what it is handed.
template <class Backend>
void random_choice(Random& random) {
  auto const choices    = all_choices<Backend>();
  Options const options = choices[random.below(choices.size())];
  SCOPED_TRACE("grid " + to_string(options.grid) + ", block " + to_string(options.block));
  Handle<Exec, Backend, Options> const handle(Exec(), options);
  std::size_t const n = random_length(random, Backend::template tile_length<Interval>(options));
  Neighbours<Exec::memory_space> const neighbours;
  expect_either_kind<Interval, ContiguousViewTotal>(
      random, handle, neighbours.values(n), random_shape(random, n, false, true), neighbours.init(), neighbours.op());
  neighbours.expect_no_mistakes();
}

template <class T, class Op, class Arrangement>
void random_operator(Random& random) {
  SCOPED_TRACE(testing::Message() << typeid(Op).name() << " on " << typeid(T).name());
  std::size_t const n = random_length(random, automatic_tile<Exec, T>());
  auto values         = make_values<Op, T>(n + 1, random());
  T const init        = values.back();
  values.pop_back();
  bool const strided = std::is_same_v<Arrangement, Strided>;
  expect_either_kind<T, Arrangement>(random, Exec(), values, random_shape(random, n, strided, true), init, Op{});
}

struct ThriceLessOne {
  KOKKOS_FUNCTION std::int64_t operator()(std::int32_t x) const { return 3 * std::int64_t{x} - 1; }
};

void random_transform(Random& random) {
  SCOPED_TRACE("int32_t to int64_t, with a transform");
  std::size_t const n = random_length(random, automatic_tile<Exec, std::int64_t>());
  auto const values   = make_values<KokkosScan::BitXor, std::int32_t>(n, random());
  expect_either_kind<std::int64_t, StridedViewTotal>(random, Exec(), values, random_shape(random, n, true, false),
                                                     std::int64_t{1} << 40, KokkosScan::Sum{}, ThriceLessOne{});
}

void random_call(Random& random) {
  using namespace KokkosScan;
  switch (random.below(9)) {
    case 0:
    case 1: return random_choice<driver::Backend<Exec>>(random);
    case 2: return random_choice<portable::Backend>(random);
    case 3: return random_operator<Matrix, Then, Strided>(random);
    case 4: return random_operator<std::int32_t, Sum, ContiguousViewTotal>(random);
    case 5: return random_operator<std::uint8_t, Sum, ContiguousViewTotal>(random);
    case 6: return random_operator<double, Sum, ContiguousViewTotal>(random);
    case 7: return random_operator<float, Max, ContiguousViewTotal>(random);
    default: return random_transform(random);
  }
}

TEST(Property, random_calls) {
  std::uint64_t const seed  = number_from_environment("KOKKOSSCAN_SEED", std::random_device()());
  std::uint64_t const only  = number_from_environment("KOKKOSSCAN_CASE", ~std::uint64_t{0});
  std::uint64_t const cases = 2000;
  std::cout << "KOKKOSSCAN_SEED=" << seed << std::endl;
  for (std::uint64_t i = 0; i < cases; ++i) {
    if (only < cases && i != only) continue;
    SCOPED_TRACE(testing::Message() << "replay this call with KOKKOSSCAN_SEED=" << seed << " KOKKOSSCAN_CASE=" << i);
    Random random(Random(seed)() + i);
    random_call(random);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace test
