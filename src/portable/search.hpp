// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/searches.hpp"
#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "atomics.hpp"
#include "rows.hpp"
#include "team_reduce.hpp"

//  Levels of a search on devices: one team walks small ones alone, level after level; of large ones all threads follow
//  the frontier's edges, or look for the frontier from all other vertices
//  paper       Merrill, Garland, Grimshaw 2012 (edges of a frontier by their prefix sums), Beamer, Asanovic, Patterson
//              2012 (from the other vertices)
//  launches    1 for as many small levels as there are, one after the other; 1 for the edges of a large frontier
//              (rows.hpp), 2 for what looks for it
//  bytes       of a frontier's edges the columns, and a bit each of the vertices they lead to
//  steps       edges / threads, of a small level edges / 1024, and three barriers
//  progress    none: no team waits for another
namespace KokkosScan::portable::search {

/// Sets a vertex's bit. Whether it was this call that did.
KOKKOSSCAN_FUNCTION inline bool claim(core::VertexBits const& bits, std::size_t vertex) {
  std::uint32_t const bit = core::VertexBits::bit_of(vertex);
  return (Kokkos::atomic_fetch_or(&bits.word_of(vertex), bit) & bit) == 0;
}
/// Whether it is set, or may have been set meanwhile.
KOKKOSSCAN_FUNCTION inline bool is_claimed(core::VertexBits const& bits, std::size_t vertex) {
  return (portable::glimpse(&bits.word_of(vertex)) & core::VertexBits::bit_of(vertex)) != 0;
}

/// Small levels by one team: each round it takes as many vertices of the frontier as it has threads, scans their
/// degrees, and shares their edges out evenly. Ends with a frontier that is empty or large, or behind so many levels
/// that no kernel runs for long.
template <class Search>
struct Walk {
  using Vertex = typename Search::Vertex;

  /// A large team, since one level after the other waits for memory. Its frontiers have no more vertices, nor edges.
  static constexpr int team_size                   = 1024;
  static constexpr std::size_t most                = 16 * 1024;
  static constexpr std::size_t most_levels         = 4096;
  static constexpr int scratch_bytes_of_thread     = sizeof(std::size_t) + sizeof(std::uint32_t);
  static constexpr int other_scratch_bytes         = 64;
  static constexpr std::size_t most_of_other_queue = most;

  Search search;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    auto const& scratch = team.team_scratch(0);
    Chunk const chunk{static_cast<std::size_t*>(scratch.get_shmem_aligned(size * sizeof(std::size_t), 8)),
                      static_cast<std::uint32_t*>(scratch.get_shmem_aligned(size * sizeof(std::uint32_t), 4)),
                      static_cast<std::uint32_t*>(scratch.get_shmem_aligned(sizeof(std::uint32_t), 4))};
    core::SearchState const begun = *search.state;
    std::size_t frontier = begun.frontier, levels = 0, explored = 0;
    Vertex *here = search.queue, *next = search.other;
    if (frontier == 0 || frontier > most) return;
    std::size_t edges = 0;
    for (std::size_t i = rank; i < frontier; i += size) edges += search.graph.degree_of(here[i]);
    sum_of_team(team, edges);
    for (; frontier > 0 && frontier <= most && edges <= most && levels < most_levels; ++levels) {
      if (rank == 0) *chunk.found = 0;
      std::size_t next_edges = 0;
      for (std::size_t first = 0; first < frontier; first += size) {
        std::uint32_t const slots = lay_out(team, chunk, here, first, frontier);
        for (std::uint32_t slot = static_cast<std::uint32_t>(rank); slot < slots;
             slot += static_cast<std::uint32_t>(size))
          next_edges += follow(chunk, chunk.edge_of(slot, size), begun.level + levels + 1, next);
        team.team_barrier();
      }
      explored += edges;
      edges    = next_edges;
      frontier = *chunk.found;
      sum_of_team(team, edges);
      Vertex* const used = here;
      here               = next;
      next               = used;
    }
    if (here != search.queue)
      for (std::size_t i = rank; i < frontier; i += size) search.queue[i] = here[i];
    if (rank == 0) {
      search.state->frontier = frontier;
      search.state->level    = begun.level + levels;
      search.state->explored = begun.explored + explored;
    }
  }

 private:
  /// What the team shares of the vertices that it has taken: where the edges of each end among all of theirs, and where
  /// they begin, less those of the others before.
  struct Chunk {
    std::size_t* bases;
    std::uint32_t* ends;
    std::uint32_t* found;  // how many vertices the next frontier has

    KOKKOS_FUNCTION std::size_t edge_of(std::uint32_t slot, std::size_t size) const {
      std::size_t first = 0;
      for (std::size_t count = size; count > 0;) {
        std::size_t const half = count / 2;
        bool const is_before   = ends[first + half] <= slot;
        if (is_before) first += half + 1;
        count = is_before ? count - half - 1 : half;
      }
      return bases[first] + slot;
    }
  };

  /// Returns how many edges there are.
  template <class Member>
  KOKKOS_FUNCTION std::uint32_t lay_out(Member const& team, Chunk const& chunk, Vertex const* here, std::size_t first,
                                        std::size_t frontier) const {
    auto const rank     = static_cast<std::size_t>(team.team_rank());
    std::size_t begin   = 0;
    std::uint32_t edges = 0;
    if (first + rank < frontier) {
      std::size_t const vertex = here[first + rank];
      begin                    = search.graph.begin_of(vertex);
      edges                    = static_cast<std::uint32_t>(search.graph.degree_of(vertex));
    }
    std::uint32_t const before = team.team_scan(edges);
    chunk.ends[rank]           = before + edges;
    chunk.bases[rank]          = begin - before;
    team.team_barrier();
    return chunk.ends[team.team_size() - 1];
  }

  /// Returns how many edges the vertex has that is found, if one is.
  KOKKOS_FUNCTION std::size_t follow(Chunk const& chunk, std::size_t edge, std::size_t level, Vertex* next) const {
    std::size_t const target = search.graph.target(edge);
    if (!search.graph.is_vertex(target) || is_claimed(search.visited, target) || !claim(search.visited, target))
      return 0;
    search.put_level(target, level);
    next[portable::place_behind(chunk.found)] = static_cast<Vertex>(target);
    return search.graph.degree_of(target);
  }
};

/// An edge of a large frontier, as an item of the rows that slots are.
template <class Search>
struct Follow {
  Search search;

  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t slot) const {
    using Slot = typename Search::Slot;
    // Offsets that descend make bases of nothing, perhaps.
    std::size_t const edge = static_cast<Slot>(search.bases[row] + static_cast<Slot>(slot));
    if (edge >= search.graph.entries) return;
    std::size_t const target = search.graph.target(edge);
    if (!search.graph.is_vertex(target) || search.visited.at(target) || is_claimed(search.fresh, target)) return;
    if (claim(search.fresh, target)) search.put_level(target, search.state->level + 1);
  }
};

/// Looks for visited neighbours of each vertex that is not visited yet: any that there is is of the frontier, since
/// edges go both ways. After so many edges the others are left for a team, or for all.
template <class Search>
struct Seek {
  static constexpr std::size_t edges_at_once = 4, most_by_thread = 64, most_by_team = 32 * 1024;

  Search search;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const size      = static_cast<std::size_t>(team.team_size());
    std::size_t const by = static_cast<std::size_t>(team.league_size()) * size;
    std::size_t found    = 0;
    for (std::size_t vertex =
             static_cast<std::size_t>(team.league_rank()) * size + static_cast<std::size_t>(team.team_rank());
         vertex < search.graph.vertices(); vertex += by)
      if (!search.visited.at(vertex) && seek(vertex)) ++found;
    sum_of_team(team, found);
    if (team.team_rank() == 0 && found > 0) Kokkos::atomic_add(&search.state->found, found);
  }

 private:
  KOKKOS_FUNCTION bool seek(std::size_t vertex) const {
    std::size_t const begin = search.graph.begin_of(vertex), degree = search.graph.degree_of(vertex);
    std::size_t const count = degree < most_by_thread ? degree : most_by_thread;
    for (std::size_t k = 0; k < count; k += edges_at_once) {
      bool leads = false;
      for (std::size_t j = k; j < k + edges_at_once && j < count; ++j)
        leads = search.leads_to_visited(begin + j) || leads;
      if (!leads) continue;
      claim(search.fresh, vertex);
      search.put_level(vertex, search.state->level + 1);
      return true;
    }
    if (degree <= count) return false;
    using Vertex     = typename Search::Vertex;
    bool const alone = degree <= most_by_team;
    // The queue is not in use, and has room for all.
    if (alone)
      search.queue[portable::place_behind(&search.state->long_rows)] = static_cast<Vertex>(vertex);
    else
      search
          .queue[search.graph.vertices() - 1 - Kokkos::atomic_fetch_add(&search.state->longest_rows, std::size_t{1})] =
          static_cast<Vertex>(vertex);
    return false;
  }
};

/// The same for what is left: each team takes one vertex after the other, and a part of each of those that have more
/// edges than a team should look at.
template <class Search>
struct SeekFurther {
  static constexpr std::size_t edges_at_once = Seek<Search>::edges_at_once, first_edge = Seek<Search>::most_by_thread;

  Search search;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const teams  = static_cast<std::size_t>(team.league_size());
    auto const own    = static_cast<std::size_t>(team.league_rank());
    std::size_t found = 0;
    for (std::size_t i = own; i < search.state->long_rows; i += teams) found += seek(team, search.queue[i], 0, 1);
    for (std::size_t i = 0; i < search.state->longest_rows; ++i)
      found += seek(team, search.queue[search.graph.vertices() - 1 - i], own, teams);
    if (team.team_rank() == 0 && found > 0) Kokkos::atomic_add(&search.state->found, found);
  }

 private:
  /// Parts of the edges, one for each of so many teams in turn. Returns 1 if it is found, and by this team.
  template <class Member>
  KOKKOS_FUNCTION std::size_t seek(Member const& team, std::size_t vertex, std::size_t part, std::size_t teams) const {
    std::size_t const begin = search.graph.begin_of(vertex) + first_edge,
                      end   = search.graph.begin_of(vertex) + search.graph.degree_of(vertex);
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    std::size_t const at_once = edges_at_once * size;
    for (std::size_t first = begin + part * at_once; first < end; first += teams * at_once) {
      enum { nothing, by_others, by_this };
      int seen = teams > 1 && is_claimed(search.fresh, vertex) ? by_others : nothing;
      for (std::size_t edge = first + rank; edge < first + at_once && edge < end; edge += size)
        if (search.leads_to_visited(edge)) seen = by_this;
      most_of_team(team, seen);
      if (seen == by_this) return team.team_rank() == 0 && take(vertex) ? 1 : 0;
      if (seen == by_others) return 0;
    }
    return 0;
  }
  KOKKOS_FUNCTION bool take(std::size_t vertex) const {
    if (!claim(search.fresh, vertex)) return false;
    search.put_level(vertex, search.state->level + 1);
    return true;
  }
};

/// The launches, on a search whose source is begun.
template <class Exec, class Search>
class Steps {
 public:
  Steps(Exec const& exec, std::string const& label) : exec_(exec), label_(label) {}

  static std::size_t most_of_other_queue() { return Walk<Search>::most; }
  /// Whether one team would go on with a frontier.
  static bool is_small(core::SearchState const& state) {
    return state.frontier <= Walk<Search>::most && state.edges <= Walk<Search>::most;
  }

  void walk(Search const& search) const {
    constexpr int size = is_on_host ? 1 : Walk<Search>::team_size;
    using Policy       = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<static_cast<unsigned>(size), 1>>;
    Policy policy(exec_, 1, size);
    constexpr int bytes = size * Walk<Search>::scratch_bytes_of_thread + Walk<Search>::other_scratch_bytes;
    exec::dispatch(label_, exec_, policy.set_scratch_size(0, Kokkos::PerTeam(bytes)), Walk<Search>{search});
  }
  void follow(Search const& search, std::size_t frontier) const {
    using Slots = core::Contiguous<typename Search::Slot const>;
    portable::rows::for_each(exec_, label_, core::Rows<Slots>{{search.slots}, frontier}, Follow<Search>{search});
  }
  void seek(Search const& search) const {
    launch(Seek<Search>{search}, search.graph.vertices());
    launch(SeekFurther<Search>{search}, search.graph.vertices());
  }

 private:
  static constexpr bool is_on_host = exec::is_on_host<Exec>;
  static constexpr int team_size   = is_on_host ? 1 : 256;

  template <class Functor>
  void launch(Functor const& functor, std::size_t vertices) const {
    using Policy            = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<static_cast<unsigned>(team_size), 1>>;
    std::size_t const teams = static_cast<std::size_t>(rows::teams_for(exec_, team_size));
    std::size_t const most  = (vertices + team_size - 1) / team_size;
    exec::dispatch(label_, exec_, Policy(exec_, static_cast<int>(most < teams ? most : teams), team_size), functor);
  }

  Exec const& exec_;
  std::string const& label_;
};

}  // namespace KokkosScan::portable::search
