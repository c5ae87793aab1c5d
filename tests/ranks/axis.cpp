// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "shares.hpp"
#include "src/ranks/scan_axis.hpp"
#include "support/affine_map.hpp"

// Scans along an axis of which each rank has a slab, against one loop over all of it.
namespace {

using KokkosScan::Axis;
using KokkosScan::core::Kind;
using KokkosScan::ranks::Channel;
using KokkosScan::ranks::PlaneMessages;
using Exec    = Kokkos::DefaultHostExecutionSpace;
using Extents = std::array<std::size_t, 4>;  // 1 behind the rank

using test::rank_of_this;
using test::ranks;

using Affine = test::AffineMap;
using test::Compose;

/// How many elements of the axis each rank has, in several ways.
enum class Shares { even, uneven, none_at_first, none_in_the_middle, none_at_last, all_on_one, none };
constexpr std::array all_shares{
    Shares::even,         Shares::uneven,     Shares::none_at_first, Shares::none_in_the_middle,
    Shares::none_at_last, Shares::all_on_one, Shares::none};
std::size_t share_of(Shares shares, int rank) {
  int const size = ranks();
  switch (shares) {
    case Shares::even: return 3;
    case Shares::uneven: return static_cast<std::size_t>(rank % 3 == 2 ? 0 : 7 * rank % 5 + 1);
    case Shares::none_at_first: return rank <= size / 3 && size > 1 ? 0 : 2;
    case Shares::none_in_the_middle: return rank == 0 || rank == size - 1 ? 4 : 0;
    case Shares::none_at_last: return rank >= size - size / 3 ? 0 : 5;
    case Shares::all_on_one: return rank == size / 2 ? 9 : 0;
    case Shares::none: return 0;
  }
  return 0;
}

template <class F>
void for_each_index(Extents const& extents, F const& f) {
  Extents i{};
  for (i[0] = 0; i[0] < extents[0]; ++i[0])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[2] = 0; i[2] < extents[2]; ++i[2])
        for (i[3] = 0; i[3] < extents[3]; ++i[3]) f(i);
}
std::size_t flat(Extents const& extents, Extents const& i) {
  return ((i[0] * extents[1] + i[1]) * extents[2] + i[2]) * extents[3] + i[3];
}
template <class View>
auto& at(View const& view, Extents const& i) {
  if constexpr (View::rank() == 1)
    return view(i[0]);
  else if constexpr (View::rank() == 2)
    return view(i[0], i[1]);
  else if constexpr (View::rank() == 3)
    return view(i[0], i[1], i[2]);
  else
    return view(i[0], i[1], i[2], i[3]);
}
/// Without one of its dimensions.
Extents beside(Extents const& i, std::size_t axis, std::size_t last) {
  Extents result{0, 0, 0, last};
  for (std::size_t d = 0, k = 0; d < 4; ++d)
    if (d != axis) result[k++] = i[d];
  return result;
}

template <std::size_t rank, class T>
struct PointersTo : PointersTo<rank - 1, T*> {};
template <class T>
struct PointersTo<0, T> {
  using type = T;
};
template <std::size_t rank, class T, class Layout>
using ViewOf = Kokkos::View<typename PointersTo<rank, T>::type, Layout, Kokkos::HostSpace>;

/// Of those extents; where the layout has strides in the middle of more.
template <class View>
View make_view(Extents const& extents) {
  if constexpr (!std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) {
    typename View::array_layout layout;
    for (std::size_t d = 0; d < View::rank(); ++d) layout.dimension[d] = extents[d];
    return View("view", layout);
  } else {
    static_assert(View::rank() == 4);
    ViewOf<4, typename View::value_type, Kokkos::LayoutLeft> const whole("whole", extents[0] + 1, extents[1] + 3,
                                                                         extents[2] + 2, extents[3] + 1);
    auto const part = [&](std::size_t d) { return std::pair(std::size_t{1}, extents[d] + 1); };
    return Kokkos::subview(whole, part(0), part(1), part(2), part(3));
  }
}

template <class Value>
Value drawn(std::mt19937_64& random) {
  if constexpr (std::is_same_v<Value, Affine>)
    return {random(), random()};
  else
    return static_cast<Value>(random() % 100);
}

enum class Init { none, value, view };

/// What a test scans, and how.
template <Kind kind_, std::size_t rank_, class Layout_, class From_, class Dest_, class Value_, class Op_, Init init_,
          bool reversed_, bool in_place_ = false, bool staged_ = false>
struct Case {
  static constexpr Kind kind        = kind_;
  static constexpr std::size_t rank = rank_;
  using Layout                      = Layout_;
  using From                        = From_;
  using Dest                        = Dest_;
  using Value                       = Value_;
  using Op                          = Op_;
  static constexpr Init init        = init_;
  static constexpr bool reversed = reversed_, in_place = in_place_, staged = staged_;
};

template <class C>
void expect_scan(Extents extents, std::size_t axis, Shares shares, std::size_t piece) {
  using Value    = typename C::Value;
  int const rank = rank_of_this(), size = ranks();
  std::size_t begin = 0, length = 0;
  for (int r = 0; r < size; ++r) {
    if (r == rank) begin = length;
    length += share_of(shares, r);
  }
  Extents all = extents, own = extents;
  all[axis]               = length;
  own[axis]               = share_of(shares, rank);
  Extents const of_starts = beside(all, axis, 1);
  std::string const what  = "axis " + std::to_string(axis) + ", shares " + std::to_string(static_cast<int>(shares)) +
                           ", pieces of " + std::to_string(piece);

  std::mt19937_64 random(axis * 100 + static_cast<std::size_t>(shares));
  std::vector<typename C::From> values(all[0] * all[1] * all[2] * all[3]);
  for (auto& value : values) value = drawn<typename C::From>(random);
  std::vector<Value> starts(of_starts[0] * of_starts[1] * of_starts[2]);
  for (auto& value : starts) value = drawn<Value>(random);
  if (C::init == Init::value) std::fill(starts.begin(), starts.end(), starts.empty() ? Value{} : starts[0]);
  Value const start = starts.empty() ? Value{} : starts[0];

  // The results of all ranks.
  std::vector<typename C::Dest> right(values.size());
  Extents lines = all;
  lines[axis]   = 1;
  for_each_index(lines, [&](Extents i) {
    Value running = starts[flat(of_starts, beside(i, axis, 0))];
    bool any      = C::init != Init::none;
    for (std::size_t k = 0; k < length; ++k) {
      i[axis]              = C::reversed ? length - 1 - k : k;
      auto const place     = flat(all, i);
      auto const own_value = static_cast<Value>(values[place]);
      auto const through   = any ? static_cast<Value>(typename C::Op{}(running, own_value)) : own_value;
      right[place]         = static_cast<typename C::Dest>(C::kind == Kind::inclusive ? through : running);
      running              = through;
      any                  = true;
    }
  });

  auto const from = make_view<ViewOf<C::rank, typename C::From, typename C::Layout>>(own);
  auto dest       = make_view<ViewOf<C::rank, typename C::Dest, typename C::Layout>>(own);
  if constexpr (C::in_place) dest = from;
  auto const of_all = [&](Extents i) {
    i[axis] += begin;
    return flat(all, i);
  };
  for_each_index(own, [&](Extents const& i) { at(from, i) = values[of_all(i)]; });
  auto const init_view = make_view<ViewOf<C::rank - 1, Value, Kokkos::LayoutLeft>>(of_starts);
  for_each_index(of_starts, [&](Extents const& i) { at(init_view, i) = starts[flat(of_starts, i)]; });

  Channel& channel = Channel::of(MPI_COMM_WORLD, "test");
  PlaneMessages const messages{C::staged, piece};
  auto const scan = [&](auto const& rest) {
    using namespace KokkosScan::ranks;
    constexpr auto roles = C::kind == Kind::inclusive ? inclusive_roles : exclusive_roles;
    KokkosScan::ranks::scan_axis<C::kind, roles>("test", channel, Exec(), from, dest, rest, messages);
  };
  auto const along = [&] {
    if constexpr (C::reversed)
      return Axis{static_cast<int>(axis)}.reversed();
    else
      return Axis{static_cast<int>(axis)};
  }();
  auto const with_init = [&](auto const& init) {
    if constexpr (C::kind == Kind::inclusive)
      scan(std::tuple(along, typename C::Op{}, init, KokkosScan::As<Value>{}));
    else
      scan(std::tuple(along, init, typename C::Op{}, KokkosScan::As<Value>{}));
  };
  try {
    if constexpr (C::init == Init::none)
      scan(std::tuple(along, typename C::Op{}, KokkosScan::As<Value>{}));
    else if constexpr (C::init == Init::value)
      with_init(start);
    else
      with_init(init_view);
  } catch (std::exception const& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
  Kokkos::fence();
  std::size_t wrong = 0;
  for_each_index(own, [&](Extents const& i) { wrong += !(at(dest, i) == right[of_all(i)]); });
  EXPECT_EQ(wrong, 0U) << what;
}

template <class C>
void expect_all_scans() {
  Extents extents{3, 5, 1, 1};
  if (C::rank > 2) extents[2] = 4;
  if (C::rank > 3) extents[3] = 2;
  for (std::size_t axis = 0; axis < C::rank; ++axis)
    for (Shares const shares : all_shares) {
      expect_scan<C>(extents, axis, shares, KokkosScan::ranks::Bodies::most_in_piece);
      expect_scan<C>(extents, axis, shares, 7);
    }
  Extents more = extents;
  more[0]      = 150;  // more lines than are taken at once
  expect_scan<C>(more, 1, Shares::even, 1000);
  more[0] = 1500;  // and than MPI sends before they are asked for
  expect_scan<C>(more, 1, Shares::uneven, KokkosScan::ranks::Bodies::most_in_piece);
  Extents nothing = extents;
  nothing[0]      = 0;
  expect_scan<C>(nothing, 1, Shares::even, 1000);
}

TEST(Axis, OfRank2IsSummed) {
  expect_all_scans<
      Case<Kind::inclusive, 2, Kokkos::LayoutRight, float, float, double, KokkosScan::Sum, Init::none, false>>();
}
TEST(Axis, OfRank3IsScannedFromTheFarEnd) {
  expect_all_scans<Case<Kind::exclusive, 3, Kokkos::LayoutLeft, Affine, Affine, Affine, Compose, Init::value, true>>();
}
TEST(Axis, OfRank4HasStridesAndAStartForEachLine) {
  expect_all_scans<
      Case<Kind::inclusive, 4, Kokkos::LayoutStride, Affine, Affine, Affine, Compose, Init::view, false>>();
}
TEST(Axis, IsScannedInPlaceByWayOfSharedMemory) {
  expect_all_scans<
      Case<Kind::exclusive, 2, Kokkos::LayoutLeft, Affine, Affine, Affine, Compose, Init::view, false, true, true>>();
}

}  // namespace
