// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/compaction.hpp"
#include "path_rounds.hpp"
#include "rows.hpp"
#include "sort_arrays.hpp"

//  Shortest paths from one vertex, by thresholds that move (delta-stepping)
//  paper       Meyer, Sanders 2003; two piles, near and far, instead of buckets: Davidson, Baxter, Garland, Owens 2014
//  launches    a round of many vertices: where their edges begin (a scan), the edges (for_each_slot), and who is near
//              now (a compaction), and where the threshold moves a reduction and a compaction more; of few vertices one
//              launch for all rounds until there are many again; and 2 to begin and to end
//  waits       for 56 or 64 bytes, behind each launch of few, each reduction and each list of who is near
//  bytes       a round of many: the columns and weights of the edges, a key for each, and two keys of every vertex
//  memory      for each vertex two keys and a number, and three numbers, or else an offset, a shift and a key; on hosts
//              both
//  steps       no more rounds below a threshold than there are vertices, since edges of no weight lead to no less
//
// Which vertices are near depends on who came first; the distances do not (path_keys.hpp).
namespace KokkosScan::driver {

/// Few vertices are relaxed by one team, or one thread of a host, while others wait.
template <class ExecOrHandle>
PathLimits path_limits([[maybe_unused]] ExecOrHandle const& exec_or_handle, [[maybe_unused]] std::size_t vertices,
                       [[maybe_unused]] std::size_t edges) {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
    // A round of many is worth two launches.
    bool const is_alone = host::threads_for(driver::instance(exec_or_handle)) == 1;
    return {is_alone ? any : std::size_t{65536} * vertices / (edges + 1) + 256, any, any, any};
  } else {
    return {4096, 32768, 24576, std::size_t{1} << 16};
  }
}

template <class ExecOrHandle, class Graph, class Keys>
class PathSearch {
  using Exec   = InstanceOf<ExecOrHandle>;
  using Space  = typename Exec::memory_space;
  using Key    = typename Keys::Key;
  using Vertex = typename Graph::Vertex;
  using State  = PathState<Key, Vertex>;
  using Rounds = PathRounds<Graph, Keys>;
  using Choose = core::Chooses<WaitsWithin<Key>>;
  using Write  = core::WriteIndex<core::Contiguous<Vertex>>;

  static constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max() / 4;
  static constexpr bool at_once       = runs_at_once<typename BackendFor<ExecOrHandle>::type>;

 public:
  PathSearch(std::string const& label, ExecOrHandle const& exec, Graph const& graph)
      : label_(label),
        exec_(exec),
        graph_(graph),
        limits_(path_limits(exec, graph.vertices(), graph.edges())),
        parts_(most_needs()) {
    std::size_t const n = graph.vertices();
    state_              = parts_.template add<State>(1);
    keys_               = parts_.template add<Key>(n);
    relaxed_            = parts_.template add<Key>(n);
    near_               = parts_.template add<Vertex>(n);
    // On a device lists are made anew behind a round of many.
    core::Needs const before = parts_.needs();
    other_near_              = parts_.template add<Vertex>(n);
    far_                     = parts_.template add<Vertex>(n);
    other_far_               = parts_.template add<Vertex>(n);
    Parts rows(at_once ? parts_.needs() : before);
    row_offsets_ = rows.template add<std::size_t>(n + 1);
    row_shifts_  = rows.template add<std::size_t>(n);
    row_keys_    = rows.template add<Key>(n);
    needs_       = rows.needs().scratch > parts_.needs().scratch ? rows.needs() : parts_.needs();
  }

  core::Needs const& needs() const { return needs_; }

  /// A width of 0 is still to be chosen.
  template <class Distances>
  void run(core::Memory const& memory, std::size_t source, double width, Distances const& distances) const {
    auto const arrays   = arrays_in(memory);
    std::size_t const n = graph_.vertices();
    driver::for_each_index(label_, exec_, n, n, StartPaths<Key, Vertex>{arrays, Keys::unreached, source});
    State now{};
    now.threshold = 1;
    now.near      = 1;
    now.width = now.least_width = width;
    if constexpr (at_once)
      search_on_host(memory, arrays, now);
    else
      search(memory, arrays, now);
    driver::for_each_index(label_, exec_, n, n, PutPaths<Keys, Distances>{arrays.keys, distances});
  }

 private:
  auto waiting(PathArrays<Key, Vertex> const& arrays, Key low, Key high, Vertex* to, Vertex* count) const {
    using Source = core::FromIndex<Vertex, Choose>;
    using Sink   = core::ToChosen<Vertex, Write>;
    return core::Problem<Vertex, Source, Sum, Sink>{Source{{{arrays.keys, arrays.relaxed, low, high}}},
                                                    Sink{Write{{{to}, graph_.vertices()}}},
                                                    graph_.vertices(),
                                                    {},
                                                    core::Maybe<Vertex>(Vertex{0}),
                                                    count};
  }
  auto rows_of(PathArrays<Key, Vertex> const& arrays, RoundRows<Key> const& rows, State const& now) const {
    using Source             = DegreesOfNear<Graph>;
    using Sink               = PutRoundRows<Graph, Key>;
    Vertex const* const near = arrays.near(now.near_side);
    std::size_t const count  = now.near;
    return core::Problem<std::size_t, Source, Sum, Sink>{Source{graph_, near},
                                                         Sink{graph_, arrays, near, rows, count},
                                                         count,
                                                         {},
                                                         core::Maybe<std::size_t>(std::size_t{0}),
                                                         nullptr};
  }
  core::Needs most_needs() const {
    State all{};
    all.near                   = static_cast<Vertex>(graph_.vertices());
    core::Needs const of_lists = driver::plan(exec_, waiting({}, 0, 0, nullptr, nullptr)).needs;
    core::Needs const of_rows  = driver::plan(exec_, rows_of({}, {}, all)).needs;
    // Of fewer rows, too.
    core::Needs const most = BackendFor<ExecOrHandle>::type::template needs<std::size_t>(
        driver::instance(exec_), driver::choice(exec_), graph_.vertices());
    return {.scratch = std::max({of_lists.scratch, of_rows.scratch, most.scratch}),
            .states  = std::max({of_lists.states, of_rows.states, most.states})};
  }
  PathArrays<Key, Vertex> arrays_in(core::Memory const& memory) const {
    return {Parts::at<Key>(memory, keys_),
            Parts::at<Key>(memory, relaxed_),
            {Parts::at<Vertex>(memory, near_), Parts::at<Vertex>(memory, other_near_)},
            {Parts::at<Vertex>(memory, far_), Parts::at<Vertex>(memory, other_far_)},
            Parts::at<State>(memory, state_)};
  }

  void read(PathArrays<Key, Vertex> const& arrays, State& now) const {
    driver::copy_to_host(label_, exec_, static_cast<State const*>(arrays.state), now);
  }
  /// Lists those that wait, in the first of two arrays.
  void list(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, Key low, Key high, Vertex* to,
            Vertex* count) const {
    auto const problem = waiting(arrays, low, high, to, count);
    driver::run_in(memory, label_, exec_, driver::plan(exec_, problem), problem);
  }
  void list_near(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    list(memory, arrays, 0, now.threshold, arrays.near(0), &arrays.state->near);
    State read_back{};
    read(arrays, read_back);
    now.near      = read_back.near;
    now.near_side = 0;
  }
  void list_far(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    list(memory, arrays, now.threshold, Keys::unreached, arrays.far(0), &arrays.state->far);
    now.far_side = 0;
  }

  /// As many rounds as there are of few vertices.
  void relax_few(PathArrays<Key, Vertex> const& arrays, State& now) const {
    Rounds const rounds{graph_, arrays, now, limits_};
    if constexpr (at_once) {
      driver::for_each_index(label_, exec_, 1, 1, RoundsOfThread<Rounds>{rounds});
    } else {
      using Policy   = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;
      using Team     = PathTeam<typename Policy::member_type, Key, Vertex>;
      int const size = exec::is_on_host<Exec> ? 1 : 1024;
      Policy policy(driver::instance(exec_), 1, size);
      driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
        exec::dispatch(shown, driver::instance(exec_),
                       policy.set_scratch_size(0, Kokkos::PerTeam(Team::scratch_bytes(static_cast<std::size_t>(size)))),
                       RoundsOfTeam<Rounds>{rounds});
      });
    }
    read(arrays, now);
  }

  /// Lists are what they were before, since the host reads them.
  void search_on_host(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    while (true) {
      relax_few(arrays, now);
      if (now.stop == PathStop::done) return;
      while (now.near > limits_.near) {
        auto const rows    = rows_of_round(memory, arrays, now);
        arrays.state->near = 0;
        driver::run_rows(label_, exec_, rows.first, no_end,
                         RelaxAndList<Rounds>{{graph_, arrays, now, limits_}, rows.second});
        now.near = arrays.state->near;
        now.near_side ^= 1U;
      }
    }
  }

  void search(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    // How many are few: they may have more edges than a team takes on.
    std::size_t most = limits_.near;
    for (bool few = true, lists_far = true;; few = now.near <= most) {
      if (few) {
        if (!std::exchange(lists_far, true)) list_far(memory, arrays, now);
        relax_few(arrays, now);
        if (now.stop == PathStop::done) break;
        if (now.stop == PathStop::rounds) {
          most = limits_.near;
          continue;
        }
        bool const too_much = now.stop == PathStop::many && now.near <= limits_.near;
        most                = too_much ? std::max<std::size_t>(1, most / 2) : std::min(limits_.near, 2 * most + 1);
        now.near            = 0;
        if (now.stop == PathStop::many) list_near(memory, arrays, now);
      }
      if (now.near > 0) {
        relax_all(memory, arrays, now);
        list_near(memory, arrays, now);
      }
      lists_far = false;
      if (now.near == 0 && !move_threshold(memory, arrays, now)) break;
    }
  }

  /// The rows of a round of all that are near, however many.
  auto rows_of_round(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    RoundRows<Key> const rows{Parts::at<std::size_t>(memory, row_offsets_), Parts::at<std::size_t>(memory, row_shifts_),
                              Parts::at<Key>(memory, row_keys_)};
    auto const scan = rows_of(arrays, rows, now);
    driver::run_in(memory, label_, exec_, driver::plan(exec_, scan), scan);
    double const degree = static_cast<double>(graph_.edges()) / static_cast<double>(graph_.vertices());
    now.work += static_cast<double>(now.near) * (1 + degree);
    using Offsets = Kokkos::View<std::size_t const*, Space, Kokkos::MemoryUnmanaged>;
    return std::pair(Offsets(rows.offsets, now.near + 1), rows);
  }
  void relax_all(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    auto const rows = rows_of_round(memory, arrays, now);
    driver::run_rows(label_, exec_, rows.first, no_end, RelaxItem<Graph, Keys>{graph_, arrays.keys, rows.second});
  }

  /// From the smallest key of any vertex that waits. Returns whether there is one.
  bool move_threshold(core::Memory const& memory, PathArrays<Key, Vertex> const& arrays, State& now) const {
    Key const least = least_key(arrays);
    if (least >= Keys::unreached) return false;
    now.width     = Rounds::widened(now.width, now.least_width, now.work, static_cast<double>(graph_.vertices()));
    now.threshold = Keys::later(least, now.width);
    now.work      = 0;
    list_near(memory, arrays, now);
    return true;
  }
  Key least_key(PathArrays<Key, Vertex> const& arrays) const {
    std::size_t const n = graph_.vertices();
    LeastWaiting<Key> const waiting{arrays.keys, arrays.relaxed};
    Key least = Keys::unreached;
    driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
      using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_reduce(shown, Indices(driver::instance(exec_), 0, n), waiting, Kokkos::Min<Key>(least));
    });
    return least;
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Graph graph_;
  PathLimits limits_;
  Parts parts_;
  core::Needs needs_;
  std::size_t state_, keys_, relaxed_, near_;
  std::size_t other_near_, far_, other_far_, row_offsets_, row_shifts_, row_keys_;
};

}  // namespace KokkosScan::driver
