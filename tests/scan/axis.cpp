// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <type_traits>

#include "problems.hpp"

namespace test {
namespace {

using KokkosScan::As;
using KokkosScan::Axis;
using Extents = std::array<std::size_t, 4>;  // 1 behind the rank

template <class Value, int rank>
struct PointersTo {
  using type = typename PointersTo<Value, rank - 1>::type*;
};
template <class Value>
struct PointersTo<Value, 0> {
  using type = Value;
};
template <class Value, int rank, class Layout, class Space>
using ViewOf = Kokkos::View<typename PointersTo<Value, rank>::type, Layout, Space>;

/// What stands at the indices of an element, in a View of any rank.
template <class View>
auto& at(View const& view, std::array<std::size_t, 4> const& i) {
  if constexpr (View::rank() == 1)
    return view(i[0]);
  else if constexpr (View::rank() == 2)
    return view(i[0], i[1]);
  else if constexpr (View::rank() == 3)
    return view(i[0], i[1], i[2]);
  else
    return view(i[0], i[1], i[2], i[3]);
}

template <class F>
void for_each_index(Extents const& extents, F const& f) {
  std::array<std::size_t, 4> i{};
  for (i[0] = 0; i[0] < extents[0]; ++i[0])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[2] = 0; i[2] < extents[2]; ++i[2])
        for (i[3] = 0; i[3] < extents[3]; ++i[3]) f(i);
}
std::size_t flat(Extents const& extents, std::array<std::size_t, 4> const& i) {
  return ((i[0] * extents[1] + i[1]) * extents[2] + i[2]) * extents[3] + i[3];
}

/// A View of those extents, and around it what must stay as it is.
template <class Value, int rank, class Layout, class Space, bool within>
struct Array {
  template <class Of>
  using In = ViewOf<Value, rank, Layout, Of>;

  Extents extents;
  Value guard;
  In<Space> whole;

  Array(Extents const& of, Value const& around) : extents(of), guard(around), whole(allocate<Space>(of)) {
    auto const copy = allocate<Kokkos::HostSpace>(extents);
    for_each_index(whole_extents(), [&](auto const& i) { KokkosScan::core::put(at(copy, i), guard); });
    Kokkos::deep_copy(elements(whole), elements(copy));
  }

  auto view() const {
    auto const inner = [&](int d) { return std::pair(std::size_t{1}, 1 + extents[static_cast<std::size_t>(d)]); };
    if constexpr (!within)
      return whole;
    else if constexpr (rank == 2)
      return Kokkos::subview(whole, inner(0), inner(1));
    else if constexpr (rank == 3)
      return Kokkos::subview(whole, inner(0), inner(1), inner(2));
    else
      return Kokkos::subview(whole, inner(0), inner(1), inner(2), inner(3));
  }

  void fill(std::vector<Value> const& values) const {
    auto const copy = copied();
    for_each_index(extents, [&](auto i) {
      auto const k = flat(extents, i);
      if (within)
        for (int d = 0; d < rank; ++d) ++i[static_cast<std::size_t>(d)];
      KokkosScan::core::put(at(copy, i), values[k]);
    });
    Kokkos::deep_copy(elements(whole), elements(copy));
  }

  void expect(std::vector<Value> const& values, std::string const& what) const {
    auto const copy = copied();
    for_each_index(whole_extents(), [&](auto const& i) {
      if (testing::Test::HasFailure()) return;
      auto own    = i;
      bool inside = true;
      for (std::size_t d = 0; d < rank && within; ++d) {
        inside = inside && i[d] > 0 && i[d] <= extents[d];
        --own[d];
      }
      bool const right = inside ? at(copy, i) == values[flat(extents, own)] : at(copy, i) == guard;
      EXPECT_TRUE(right) << what << ": element " << i[0] << ", " << i[1] << ", " << i[2] << ", " << i[3] << " is wrong"
                         << (inside ? "" : ", and outside");
    });
  }

 private:
  Extents whole_extents() const {
    Extents all = extents;
    for (std::size_t d = 0; d < rank && within; ++d) all[d] += 2;
    return all;
  }
  /// All of them in a row, as they are in memory: to copy that takes no kernel for each rank and layout.
  template <class View>
  static auto elements(View const& view) {
    using Row = Kokkos::View<Value*, typename View::memory_space, Kokkos::MemoryUnmanaged>;
    return Row(view.data(), view.span());
  }
  auto copied() const {
    auto const copy = allocate<Kokkos::HostSpace>(extents);
    Kokkos::deep_copy(elements(copy), elements(whole));
    return copy;
  }
  template <class Of>
  static In<Of> allocate(Extents e) {
    for (std::size_t d = 0; d < rank && within; ++d) e[d] += 2;
    auto const how = Kokkos::view_alloc("array", Kokkos::WithoutInitializing);
    if constexpr (rank == 2)
      return In<Of>(how, e[0], e[1]);
    else if constexpr (rank == 3)
      return In<Of>(how, e[0], e[1], e[2]);
    else
      return In<Of>(how, e[0], e[1], e[2], e[3]);
  }
};

/// By a loop along each line.
template <class Value, class Op>
std::vector<Value> expected_along(Extents const& extents, std::size_t axis, bool reversed,
                                  std::vector<Value> const& from, std::vector<Value> const* init, Op const& op) {
  std::vector<Value> results(from);
  Extents lines = extents;
  lines[axis]   = 1;
  for_each_index(lines, [&](auto i) {
    std::optional<Value> running;
    if (init) running.emplace((*init)[flat(lines, i)]);
    for (std::size_t k = 0; k < extents[axis]; ++k) {
      i[axis]          = reversed ? extents[axis] - 1 - k : k;
      auto const& own  = from[flat(extents, i)];
      Value const next = running ? op(*running, own) : own;
      KokkosScan::core::put(results[flat(extents, i)], init ? *running : next);
      running.emplace(next);
    }
  });
  return results;
}

template <class Setup, int rank, class Layout, bool within>
void expect_along_each_axis(auto const& where, Extents const& extents, std::string const& what) {
  using Value         = typename Setup::Value;
  using Space         = typename Setup::Exec::memory_space;
  using Op            = OperatorOf<Value>;
  std::size_t const n = extents[0] * extents[1] * extents[2] * extents[3];
  auto const values   = make_values<Op, Value>(n + 2, n);
  std::vector<Value> const from(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
  Array<Value, rank, Layout, Space, within> const inputs(extents, values[n]), results(extents, values[n]);
  inputs.fill(from);
  for (std::size_t axis = 0; axis < rank && !testing::Test::HasFailure(); ++axis) {
    Extents lines           = extents;
    lines[axis]             = 1;
    std::size_t const count = lines[0] * lines[1] * lines[2] * lines[3];
    std::vector<Value> const one(count, values[n + 1]);
    auto const each = make_values<Op, Value>(count, n + 1);
    Axis const along(static_cast<int>(axis));
    auto const expect = [&](bool reversed, std::vector<Value> const* init, char const* form) {
      results.expect(expected_along(extents, axis, reversed, from, init, Op{}),
                     what + ", axis " + std::to_string(axis) + ", " + form);
    };
    KokkosScan::exclusive_scan(where, inputs.view(), results.view(), values[n + 1], along.reversed(), Op{});
    expect(true, &one, "exclusive, reversed");
    if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>) {  // they differ in the tiles alone
      KokkosScan::inclusive_scan(where, inputs.view(), results.view(), along, Op{});
      expect(false, nullptr, "inclusive");
      results.fill(from);
      KokkosScan::inclusive_scan(where, results.view(), results.view(), Op{}, along.reversed());
      expect(true, nullptr, "inclusive, reversed, in place");
      if constexpr (rank > 2) {
        // A View of the starts, one rank less, of the other layout.
        using Inits = Array<Value, rank - 1, Kokkos::LayoutRight, Space, false>;
        Extents of_init{1, 1, 1, 1};
        for (std::size_t d = 0, k = 0; d < rank; ++d)
          if (d != axis) of_init[k++] = extents[d];
        Inits const inits(of_init, values[n]);
        inits.fill(each);
        results.fill(from);
        KokkosScan::exclusive_scan(where, results.view(), results.view(), along, inits.view(), Op{});
        expect(false, &each, "exclusive, a start for each line, in place");
      }
    }
  }
}

template <class Setup>
class Axes : public testing::Test {};
using AxesSetups = Setups<Spaces, std::int8_t, float, Record>::Types;
TYPED_TEST_SUITE(Axes, AxesSetups);

template <class Setup, int rank, class Layout, bool within>
void expect_shapes(std::vector<Extents> const& shapes) {
  using Exec    = typename Setup::Exec;
  using Backend = typename Setup::Backend;
  for (Extents const& shape : shapes) {
    std::string const what = std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " x " +
                             std::to_string(shape[2]) + " x " + std::to_string(shape[3]);
    expect_along_each_axis<Setup, rank, Layout, within>(Handle<Exec, Backend>(), shape, what);
    if constexpr (std::is_same_v<typename Setup::Value, Affine> && rank == 2 && within)
      if (shape[0] == 11)
        try_choices<Setup>([&](auto const& handle, std::size_t, std::string const& choice) {
          expect_along_each_axis<Setup, rank, Layout, within>(handle, shape, what + ", " + choice);
        });
    if (testing::Test::HasFailure()) return;
  }
}

std::vector<Extents> const squares{{0, 5, 1, 1},   {5, 0, 1, 1},    {1, 300, 1, 1}, {37, 1, 1, 1},
                                   {11, 23, 1, 1}, {130, 72, 1, 1}, {3, 2500, 1, 1}};
std::vector<Extents> const cubes{{1, 1, 1, 1}, {7, 0, 5, 1}, {5, 17, 20, 1}, {20, 3, 17, 1}};
std::vector<Extents> const hypercubes{{3, 4, 5, 7}, {17, 2, 1, 6}, {4, 0, 3, 2}};

TYPED_TEST(Axes, of_rank_2_right) { expect_shapes<TypeParam, 2, Kokkos::LayoutRight, false>(squares); }
TYPED_TEST(Axes, of_rank_2_within_left) { expect_shapes<TypeParam, 2, Kokkos::LayoutLeft, true>(squares); }
TYPED_TEST(Axes, of_rank_3_left) { expect_shapes<TypeParam, 3, Kokkos::LayoutLeft, false>(cubes); }
TYPED_TEST(Axes, of_rank_4_within_right) { expect_shapes<TypeParam, 4, Kokkos::LayoutRight, true>(hypercubes); }

#if !KOKKOSSCAN_TEST_ON_MODEL
using OnHost = Setup<Kokkos::DefaultHostExecutionSpace, KokkosScan::host::Backend, float>;

/// What is larger than the caches goes past them, and short lines have memory asked for what follows.
TEST(AlongAnAxis, past_the_caches) {
  OnHost::Exec const exec;
  Assume const small_caches(
      {.last_level_bytes = 1 << 20, .sharers = 1, .reading = KokkosScan::host::Reading::straight});
  std::size_t const columns = KokkosScan::host::streaming_from(exec.concurrency()) / sizeof(float) / 72 + 5;
  expect_along_each_axis<OnHost, 2, Kokkos::LayoutRight, false>(exec, {columns, 72, 1, 1}, "short lines");
  expect_along_each_axis<OnHost, 2, Kokkos::LayoutRight, false>(exec, {72, columns, 1, 1}, "wide rows");
  expect_along_each_axis<OnHost, 3, Kokkos::LayoutRight, false>(exec, {3, 7, 5000, 1}, "long lines");
}

/// Few lines go in pieces: as rows of columns, of any width, and as lines in step, of which no number is left out; the
/// last piece is a part of one, or is whole.
template <class Value>
void expect_pieces() {
  using Here = Setup<OnHost::Exec, KokkosScan::host::Backend, Value>;
  OnHost::Exec const exec;
  std::size_t const least = KokkosScan::host::least_bytes_in_pieces / sizeof(Value);
  for (std::size_t const columns : {1U, 7U, 64U, 131U})
    expect_along_each_axis<Here, 2, Kokkos::LayoutRight, false>(exec, {least / columns + 1, columns, 1, 1},
                                                                std::to_string(columns) + " columns");
  expect_along_each_axis<Here, 2, Kokkos::LayoutLeft, true>(exec, {5, least / 4, 1, 1}, "columns within");
  expect_along_each_axis<Here, 3, Kokkos::LayoutRight, false>(exec, {3, least / 3, 5, 1}, "lines of several rows");
  expect_along_each_axis<Here, 3, Kokkos::LayoutRight, true>(exec, {2, least / 30, 20, 1}, "columns of several rows");
}
TEST(AlongAnAxis, in_pieces) {
  expect_pieces<Record>();
  Assume const small_caches(
      {.last_level_bytes = 1 << 20, .sharers = 1, .reading = KokkosScan::host::Reading::straight});
  expect_pieces<float>();
}

#ifdef KOKKOS_ENABLE_CUDA
using OnDevice = Setup<Kokkos::Cuda, KokkosScan::cuda::Backend, float>;

/// Rows of a megabyte, of which no two begin at the same distance from a multiple of 16 bytes: by copies.
TEST(AlongAnAxis, of_wide_rows_at_any_address) {
  expect_along_each_axis<OnDevice, 2, Kokkos::LayoutRight, true>(Kokkos::Cuda(), {14, 262149, 1, 1}, "wide rows");
  expect_along_each_axis<OnDevice, 2, Kokkos::LayoutRight, false>(Kokkos::Cuda(), {130, 4099, 1, 1}, "odd rows");
  expect_along_each_axis<OnDevice, 2, Kokkos::LayoutRight, false>(Kokkos::Cuda(), {3000, 256, 1, 1}, "tiles");
  expect_along_each_axis<OnDevice, 2, Kokkos::LayoutRight, false>(Kokkos::Cuda(), {60000, 20, 1, 1}, "narrow rows");
}
#endif

/// A result that can be made of a number, and never assigned.
struct Fixed {
  double const value;
  KOKKOS_FUNCTION explicit Fixed(double of) : value(of) {}
};

TEST(AlongAnAxis, into_results_that_cannot_be_assigned) {
  using Space = Kokkos::DefaultHostExecutionSpace::memory_space;
  Kokkos::View<float**, Kokkos::LayoutRight, Space> const from("from", 5, 100);
  Kokkos::View<Fixed**, Kokkos::LayoutRight, Space> const dest(Kokkos::view_alloc("dest", Kokkos::WithoutInitializing),
                                                               5, 100);
  Kokkos::deep_copy(from, 0.25F);
  for (int const axis : {0, 1}) {
    KokkosScan::inclusive_scan(Kokkos::DefaultHostExecutionSpace(), from, dest, Axis{axis}, As<double>{});
    EXPECT_EQ(dest(4, 99).value, 0.25 * (axis == 0 ? 5 : 100));
  }
}

/// As it is, and counts its copies: those of a function that holds a View take as long as a line of many values.
struct Copied {
  static inline std::atomic<int> copies;
  Copied() = default;
  Copied(Copied const&) { ++copies; }
  float operator()(float value) const { return value; }
};

TEST(AlongAnAxis, no_function_is_copied_for_each_line) {
  OnHost::Exec const exec;
  for (std::size_t const length : {20U, 1500U}) {  // four at a time, and by the vector kernels
    Kokkos::View<float**, Kokkos::LayoutRight, OnHost::Exec> const table("table", 4000, length);
    Copied::copies = 0;
    KokkosScan::transform_inclusive_scan(exec, table, table, KokkosScan::Sum{}, Copied{}, Axis{1});
    EXPECT_LT(Copied::copies.load(), 1000) << length;  // some for each worker, and one for several lines
  }
}

static_assert(std::is_same_v<decltype(Axis{1}.reversed().reversed()), Axis>);
static_assert(Axis{1}.reversed().reversed().dimension == 1);

/// A Handle that names no algorithm has that of a call without one, in every bit, whatever else its options ask for.
TEST(AlongAnAxis, of_a_handle_that_names_no_algorithm) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> const from("from", 40, 1500), dest("dest", 40, 1500),
      checked("checked", 40, 1500);
  auto const values = Kokkos::create_mirror_view(from);
  for (std::size_t k = 0; k < values.size(); ++k) values(k / 1500, k % 1500) = 1.F / static_cast<float>(1 + k % 97);
  Kokkos::deep_copy(from, values);
  for (int const axis : {0, 1}) {
    KokkosScan::inclusive_scan(Exec(), from, dest, Axis{axis});
    KokkosScan::inclusive_scan(Handle(Exec(), Options{.check = true}), from, checked, Axis{axis});
    auto const expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dest);
    auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), checked);
    EXPECT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(float)), 0) << "axis " << axis;
  }
}
#endif

}  // namespace
}  // namespace test
