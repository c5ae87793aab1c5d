// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop.hpp"

// Recurrences on every backend, the CUDA kernels in the execution model among them (tests/cuda).
namespace test {
namespace {

template <class Setup>
class Recurrences : public testing::Test {};
using RecurrenceSetups = PlainSetups<Spaces, std::uint32_t, double>::Types;
TYPED_TEST_SUITE(Recurrences, RecurrenceSetups);

/// f(handle, n, what) for lengths around the edges of tiles.
template <class Setup, class F>
void for_each_size(F const& f) {
  using Exec    = typename Setup::Exec;
  using Backend = typename Setup::Backend;
  using Map     = KokkosScan::core::AffineMap<typename Setup::Value, 1>;
  for_each_length(Handle<Exec, Backend>(), Backend::template tile_length<Map>(KokkosScan::core::Automatic{}), "", f);
}

TYPED_TEST(Recurrences, of_order_1) {
  using T    = typename TypeParam::Value;
  using View = typename TypeParam::View;
  for_each_size<TypeParam>([](auto const& where, std::size_t n, std::string const& what) {
    auto const of = make_recurrence<T>(n, 1, n);
    View const a = to_view<View>(of.a), b = to_view<View>(of.b), dest("dest", n + 3);
    Kokkos::View<T, typename TypeParam::Exec::memory_space> const start("start");
    Kokkos::deep_copy(start, of.start[0]);
    auto const first = [n](View const& view) {
      return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, n));
    };
    auto const expect = [&](View const& found, bool reversed, char const* form) {
      expect_as_loop(of, to_vector(first(found), T()), reversed, what + ", " + form);
    };
    Kokkos::deep_copy(dest, T(7));
    KokkosScan::linear_recurrence(where, a, b, dest, of.start[0]);
    expect(dest, false, "forwards");
    EXPECT_EQ(to_vector(dest, T())[n], T(7)) << "behind the last element";
    KokkosScan::linear_recurrence("label", where, a, b, dest, start, KokkosScan::Reversed{});
    expect(dest, true, "reversed");
    View const a_again = to_view<View>(of.a);
    KokkosScan::linear_recurrence(where, a_again, b, a_again, start);
    expect(a_again, false, "in the place of a");
    KokkosScan::linear_recurrence(where, a, b, b, of.start[0]);
    expect(b, false, "in the place of b");
  });
}

TYPED_TEST(Recurrences, with_a_constant) {
  using T    = typename TypeParam::Value;
  using View = typename TypeParam::View;
  for_each_size<TypeParam>([](auto const& where, std::size_t n, std::string const& what) {
    T const a     = std::is_integral_v<T> ? T(1'664'525) : T(-0.75);
    auto const of = with_constants(make_recurrence<T>(n, 1, n), {a});
    View const b  = to_view<View>(of.b), dest("dest", n);
    KokkosScan::linear_recurrence(where, a, b, dest, of.start[0]);
    expect_as_loop(of, to_vector(dest, T()), false, what);
  });
}

/// The values of blocks go on: of integers that changes nothing, nor does it of blocks of one element.
TYPED_TEST(Recurrences, in_blocks) {
  using T    = typename TypeParam::Value;
  using View = typename TypeParam::View;
  for_each_size<TypeParam>([](auto const& where, std::size_t n, std::string const& what) {
    auto const of = make_recurrence<T>(n, 1, n);
    View const a = to_view<View>(of.a), b = to_view<View>(of.b), dest("dest", n);
    for (std::size_t const length : {std::size_t{1}, std::size_t{2}, std::size_t{100}, n + 1}) {
      KokkosScan::linear_recurrence(where, a, b, dest, of.start[0], KokkosScan::RestartEvery{length});
      expect_as_loop(of, to_vector(dest, T()), false, what + ", blocks of " + std::to_string(length));
      KokkosScan::linear_recurrence(where, a, b, dest, of.start[0], KokkosScan::RestartEvery{length},
                                    KokkosScan::Reversed{});
      expect_as_loop(of, to_vector(dest, T()), true, what + ", reversed, blocks of " + std::to_string(length));
    }
  });
}

template <class Setup, std::size_t order>
void expect_of_order() {
  using T     = typename Setup::Value;
  using View  = typename Setup::View;
  using Space = typename Setup::Exec::memory_space;
  for_each_size<Setup>([](auto const& where, std::size_t n, std::string const& what) {
    auto const of = make_recurrence<T>(n, order, n);
    Kokkos::View<T* [order], Space> const rows("rows", n);
    auto const on_host = Kokkos::create_mirror_view(rows);
    for (std::size_t k = 0; k < of.a.size(); ++k) on_host(k / order, k % order) = of.a[k];
    Kokkos::deep_copy(rows, on_host);
    View const b = to_view<View>(of.b), start = to_view<View>(of.start), dest("dest", n);
    Kokkos::Array<T, order> starts, constants;
    for (std::size_t k = 0; k < order; ++k) starts[k] = of.start[k];
    KokkosScan::linear_recurrence(where, rows, b, dest, starts);
    expect_as_loop(of, to_vector(dest, T()), false, what + ", rows");
    KokkosScan::linear_recurrence(where, rows, b, dest, start, KokkosScan::Reversed{});
    expect_as_loop(of, to_vector(dest, T()), true, what + ", rows, reversed");
    KokkosScan::linear_recurrence(where, rows, b, dest, start, KokkosScan::RestartEvery{50});
    expect_as_loop(of, to_vector(dest, T()), false, what + ", rows, in blocks");
    if (n == 0) return;
    auto const filter = with_constants(of, std::vector<T>(of.a.begin(), of.a.begin() + order));
    for (std::size_t k = 0; k < order; ++k) constants[k] = filter.a[k];
    KokkosScan::linear_recurrence(where, constants, b, b, start);
    expect_as_loop(filter, to_vector(b, T()), false, what + ", constants, in place");
  });
}
TYPED_TEST(Recurrences, of_order_2) { expect_of_order<TypeParam, 2>(); }
TYPED_TEST(Recurrences, of_order_3) { expect_of_order<TypeParam, 3>(); }

TYPED_TEST(Recurrences, along_an_axis) {
  using T     = typename TypeParam::Value;
  using View2 = Kokkos::View<T**, Kokkos::LayoutRight, typename TypeParam::Exec::memory_space>;
  using Lines = typename TypeParam::View;
  Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
  T const a = std::is_integral_v<T> ? T(1'664'525) : T(0.9);
  for (auto const& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 5000}, {700, 37}, {1, 1}, {4, 0}})
    for (int const d : {0, 1}) {
      std::size_t const length = d == 0 ? rows : columns, lines = d == 0 ? columns : rows;
      View2 const from("from", rows, columns), dest("dest", rows, columns);
      auto const on_host = Kokkos::create_mirror_view(from), results = Kokkos::create_mirror_view(dest);
      std::vector<Recurrence<T>> all;
      std::vector<T> starts;
      for (std::size_t line = 0; line < lines; ++line) {
        all.push_back(with_constants(make_recurrence<T>(length, 1, line), {a}));
        starts.push_back(all[line].start[0]);
        for (std::size_t i = 0; i < length; ++i) (d == 0 ? on_host(i, line) : on_host(line, i)) = all[line].b[i];
      }
      Kokkos::deep_copy(from, on_host);
      auto const expect = [&](bool reversed) {
        Kokkos::deep_copy(results, dest);
        for (std::size_t line = 0; line < lines; ++line) {
          std::vector<T> found;
          for (std::size_t i = 0; i < length; ++i) found.push_back(d == 0 ? results(i, line) : results(line, i));
          expect_as_loop(
              all[line], found, reversed,
              "axis " + std::to_string(d) + ", line " + std::to_string(line) + (reversed ? ", reversed" : ""));
        }
      };
      KokkosScan::linear_recurrence(where, a, from, dest, to_view<Lines>(starts), KokkosScan::Axis{d});
      expect(false);
      KokkosScan::linear_recurrence(where, a, from, dest, to_view<Lines>(starts), KokkosScan::Axis{d}.reversed());
      expect(true);
    }
}

}  // namespace
}  // namespace test
