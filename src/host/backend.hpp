// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/memory.hpp"
#include "../core/merge_pieces.hpp"
#include "../exec/kernel_event.hpp"
#include "chain_tile.hpp"
#include "compact_in_place.hpp"
#include "grid/automatic.hpp"
#include "histogram/histogram.hpp"
#include "lines.hpp"
#include "plan.hpp"
#include "sort/radix.hpp"
#include "sort/segments.hpp"
#include "windows.hpp"

namespace KokkosScan::host {

/// The execution spaces whose threads are the machine's own and whose kernels are done when the dispatch returns.
struct Backend {
  static constexpr char const* name   = "host";
  static constexpr bool runs_at_once  = true;  // what was asked for before has been done, and this when run() returns
  static constexpr GridScan grids[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                         GridScan::chained,   GridScan::lookback,      GridScan::shares};
  static constexpr BlockScan blocks[] = {
      BlockScan::automatic,  BlockScan::serial,   BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
      BlockScan::brent_kung, BlockScan::blelloch, BlockScan::three_phase};

  /// The length of the tiles that a scan of that type is divided into, where they are not short.
  template <class Value, class Choice>
  static std::size_t tile_length(Choice const& choice) {
    return host::tile_length(choice.block, bytes_in_tile<Value>);
  }

  /// What a scan of n values needs at most.
  template <class Value, class Exec, class Choice>
  static core::Needs needs(Exec const& exec, Choice const& choice, std::size_t n) {
    // Found out now, so that behind Handle::reserve scans allocate nothing.
    machine();
    simd::all_functions();
    return Plan<Value>::needs_of(exec, choice, n);
  }

  /// What the marks of elements that are chosen take besides, at most.
  template <class Exec>
  static std::size_t scratch_of_marks(Exec const& exec, std::size_t n) {
    std::size_t const most = std::min(n, host::tile_length(BlockScan::automatic, 1));
    return TileMarks::bytes(most) * static_cast<std::size_t>(threads_for(exec)) + line_bytes;
  }

  template <class Exec, class Choice, class Problem>
  static Plan<typename Problem::Value> plan(Exec const& exec, Choice const& choice, Problem const& problem) {
    return Plan<typename Problem::Value>::of(exec, choice, problem);
  }

  template <class Exec, class Choice, class Problem>
  static void run(Exec const& exec, std::string const& label, Choice const& choice,
                  Plan<typename Problem::Value> const& plan, Problem const& problem, core::Memory const& memory) {
    if constexpr (core::stores_nothing<typename Problem::Sink>)
      reduce(exec, label, choice, plan, problem, memory);
    else
      scan(exec, label, choice, plan, problem, memory);
  }

  /// f(i) for each of them, which look at so many elements in all; at few the calling thread alone.
  template <class Exec, class F>
  static void for_each_index(Exec const& exec, std::string const& label, std::size_t count, std::size_t elements,
                             F const& f) {
    int const size         = workers_for_loop(exec, elements, count);
    std::size_t const each = (count + static_cast<std::size_t>(size) - 1) / static_cast<std::size_t>(size);
    launch(KokkosWorkers<Exec>(exec, label, size), [&](int worker, Failure const&) {
      std::size_t const begin = static_cast<std::size_t>(worker) * each;
      for (std::size_t i = begin; i < std::min(count, begin + each); ++i) f(i);
    });
  }

  /// Whether the lines of a scan along an axis are rather scanned one after the other.
  template <class LineScan>
  static bool pays_line_by_line(LineScan const& scan) {
    return scan.shape.count() <= most_lines_by_all &&
           core::bytes_of(scan.shape.length, sizeof(typename LineScan::Value)) >= least_bytes_by_all;
  }
  template <class Exec, class LineScan>
  static void run_lines(Exec const& exec, std::string const& label, LineScan const& scan) {
    using Value             = typename LineScan::Value;
    std::size_t const bytes = core::bytes_of(scan.shape.length * scan.shape.count(), sizeof(Value));
    Shared const work{.seconds = seconds_alone(scan.shape.length * scan.shape.count(), sizeof(Value)),
                      .parts   = lines::most_workers(scan)};
    KokkosWorkers<Exec> const workers(exec, label, bytes > tile_bytes ? workers_for(exec, work) : 1);
    bool const streams = bytes > streaming_from(exec.concurrency());
    lines::run(scan, workers, streams ? simd::Store::streaming : simd::Store::cached);
  }

  /// What a radix sort needs besides its other arrays, at most for so many elements and fewer.
  template <class Sort, class Exec>
  static core::Needs needs_of_sort(Exec const& exec, Sort const& sort) {
    simd::all_functions();  // found out now
    return {.scratch = plan_of_sort(exec, sort, threads_for(exec)).template scratch_bytes<Sort>()};
  }
  template <class Sort, class Exec>
  static void sort(Exec const& exec, std::string const& label, Sort const& sort, core::Memory const& memory) {
    int const workers = workers_for(exec, {.seconds  = static_cast<double>(sort.n) * sort.passes() * seconds_of_digit,
                                           .parts    = sort.n / least_to_sort,
                                           .launches = 1 + 2 * sort.passes()});
    sort::Plan const plan = plan_of_sort(exec, sort, workers);
    sort::run(sort, plan, KokkosWorkers<Exec>(exec, label, plan.workers), memory.scratch);
  }

  /// What a sort of segments needs besides its other arrays: what each worker needs for one of them, or all for one.
  template <class Sort, class Exec>
  static core::Needs needs_of_segments(Exec const& exec, Sort const& sort) {
    core::Needs needs = needs_of_sort(exec, sort);
    needs.scratch =
        std::max(needs.scratch, bytes_for_segments(exec, sort) * static_cast<std::size_t>(threads_for(exec)));
    return needs;
  }
  /// Sorts each segment by itself.
  template <class Exec, class Sort, class Integer>
  static void sort_segments(Exec const& exec, std::string const& label, Sort const& sort,
                            core::Offsets<Integer> const& offsets, core::Memory const& memory) {
    auto* const scratch     = static_cast<std::byte*>(memory.scratch);
    std::size_t const bytes = bytes_for_segments(exec, sort), past_caches = streaming_from(exec.concurrency());
    sort::for_each_segment(
        offsets, sort.n, KokkosWorkers<Exec>(exec, label, workers_for_loop(exec, sort.n, sort.n)),
        [&](int worker, core::Tile part) {
          auto const own = sort::part_of(sort, part);
          sort::run(own, sort::Plan::of(own, 1, past_caches), Alone(),
                    scratch + bytes * static_cast<std::size_t>(worker));
        },
        [&](core::Tile part) { Backend::sort(exec, label, sort::part_of(sort, part), memory); });
  }
  template <class Exec, class Sort, class Integer>
  static void merge_sort_segments(Exec const& exec, std::string const& label, Sort const& sort,
                                  core::Offsets<Integer> const& offsets) {
    sort::for_each_segment(
        offsets, sort.n, KokkosWorkers<Exec>(exec, label, workers_for_loop(exec, sort.n, sort.n)),
        [&](int, core::Tile part) {
          core::merge_by_pieces(sort::part_of(sort, part), part.size(), [](std::size_t count, auto const& f) {
            for (std::size_t i = 0; i < count; ++i) f(i);
          });
        },
        [&](core::Tile part) { merge_sort(exec, label, sort::part_of(sort, part)); });
  }

  /// What a compaction in place of elements of type T needs, at most for so many and fewer.
  template <class T, class Exec>
  static core::Needs needs_in_place(Exec const& exec, std::size_t n, bool with_others = true) {
    simd::all_functions();  // found out now
    return {.scratch = in_place::Plan::of(n, threads_for(exec), with_others).template scratch_bytes<T>()};
  }
  /// What the source chooses of its array comes first, the others behind it or nowhere. Returns how many are chosen.
  template <bool with_others, class Exec, class Source>
  static std::size_t compact_in_place(Exec const& exec, std::string const& label, Source const& source, std::size_t n,
                                      core::Memory const& memory) {
    Shared const work{.seconds  = seconds_alone(n, sizeof(core::ElementOf<decltype(source.from)>)),
                      .parts    = n / least_to_compact,
                      .launches = 3};
    auto const plan = in_place::Plan::of(n, workers_for(exec, work), with_others);
    return in_place::run<with_others>(source, plan, KokkosWorkers<Exec>(exec, label, plan.workers), memory.scratch);
  }

  /// Sorts by a comparison; values of any size are moved with their keys.
  static constexpr std::size_t merged_value_bytes_most = 64;
  template <class Exec, class Sort>
  static void merge_sort(Exec const& exec, std::string const& label, Sort const& sort) {
    core::merge_by_pieces(sort, merged_piece,
                          [&](std::size_t count, auto const& f) { for_each_index(exec, label, count, sort.n, f); });
  }

  template <class Exec, class Histogram>
  static core::Needs needs_of_histogram(Exec const& exec, Histogram const& histogram) {
    return {.scratch = std::max(histogram::Plan::of(histogram, 1).scratch_bytes(),
                                histogram::Plan::of(histogram, threads_for(exec)).scratch_bytes())};
  }
  template <class Exec, class Histogram>
  static void count(Exec const& exec, std::string const& label, Histogram const& histogram,
                    core::Memory const& memory) {
    Shared const work{.seconds = seconds_alone(histogram.n, 8), .parts = histogram.n / least_to_count, .launches = 2};
    auto const plan = histogram::Plan::of(histogram, workers_for(exec, work));
    histogram::run(histogram, plan, KokkosWorkers<Exec>(exec, label, plan.workers), memory.scratch);
  }

  /// Windows of lines, which are not empty.
  template <class Exec, class Scan>
  static core::Needs needs_of_windows(Exec const& exec, Scan const& scan) {
    return {.scratch = windows::Runner<Exec>(exec, {}).scratch_bytes(scan)};
  }
  template <class Exec, class Scan>
  static void scan_windows(Exec const& exec, std::string const& label, Scan const& scan, core::Memory const& memory) {
    windows::Runner<Exec>(exec, label).run(scan, static_cast<std::byte*>(memory.scratch));
  }

  template <class Exec, class Problem>
  static void run_empty(Exec const& exec, std::string const& label, Problem const& problem) {
    exec::KernelEvent const event(label, exec);
    core::put_empty_total(problem);
  }

 private:
  template <class Exec, class Choice, class Problem>
  static void scan(Exec const& exec, std::string const& label, Choice const& choice,
                   Plan<typename Problem::Value> const& plan, Problem const& problem, core::Memory const& memory) {
    using Grid = typename Plan<typename Problem::Value>::Grid;
    if (plan.grid == Grid::one_tile)
      return with_scanner<true>(choice, plan, problem, memory.scratch, [&](auto const& scanner) {
        exec::KernelEvent const event(label, exec);
        [[maybe_unused]] std::conditional_t<is_kernel<Problem>, exec::Turn, exec::NoTurn> const turn(exec);
        auto const through = scanner.scan_tile(0, {0, problem.n}, problem.start());
        problem.put_total(through);
      });
    KokkosWorkers<Exec> const workers(exec, label, plan.workers, is_kernel<Problem>);
    if constexpr (!std::is_same_v<Choice, core::Automatic>)
      if (plan.grid == Grid::hillis_steele) return hillis_steele::run(problem, workers, memory.scratch);
    with_scanner<false>(choice, plan, problem, memory.scratch, [&](auto const& scanner) {
      run_tiles<Choice>(plan, TiledScanBy(problem, plan.tiles, scanner), workers, memory.scratch);
    });
  }

  /// The total alone, by the operations of a scan in tiles.
  template <class Exec, class Choice, class Problem>
  static void reduce(Exec const& exec, std::string const& label, Choice const& choice,
                     Plan<typename Problem::Value> const& plan, Problem const& problem, core::Memory const& memory) {
    using Grid = typename Plan<typename Problem::Value>::Grid;
    if (plan.grid == Grid::one_tile)
      return with_scanner<true>(choice, plan, problem, memory.scratch, [&](auto const& scanner) {
        exec::KernelEvent const event(label, exec);
        problem.put_total(combine_tiles(problem, problem.start(), scanner.reduce_tile(0, {0, problem.n}).aggregate));
      });
    KokkosWorkers<Exec> const workers(exec, label, plan.workers);
    with_scanner<false>(choice, plan, problem, memory.scratch, [&](auto const& scanner) {
      reduction::run(problem, plan.tiles, scanner, workers, memory.scratch);
    });
  }

  template <class Sort, class Exec>
  static sort::Plan plan_of_sort(Exec const& exec, Sort const& sort, int workers) {
    return sort::Plan::of(sort, workers, streaming_from(exec.concurrency()));
  }

  /// What one worker needs for a segment.
  template <class Exec, class Sort>
  static std::size_t bytes_for_segments(Exec const& exec, Sort const& sort) {
    auto const plan = sort::Plan::of(sort, 1, streaming_from(exec.concurrency()));
    return core::round_up(plan.template scratch_bytes<Sort>(), line_bytes);
  }

  /// Whether a scan is a kernel to whoever calls, of which an instance runs one at a time.
  template <class Problem>
  static constexpr bool is_kernel = requires { requires Problem::Sink::takes_turns; };

  /// Calls f with the tile scanner of the plan.
  template <bool in_one_tile, class Choice, class Problem, class F>
  static void with_scanner(Choice const& choice, Plan<typename Problem::Value> const& plan, Problem const& problem,
                           void* scratch, F const& f) {
    constexpr bool is_open = std::is_same_v<Choice, core::Automatic>;
    if constexpr (is_reachable<Problem>(Scanner::simd, in_one_tile))
      if (plan.scanner == Scanner::simd) return f(KernelTile<Problem>{problem, plan.store});
    if constexpr (is_reachable<Problem>(Scanner::chain, in_one_tile))
      if (plan.scanner == Scanner::chain) return f(ChainTile<Problem>{problem, plan.store});
    if constexpr (core::is_recurrence<Problem>)
      if (plan.scanner == Scanner::recurrence) return f(RecurrenceTile<Problem>{problem});
    if constexpr (has_marks<Problem>)
      if (plan.scanner == Scanner::marked) {
        MarkedTile<Problem> const marked{problem, plan.behind_grid(scratch), plan.marks};
        marked.init(plan.workers);
        return f(marked);
      }
    if constexpr (!is_open)
      if (plan.scanner == Scanner::network)
        return block::with_network(choice.block, [&](auto network) {
          f(NetworkTile<decltype(network), Problem>{problem, plan.buffers(scratch), network_tile_length});
        });
    if constexpr (!is_open || is_reachable<Problem>(Scanner::serial, in_one_tile))
      return f(SerialTile<Problem>{problem});
    throw std::logic_error("KokkosScan: the plan names a tile scanner that is not compiled for this type");
  }

  template <class Choice, class Value, class Exec>
  static void run_tiles(Plan<Value> const& plan, TiledScan<Value> const& scan, KokkosWorkers<Exec> const& workers,
                        void* scratch) {
    using Grid = typename Plan<Value>::Grid;
    if constexpr (!std::is_same_v<Choice, core::Automatic>) {
      if (plan.grid == Grid::hierarchical) return hierarchical::run(scan, workers, scratch);
      if (plan.grid == Grid::lookback) return lookback::run(scan, workers, scratch);
    }
    run_automatic(plan.grid == Grid::shares, scan, workers, scratch);
  }
};

}  // namespace KokkosScan::host
