// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../../block/networks.hpp"
#include "../../core/length.hpp"
#include "../../core/memory.hpp"
#include "../../core/tiles.hpp"
#include "../../exec/kernel_event.hpp"
#include "../tuning.hpp"
#include "../workers.hpp"

//  Hierarchical scan, reduce then scan: the aggregates of the tiles, their scan, the scan of the tiles
//  paper       Dotsenko 2008; Sengupta, Harris, Zhang, Owens 2007
//  launches    2 log n - 1, the logarithm to the base of the tile length: the aggregates are scanned in the same way
//  bytes       3 n
//  operations  that of the network, twice
//  steps       that of the network, twice, for each level
//  progress    none: no team waits for another
namespace KokkosScan::portable::hierarchical {

using core::Maybe;
using core::Tile;
using core::Tiles;

/// The aggregates of one level; the next level's begin on a cache line.
template <class Value>
std::size_t level_bytes(std::size_t count) {
  return core::round_up(count * sizeof(Value), 64);
}

template <class Value>
std::size_t scratch_bytes(std::size_t n) {
  std::size_t bytes = 0;
  for (std::size_t count = Tiles{n, tile_length(sizeof(Value))}.count(); count > 1;
       count             = Tiles{count, tile_length(sizeof(Value))}.count())
    bytes += level_bytes<Value>(count);
  return bytes;
}

/// One team scans one tile: for its aggregate alone, or for the result when the aggregates before it are scanned.
template <class Given, class Network, bool aggregates_only>
struct ScanTile {
  using Value = typename Given::Value;
  Given given;
  std::size_t tile_length;
  Value* aggregates;  // one for each tile; null when there is one tile

  template <class Member>
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const& problem = core::resolved(given);
    Tiles const tiles{problem.n, tile_length};
    std::size_t const k = static_cast<std::size_t>(team.league_rank());
    if constexpr (core::has_stored_length<Given>)
      if (k >= tiles.count()) {  // the first one leaves the total of nothing
        if (problem.n == 0 && k == 0) Kokkos::single(Kokkos::PerTeam(team), [&] { core::put_empty_total(problem); });
        return;
      }
    Tile const tile = tiles[k];
    int const n     = static_cast<int>(tile.size());
    TeamWorkers<Member> const workers{team};
    std::size_t const bytes = tiles.length * sizeof(Value);
    auto* const values      = static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));
    auto* const scratch     = static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));

    workers.for_each(
        n, [&](int i) { core::put(values[i], problem.source.load(tile.begin + static_cast<std::size_t>(i))); });
    auto const combine        = [&](Value const& left, Value const& right) { return problem.combine(left, right); };
    Value const* const result = Network::run(workers, n, values, scratch, combine);
    Value const& aggregate    = Network::native_kind == core::Kind::inclusive ? result[n - 1] : scratch[0];

    if constexpr (aggregates_only) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { core::put(aggregates[k], aggregate); });
    } else {
      Maybe<Value> const prefix = k == 0 ? problem.start() : Maybe<Value>(aggregates[k - 1]);
      workers.for_each(n, [&](int i) {
        std::size_t const at = tile.begin + static_cast<std::size_t>(i);
        block::store_result<Network>(problem, at, result, scratch, n, i, prefix);
      });
      if (problem.total && tile.end == tiles.n)
        Kokkos::single(Kokkos::PerTeam(team), [&] { problem.put_total(problem.combine(prefix, aggregate)); });
    }
  }
};

template <bool aggregates_only, class Network, class Exec, class Problem>
void launch(Exec const& exec, std::string const& label, Problem const& problem, Tiles tiles,
            typename Problem::Value* aggregates) {
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(tiles.count()), Kokkos::AUTO);
  // A constant, since Kokkos 4 takes an int and Kokkos 5.2 a std::size_t.
  using Value         = typename Problem::Value;
  constexpr int bytes = static_cast<int>(2 * (tile_length(sizeof(Value)) * sizeof(Value) + 64));
  exec::dispatch(label, exec, policy.set_scratch_size(0, Kokkos::PerTeam(bytes)),
                 ScanTile<Problem, Network, aggregates_only>{problem, tiles.length, aggregates});
}

template <class Network, class Exec, class Problem>
void run(Exec const& exec, std::string const& label, Problem const& problem, void* scratch) {
  using Value = typename Problem::Value;
  Tiles const tiles{problem.n, tile_length(sizeof(Value))};
  if (tiles.count() == 1) return launch<false, Network>(exec, label, problem, tiles, nullptr);

  auto* const aggregates = static_cast<Value*>(scratch);
  launch<true, Network>(exec, label, problem, tiles, aggregates);

  run<Network>(exec, label, core::scan_of_aggregates(problem, aggregates, tiles),
               static_cast<std::byte*>(scratch) + level_bytes<Value>(tiles.count()));

  launch<false, Network>(exec, label, problem, tiles, aggregates);
}

}  // namespace KokkosScan::portable::hierarchical
