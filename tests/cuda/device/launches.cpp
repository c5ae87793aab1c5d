// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>

#include <KokkosScan/connected_components.hpp>

#include "sums.hpp"

// What the pages of docs/api say of launches: a call is captured behind one of its size, and its kernels are counted.
// So it is also seen that it can be captured.
namespace {

using namespace device;
using namespace KokkosScan;

constexpr std::size_t n = 100'000;

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
struct IndexIsOdd {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 2 != 0; }
};
struct TakePosition {
  View<std::int32_t> to;
  template <class Position>
  KOKKOS_FUNCTION void operator()(std::size_t i, Position position) const {
    to(static_cast<std::size_t>(position)) = static_cast<std::int32_t>(i);
  }
};
struct OneSlot {
  KOKKOS_FUNCTION int operator()(std::size_t) const { return 1; }
};
struct AddUp {
  View<std::int32_t> from, dest;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int32_t& update, bool final) const {
    auto const at = static_cast<std::size_t>(i);
    update += from(at);
    if (final) dest(at) = update;
  }
};
struct PutIndex {
  View<std::int32_t> to;
  KOKKOS_FUNCTION void operator()(int i) const { to(static_cast<std::size_t>(i)) = i; }
};
struct Touch {
  View<std::int32_t> to;
  KOKKOS_FUNCTION void operator()(std::size_t, std::size_t item) const {
    if (item < to.extent(0)) to(item) = 1;
  }
};

struct Fill {
  View<std::int32_t> keys;
  View<std::uint8_t> bytes;
  View<char> text;
  View<std::int32_t> rows;
  View<float> reals, ones;
  KOKKOS_FUNCTION void operator()(int k) const {
    auto const i = static_cast<std::size_t>(k);
    if (k % 100 == 0) rows(i / 100) = k;
    if (i == n) return;
    keys(i)  = k * 7919 % 64;
    bytes(i) = static_cast<std::uint8_t>(k * 7919);
    text(i)  = static_cast<char>('a' + k % 26);
    reals(i) = static_cast<float>(k % 17);
    ones(i)  = 1.F;
  }
};

class Launches : public testing::Test, protected Instance {
 protected:
  Launches() {
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Exec>(exec, 0, n + 1), Fill{keys, bytes, text, rows, reals, ones});
    exec.fence();
  }

  /// `copies` are the nodes that are no kernels.
  template <class F>
  void expect(char const* what, std::size_t kernels, F const& call, std::size_t copies = 0) const {
    SCOPED_TRACE(what);
    call();
    exec.fence();
    Graph const graph(exec, call);
    auto const nodes = graph.nodes();
    auto const found = std::count(nodes.begin(), nodes.end(), cudaGraphNodeTypeKernel);
    EXPECT_EQ(static_cast<std::size_t>(found), kernels);
    EXPECT_EQ(nodes.size(), kernels + copies);
    graph.launch();
    exec.fence();
  }

  View<std::int32_t> const keys{"keys", n}, other{"other", n}, third{"third", n}, rows{"rows", n / 100 + 1};
  View<std::uint8_t> const bytes{"bytes", n};
  View<char> const text{"text", n};
  View<float> const reals{"reals", n}, ones{"ones", n}, results{"results", n}, more{"more", n};
  Kokkos::View<std::int32_t, Kokkos::CudaSpace> const count{"count"};
};

TEST_F(Launches, of_scans) {
  Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::CudaSpace> const table("table", 300, 400);
  expect("inclusive_scan", 1, [&] { inclusive_scan(exec, reals, results); });
  expect("an axis", 1, [&] { inclusive_scan(exec, table, table, Axis{0}); });
  expect("the other axis", 1, [&] { inclusive_scan(exec, table, table, Axis{1}); });
  expect("parallel_scan", 1, [&] { KokkosScan::parallel_scan(exec, n, AddUp{keys, other}); });
  expect("offsets_from_counts", 1, [&] { offsets_from_counts(exec, keys); });
  expect("by key", 1, [&] { inclusive_scan_by_key(exec, bytes, reals, results); });
  // Up to 8 MiB the scan finds where segments begin.
  View<float> const many("many", std::size_t{3} << 20);
  expect("segmented_inclusive_scan", 1, [&] { segmented_inclusive_scan(exec, reals, rows, results); });
  expect("of many elements", 2, [&] { segmented_inclusive_scan(exec, many, rows, many); });
  expect("with Totals", 2, [&] { segmented_inclusive_scan(exec, reals, rows, results, Totals{more}); });
  expect("exclusive with Totals", 3, [&] { segmented_exclusive_scan(exec, reals, rows, results, 0.F, Totals{more}); });
  expect("segmented_reduce", 2, [&] { segmented_reduce(exec, reals, rows, results); });
  expect("summed_area_table", 2, [&] { summed_area_table(exec, table, table); });
}

TEST_F(Launches, of_what_chooses) {
  Total const found{count};
  expect("copy_if", 1, [&] { copy_if(exec, keys, other, IsOdd{}, found); });
  expect("copy_flagged", 1, [&] { copy_flagged(exec, keys, bytes, other, found); });
  expect("select", 1, [&] { KokkosScan::select(exec, n, IndexIsOdd{}, TakePosition{other}, found); });
  expect("where", 1, [&] { where(exec, bytes, other, found); });
  expect("partition_copy", 1, [&] { partition_copy(exec, keys, other, third, IsOdd{}, found); });
  expect("remove_if", 2, [&] { remove_if(exec, keys, IsOdd{}, found); });
  expect("stable_partition", 2, [&] { stable_partition(exec, keys, IsOdd{}, found); });
  expect("unique_copy", 1, [&] { unique_copy(exec, keys, other, found); });
  expect("run_length_encode", 1, [&] { run_length_encode(exec, keys, other, third, found); });
  expect("run_offsets", 1, [&] { run_offsets(exec, keys, other, found); });
  expect("reduce_by_key", 1, [&] { reduce_by_key(exec, keys, reals, other, results, found); });
  expect("count_then_fill", 1, [&] { count_then_fill(exec, n, OneSlot{}, TakePosition{other}); });
}

TEST_F(Launches, of_histograms_and_sorts) {
  View<std::int32_t> const bins("bins", 64);
  View<std::uint8_t> const narrow("narrow", 64);
  View<float> const sums("sums", 64);
  constexpr std::size_t digits_of_bins = 1, of_sort = 3 + digits_of_bins + 2;  // of 64 there are 7 bits
  expect("count_keys", 2, [&] { count_keys(exec, keys, bins); });
  expect("narrow counts", 3, [&] { count_keys(exec, keys, narrow); });
  expect("sums of floats", of_sort + 5, [&] { count_keys(exec, keys, sums, Weights{reals}); });
  expect("sort", 3 + 4, [&] { KokkosScan::sort(exec, keys); });
  expect("sort of bytes", 3 + 1 + 1, [&] { KokkosScan::sort(exec, bytes); });
  expect("sort of a tile", 1, [&] { KokkosScan::sort(exec, part(keys, 0, 500)); });
  expect("sort_by_key", 3 + 4, [&] { sort_by_key(exec, keys, reals); });
  expect("sort_permutation", 3 + 4 + 2, [&] { sort_permutation(exec, keys, other); });
  expect("apply_permutation", 1, [&] { apply_permutation(exec, other, reals, results); });
  expect("radix_sort", 3 + 1 + 1, [&] { radix_sort(exec, keys, Bits{0, 8}); });
  // Where segments begin, and what is in none; 23 tiles, of which runs get twice as long; and back.
  expect("segmented_sort", 2 + 1 + 5 + 1, [&] { segmented_sort(exec, keys, rows); });
}

TEST_F(Launches, of_recurrences_and_windows) {
  Kokkos::View<float, Kokkos::CudaSpace> const value("value");
  expect("linear_recurrence", 1, [&] { linear_recurrence(exec, 0.5F, reals, results, 0.F); });
  expect("RestartEvery", 3, [&] { linear_recurrence(exec, 0.5F, reals, results, 0.F, RestartEvery{1000}); });
  expect("evaluate_polynomial", 2, [&] { evaluate_polynomial(exec, reals, 0.5F, Total{value}); });
  expect("at points", 2, [&] { evaluate_polynomial(exec, part(reals, 0, 3000), reals, results); });
  expect("tridiagonal_solve", 1, [&] {
    auto const first = [&](View<float> const& view) { return part(view, 0, 500); };
    tridiagonal_solve(exec, first(reals), first(ones), first(reals), first(more), first(results));
  });
  expect("of several tiles", 3, [&] { tridiagonal_solve(exec, reals, ones, reals, more, results); });
  expect("window_scan", 1, [&] { window_scan(exec, reals, results, Window{3, 3}, Max{}); });
  expect("in place", 2, [&] { window_scan(exec, results, results, Window{3, 3}, Max{}); });
  expect("of wide windows", 3, [&] { window_scan(exec, reals, results, Window{20'000, 0}, Max{}); });
}

TEST_F(Launches, of_rows_slots_and_strings) {
  View<bool> const granted("granted", n);
  Arena const arena(reals);
  expect("owners", 1, [&] { owners(exec, rows, other); });
  expect("for_each_slot", 1, [&] { for_each_slot(exec, rows, Touch{other}); });
  expect("allocate_slots", 1, [&] { allocate_slots(exec, keys, 1000, other, granted); });
  expect("Arena", 1, [&] { arena.allocate(exec, keys, other, granted); }, 1);
  expect("compare", 2, [&] { KokkosScan::compare(exec, keys, keys, Total{count}); });
  expect("compare short ones", 1, [&] { KokkosScan::compare(exec, part(keys, 0, 99), keys, Total{count}); });
  expect("first_difference", 2, [&] { first_difference(exec, keys, other, Total{count}); });
  // Strings of a character: a round by 59 bits.
  Kokkos::parallel_for("offsets", Kokkos::RangePolicy<Exec>(exec, 0, n), PutIndex{third});
  expect("lexicographical_ranks", 2 + (3 + 8) + 1,
         [&] { lexicographical_ranks(exec, text, third, other, Longest{7}); });
}

/// A thousand vertices with a hundred edges each.
TEST_F(Launches, of_graphs) {
  View<std::int32_t> const labels("labels", n / 100);
  expect("connected_components", 7, [&] { connected_components(exec, rows, keys, labels); });
  expect("of a symmetric graph", 8, [&] { connected_components(exec, rows, keys, labels, Symmetric{}); });
}

}  // namespace
