// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kept_bytes.hpp"
#include "support/backend_choices.hpp"
#include "support/spaces.hpp"

// What an n that grows by 1 % a call leaves behind, as on a mesh that is refined: never more than 2.5 times what the
// last call needs, and nothing behind release().
namespace {

using contract::KeptBytes;
using namespace KokkosScan;
using core::Needs;

/// Calls call(n) with each n, which returns what it needs.
template <class F>
void expect_bounded(F const& call) {
  std::int64_t const before = KeptBytes::now;
  std::int64_t needed       = 0;
  for (double n = 1e5; n < 1e8; n *= 1.01) {
    KeptBytes::most              = KeptBytes::now;
    Needs const needs            = call(static_cast<std::size_t>(n));
    needed                       = static_cast<std::int64_t>(needs.scratch + needs.states);
    constexpr std::int64_t least = 1024;
    ASSERT_LE(KeptBytes::most - before, needed * 5 / 2 + least) << "at once, n = " << n;
    ASSERT_LE(KeptBytes::now - before, needed * 5 / 4 + least) << "n = " << n;
  }
  EXPECT_GT(KeptBytes::now - before, 0);
}

template <class Exec, class Backend>
void expect_handles_bounded() {
  for (Options const& options : test::all_choices<Backend>()) {
    if (options.block != BlockScan::automatic) continue;
    SCOPED_TRACE(std::string(Backend::name) + " x " + to_string(options.grid));
    KeptBytes const tool;
    Handle<Exec, Backend, Options> const handle({}, options);
    expect_bounded([&](std::size_t n) {
      handle.template reserve<double>(n);
      return Backend::template needs<double>(handle.exec(), options, n);
    });
    EXPECT_LE(KeptBytes::taken, 2 * 4 * 10 + 4) << "two kinds of blocks, four of each to a doubling";
    handle.release();
    EXPECT_EQ(KeptBytes::now, 0);
  }
}

template <class Exec>
class Growth : public testing::Test {};
TYPED_TEST_SUITE(Growth, test::Spaces::Types);

TYPED_TEST(Growth, of_a_handle_is_bounded) {
  expect_handles_bounded<TypeParam, driver::Backend<TypeParam>>();
  expect_handles_bounded<TypeParam, portable::Backend>();
}

TYPED_TEST(Growth, of_an_instance_without_a_handle_is_bounded) {
  TypeParam const exec;
  release_scratch(exec);
  for (bool const everywhere : {false, true}) {
    KeptBytes const tool;
    expect_bounded([&](std::size_t n) {
      Needs const needs{.scratch = n * 8, .states = n / 64};
      auto const leases = driver::lease(exec, needs);
      return needs;
    });
    if (everywhere)
      release_scratch();
    else
      release_scratch(exec);
    EXPECT_EQ(KeptBytes::now, 0);
  }
}

TYPED_TEST(Growth, none_of_segments_behind_reserve_segmented) {
  using Memory = typename TypeParam::memory_space;
  Kokkos::View<int*, Memory> const values("values", 300'000), rows("rows", 4), totals("totals", 3);
  auto const ends = Kokkos::create_mirror_view(rows);
  for (int r = 0; r < 4; ++r) ends(r) = r * 100'000;
  Kokkos::deep_copy(rows, ends);
  auto const expect_none = [&](auto const& handle) {
    KeptBytes const tool;
    handle.template reserve_segmented<int>(values.size());
    std::int64_t const reserved = KeptBytes::taken;
    segmented_inclusive_scan(handle, values, rows, values, Totals{totals});
    segmented_exclusive_scan(handle, values, rows, values, 1, Totals{totals}, Reversed{});
    segmented_reduce(handle, values, rows, totals);
    EXPECT_EQ(KeptBytes::taken, reserved);
    handle.release();
  };
  expect_none(Handle<TypeParam>());
  expect_none(Handle<TypeParam, portable::Backend>());
}

/// What a Handle reserves for scans by key serves those along an axis, which is as many elements in lines.
TYPED_TEST(Growth, none_along_an_axis_behind_reserve_by_key) {
  using Memory = typename TypeParam::memory_space;
  Kokkos::View<std::int64_t**, Memory> const table("table", 3, 33'000);  // lines of 258 KiB
  auto const expect_none = [&](auto const& handle) {
    KeptBytes const tool;
    handle.template reserve_by_key<std::int64_t>(table.size());
    std::int64_t const reserved = KeptBytes::taken;
    for (int const axis : {0, 1}) {
      inclusive_scan(handle, table, table, Axis{axis});
      exclusive_scan(handle, table, table, 1, Axis{axis}.reversed());
    }
    EXPECT_EQ(KeptBytes::taken, reserved);
    handle.release();
  };
  expect_none(Handle<TypeParam>());
  expect_none(Handle<TypeParam, portable::Backend>());
  for (Options const& options : test::all_choices<driver::Backend<TypeParam>>())
    if (options.block == BlockScan::automatic) expect_none(Handle(TypeParam(), options));
}

/// Of few elements there may be more tiles than of many, whose are longer.
struct Triple {
  float x, y, z;
};
struct AddTriples {
  KOKKOS_FUNCTION Triple operator()(Triple const& left, Triple const& right) const {
    return {left.x + right.x, left.y + right.y, left.z + right.z};
  }
};
TYPED_TEST(Growth, none_of_short_arrays_behind_what_was_reserved_for_long_ones) {
  using Memory = typename TypeParam::memory_space;
  Kokkos::View<Triple**, Kokkos::LayoutRight, Memory> const lines("lines", 1, 87'382);
  auto const line        = Kokkos::subview(lines, 0, Kokkos::ALL);
  auto const expect_none = [&](auto const& handle, bool along_an_axis) {
    KeptBytes const tool;
    if (along_an_axis)
      handle.template reserve_by_key<Triple>(lines.size());
    else
      handle.template reserve<Triple>(lines.size());
    std::int64_t const reserved = KeptBytes::taken;
    for (std::size_t const n : {std::size_t{87'382}, std::size_t{87'381}, std::size_t{5'462}, std::size_t{5'461}}) {
      auto const some = std::pair<std::size_t, std::size_t>(0, n);
      if (along_an_axis) {
        auto const part = Kokkos::subview(lines, Kokkos::ALL, some);
        inclusive_scan(handle, part, part, Axis{1}, AddTriples{});
      } else {
        auto const part = Kokkos::subview(line, some);
        inclusive_scan(handle, part, part, AddTriples{});
      }
      EXPECT_EQ(KeptBytes::taken, reserved) << n << (along_an_axis ? " along an axis" : "");
    }
    handle.release();
  };
  for (bool const along_an_axis : {false, true}) {
    expect_none(Handle<TypeParam>(), along_an_axis);
    expect_none(Handle(TypeParam(), Options{.grid = GridScan::lookback}), along_an_axis);
  }
}

/// What is reserved for elements that are chosen or grouped serves every call, in place too, with any count.
template <class T>
struct IsSmall {
  KOKKOS_FUNCTION bool operator()(T const& value) const { return value < T{5}; }
};
template <class T, class Exec>
void expect_no_scratch_behind_reserve_compaction() {
  using Memory = typename Exec::memory_space;
  for (int const n : {1, 100, 4'267, 140'000, 333'333, 980'000}) {
    Kokkos::View<T*, Memory> const from("from", n), dest("dest", n), rest("rest", n);
    Kokkos::View<std::int64_t*, Memory> const sizes("sizes", n + 1);
    auto const expect_none = [&](auto const& handle) {
      KeptBytes const tool;
      handle.template reserve_compaction<T>(static_cast<std::size_t>(n));
      std::int64_t const reserved = KeptBytes::taken;
      std::int64_t count          = 0;
      int small                   = 0;
      copy_if(handle, from, dest, IsSmall<T>{}, Total{count});
      partition_copy(handle, from, dest, rest, IsSmall<T>{}, Total{small});
      stable_partition(handle, from, IsSmall<T>{}, Total{count});
      remove_if(handle, dest, IsSmall<T>{}, Total{small});
      run_length_encode(handle, from, dest, sizes, Total{count});
      reduce_by_key(handle, from, from, dest, rest, Total{count});
      run_offsets(handle, from, sizes, Total{count});
      EXPECT_EQ(KeptBytes::taken, reserved) << n;
      handle.release();
    };
    expect_none(Handle<Exec>());
    expect_none(Handle<Exec, portable::Backend>());
  }
}
TYPED_TEST(Growth, none_behind_reserve_compaction) {
  expect_no_scratch_behind_reserve_compaction<std::int8_t, TypeParam>();
  expect_no_scratch_behind_reserve_compaction<double, TypeParam>();
}

struct Wide {
  double value[8];
};
struct Pair {
  int first, second;
};
struct IsSmaller {
  KOKKOS_FUNCTION bool operator()(Pair const& left, Pair const& right) const { return left.first < right.first; }
};
/// Nor of sorts behind reserve_sort: keys with digits and without, values that are moved and that are fetched, Views
/// that lie side by side and that do not.
template <class Key, class Value, class Exec>
void expect_no_scratch_behind_reserve_sort() {
  using Memory       = typename Exec::memory_space;
  auto const is_less = [] {
    if constexpr (std::is_arithmetic_v<Key>)
      return Less();
    else
      return IsSmaller();
  }();
  for (int const n : {2, 1000, 70'000}) {
    Kokkos::View<Key**, Kokkos::LayoutRight, Memory> const pairs("pairs", n, 2);
    Kokkos::View<Value**, Kokkos::LayoutRight, Memory> const more("more", n, 2);
    Kokkos::View<Key*, Memory> const keys("keys", n);
    Kokkos::View<Value*, Memory> const values("values", n);
    Kokkos::View<std::int64_t*, Memory> const order("order", n);
    auto const expect_none = [&](auto const& reserve, auto const& call) {
      auto const of = [&](auto const& handle) {
        KeptBytes const tool;
        reserve(handle);
        std::int64_t const reserved = KeptBytes::taken;
        call(handle);
        EXPECT_EQ(KeptBytes::taken, reserved) << n;
        handle.release();
      };
      of(Handle<Exec>());
      of(Handle<Exec, portable::Backend>());
    };
    auto const count  = static_cast<std::size_t>(n);
    auto const column = [](auto const& view) { return Kokkos::subview(view, Kokkos::ALL, 1); };
    expect_none([&](auto const& handle) { reserve_sort<Key>(handle, count); },
                [&](auto const& handle) { sort(handle, column(pairs), is_less); });
    expect_none([&](auto const& handle) { reserve_sort<Key, Value>(handle, count); },
                [&](auto const& handle) {
                  sort_by_key(handle, column(pairs), column(more), is_less);
                  sort_by_key(handle, keys, values, is_less);
                });
    expect_none([&](auto const& handle) { reserve_sort<Key, std::int64_t>(handle, count); },
                [&](auto const& handle) { sort_permutation(handle, keys, order, is_less); });
    if (n < 32'768) {
      Kokkos::View<short*, Memory> const narrow("narrow order", n);
      expect_none([&](auto const& handle) { reserve_sort<Key, short>(handle, count); },
                  [&](auto const& handle) { sort_permutation(handle, keys, narrow, is_less); });
    }
  }
}
TYPED_TEST(Growth, none_behind_reserve_sort) {
  expect_no_scratch_behind_reserve_sort<std::uint32_t, float, TypeParam>();
  expect_no_scratch_behind_reserve_sort<Pair, Wide, TypeParam>();
}

/// And right all the while: whatever still used a block that was freed would show.
TYPED_TEST(Growth, spoils_no_result) {
  using Memory = typename TypeParam::memory_space;
  for (Options const& options : test::all_choices<driver::Backend<TypeParam>>()) {
    if (options.block != BlockScan::automatic) continue;
    SCOPED_TRACE(to_string(options.grid));
    Handle const handle(TypeParam(), options);
    Kokkos::View<std::int64_t*, Memory> const ones("ones", 200'000), sums("sums", 200'000);
    Kokkos::deep_copy(ones, 1);
    for (double size = 10'000; size < 200'000; size *= 1.07) {
      auto const n    = static_cast<std::size_t>(size);
      auto const part = std::pair<std::size_t, std::size_t>(0, n);
      inclusive_scan(handle, Kokkos::subview(ones, part), Kokkos::subview(sums, part));
      std::int64_t total = 0;
      inclusive_scan(handle, Kokkos::subview(sums, part), Kokkos::subview(sums, part), Sum{}, Total{total});
      auto const m = static_cast<std::int64_t>(n);
      ASSERT_EQ(total, m * (m + 1) / 2);
      if (m % 5 == 0) handle.release();
    }
  }
}

/// A total on the host has its place within the scratch of the scan, also of one that came before without a total: the
/// length is such that the scratch fills its block to the last byte.
TYPED_TEST(Growth, by_a_total_on_the_host_is_none) {
  using Memory = typename TypeParam::memory_space;
  Kokkos::View<double*, Memory> const values("values", 1 << 20);
  for (GridScan const grid : {GridScan::hillis_steele, GridScan::hierarchical}) {
    SCOPED_TRACE(to_string(grid));
    Handle const handle(TypeParam(), Options{.grid = grid});
    Handle<TypeParam, portable::Backend, Options> const portable({}, Options{.grid = grid});
    auto const expect_two_blocks = [&](auto const& at) {
      KeptBytes const tool;
      double total = 0;
      inclusive_scan(at, values, values);
      EXPECT_LE(KeptBytes::taken, 2) << "scratch and states";
      auto const before = KeptBytes::taken;
      inclusive_scan(at, values, values, Sum{}, Total{total});
      inclusive_scan(at, values, values);
      EXPECT_EQ(KeptBytes::taken, before);
    };
    expect_two_blocks(handle);
    expect_two_blocks(portable);
  }
}

/// What serves spaces of which only Kokkos is known, on those that are here.
TYPED_TEST(Growth, by_kokkos_alone_is_bounded) {
  using Source    = exec::DeviceScratch<TypeParam>;
  using Workspace = driver::Workspace<TypeParam, Source>;
  TypeParam const exec;
  KeptBytes const tool;
  {
    Workspace workspace("KokkosScan::scratch", Workspace::Content::zeros);
    for (std::size_t bytes = 100; bytes < 1'000'000; bytes += bytes / 10) {
      auto const lease = workspace.lease(exec, bytes, {});
      using Bytes      = Kokkos::View<unsigned char*, typename TypeParam::memory_space, Kokkos::MemoryUnmanaged>;
      Bytes const content(static_cast<unsigned char*>(lease.data()), lease.bytes());
      auto const seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), content);
      for (std::size_t i = 0; i < seen.size(); i += 7) ASSERT_EQ(seen(i), 0);
      ASSERT_LE(KeptBytes::now, static_cast<std::int64_t>(bytes + bytes / 4 + 256));
      EXPECT_EQ(typename Source::Key(exec), typename Source::Key(exec));
    }
    typename Source::Mark mark;
    EXPECT_TRUE(mark.record(exec) && mark.is_passed());
  }
  EXPECT_EQ(KeptBytes::now, 0);
}

}  // namespace
