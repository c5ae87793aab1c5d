// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/differences.hpp"
#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "team_reduce.hpp"

//  The first difference of two arrays, tile by tile, by teams
//  paper       none
//  launches    2; 1 for the first 16 KiB
//  bytes       2 n at most
//  operations  n
//  steps       n/p
//  progress    none
//
// As many teams as run at once take tiles in ascending order, and ask before each for the smallest difference that is
// known: behind it nobody reads. What they find is the smallest of all, whoever is first, since no tile before a
// difference is left out. The team of the first launch looks at the first bytes and what fills no word, and makes of
// that what is known from the start, and the result. Whoever lowers what is known hands on the result again.
namespace KokkosScan::portable::difference {

inline constexpr std::size_t first_bytes = 16 * 1024;
inline constexpr std::size_t tile_bytes  = 32 * 1024;  // at most
inline constexpr int team_size           = 256;
inline constexpr int teams_of_processor  = 4;
/// How many pieces a thread loads before it compares them.
inline constexpr unsigned loads = 4;

/// The smallest difference that is known.
using Found = unsigned long long;

/// Kokkos' atomic load is a compare-and-swap on devices, in which the teams would wait for each other.
KOKKOS_FUNCTION inline Found known_of(Found const* found) {
  KOKKOS_IF_ON_DEVICE((return *static_cast<Found const volatile*>(found);))
  KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(found);))
}

/// Several threads may, at the same time.
template <class Integer>
KOKKOS_FUNCTION void put_at_once(Integer* result, Integer value) {
  KOKKOS_IF_ON_DEVICE((*static_cast<Integer volatile*>(result) = value;))
  KOKKOS_IF_ON_HOST((Kokkos::atomic_store(result, value);))
}

/// Hands on the smallest difference that is known, which the calling thread may have lowered. Others who have do so,
/// too, in any order; so each asks behind what it has left whether that is still the smallest, and whoever is the last
/// to leave something leaves that.
template <class Put>
KOKKOS_FUNCTION void hand_on(Put const& put, Found const* found) {
  Kokkos::memory_fence();  // whoever leaves something behind what is left here finds what was lowered before
  Found known = known_of(found), left = known;
  do {
    left = known;
    difference::put_at_once(put.result, put.of(static_cast<std::size_t>(left)));
    Kokkos::memory_fence();
    known = known_of(found);
  } while (known != left);
}

/// The first element in which the arrays differ among the pieces that thread `rank` of `size` looks at, else nowhere.
template <class Reader>
KOKKOS_FUNCTION std::size_t first_of_thread(Reader const& reader, std::size_t begin, std::size_t end, std::size_t rank,
                                            std::size_t size) {
  for (std::size_t p = begin + rank; p < end; p += loads * size) {
    unsigned differing = 0;
    if (p + (loads - 1) * size < end) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (unsigned k = 0; k < loads; ++k) differing |= static_cast<unsigned>(reader.differs(p + k * size)) << k;
    } else {
      for (unsigned k = 0; k < loads && p + k * size < end; ++k)
        differing |= static_cast<unsigned>(reader.differs(p + k * size)) << k;
    }
    for (unsigned k = 0; k < loads; ++k)
      if ((differing >> k & 1U) != 0) return reader.first_in(p + k * size);
  }
  return core::nowhere;
}

/// One team looks at the first pieces.
template <class Reader, class Put>
struct Begin {
  Reader reader;
  Put put;
  std::size_t n, pieces;
  Found* found;  // null if there is nothing else

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const {
    auto const rank = static_cast<std::size_t>(team.team_rank()), size = static_cast<std::size_t>(team.team_size());
    std::size_t own = first_of_thread(reader, 0, pieces, rank, size);
    for (std::size_t k = rank; k < reader.loose(); k += size) own = least(own, reader.first_of(k));
    Found first = least(own, n);
    least_of_team(team, first);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if (found) *found = first;
      core::put(*put.result, put.of(static_cast<std::size_t>(first)));
    });
  }
  KOKKOS_FUNCTION static std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }
};

/// All teams look at what is behind them.
template <class Reader, class Put>
struct Rest {
  Reader reader;
  Put put;
  std::size_t begin, tile;
  Found* found;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const {
    auto const rank = static_cast<std::size_t>(team.team_rank()), size = static_cast<std::size_t>(team.team_size());
    auto const teams         = static_cast<std::size_t>(team.league_size());
    std::size_t const pieces = reader.pieces();
    for (std::size_t at = begin + static_cast<std::size_t>(team.league_rank()) * tile; at < pieces;
         at += teams * tile) {
      Found known = 0;
      if (rank == 0) known = known_of(found);
      team.team_broadcast(known, 0);
      if (reader.begin_of(at) >= known) break;
      std::size_t const end   = at + tile < pieces ? at + tile : pieces;
      std::size_t const first = first_of_thread(reader, at, end, rank, size);
      if (first != core::nowhere && Kokkos::atomic_fetch_min(found, static_cast<Found>(first)) > first)
        difference::hand_on(put, found);
    }
  }
};

template <class Exec, class Functor>
void launch(Exec const& exec, std::string const& label, std::size_t teams, Functor const& functor) {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<team_size, teams_of_processor>>;
  exec::dispatch(label, exec, Policy(exec, static_cast<int>(teams), exec::is_on_host<Exec> ? 1 : team_size), functor);
}

/// How many teams run at once.
template <class Exec>
std::size_t teams_at_once(Exec const& exec) {
  auto const threads = static_cast<std::size_t>(exec.concurrency());
  // A processor of a GPU has room for twice as many threads as have registers for so many loads.
  return exec::is_on_host<Exec> ? threads : std::max<std::size_t>(1, threads / (2 * team_size));
}

/// Leaves put.of(first) by exec; `found` is in memory of exec.
template <class Exec, class Compared, class Put>
void find(Exec const& exec, std::string const& label, Compared const& compared, Put const& put, Found* found) {
  exec::refuse_in_region(exec, label);
  core::with_reader(compared, [&]<class Reader>(Reader const& reader) {
    constexpr std::size_t first = std::max<std::size_t>(1, first_bytes / Reader::piece_bytes);
    std::size_t const begin = std::min(reader.pieces(), first), rest = reader.pieces() - begin;
    difference::launch(exec, label, 1, Begin<Reader, Put>{reader, put, compared.n, begin, rest > 0 ? found : nullptr});
    if (rest == 0) return;
    // As long as all teams have one, but of no fewer pieces than a team loads at once.
    constexpr std::size_t longest = std::max<std::size_t>(1, tile_bytes / Reader::piece_bytes);
    constexpr std::size_t least   = std::min<std::size_t>(longest, loads * team_size);
    std::size_t const at_once     = difference::teams_at_once(exec);
    std::size_t const tile        = std::clamp((rest + at_once - 1) / at_once, least, longest);
    difference::launch(exec, label, std::min((rest + tile - 1) / tile, at_once),
                       Rest<Reader, Put>{reader, put, begin, tile, found});
  });
}

}  // namespace KokkosScan::portable::difference
