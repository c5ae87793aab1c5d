// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <utility>

#include "tile.hpp"

// The kernels of windows: a team has a tile of some lines, and each thread a run of it at a time.
namespace KokkosScan::portable::windows {

/// The bytes of an array of a team's scratch, with what its beginning may be moved by.
template <class T>
constexpr std::size_t bytes_of_array(int count) {
  return static_cast<std::size_t>(count) * sizeof(T) + 64;
}
template <class T, class Member>
KOKKOS_FUNCTION T* array_of(Member const& team, int count) {
  return static_cast<T*>(team.team_scratch(0).get_shmem_aligned(static_cast<std::size_t>(count) * sizeof(T), 64));
}

/// Combines the elements of runs of `length`, for the windows of runs.
template <class Scan, int length>
struct AggregateRuns {
  using Value = typename Scan::Value;

  Scan scan;
  Tiling tiling;
  core::WindowRuns of_lines;
  Value* aggregates;

  static std::size_t scratch_bytes(Tiling const& tiling) {
    return bytes_of_array<Value>(tiling.lanes * tiling.runs * length) +
           bytes_of_array<typename Scan::From*>(tiling.lanes);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const lanes = lanes_of<Scan>(tiling), count = tiling.runs * length;
    Place const place(tiling, scan.shape, team.league_rank(), count);
    std::size_t const first = place.result + of_lines.first * length;
    auto* const values      = array_of<Value>(team, lanes * count);
    LinesOfTeam<typename Scan::From const, Scan::side_by_side> const from(team, scan.from, scan.shape, place, lanes);
    team.team_barrier();
    bring<Scan>(team, tiling, place, from, scan.windows, first, count, values);
    team.team_barrier();
    Range const there = Range::of(scan.windows, first, count);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * tiling.runs), [&](int v) {
      int const t = v / lanes, lane = v - t * lanes;
      std::size_t const run = place.result / length + static_cast<std::size_t>(t);
      if (lane >= place.lines || run >= of_lines.aggregates) return;
      auto const all = aggregate<length>(scan, values + lane, lanes, there, t * length);
      put(aggregates[(place.line + static_cast<std::size_t>(lane)) * of_lines.aggregates + run], *all);
    });
  }
};

/// The results, by runs of `length`. The middle of windows is made of the aggregates of the tile's own runs; of windows
/// that are too wide for a tile it has been made before, and what they end in is a part of scratch of its own.
template <class Scan, int length, bool wide>
struct ScanWindows {
  using Value = typename Scan::Value;
  using All   = std::make_integer_sequence<int, length>;

  Scan scan;
  Tiling tiling;
  core::WindowRuns of_lines;
  Value const* middle;  // of wide windows, for each run of each line

  /// How many elements a team sees of each line: from where its windows begin, and of wide ones from where they end.
  static int count_of(Tiling const& tiling) {
    return (tiling.runs + (wide ? 0 : tiling.whole)) * length + more(tiling);
  }
  static std::size_t scratch_bytes(Tiling const& tiling) {
    int const runs = tiling.lanes * tiling.runs, in_tile = runs + tiling.lanes * tiling.whole;
    std::size_t const values =
        bytes_of_array<Value>(tiling.lanes * count_of(tiling)) + bytes_of_array<Value>(runs * length);
    std::size_t const others = wide               ? bytes_of_array<Value>(runs * length + tiling.lanes * tiling.rest)
                               : tiling.whole > 1 ? 2 * bytes_of_array<Value>(in_tile) + bytes_of_array<Value>(runs)
                                                  : 0;
    return values + others + bytes_of_array<typename Scan::From*>(tiling.lanes) +
           bytes_of_array<typename Scan::Dest*>(tiling.lanes);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const lanes = lanes_of<Scan>(tiling), results = tiling.runs * length;
    Place const place(tiling, scan.shape, team.league_rank(), results);
    int const count   = wide ? results : results + tiling.whole * length + tiling.rest;
    auto* const begin = array_of<Value>(team, lanes * count);
    auto* const made  = array_of<Value>(team, lanes * results);
    LinesOfTeam<typename Scan::From const, Scan::side_by_side> const from(team, scan.from, scan.shape, place, lanes);
    LinesOfTeam<typename Scan::Dest, Scan::side_by_side> const dest(team, scan.dest, scan.shape, place, lanes);
    team.team_barrier();
    bring<Scan>(team, tiling, place, from, scan.windows, place.result, count, begin);
    Range const there = Range::of(scan.windows, place.result, count);
    if constexpr (wide) {
      int const at_end        = results + tiling.rest;
      std::size_t const first = place.result + of_lines.whole * length;
      auto* const end         = array_of<Value>(team, lanes * at_end);
      bring<Scan>(team, tiling, place, from, scan.windows, first, at_end, end);
      team.team_barrier();
      Range const there_too = Range::of(scan.windows, first, at_end);
      bool const all        = there.begin == 0 && there.end == count && there_too.begin == 0 && there_too.end == at_end;
      std::size_t const run = place.result / length;
      auto const between    = [&](int lane, int t) {
        std::size_t const k = run + static_cast<std::size_t>(t);
        Maybe<Value> value;
        if (k < of_lines.count && of_lines.middle().has_any(k, k + of_lines.whole - 1))
          value.put(middle[(place.line + static_cast<std::size_t>(lane)) * of_lines.count + k]);
        return value;
      };
      finish_all(team, place, begin, there, end, there_too, all, between, made);
    } else {
      team.team_barrier();
      bool const all = there.begin == 0 && there.end == count;
      if (tiling.whole == 0) {
        one_by_one(team, place, begin, there, made);
      } else {
        Value const* const of_tile = tiling.whole > 1 ? middle_of_tile(team, begin, there, place.lines) : nullptr;
        auto const between         = [&](int lane, int t) {
          Maybe<Value> value;
          if (tiling.whole > 1 && there.has_any((t + 1) * length, (t + tiling.whole) * length))
            value.put(of_tile[t * lanes + lane]);
          return value;
        };
        int const apart = tiling.whole * length;
        Range const there_too{there.begin - apart, there.end - apart};
        finish_all(team, place, begin, there, begin + apart * lanes, there_too, all, between, made);
      }
    }
    team.team_barrier();
    give(team, place, made, dest.from(static_cast<std::ptrdiff_t>(place.result)), results);
  }

 private:
  static int more(Tiling const& tiling) { return wide ? 0 : tiling.rest; }

  /// Stores results: those of windows that have elements.
  template <class Member, class Results>
  KOKKOS_FUNCTION void give(Member const& team, Place const& place, Value const* made, Results const& dest,
                            int results) const {
    int const lanes   = lanes_of<Scan>(tiling);
    auto const& all   = scan.windows;
    Range const there = Range::between(all.first_result(), all.end_of_results(), place.result, results);
    auto const load   = [&](int lane, int e) -> Value { return made[e * lanes + lane]; };
    auto const keep   = [&](int lane, int e, Value const& value) {
      put(dest(lane, e), static_cast<typename Scan::Dest>(value));
    };
    transfer<Value, Scan>(team, tiling, results, there, place.lines, load, keep);
  }

  /// Windows narrower than a run, each by itself.
  template <class Member>
  KOKKOS_FUNCTION void one_by_one(Member const& team, Place const& place, Value const* values, Range const& there,
                                  Value* made) const {
    int const lanes = lanes_of<Scan>(tiling), width = tiling.rest;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * tiling.runs * length), [&](int v) {
      int const e     = v / lanes;
      int const first = e > there.begin ? e : there.begin, last = e + width < there.end ? e + width : there.end;
      if (first >= last || v - e * lanes >= place.lines) return;
      Value const* const of_lane = values + (v - e * lanes);
      Value all(of_lane[first * lanes]);
      for (int k = first + 1; k < last; ++k) put(all, scan.combine(all, of_lane[k * lanes]));
      put(made[v], all);
    });
  }

  /// For each run in which windows begin, the `whole` - 1 runs behind it: of 1, 2, 4, ... runs in each round, as the
  /// bits of their number say.
  template <class Member>
  KOKKOS_FUNCTION Value const* middle_of_tile(Member const& team, Value const* values, Range const& there,
                                              int lines) const {
    int const lanes = lanes_of<Scan>(tiling), runs = tiling.runs, of_tile = runs + tiling.whole,
              width   = tiling.whole - 1;
    auto* of_runs     = array_of<Value>(team, lanes * of_tile);
    auto* other       = array_of<Value>(team, lanes * of_tile);
    auto* const found = array_of<Value>(team, lanes * runs);
    auto const any    = [&](int from, int to) { return there.has_any(from * length, to * length); };
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * of_tile), [&](int v) {
      int const t = v / lanes, lane = v - t * lanes;
      if (lane >= lines) return;
      auto const all = aggregate<length>(scan, values + lane, lanes, there, t * length);
      if (all) put(of_runs[v], *all);
    });
    team.team_barrier();
    int done = 0;
    for (int bit = 1; bit <= width; bit *= 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * of_tile), [&](int v) {
        int const t = v / lanes;
        if (v - t * lanes >= lines) return;
        if ((width & bit) != 0 && t < runs) {
          int const begin = t + 1 + done;
          join(found + v, found + v, done > 0 && any(t + 1, begin), of_runs + v + (1 + done) * lanes,
               any(begin, begin + bit));
        }
        if (2 * bit <= width && t + 2 * bit <= of_tile)
          join(other + v, of_runs + v, any(t, t + bit), of_runs + v + bit * lanes, any(t + bit, t + 2 * bit));
      });
      team.team_barrier();
      if (width & bit) done += bit;
      auto* const next = other;
      other            = of_runs;
      of_runs          = next;
    }
    return found;
  }
  /// What there is of two values.
  KOKKOS_FUNCTION void join(Value* to, Value const* left, bool has_left, Value const* right, bool has_right) const {
    if (has_left && has_right)
      put(*to, scan.combine(*left, *right));
    else if (has_left && to != left)
      put(*to, *left);
    else if (has_right)
      put(*to, *right);
  }

  template <class Member, class Between>
  KOKKOS_FUNCTION void finish_all(Member const& team, Place const& place, Value const* begin, Range const& there,
                                  Value const* end, Range const& there_too, bool all, Between const& between,
                                  Value* made) const {
    int const lanes = lanes_of<Scan>(tiling);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes * tiling.runs), [&](int v) {
      int const t = v / lanes, lane = v - t * lanes, at = t * length;
      if (lane >= place.lines) return;
      Value const *const rests = begin + at * lanes + lane, *const firsts = end + at * lanes + lane;
      Value* const to = made + at * lanes + lane;
      if (all)
        finish(rests, firsts, between(lane, t), to);
      else
        finish_at_ends(rests, firsts, between(lane, t), to, Range{there.begin - at, there.end - at},
                       Range{there_too.begin - at, there_too.end - at});
    });
  }

  /// The windows that begin in a run: what is left of it, the middle, and what is behind that, of which the first
  /// `rest` elements are in all of them.
  KOKKOS_FUNCTION void finish(Value const* rests, Value const* firsts, Maybe<Value> const& between, Value* made) const {
    int const lanes = lanes_of<Scan>(tiling), rest = tiling.rest;
    Maybe<Value> in_all(between);
    for (int k = 0; k < rest; ++k) {
      Value const& value = firsts[k * lanes];
      in_all.put(in_all ? scan.combine(*in_all, value) : value);
    }
    Slot<Value> kept[static_cast<std::size_t>(length)];
    Value const& last = rests[(length - 1) * lanes];
    put(kept[length - 1].value, in_all ? scan.combine(last, *in_all) : last);
    using AllButOne = std::make_integer_sequence<int, length - 1>;
    unrolled(AllButOne(), [&](int back) {
      int const k = length - 2 - back;
      put(kept[k].value, scan.combine(rests[k * lanes], kept[k + 1].value));
    });
    Value behind(firsts[rest * lanes]);
    put(kept[1].value, scan.combine(kept[1].value, behind));
    unrolled(std::make_integer_sequence<int, length - 2>(), [&](int k) {
      put(behind, scan.combine(behind, firsts[(rest + k + 1) * lanes]));
      put(kept[k + 2].value, scan.combine(kept[k + 2].value, behind));
    });
    // At the end: no load waits for a store that may be to the same place.
    unrolled(All(), [&](int k) { put(made[k * lanes], kept[k].value); });
  }

  /// The same where some elements are missing.
  KOKKOS_FUNCTION void finish_at_ends(Value const* rests, Value const* firsts, Maybe<Value> const& between, Value* made,
                                      Range const& there, Range const& there_too) const {
    int const lanes = lanes_of<Scan>(tiling), rest = tiling.rest;
    Maybe<Value> all(between);
    for (int k = 0; k < rest; ++k)
      if (there_too.has(k)) {
        Value const& value = firsts[k * lanes];
        all.put(all ? scan.combine(*all, value) : value);
      }
    int kept = all ? length : 0;  // results up to here have something of what is in `made`
    for (int k = length - 1; k >= 0; --k) {
      if (there.has(k)) {
        Value const& value = rests[k * lanes];
        all.put(all ? scan.combine(value, *all) : value);
        if (kept == 0) kept = k + 1;
      }
      if (all) put(made[k * lanes], *all);
    }
    Maybe<Value> behind;
    for (int k = 0; k + 1 < length; ++k) {
      if (there_too.has(rest + k)) {
        Value const& value = firsts[(rest + k) * lanes];
        behind.put(behind ? scan.combine(*behind, value) : value);
      }
      Value& result = made[(k + 1) * lanes];
      if (behind) put(result, k + 1 < kept ? scan.combine(result, *behind) : *behind);
    }
  }
};

}  // namespace KokkosScan::portable::windows
