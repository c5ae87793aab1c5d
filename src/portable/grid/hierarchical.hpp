// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../../block/networks.hpp"
#include "../../driver/kernel_event.hpp"
#include "../../driver/scan.hpp"
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

using driver::Contiguous;
using driver::Kind;
using driver::Maybe;
using driver::Tile;
using driver::Tiles;

/// The aggregates of one level; the next level's begin on a cache line.
template <class Value>
std::size_t level_bytes(std::size_t count) {
  return driver::round_up(count * sizeof(Value), 64);
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
template <class Scan, class Network, bool aggregates_only>
struct ScanTile {
  using Value = typename Scan::Value;
  Scan scan;
  Tiles tiles;
  Value* aggregates;  // one for each tile; null when there is one tile

  template <class Member>
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(Member const& team) const {
    std::size_t const k = static_cast<std::size_t>(team.league_rank());
    Tile const tile     = tiles[k];
    int const n         = static_cast<int>(tile.size());
    TeamWorkers<Member> const workers{team};
    std::size_t const bytes = tiles.length * sizeof(Value);
    auto* const values      = static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));
    auto* const scratch     = static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));

    workers.for_each(n, [&](int i) { block::put(values[i], scan.input(tile.begin + static_cast<std::size_t>(i))); });
    auto const combine        = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
    Value const* const result = Network::run(workers, n, values, scratch, combine);
    Value const& aggregate    = Network::native_kind == Kind::inclusive ? result[n - 1] : scratch[0];

    if constexpr (aggregates_only) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { block::put(aggregates[k], aggregate); });
    } else {
      Maybe<Value> const prefix = k == 0 ? scan.start() : Maybe<Value>(aggregates[k - 1]);
      workers.for_each(n, [&](int i) {
        if (Scan::kind == Kind::exclusive && i == 0)
          scan.store(tile.begin, *prefix);
        else
          scan.store(tile.begin + static_cast<std::size_t>(i),
                     scan.combine(prefix, block::local_result<Network, Scan::kind>(result, scratch, n, i)));
      });
      if (scan.total && tile.end == tiles.n)
        Kokkos::single(Kokkos::PerTeam(team), [&] { block::put(*scan.total, scan.combine(prefix, aggregate)); });
    }
  }
};

template <bool aggregates_only, class Network, class Exec, class Scan>
void launch(Exec const& exec, std::string const& label, Scan const& scan, Tiles tiles,
            typename Scan::Value* aggregates) {
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(tiles.count()), Kokkos::AUTO);
  // A constant, since Kokkos 4 takes an int and Kokkos 5.2 a std::size_t.
  using Value         = typename Scan::Value;
  constexpr int bytes = static_cast<int>(2 * (tile_length(sizeof(Value)) * sizeof(Value) + 64));
  driver::dispatch(label, exec, policy.set_scratch_size(0, Kokkos::PerTeam(bytes)),
                   ScanTile<Scan, Network, aggregates_only>{scan, tiles, aggregates});
}

template <class Network, class Exec, class Scan>
void run(Exec const& exec, std::string const& label, Scan const& scan, void* scratch) {
  using Value = typename Scan::Value;
  Tiles const tiles{scan.n, tile_length(sizeof(Value))};
  if (tiles.count() == 1) return launch<false, Network>(exec, label, scan, tiles, nullptr);

  auto* const aggregates = static_cast<Value*>(scratch);
  launch<true, Network>(exec, label, scan, tiles, aggregates);

  using Aggregates = driver::Scan<Kind::inclusive, Value, Contiguous<Value>, Contiguous<Value>, typename Scan::Operator,
                                  Unchanged, decltype(scan.init)>;
  Aggregates const scan_aggregates{{aggregates}, {aggregates}, tiles.count(), scan.op, {}, scan.init, nullptr};
  run<Network>(exec, label, scan_aggregates, static_cast<std::byte*>(scratch) + level_bytes<Value>(tiles.count()));

  launch<false, Network>(exec, label, scan, tiles, aggregates);
}

}  // namespace KokkosScan::portable::hierarchical
