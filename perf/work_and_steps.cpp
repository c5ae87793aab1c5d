// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the operations and steps of every block and grid algorithm, and prints them beside the formulas of the
// literature. Exit status 1 if a count is not the one this file states.
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "../src/block/networks.hpp"
#include "../src/host/tuning.hpp"

namespace {

using KokkosScan::BlockScan;
using KokkosScan::GridScan;
namespace block = KokkosScan::block;

bool all_as_stated = true;

long log2_of(long n) { return std::bit_width(static_cast<unsigned long>(n)) - 1; }

void print_head(char const* title) {
  std::printf("\n%s\n%-29s%7s%12s%12s%9s%9s\n", title, "", "n", "operations", "formula", "steps", "formula");
}

struct Count {
  long operations = 0, steps = 0;
  bool operator==(Count const&) const = default;
};

/// `stated` is what our algorithm must count, `formula` what the literature gives; `why` explains a difference.
void print_row(std::string const& name, long n, Count counted, Count stated, Count formula, char const* why) {
  std::printf("%-29s%7ld%12ld%12ld%9ld%9ld", name.c_str(), n, counted.operations, formula.operations, counted.steps,
              formula.steps);
  if (counted != stated)
    std::printf("  NOT AS STATED: %ld operations, %ld steps", stated.operations, stated.steps);
  else if (counted != formula)
    std::printf("  %s", why);
  std::printf("\n");
  all_as_stated = all_as_stated && counted == stated;
}
void print_row(std::string const& name, long n, Count counted, Count formula) {
  print_row(name, n, counted, formula, formula, "");
}

// ---------------------------------------------------------------- block algorithms

/// A worker for every index. A step is one operation of all workers at once, so a round takes as many steps as its
/// busiest worker has operations.
struct CountingWorkers {
  Count& count;

  template <class F>
  void for_each(int workers, F const& f) const {
    long busiest = 0;
    for (int i = 0; i < workers; ++i) {
      long const before = count.operations;
      f(i);
      busiest = std::max(busiest, count.operations - before);
    }
    count.steps += busiest;
  }
  template <class F>
  void once(F const& f) const {
    for_each(1, [&](int) { f(); });
  }
};

template <class Network>
Count count_network(long n) {
  Count count;
  std::vector<long> tile(std::bit_ceil(static_cast<std::size_t>(n)), 1);
  std::vector<long> scratch(std::max(tile.size(), std::size_t(block::smallest_capacity)));
  auto const combine = [&](long left, long right) {
    ++count.operations;
    return left + right;
  };
  long const* const result =
      Network::run(CountingWorkers{count}, static_cast<int>(n), tile.data(), scratch.data(), combine);
  bool const is_inclusive = Network::native_kind == KokkosScan::core::Kind::inclusive;
  for (long i = 1; i < n; ++i) all_as_stated = all_as_stated && result[i] == i + is_inclusive;
  return count;
}

void count_blocks() {
  print_head("Block algorithms, one worker for each element (three_phase: for each piece)");
  for (long const n : {512L, 1024L, 2048L}) {
    long const log = log2_of(n), t = block::ThreePhase::pieces, log_t = log2_of(t);
    Count const kogge_stone{n * log - (n - 1), log};
    print_row("kogge_stone", n, count_network<block::KoggeStone>(n), kogge_stone);
    print_row("kogge_stone_double_buffered", n, count_network<block::KoggeStoneDoubleBuffered>(n), kogge_stone);
    print_row("brent_kung", n, count_network<block::BrentKung>(n), {2 * n - 2 - log, 2 * log - 1});
    print_row("blelloch", n, count_network<block::Blelloch>(n), {2 * (n - 1) - log, 2 * log - 1},
              {2 * (n - 1), 2 * log}, "none with the identity: the first node of a level has no prefix");
    print_row("three_phase, T = " + std::to_string(t), n, count_network<block::ThreePhase>(n),
              {(n - t) + (t * log_t - (t - 1)) + (n - n / t), (n / t - 1) + log_t + n / t},
              {(n - t) + t * log_t + (n - t), (n / t - 1) + log_t + (n / t - 1)},
              "the aggregates by Kogge-Stone; the last element of a piece is updated too, the first piece is not");
  }
}

// ---------------------------------------------------------------- grid algorithms

/// A value that knows how many operations lie one behind the other on the way to it.
struct Deep {
  long sum, depth;
};

std::atomic<long> combinations{0};

struct CountingSum {
  Deep operator()(Deep const& left, Deep const& right) const {
    combinations.fetch_add(1, std::memory_order_relaxed);
    return {left.sum + right.sum, std::max(left.depth, right.depth) + 1};
  }
};

Count count_grid(KokkosScan::Options const& options, long n) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<Deep*, Kokkos::HostSpace> from("from", static_cast<std::size_t>(n)), to("to", from.extent(0));
  for (std::size_t i = 0; i < from.extent(0); ++i) from(i) = {1, 0};
  combinations = 0;
  KokkosScan::inclusive_scan(KokkosScan::Handle(Space(), options), from, to, CountingSum{});
  Space().fence();
  long deepest = 0;
  for (std::size_t i = 0; i < to.extent(0); ++i) {
    all_as_stated = all_as_stated && to(i).sum == static_cast<long>(i + 1);
    deepest       = std::max(deepest, to(i).depth);
  }
  return {combinations, deepest};
}

/// m tiles of t elements, each scanned by Brent-Kung; their aggregates one after the other; what is before a tile
/// combined with each of its elements. The deepest result is in the last tile: its prefix waited for m - 2 aggregates.
Count tiles_by_brent_kung(long m, long t) {
  long const log = log2_of(t);
  if (m == 1) return {2 * t - 2 - log, 2 * log - 2};  // the last round of the reduction makes the last element only
  return {m * (2 * t - 2 - log) + (m - 1) + (m - 1) * t, std::max(2 * log - 2, log + (m - 2)) + 1};
}

void count_grids() {
  print_head(
      "Grid algorithms on the host, brent_kung in the tiles, one thread (steps: the longest chain of operations)");
  long const tile = static_cast<long>(KokkosScan::host::network_tile_length);
  for (long const n : {512L, 1024L, 2048L, 32 * tile}) {
    print_row("hillis_steele", n, count_grid({.grid = GridScan::hillis_steele}, n),
              {n * log2_of(n) - (n - 1), log2_of(n)});

    long const t = std::min(n, tile), m = n / t;
    Count const stated  = tiles_by_brent_kung(m, t);
    auto const counted  = [&](GridScan grid) { return count_grid({.grid = grid, .block = BlockScan::brent_kung}, n); };
    Count three_kernels = stated;
    if (m > 1)
      three_kernels = {stated.operations + (2 * m - 2 - log2_of(m)) - (m - 1), log2_of(t) + 2 * log2_of(m) - 2 + 1};
    print_row("hierarchical", n, counted(GridScan::hierarchical), stated, three_kernels,
              "the aggregates in one loop, not by a third launch of the block algorithm");
    print_row("chained", n, counted(GridScan::chained), stated);
    print_row("lookback", n, counted(GridScan::lookback), stated);
  }
  std::printf("With several threads lookback combines some aggregates twice; each n up to %ld is one tile.\n", tile);
}

}  // namespace

int main() {
  Kokkos::InitializationSettings settings;
  settings.set_num_threads(1).set_disable_warnings(true);  // the counts of lookback depend on who is first
  Kokkos::ScopeGuard const kokkos(settings);
  count_blocks();
  count_grids();
  if (!all_as_stated) std::printf("\nNOT AS STATED\n");
  return all_as_stated ? 0 : 1;
}
