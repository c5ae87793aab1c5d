// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <utility>

#include "moves.hpp"

// The kernels of windows: a team has a tile of some lines, and each thread a run of it at a time.
namespace KokkosScan::portable::windows {

/// How a kernel goes about it.
struct How {
  Way way;
  int kept;  // of how many runs a thread keeps the results until all elements have been read; 0: they have own scratch
};

/// Combines the elements of runs of `length`, for the windows of runs.
template <class Scan, int length, How how>
struct AggregateRuns {
  using Value = typename Scan::Value;
  using From  = LinesOfTeam<typename Scan::From const, how.way>;

  Scan scan;
  Tiling tiling;
  core::WindowRuns of_lines;
  Value* aggregates;

  static constexpr int room = most_shift<Scan, how.way>, runs_of_thread = how.kept > 0 ? how.kept : 1;

  static std::size_t scratch_bytes(Tiling const& tiling) {
    return bytes_of_array<Value>(tiling.lanes * tiling.runs * length + room) + From::scratch_bytes(tiling);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const lanes = lanes_of<how.way>(tiling), count = tiling.runs * length;
    Place const place(tiling, scan.shape, team.league_rank(), count);
    std::size_t const first = place.result + of_lines.first * length;
    auto* const scratch     = array_of<Value>(team, lanes * count + room);
    From const lines(team, scan.from, scan.shape, place, tiling);
    if constexpr (how.way == Way::any) team.team_barrier();
    Range const there = Range::of(scan.windows, first, count);
    auto const from = lines.from(static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(scan.windows.before));
    Value* const values = scratch + shift_of<Value, how.way>(from);
    bring<how.way>(team, tiling, place.lines, from, there, count, values);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * tiling.runs), [&](int v) {
      auto const [lane, t]  = at_of<how.way>(tiling, v);
      std::size_t const run = place.result / length + static_cast<std::size_t>(t);
      if (lane >= place.lines || run >= of_lines.aggregates) return;
      auto const all = aggregate<length>(scan, values + lane, lanes, there, t * length);
      put(aggregates[(place.line + static_cast<std::size_t>(lane)) * of_lines.aggregates + run], *all);
    });
  }
};

/// The results, by runs of `length`. The middle of windows is made of the aggregates of the tile's own runs; of windows
/// that are too wide for a tile it has been made before, and what they end in is a part of scratch of its own.
template <class Scan, int length, How how, bool wide>
struct ScanWindows {
  using Value = typename Scan::Value;
  using All   = std::make_integer_sequence<int, length>;
  using From  = LinesOfTeam<typename Scan::From const, how.way>;
  using Dest  = LinesOfTeam<typename Scan::Dest, how.way>;
  using Kept  = Slot<Value>[static_cast<std::size_t>(length)];

  static_assert(length < 32, "results that there are have a bit of an unsigned each");

  Scan scan;
  Tiling tiling;
  core::WindowRuns of_lines;
  Value const* middle;  // of wide windows, for each run of each line

  static constexpr int room = most_shift<Scan, how.way>, runs_of_thread = how.kept > 0 ? how.kept : 1;

  /// How many elements a team sees of each line: from where its windows begin, and of wide ones from where they end.
  KOKKOS_FUNCTION static int count_of(Tiling const& tiling) {
    return wide ? tiling.runs * length : (tiling.runs + tiling.whole) * length + tiling.rest;
  }
  static std::size_t scratch_bytes(Tiling const& tiling) {
    int const runs = tiling.lanes * tiling.runs, in_tile = runs + tiling.lanes * tiling.whole;
    std::size_t const values = bytes_of_array<Value>(tiling.lanes * count_of(tiling) + room) +
                               (how.kept > 0 ? 0 : bytes_of_array<Value>(runs * length + room));
    std::size_t const others = wide ? bytes_of_array<Value>(runs * length + tiling.lanes * tiling.rest + room)
                               : tiling.whole > 1 ? 2 * bytes_of_array<Value>(in_tile) + bytes_of_array<Value>(runs)
                                                  : 0;
    return values + others + From::scratch_bytes(tiling) + Dest::scratch_bytes(tiling);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const lanes = lanes_of<how.way>(tiling), results = tiling.runs * length, count = count_of(tiling);
    Place const place(tiling, scan.shape, team.league_rank(), results);
    auto* const scratch = array_of<Value>(team, lanes * count + room);
    From const lines(team, scan.from, scan.shape, place, tiling);
    Dest const dest(team, scan.dest, scan.shape, place, tiling);
    if constexpr (how.way == Way::any) team.team_barrier();
    auto const before = static_cast<std::ptrdiff_t>(scan.windows.before);
    auto const from   = lines.from(static_cast<std::ptrdiff_t>(place.result) - before);
    auto const to     = dest.from(static_cast<std::ptrdiff_t>(place.result));
    Tile const tile{scratch + shift_of<Value, how.way>(from), Range::of(scan.windows, place.result, count)};
    bring<how.way>(team, tiling, place.lines, from, tile.there, count, tile.values);
    if constexpr (wide) {
      int const at_end        = results + tiling.rest;
      std::size_t const first = place.result + of_lines.whole * length;
      auto const from_end     = lines.from(static_cast<std::ptrdiff_t>(first) - before);
      Tile const end{array_of<Value>(team, lanes * at_end + room) + shift_of<Value, how.way>(from_end),
                     Range::of(scan.windows, first, at_end)};
      bring<how.way>(team, tiling, place.lines, from_end, end.there, at_end, end.values);
      team.team_barrier();
      make<false>(team, place, scratch, tile, end, tile.has_all(count) && end.has_all(at_end), to);
    } else {
      team.team_barrier();
      int const apart = tiling.whole * length;
      Tile const end{tile.values + apart * lanes, {tile.there.begin - apart, tile.there.end - apart}};
      if (tiling.whole == 0)
        one_by_one(team, place, tile, to);
      else
        make<false>(team, place, scratch, tile, end, tile.has_all(count), to);
    }
  }

 private:
  /// Elements of each line in scratch, and which of them there are.
  struct Tile {
    Value* values;
    Range there;
    KOKKOS_FUNCTION bool has_all(int count) const { return there.begin == 0 && there.end == count; }
  };

  /// The windows that have elements.
  KOKKOS_FUNCTION Range results_of(Place const& place) const {
    auto const& all = scan.windows;
    return Range::between(all.first_result(), all.end_of_results(), place.result, tiling.runs * length);
  }

  /// Windows narrower than a run, each by itself.
  template <class Member, class To>
  KOKKOS_FUNCTION void one_by_one(Member const& team, Place const& place, Tile const& tile, To const& to) const {
    int const lanes = lanes_of<how.way>(tiling), width = tiling.rest;
    Range const there   = tile.there;
    auto const combined = [&](int lane, int e) -> Value {
      int const first = e > there.begin ? e : there.begin, last = e + width < there.end ? e + width : there.end;
      Value const* const of_lane = tile.values + lane;
      Value all(of_lane[first * lanes]);
      for (int k = first + 1; k < last; ++k) put(all, scan.combine(all, of_lane[k * lanes]));
      return all;
    };
    auto const keep = [&](int lane, int e, Value const& value) {
      put(to(lane, e), static_cast<typename Scan::Dest>(value));
    };
    transfer<how.way, Value>(team, tiling, tiling.runs * length, results_of(place), place.lines, combined, keep);
  }

  template <bool has_all, class Member, class To>
  KOKKOS_FUNCTION void make(Member const& team, Place const& place, Value* scratch, Tile const& tile, Tile const& end,
                            bool all, To const& to) const {
    if constexpr (!has_all)
      if (all) return make<true>(team, place, scratch, tile, end, all, to);
    int const lanes = lanes_of<how.way>(tiling), runs = lanes * tiling.runs, results = tiling.runs * length;
    Value const* found = nullptr;
    if constexpr (!wide)
      if (tiling.whole > 1) found = middle_of_tile<has_all>(team, tile, place.lines);
    Value* const made =
        (how.kept > 0 ? scratch : array_of<Value>(team, runs * length + room)) + shift_of<Value, how.way>(to);
    auto const finish_run = [&](int v, Kept& kept) {
      auto const at  = at_of<how.way>(tiling, v);
      int const lane = at.lane, t = at.place, first = t * length;
      if (v >= runs || lane >= place.lines) return 0U;
      auto const of_run = [&](Tile const& of) {
        return Tile{of.values + first * lanes + lane, {of.there.begin - first, of.there.end - first}};
      };
      return finish<has_all>(of_run(tile), of_run(end), between<has_all>(place, tile.there, found, lane, t), kept);
    };
    auto const store = [&](int v, Kept const& kept, unsigned there) {
      auto const [lane, t] = at_of<how.way>(tiling, v);
      Value* const of_run  = made + t * length * lanes + lane;
      if (there == 0) return;
      unrolled(All(), [&](int k) {
        if (has_all || (there >> k & 1U) != 0) put(of_run[k * lanes], kept[k].value);
      });
    };
    if constexpr (how.kept > 0) {
      using Runs           = std::make_integer_sequence<int, how.kept>;
      auto const run       = [&](int j) { return team.team_rank() + j * team.team_size(); };
      constexpr auto count = static_cast<std::size_t>(how.kept);
      Kept kept[count];
      unsigned there[count];
      unrolled(Runs(), [&](int j) { there[j] = finish_run(run(j), kept[j]); });
      team.team_barrier();
      unrolled(Runs(), [&](int j) { store(run(j), kept[j], there[j]); });
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, runs), [&](int v) {
        Kept kept;
        unsigned const there = finish_run(v, kept);
        store(v, kept, there);
      });
    }
    team.team_barrier();
    give<how.way>(team, tiling, place.lines, static_cast<Value const*>(made), results_of(place), results, to);
  }

  /// The middle of the windows that begin in a run.
  template <bool has_all>
  KOKKOS_FUNCTION Maybe<Value> between(Place const& place, Range const& there, Value const* found, int lane,
                                       int t) const {
    Maybe<Value> value;
    if constexpr (wide) {
      std::size_t const k = place.result / length + static_cast<std::size_t>(t);
      if (k < of_lines.count && of_lines.middle().has_any(k, k + of_lines.whole - 1))
        value.put(middle[(place.line + static_cast<std::size_t>(lane)) * of_lines.count + k]);
    } else {
      if (tiling.whole > 1 && (has_all || there.has_any((t + 1) * length, (t + tiling.whole) * length)))
        value.put(found[t * lanes_of<how.way>(tiling) + lane]);
    }
    return value;
  }

  /// For each run in which windows begin, the `whole` - 1 runs behind it: of 1, 4, 16, ... runs in each round, as the
  /// digits of their number say.
  template <bool has_all, class Member>
  KOKKOS_FUNCTION Value const* middle_of_tile(Member const& team, Tile const& tile, int lines) const {
    constexpr int base = 4;
    int const lanes = lanes_of<how.way>(tiling), runs = tiling.runs, of_tile = runs + tiling.whole,
              width   = tiling.whole - 1;
    auto* of_runs     = array_of<Value>(team, lanes * of_tile);
    auto* other       = array_of<Value>(team, lanes * of_tile);
    auto* const found = array_of<Value>(team, lanes * runs);
    auto const any    = [&](int from, int to) { return has_all || tile.there.has_any(from * length, to * length); };
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * of_tile), [&](int v) {
      auto const [lane, t] = at_of<how.way>(tiling, v);
      if (lane >= lines) return;
      Range const there = has_all ? Range{0, of_tile * length} : tile.there;
      auto const all    = aggregate<length>(scan, tile.values + lane, lanes, there, t * length);
      if (all) put(of_runs[v], *all);
    });
    team.team_barrier();
    int done = 0;
    for (int each = 1; each <= width; each *= base) {
      int const digit = width / each % base;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * of_tile), [&](int v) {
        auto const at  = at_of<how.way>(tiling, v);
        int const lane = at.lane, t = at.place;
        if (lane >= lines) return;
        auto const join = [&](Maybe<Value>& all, int k) {
          if (any(t + k, t + k + each)) {
            Value const& next = of_runs[v + k * lanes];
            all.put(all ? scan.combine(*all, next) : next);
          }
        };
        if (digit > 0 && t < runs) {
          Maybe<Value> all;
          if (done > 0 && any(t + 1, t + 1 + done)) all.put(found[v]);
          for (int d = 0; d < digit; ++d) join(all, 1 + done + d * each);
          if (all) put(found[v], *all);
        }
        if (base * each <= width && t + base * each <= of_tile) {
          Maybe<Value> all;
          unrolled(std::make_integer_sequence<int, base>(), [&](int d) { join(all, d * each); });
          if (all) put(other[v], *all);
        }
      });
      team.team_barrier();
      done += digit * each;
      auto* const next = other;
      other            = of_runs;
      of_runs          = next;
    }
    return found;
  }

  /// The windows that begin in a run: what is left of it, the middle, and what is behind that, of which the first
  /// `rest` elements are in all of them. Which of them have elements.
  template <bool has_all>
  KOKKOS_FUNCTION unsigned finish(Tile const& begin, Tile const& end, Maybe<Value> const& between, Kept& kept) const {
    int const lanes = lanes_of<how.way>(tiling), rest = tiling.rest;
    auto const join_all = [&](Maybe<Value>& all, int k) {
      if (!has_all && !end.there.has(k)) return;
      Value const& value = end.values[k * lanes];
      all.put(all ? scan.combine(*all, value) : value);
    };
    Maybe<Value> all(between), behind;
    for (int k = 0; k < rest; ++k) join_all(all, k);
    unsigned made = 0;
    unrolled(All(), [&](int back) {
      int const k = length - 1 - back;
      if (has_all || begin.there.has(k)) {
        Value const& value = begin.values[k * lanes];
        all.put(all ? scan.combine(value, *all) : value);
      }
      if (all) put(kept[k].value, *all), made |= 1U << k;
    });
    unrolled(std::make_integer_sequence<int, length - 1>(), [&](int k) {
      join_all(behind, rest + k);
      if (behind) {
        Value& result = kept[k + 1].value;
        put(result, (made >> (k + 1) & 1U) != 0 ? scan.combine(result, *behind) : *behind);
        made |= 1U << (k + 1);
      }
    });
    return made;
  }
};

}  // namespace KokkosScan::portable::windows
