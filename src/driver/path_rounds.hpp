// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "path_workers.hpp"

// Rounds of few vertices, as many as it takes, without the host: by one team of a device, or one thread of a host. Long
// chains have a round for each vertex, and grids thousands, none of which is worth a launch.
namespace KokkosScan::driver {

/// From where on vertices or edges are too many for one team, and others had better help.
struct PathLimits {
  std::size_t near, far, slots, rounds;
};

template <class Graph, class Keys>
struct PathRounds {
  using Key    = typename Keys::Key;
  using Vertex = typename Graph::Vertex;
  using State  = PathState<Key, Vertex>;

  Graph graph;
  PathArrays<Key, Vertex> arrays;
  State from;  // all but how many are far, which stands in memory
  PathLimits limits;

  /// On from where the search is, until there are too many vertices or it is done.
  template <class Workers>
  KOKKOS_FUNCTION void run(Workers& workers) const {
    State now  = from;
    now.far    = arrays.state->far;
    now.rounds = 0;
    if (now.width == 0) now.width = now.least_width = first_width(workers);
    while (true) {
      if constexpr (!Workers::is_alone) leave_to_one(workers, now);
      if (now.near == 0 && !move_threshold(workers, now)) break;
      if (now.near > limits.near || !relax_near(workers, now)) {
        now.stop = PathStop::many;
        break;
      }
      // Too many that are near are no reason to stop here: the next turn stops for that, and lists are made anew then.
      if (++now.rounds >= limits.rounds && now.near <= limits.near) {
        now.stop = PathStop::rounds;
        break;
      }
    }
    workers.wait();
    if (workers.rank() == 0) *arrays.state = now;
  }

 private:
  /// Rounds of so few vertices and edges, as along a chain, that one thread is done before a team has met.
  template <class Workers>
  KOKKOS_FUNCTION void leave_to_one(Workers& workers, State& now) const {
    constexpr std::size_t few = 4, few_edges = 32;
    auto const is_for_one = [&] { return now.near > 0 ? now.near <= few : now.far > 0 && now.far <= few; };
    if (!is_for_one()) return;
    workers.wait();
    if (workers.rank() == 0) {
      PathThread<Key, Vertex> thread;
      for (; is_for_one() && now.rounds < limits.rounds; ++now.rounds) {
        if (now.near == 0 && !move_threshold(thread, now)) break;
        std::size_t edges = 0;
        for (std::size_t i = 0; i < now.near; ++i) edges += graph.graph.degree_of(arrays.near(now.near_side)[i]);
        if (edges > few_edges) break;
        relax_near(thread, now);
      }
      *arrays.state = now;
    }
    workers.wait();
    now = *arrays.state;
  }

  /// The mean weight, over how many edges a vertex has that a path comes to: the geometric mean of the mean number of
  /// edges and of the mean number where an edge leads, which hubs make large. All that a sample of the edges tells;
  /// where weights are 0, one threshold is behind all.
  template <class Workers>
  KOKKOS_FUNCTION double first_width(Workers& workers) const {
    constexpr std::size_t most = 1024;
    std::size_t const begin = graph.graph.begin_of(0), end = graph.graph.begin_of(graph.vertices());
    std::size_t const edges = end > begin ? end - begin : 0, samples = edges < most ? edges : most;
    double sum = 0, count = 0, ahead = 0;
    for (std::size_t i = workers.rank(); i < samples; i += workers.size()) {
      std::size_t const edge = begin + i * (edges / samples), to = graph.graph.target(edge);
      auto const weight   = graph.weights[edge];
      double const number = static_cast<double>(weight);
      if (!is_path_weight(weight) || !(number <= Kokkos::Experimental::finite_max_v<double>) || to >= graph.vertices())
        continue;
      sum += number;
      count += 1;
      ahead += static_cast<double>(graph.graph.degree_of(to));
    }
    sum                 = workers.sum(sum);
    count               = workers.sum(count);
    ahead               = workers.sum(ahead);
    double const mean   = static_cast<double>(edges) / static_cast<double>(graph.vertices());
    double const degree = Kokkos::sqrt(mean * ahead / count);
    double const width  = sum / count * width_by_degree / (degree > 1 ? degree : 1);
    return width > 0 ? width : Kokkos::Experimental::finite_max_v<double>;
  }
  /// As few edges are relaxed twice as rounds are worth (docs/decisions/paths.md).
  static constexpr double width_by_degree = 12;

  /// From the smallest key that is far. Returns whether there is any and the list is short enough.
  template <class Workers>
  KOKKOS_FUNCTION bool move_threshold(Workers& workers, State& now) const {
    now.stop = now.far == 0 ? PathStop::done : PathStop::bucket;
    if (now.far == 0 || now.far > limits.far) return false;
    Vertex const* const far = arrays.far(now.far_side);
    Key least               = Keys::unreached;
    for (std::size_t i = workers.rank(); i < now.far; i += workers.size()) {
      Key const key = arrays.keys[far[i]];
      if (key >= now.threshold && key < least) least = key;  // others have been near since
    }
    least = workers.least(least);
    if (least == Keys::unreached) {
      now.far  = 0;
      now.stop = PathStop::done;
      return false;
    }
    now.width           = widened(now.width, now.least_width, now.work, static_cast<double>(now.far));
    Key const threshold = Keys::later(least, now.width);
    Vertex* const near  = arrays.near(now.near_side);
    Vertex* const stay  = arrays.far(now.far_side ^ 1U);
    workers.count_from(0, 0);
    for (std::size_t i = workers.rank(); i < now.far; i += workers.size()) {
      Vertex const vertex = far[i];
      Key const key       = arrays.keys[vertex];
      if (key < now.threshold) continue;
      if (key < threshold)
        near[workers.place_near()] = vertex;
      else
        stay[workers.place_far()] = vertex;
    }
    workers.counted(now.near, now.far);
    now.threshold = threshold;
    now.far_side ^= 1U;
    now.work = 0;
    return true;
  }

 public:
  /// Relaxes an edge, and lists where it leads to. A vertex that waits near is on a list already, and so is one that
  /// was reached and is far.
  template <class Workers>
  KOKKOS_FUNCTION void relax(Workers& workers, State const& now, std::size_t edge, Key before) const {
    std::size_t const to = graph.graph.target(edge);
    if (to >= graph.vertices()) return;
    Key const key = Keys::behind(before, graph.weights[edge]);
    Key const old = workers.lower(&arrays.keys[to], key);
    if (key >= old) return;
    if (key >= now.threshold) {
      if (old == Keys::unreached) arrays.far(now.far_side)[workers.place_far()] = static_cast<Vertex>(to);
    } else if (old >= now.threshold || old >= arrays.relaxed[to]) {
      arrays.near(now.near_side ^ 1U)[workers.place_near()] = static_cast<Vertex>(to);
    }
  }

  /// Thresholds are moved farther while it takes longer to look through the vertices that are far than to relax edges,
  /// as of a chain beside a star: else each threshold could cost as much as all edges.
  KOKKOS_FUNCTION static double widened(double width, double least, double work, double far) {
    if (4 * work < far) return 2 * width;
    return work > 64 * far && width > 2 * least ? width / 2 : width;
  }

 private:
  /// Relaxes all that are near. Returns false where that is too much; some may have been relaxed then.
  template <class Workers>
  KOKKOS_FUNCTION bool relax_near(Workers& workers, State& now) const {
    workers.count_from(0, now.far);
    if constexpr (Workers::is_alone) {
      Vertex const* const near = arrays.near(now.near_side);
      for (std::size_t i = 0; i < now.near; ++i) {
        std::size_t const vertex = near[i], begin = graph.graph.begin_of(vertex),
                          degree = graph.graph.degree_of(vertex);
        Key const key            = arrays.keys[vertex];
        arrays.relaxed[vertex]   = key;
        for (std::size_t k = 0; k < degree; ++k) relax(workers, now, begin + k, key);
        now.work += static_cast<double>(degree + 1);
      }
    } else if (!relax_by_team(workers, now)) {
      return false;
    }
    workers.counted(now.near, now.far);
    now.near_side ^= 1U;
    return true;
  }
  /// A vertex to a thread, and then an edge to a thread.
  template <class Workers>
  KOKKOS_FUNCTION bool relax_by_team(Workers& workers, State& now) const {
    Vertex const* const near = arrays.near(now.near_side);
    std::size_t left         = limits.slots;
    for (std::size_t begin = 0; begin < now.near; begin += workers.size()) {
      bool const has_one       = begin + workers.rank() < now.near;
      std::size_t const vertex = has_one ? near[begin + workers.rank()] : 0;
      std::size_t const degree = has_one ? graph.graph.degree_of(vertex) : 0;
      Key const key            = has_one ? Kokkos::atomic_load(&arrays.keys[vertex]) : 0;
      std::uint32_t const all =
          workers.take(has_one ? graph.graph.begin_of(vertex) : 0,
                       static_cast<std::uint32_t>(degree <= limits.slots ? degree : limits.slots + 1), key);
      if (all > left) return false;
      left -= all;
      if (has_one) arrays.relaxed[vertex] = key;
      workers.wait();
      auto const size = static_cast<std::uint32_t>(workers.size());
      for (auto slot = static_cast<std::uint32_t>(workers.rank()); slot < all; slot += size) {
        std::uint32_t const owner = workers.owner(slot);
        relax(workers, now, workers.edge(owner, slot), workers.key(owner));
      }
      workers.wait();
    }
    now.work += static_cast<double>(limits.slots - left + now.near);
    return true;
  }
};

/// An edge of a round of many on a host, where lists go on from round to round.
template <class Rounds>
struct RelaxAndList {
  using Key = typename Rounds::Key;

  Rounds rounds;
  RoundRows<Key> rows;

  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t item) const {
    std::size_t const edge = rows.shifts[row] + item;
    PathThreads<Key, typename Rounds::Vertex> workers(rounds.arrays.state);
    if (edge < rounds.graph.edges()) rounds.relax(workers, rounds.from, edge, rows.keys[row]);
  }
};

/// By a thread of a host, as the only index of a loop.
template <class Rounds>
struct RoundsOfThread {
  Rounds rounds;
  KOKKOS_FUNCTION void operator()(std::size_t) const {
    PathThread<typename Rounds::Key, typename Rounds::Vertex> workers;
    rounds.run(workers);
  }
};
/// By the only team of a league.
template <class Rounds>
struct RoundsOfTeam {
  Rounds rounds;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    PathTeam<Member, typename Rounds::Key, typename Rounds::Vertex> workers(team);
    rounds.run(workers);
  }
};

}  // namespace KokkosScan::driver
