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
#include "launch.hpp"
#include "workers.hpp"

//  Levels of a search on hosts: the calling thread walks small ones alone, since to wake others takes longer; of large
//  ones workers follow shares of the frontier's edges, or look for the frontier from all other vertices
//  paper       Beamer, Asanovic, Patterson 2012
//  launches    1 for each large level
//  bytes       of a frontier's edges the columns, and a bit each of the vertices they lead to
//  steps       edges / workers
//  progress    none: no worker waits for another
namespace KokkosScan::host::search {

/// Small levels, by the calling thread; the first one perhaps whatever its size. Ends with a frontier that is empty or
/// has more edges than that.
template <class Search>
void walk(Search& search, std::size_t most_edges, bool is_first_any) {
  using Vertex             = typename Search::Vertex;
  core::SearchState& state = *search.state;
  auto const& graph        = search.graph;
  while (state.frontier > 0 && (state.edges <= most_edges || is_first_any)) {
    is_first_any = false;
    state.explored += state.edges;
    std::size_t edges       = 0;
    std::size_t const level = ++state.level;
    std::size_t found       = 0;
    for (std::size_t i = 0; i < state.frontier; ++i) {
      std::size_t const vertex = search.queue[i], end = graph.end_of(vertex);
      for (std::size_t edge = graph.begin_of(vertex); edge < end; ++edge) {
        std::size_t const target = graph.target(edge);
        if (!graph.is_vertex(target) || search.visited.at(target)) continue;
        search.visited.word_of(target) |= core::VertexBits::bit_of(target);
        search.put_level(target, level);
        search.other[found++] = static_cast<Vertex>(target);
        edges += graph.degree_of(target);
      }
    }
    state.frontier = found;
    state.edges    = edges;
    std::swap(search.queue, search.other);
  }
}

/// The share of a large frontier's edges that a worker follows. What it finds it keeps, and hands on some at once.
template <class Search>
class Follower {
  using Vertex = typename Search::Vertex;
  using Slots  = core::RowOrder<core::Contiguous<typename Search::Slot const>>;

 public:
  /// The next frontier is handed to another state, which all followers share.
  Follower(Search const& search, core::SearchState& next)
      : search_(search), level_(search.state->level + 1), next_(next) {}

  /// From one position in the order of vertices and edges up to another.
  void follow(Slots const& order, std::size_t begin, std::size_t end) {
    std::size_t row = order.row_at(begin), slot = begin - row;
    std::size_t const end_slot = end - order.row_at(end);
    for (; slot < end_slot && row < order.rows; ++row) {
      std::size_t const behind = std::min<std::size_t>(order.end_of(row), end_slot);
      if (slot >= behind) continue;
      using Slot             = typename Search::Slot;
      std::size_t const edge = static_cast<Slot>(search_.bases[row] + static_cast<Slot>(slot));
      // Offsets that descend make bases of nothing, perhaps.
      std::size_t const room = edge < search_.graph.entries ? search_.graph.entries - edge : 0;
      for (std::size_t k = 0; k < std::min(behind - slot, room); ++k) look(search_.graph.target(edge + k));
      slot = behind;
    }
    hand_on();
    Kokkos::atomic_add(&next_.edges, edges_);
  }

 private:
  void look(std::size_t target) {
    if (!search_.graph.is_vertex(target)) return;
    std::uint32_t& word     = search_.visited.word_of(target);
    std::uint32_t const bit = core::VertexBits::bit_of(target);
    if ((Kokkos::atomic_load(&word) & bit) != 0 || (Kokkos::atomic_fetch_or(&word, bit) & bit) != 0) return;
    search_.put_level(target, level_);
    edges_ += search_.graph.degree_of(target);
    kept_[size_++] = static_cast<Vertex>(target);
    if (size_ == most) hand_on();
  }
  void hand_on() {
    std::size_t const place = Kokkos::atomic_fetch_add(&next_.frontier, size_);
    std::copy(kept_, kept_ + size_, search_.other + place);
    size_ = 0;
  }

  static constexpr std::size_t most = 256;

  Search search_;
  std::size_t level_;
  core::SearchState& next_;
  Vertex kept_[most];
  std::size_t size_ = 0, edges_ = 0;
};

/// The launches, on a search whose source is begun.
template <class Exec, class Search>
class Steps {
 public:
  Steps(Exec const& exec, std::string const& label) : exec_(exec), label_(label), threads_(threads_for(exec)) {}

  static std::size_t most_of_other_queue() { return static_cast<std::size_t>(-1); }
  static bool is_small(core::SearchState const&) { return false; }

  void walk(Search& search) const {
    in_turn([&] { search::walk(search, most_edges_alone, false); });
  }
  /// One thread follows no share of edges.
  bool is_alone() const { return threads_ == 1; }
  void walk_large(Search& search) const {
    in_turn([&] { search::walk(search, most_edges_alone, true); });
  }

  /// The queue's edges, of which slots say where they are.
  void follow(Search& search) const {
    core::SearchState& state = *search.state;
    core::RowOrder<core::Contiguous<typename Search::Slot const>> const order{
        {search.slots}, state.frontier, 0, static_cast<std::size_t>(search.slots[state.frontier])};
    core::SearchState next;
    auto const share = [&](std::size_t worker) {
      return order.size() / static_cast<std::size_t>(threads_) * worker +
             std::min(worker, order.size() % static_cast<std::size_t>(threads_));
    };
    launch(KokkosWorkers<Exec>(exec_, label_, threads_), [&](int worker, Failure const&) {
      auto const k = static_cast<std::size_t>(worker);
      Follower<Search>(search, next).follow(order, share(k), share(k + 1));
    });
    state.explored += state.edges;
    state.frontier = next.frontier;
    state.edges    = next.edges;
    ++state.level;
    std::swap(search.queue, search.other);
  }

  /// Looks for visited neighbours of all vertices that are not: some words of them after the other, whoever has time.
  void seek(Search const& search) const {
    std::atomic<std::size_t> next = 0;
    std::size_t found             = 0;
    launch(KokkosWorkers<Exec>(exec_, label_, threads_), [&](int, Failure const&) {
      std::size_t own = 0;
      for (std::size_t begin = 0; (begin = next.fetch_add(words_at_once)) < search.words();)
        for (std::size_t word = begin; word < std::min(begin + words_at_once, search.words()); ++word)
          own += seek_in(search, word);
      Kokkos::atomic_add(&found, own);
    });
    search.state->found = found;
  }

 private:
  static constexpr std::size_t most_edges_alone = 32 * 1024, words_at_once = 32;

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
