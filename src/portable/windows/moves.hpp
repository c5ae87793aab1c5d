// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tile.hpp"

// What a team brings into its scratch and gives back.
namespace KokkosScan::portable::windows {

/// What of a team's scratch an array takes, with what its beginning may be moved by.
template <class T>
constexpr std::size_t bytes_of_array(int count) {
  return static_cast<std::size_t>(count) * sizeof(T) + 64;
}
template <class T, class Member>
KOKKOS_FUNCTION T* array_of(Member const& team, int count) {
  return static_cast<T*>(team.team_scratch(0).get_shmem_aligned(static_cast<std::size_t>(count) * sizeof(T), 64));
}

/// Where the lines of a team begin.
template <class Element, Way way>
struct LinesOfTeam {
  Element** lines;
  std::ptrdiff_t step;

  static std::size_t scratch_bytes(Tiling const& tiling) { return bytes_of_array<Element*>(tiling.lanes); }

  template <class Member>
  KOKKOS_FUNCTION LinesOfTeam(Member const& team, core::Lines<Element> const& all, core::LineShape const& shape,
                              Place const& place, Tiling const& tiling)
      : lines(array_of<Element*>(team, tiling.lanes)), step(all.step) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, place.lines), [&](int g) {
      lines[g] = windows::line_of(all, shape, place.line + static_cast<std::size_t>(g));
    });
  }
  /// Elements from one on, which may be before the first.
  struct From {
    Element** lines;
    std::ptrdiff_t step, first;
    KOKKOS_FUNCTION Element& operator()(int lane, int e) const { return lines[lane][(first + e) * step]; }
  };
  KOKKOS_FUNCTION From from(std::ptrdiff_t first) const { return {lines, step, first}; }
};
/// Each thread has but one of the lines.
template <class Element>
struct LinesOfTeam<Element, Way::rows> {
  Element* line;
  std::ptrdiff_t step;

  static std::size_t scratch_bytes(Tiling const&) { return 0; }

  template <class Member>
  KOKKOS_FUNCTION LinesOfTeam(Member const& team, core::Lines<Element> const& all, core::LineShape const& shape,
                              Place const& place, Tiling const& tiling)
      : step(all.step) {
    int const lane = at_of<Way::rows>(tiling, team.team_rank()).lane;
    int const mine = lane < place.lines ? lane : place.lines - 1;
    line           = windows::line_of(all, shape, place.line + static_cast<std::size_t>(mine));
  }
  struct From {
    Element* first;
    std::ptrdiff_t step;
    KOKKOS_FUNCTION Element& operator()(int, int e) const { return first[e * step]; }
  };
  KOKKOS_FUNCTION From from(std::ptrdiff_t first) const { return {line + first * step, step}; }
};
template <class Element>
struct LinesOfTeam<Element, Way::one_line> {
  Element* line;

  static std::size_t scratch_bytes(Tiling const&) { return 0; }

  template <class Member>
  KOKKOS_FUNCTION LinesOfTeam(Member const&, core::Lines<Element> const& all, core::LineShape const& shape,
                              Place const& place, Tiling const&)
      : line(windows::line_of(all, shape, place.line)) {}

  struct From {
    Element* first;
    KOKKOS_FUNCTION Element& operator()(int, int e) const { return first[e]; }
  };
  KOKKOS_FUNCTION From from(std::ptrdiff_t first) const { return {line + first}; }
};

/// Elements that are moved at once.
template <class T, int count>
struct alignas(count * sizeof(T) < 16 ? count * sizeof(T) : 16) Pack {
  T values[static_cast<std::size_t>(count)];
};
/// Whether elements are moved 16 bytes at a time, to or from values.
template <class Element, class Value>
inline constexpr bool by_packs =
    std::is_arithmetic_v<Element> && std::is_arithmetic_v<Value> && sizeof(Element) <= 8 && sizeof(Value) <= 8;
template <class Element>
inline constexpr int of_pack = static_cast<int>(16 / sizeof(Element));

/// How many values further on in scratch those of elements begin, so that what is moved at once is so there, too.
template <class Value, Way way, class From>
KOKKOS_FUNCTION int shift_of(From const& from) {
  using Element = std::remove_cvref_t<decltype(from(0, 0))>;
  if constexpr (way == Way::one_line && by_packs<Element, Value>)
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(&from(0, 0)) % 16 / sizeof(Element));
  else
    return 0;
}
/// What an array needs for that.
template <class Scan, Way way>
inline constexpr int most_shift = way == Way::one_line && sizeof(typename Scan::Value) <= 8 ? 16 : 0;

/// Packs at once, by move_packs(head, packs), of which the first begins at element `head`; what stands before them and
/// behind them by move(e). An element `shift` before the first one would begin a pack.
template <class Element, class Member, class MovePack, class MoveOne>
KOKKOS_FUNCTION void move_by_packs(Member const& team, int count, int shift, MovePack const& move_packs,
                                   MoveOne const& move) {
  constexpr int length = of_pack<Element>;
  int const head = (length - shift) % length, packs = (count - head) / length, behind = head + packs * length;
  int const thread = team.team_rank(), threads = team.team_size();
  move_packs(head, packs);
  for (int e = thread; e < head; e += threads) move(e);
  for (int e = behind + thread; e < count; e += threads) move(e);
}

/// keep(lane, e, load(lane, e)) for so many elements of each line, of those that there are. Each thread makes several
/// loads before it keeps what it has loaded: what is under way at once decides how fast memory is. What is not there is
/// loaded from the nearest place that is, and not kept.
template <Way way, bool has_all, class Value, class Member, class Load, class Keep>
KOKKOS_FUNCTION void transfer(Member const& team, Tiling const& tiling, int count, Range const& there, int lines,
                              Load const& load, Keep const& keep) {
  constexpr int at_once = sizeof(Value) <= 8 ? 8 : 2;
  int const threads = team.team_size(), all = count * lanes_of<way>(tiling);
  auto const at_of_element = [&](int x) -> At {
    if constexpr (way != Way::any) return at_of<way>(tiling, x);
    if (tiling.lanes == 1) return {0, x};
    if (tiling.rows) return at_of<way>(tiling, x);
    return {x / count, x % count};
  };
  auto const nearest = [&](int e) { return e < there.begin ? there.begin : e < there.end ? e : there.end - 1; };
  auto const load_at = [&](int x) -> Value {
    At const at = at_of_element(x < all ? x : all - 1);
    return has_all ? load(at.lane, at.place) : load(at.lane < lines ? at.lane : lines - 1, nearest(at.place));
  };
  auto const keep_at = [&](int x, Value const& value) {
    At const at = at_of_element(x);
    if (x < all && (has_all || (there.has(at.place) && at.lane < lines))) keep(at.lane, at.place, value);
  };
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
    using All = std::make_integer_sequence<int, at_once>;
    for (int first = thread; first < all; first += threads * at_once) {
      Slot<Value> loaded[static_cast<std::size_t>(at_once)];
      unrolled(All(), [&](int k) { put(loaded[k].value, load_at(first + k * threads)); });
      unrolled(All(), [&](int k) { keep_at(first + k * threads, loaded[k].value); });
    }
  });
}
template <Way way, class Value, class Member, class Load, class Keep>
KOKKOS_FUNCTION void transfer(Member const& team, Tiling const& tiling, int count, Range const& there, int lines,
                              Load const& load, Keep const& keep) {
  if (there.begin == 0 && there.end == count && lines == lanes_of<way>(tiling))
    transfer<way, true, Value>(team, tiling, count, there, lines, load, keep);
  else if (there.begin < there.end)
    transfer<way, false, Value>(team, tiling, count, there, lines, load, keep);
}

/// Brings elements into scratch, as values: those that there are.
template <Way way, class Value, class Member, class From>
KOKKOS_FUNCTION void bring(Member const& team, Tiling const& tiling, int lines, From const& from, Range const& there,
                           int count, Value* values) {
  using Element = std::remove_cvref_t<decltype(from(0, 0))>;
  if constexpr (way == Way::one_line && by_packs<Element, Value>) {
    constexpr int length = of_pack<Element>, at_once = 4;
    using In  = Pack<Element, length>;
    using Out = Pack<Value, length>;
    if (there.begin == 0 && there.end == count && count >= length) {
      auto const move     = [&](int e) { put(values[e], static_cast<Value>(from(0, e))); };
      auto const packs_of = [&](int head, int packs) {
        auto const* const in = reinterpret_cast<In const*>(&from(0, head));
        auto* const out      = reinterpret_cast<Out*>(values + head);
        int const threads    = team.team_size();
        using All            = std::make_integer_sequence<int, at_once>;
        for (int first = team.team_rank(); first < packs; first += threads * at_once) {
          In loaded[static_cast<std::size_t>(at_once)];
          unrolled(All(), [&](int k) {
            int const p = first + k * threads;
            loaded[k]   = in[p < packs ? p : packs - 1];
          });
          unrolled(All(), [&](int k) {
            int const p = first + k * threads;
            Out made;
            unrolled(std::make_integer_sequence<int, length>(),
                     [&](int i) { made.values[i] = static_cast<Value>(loaded[k].values[i]); });
            if (p < packs) out[p] = made;
          });
        }
      };
      return move_by_packs<Element>(team, count, shift_of<Value, way>(from), packs_of, move);
    }
  }
  int const lanes = lanes_of<way>(tiling);
  auto const load = [&](int lane, int e) { return static_cast<Value>(from(lane, e)); };
  auto const keep = [&](int lane, int e, Value const& value) { put(values[e * lanes + lane], value); };
  transfer<way, Value>(team, tiling, count, there, lines, load, keep);
}

/// Stores values from scratch: those that there are.
template <Way way, class Value, class Member, class Dest>
KOKKOS_FUNCTION void give(Member const& team, Tiling const& tiling, int lines, Value const* values, Range const& there,
                          int count, Dest const& dest) {
  using Element = std::remove_cvref_t<decltype(dest(0, 0))>;
  if constexpr (way == Way::one_line && by_packs<Element, Value>) {
    constexpr int length = of_pack<Element>;
    using In             = Pack<Value, length>;
    using Out            = Pack<Element, length>;
    if (there.begin == 0 && there.end == count && count >= length) {
      auto const move     = [&](int e) { put(dest(0, e), static_cast<Element>(values[e])); };
      auto const packs_of = [&](int head, int packs) {
        auto const* const in = reinterpret_cast<In const*>(values + head);
        auto* const out      = reinterpret_cast<Out*>(&dest(0, head));
        for (int p = team.team_rank(); p < packs; p += team.team_size()) {
          In const made = in[p];
          Out stored;
          unrolled(std::make_integer_sequence<int, length>(),
                   [&](int i) { stored.values[i] = static_cast<Element>(made.values[i]); });
          out[p] = stored;
        }
      };
      return move_by_packs<Element>(team, count, shift_of<Value, way>(dest), packs_of, move);
    }
  }
  int const lanes = lanes_of<way>(tiling);
  auto const load = [&](int lane, int e) -> Value { return values[e * lanes + lane]; };
  auto const keep = [&](int lane, int e, Value const& value) { put(dest(lane, e), static_cast<Element>(value)); };
  transfer<way, Value>(team, tiling, count, there, lines, load, keep);
}

}  // namespace KokkosScan::portable::windows
