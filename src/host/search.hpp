// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../core/rows.hpp"
#include "../core/searches.hpp"
#include "graphs.hpp"
#include "launch.hpp"
#include "rows.hpp"
#include "workers.hpp"

//  Levels of a search on hosts: the calling thread walks small ones alone, since to wake others takes longer; of large
//  ones workers follow shares of the frontier's edges, or look for the frontier from all other vertices
//  paper       Beamer, Asanovic, Patterson 2012
//  launches    1 for each large level; none behind one of which the edges, followed, reach the last vertex
//  bytes       of a frontier's edges the columns, and a bit each of the vertices they lead to
//  steps       edges / workers
//  progress    none: no worker waits for another
namespace KokkosScan::host::search {

/// Up to how many vertices of a frontier, and edges, the calling thread follows alone.
struct Small {
  std::size_t vertices = 4 * 1024, edges = 32 * 1024;
};

/// Levels by the calling thread, as long as they are small; so many of them, whatever their size, at least. To add up
/// degrees takes a while, too: where vertices have few edges their number says enough. What a level finds is queued
/// behind it, and what is walked stays there: it has a place for each vertex, and each is found once.
template <class Search, class Offsets>
void walk(Search& search, Offsets offsets, Small const& small, std::size_t levels_at_least) {
  using Vertex              = typename Search::Vertex;
  constexpr std::size_t few = 8;
  Search const own          = search;
  Vertex* const queue       = own.queue;
  std::size_t first = 0, behind = own.state->frontier, level = own.state->level, explored = 0;
  std::size_t const reached = own.state->reached - behind, least = level + levels_at_least;
  bool adds_up = small.edges < own.graph.entries;
  while (first < behind && (level < least || behind - first <= small.vertices)) {
    if (adds_up && level >= least) {
      std::size_t edges = 0;
      for (std::size_t i = first; i < behind; ++i) edges += own.graph.degree_of(queue[i]);
      if (edges > small.edges) break;
    }
    ++level;
    std::size_t const last = behind;
    std::size_t edges      = 0;
    for (std::size_t i = first; i < last; ++i) {
      std::size_t begin, end;
      host::find_edges(own.graph, offsets, queue[i], begin, end);
      for (std::size_t edge = begin; edge < end; ++edge) {
        std::size_t const target = own.graph.target(edge);
        if (!own.graph.is_vertex(target) || own.levels[target] >= 0) continue;
        queue[behind++] = static_cast<Vertex>(target);
        asm volatile("" ::: "memory");  // the next level waits for what is queued, so that is not put off
        own.put_level(target, level);
      }
      if (end > begin) edges += end - begin;
    }
    adds_up = small.edges < own.graph.entries && edges > few * (last - first);
    explored += edges;
    first = reached + behind < own.graph.vertices() ? last : behind;
  }
  own.state->frontier = behind - first;
  own.state->level    = level;
  own.state->reached  = reached + behind;
  own.state->explored += explored;
  search.queue = queue + first;
}
/// Offsets side by side are found without a multiplication. A chain's levels are a queue's at best: each load waits for
/// the one before, so that one operation more among them costs 5 %.
template <class Search>
void walk(Search& search, Small const& small, std::size_t levels_at_least) {
  using Integer       = typename decltype(search.graph.offsets)::Integer;
  auto const& offsets = search.graph.offsets.offsets;
  if (offsets.stride == 1)
    search::walk(search, core::Contiguous<Integer const>{offsets.data}, small, levels_at_least);
  else
    search::walk(search, offsets, small, levels_at_least);
}

/// The share of a large frontier's edges that a worker follows. What it finds it keeps, and hands on some at once.
template <class Search>
class Follower {
  using Vertex = typename Search::Vertex;

 public:
  Follower(Search const& search, std::size_t& found)
      : search_(search), level_(static_cast<typename Search::Level>(search.state->level + 1)), all_(found) {}

  /// Edges of the queue, from one slot up to another, that a vertex of it has.
  void operator()(std::size_t vertex, std::size_t begin, std::size_t end) {
    using Slot              = typename Search::Slot;
    std::size_t const first = static_cast<Slot>(search_.bases[vertex] + static_cast<Slot>(begin));
    // Offsets that descend make bases of nothing, perhaps.
    std::size_t const room = first < search_.graph.entries ? search_.graph.entries - first : 0;
    for (std::size_t k = 0; k < std::min(end - begin, room); ++k) look(search_.graph.target(first + k));
  }
  void hand_on() {
    std::size_t const place = Kokkos::atomic_fetch_add(&all_, size_);
    std::copy(kept_, kept_ + size_, search_.other + place);
    size_ = 0;
  }

 private:
  void look(std::size_t target) {
    using Level = typename Search::Level;
    if (!search_.graph.is_vertex(target)) return;
    Level* const level = &search_.levels[target];
    if (Kokkos::atomic_load(level) >= 0 || Kokkos::atomic_compare_exchange(level, Level{-1}, level_) >= 0) return;
    kept_[size_++] = static_cast<Vertex>(target);
    if (size_ == most) hand_on();
  }

  static constexpr std::size_t most = 256;

  Search search_;
  typename Search::Level level_;
  std::size_t& all_;  // how many vertices are in the other queue
  Vertex kept_[most];
  std::size_t size_ = 0;
};

/// The launches, on a search whose source is begun.
template <class Exec, class Search>
class Steps {
 public:
  Steps(Exec const& exec, std::string const& label) : exec_(exec), label_(label), threads_(threads_for(exec)) {}

  static std::size_t most_of_other_queue() { return static_cast<std::size_t>(-1); }
  static bool is_small(core::SearchState const&) { return false; }

  /// Small levels; all that there are, if this thread is alone and need not ask how large they are.
  void walk(Search& search, bool asks) const {
    Small const all{static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)};
    in_turn([&] { search::walk(search, asks || !is_alone() ? Small{} : all, 0); });
  }
  /// One thread follows no share of edges.
  bool is_alone() const { return threads_ == 1; }
  void walk_large(Search& search) const {
    in_turn([&] { search::walk(search, Small{}, 1); });
  }

  /// The queue's edges, of which slots say where they are.
  void follow(Search& search) const {
    using Slots              = core::Contiguous<typename Search::Slot const>;
    core::SearchState& state = *search.state;
    std::size_t found        = 0;
    rows::for_each_share(exec_, label_, core::Rows<Slots>{{search.slots}, state.frontier},
                         [&](auto const& order, std::size_t begin, std::size_t end) {
                           Follower<Search> follower(search, found);
                           auto const follow = [&](std::size_t row, std::size_t first, std::size_t behind) {
                             follower(row, first, behind);
                           };
                           rows::walk_spans(order, follow, begin, end);
                           follower.hand_on();
                         });
    state.reached += found;
    state.frontier = state.reached < search.graph.vertices() ? found : 0;
    state.explored += state.edges;
    ++state.level;
    std::swap(search.queue, search.other);
  }

  /// Bits of all that have levels.
  void mark_visited(Search const& search) const {
    int const size          = workers_for_loop(exec_, search.graph.vertices(), search.words());
    std::size_t const share = (search.words() + static_cast<std::size_t>(size) - 1) / static_cast<std::size_t>(size);
    launch(KokkosWorkers<Exec>(exec_, label_, size), [&](int worker, Failure const&) {
      std::size_t const begin = static_cast<std::size_t>(worker) * share;
      for (std::size_t word = begin; word < std::min(begin + share, search.words()); ++word) {
        std::size_t const first = word * core::VertexBits::of_word;
        std::uint32_t bits      = 0;
        for (std::size_t v = first; v < std::min(first + core::VertexBits::of_word, search.graph.vertices()); ++v)
          bits |= search.levels[v] >= 0 ? core::VertexBits::bit_of(v) : 0;
        search.visited.words[word] = bits;
      }
    });
  }
  /// Looks for visited neighbours of all vertices that are not: some words of them after the other, whoever has time.
  void seek(Search const& search) const {
    std::atomic<std::size_t> next = 0;
    std::size_t found             = 0;
    int const size                = workers_for_loop(exec_, search.graph.vertices(), search.words());
    launch(KokkosWorkers<Exec>(exec_, label_, size), [&](int, Failure const&) {
      std::size_t own = 0;
      for (std::size_t begin = 0; (begin = next.fetch_add(words_at_once)) < search.words();)
        for (std::size_t word = begin; word < std::min(begin + words_at_once, search.words()); ++word)
          own += seek_in(search, word);
      Kokkos::atomic_add(&found, own);
    });
    search.state->found = found;
    search.state->reached += found;
  }

 private:
  static constexpr std::size_t words_at_once = 32;

  template <class F>
  void in_turn(F const& f) const {
    KokkosWorkers<Exec>(exec_, label_, 1).run([&](int) { f(); });
  }

  /// Returns how many it has found.
  static std::size_t seek_in(Search const& search, std::size_t word) {
    auto const& graph         = search.graph;
    std::size_t const first   = word * core::VertexBits::of_word;
    std::size_t const of_word = std::min(core::VertexBits::of_word, graph.vertices() - first);
    std::uint32_t found       = 0;
    for (std::uint32_t others = ~search.visited.words[word] & (~std::uint32_t{0} >> (32 - of_word)); others != 0;
         others &= others - 1) {
      std::size_t const vertex = first + static_cast<std::size_t>(std::countr_zero(others));
      std::size_t const end    = graph.end_of(vertex);
      std::size_t edge         = graph.begin_of(vertex);
      while (edge < end && !search.leads_to_visited(edge)) ++edge;
      if (edge >= end) continue;
      found |= core::VertexBits::bit_of(vertex);
      search.put_level(vertex, search.state->level + 1);
    }
    search.fresh.words[word] = found;
    return core::count_of_ones(found);
  }

  Exec const& exec_;
  std::string const& label_;
  int threads_;
};

}  // namespace KokkosScan::host::search
