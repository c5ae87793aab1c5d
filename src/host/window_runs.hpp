// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "../core/maybe.hpp"
#include "../core/windows.hpp"
#include "tuning.hpp"

// The windows of some lines, run by run. What a run holds of each line lies side by side in the buffer of a worker, so
// that neighbouring lines are taken together by vectors.
namespace KokkosScan::host::windows {

using core::put;

/// How the elements of a group of lines lie: those of one line side by side, those of neighbouring lines, or neither.
enum class Lie { side_by_side, in_rows, apart };

/// So many lines at most are taken together.
template <class Value>
inline constexpr std::size_t most_lanes = std::max<std::size_t>(1, bytes_of_lanes / sizeof(Value));

/// One value of each line.
template <class Value, std::size_t most>
struct Lanes {
  union One {
    char nothing;
    Value value;
    One() : nothing(0) {}
  };
  One lanes[most];
  Value& operator[](std::size_t g) { return lanes[g].value; }
};

template <class Element, Lie lie>
struct Group {
  Element* data;
  std::ptrdiff_t step;

  Element& operator()(std::size_t i, std::size_t g) const {
    auto const at = static_cast<std::ptrdiff_t>(i);
    if constexpr (lie == Lie::side_by_side)
      return data[at];
    else if constexpr (lie == Lie::in_rows)
      return data[at * step + static_cast<std::ptrdiff_t>(g)];
    else
      return data[at * step];
  }
};

template <class Scan, Lie lie>
class GroupOfLines {
  using Value = typename Scan::Value;
  using Row   = Lanes<Value, lie == Lie::in_rows ? most_lanes<Value> : 1>;

 public:
  GroupOfLines(Scan const& scan, core::WindowRuns const& runs, std::size_t line, std::size_t lanes, Value* buffer)
      : scan_(scan),
        windows_(scan.windows),
        runs_(runs),
        from_{scan.from.line(scan.shape, line), scan.from.step},
        dest_{scan.dest.line(scan.shape, line), scan.dest.step},
        line_(line),
        lanes_(lanes),
        kept_(buffer) {}

  /// The elements of a run combined, one value for each line.
  void aggregate(std::size_t run, Value* aggregates) const {
    std::size_t const begin = std::max(run * runs_.length, windows_.before);
    std::size_t const end   = std::min((run + 1) * runs_.length, windows_.end());
    Row all;
    fold(begin, end, all);
    each_lane([&](std::size_t g) { put(aggregates[(line_ + g) * runs_.aggregates + run - runs_.first], all[g]); });
  }

  /// The results from `begin` on, where a run begins, up to `end`, where it ends at the latest. `middle` has results
  /// for each run in which windows begin.
  void by_runs(std::size_t begin, std::size_t end, Value const* middle) const {
    std::size_t const first = std::max(begin, windows_.first_result()), last = std::min(end, windows_.end_of_results());
    if (first >= last || windows_.elements == 0) return;
    bool const has_rests = keep_rests(begin);
    Row behind;
    bool has_behind           = false;
    std::size_t const run     = begin / runs_.length;
    core::Windows const inner = runs_.middle();
    if (runs_.whole > 1 && inner.has_any(run, run + inner.width)) {
      each_lane([&](std::size_t g) { put(behind[g], middle[(line_ + g) * runs_.count + run]); });
      has_behind = true;
    }
    auto const go_on = [&](std::size_t place) {
      each_lane([&](std::size_t g) {
        put(behind[g], has_behind ? scan_.combine(behind[g], load(place, g)) : load(place, g));
      });
      has_behind = true;
    };
    auto const give = [&](std::size_t i) {
      each_lane([&](std::size_t g) {
        if (has_rests && has_behind)
          store(i, g, scan_.combine(kept(i - begin, g), behind[g]));
        else
          store(i, g, has_rests ? kept(i - begin, g) : behind[g]);
      });
    };
    std::size_t const behind_middle = begin + runs_.whole * runs_.length, width = windows_.width;
    for (std::size_t place = std::max(behind_middle, windows_.before); place < std::min(first + width, windows_.end());
         ++place)
      go_on(place);
    give(first);
    // Up to here windows gain an element when they move on.
    std::size_t const gain = std::min(last, windows_.end() + 1 > width ? windows_.end() + 1 - width : 0);
    std::size_t i          = first + 1;
    if (i < gain && !has_behind) {
      go_on(i + width - 1);
      give(i++);
    }
    if (has_rests)
      for (; i < gain; ++i)
        each_lane([&](std::size_t g) {
          put(behind[g], scan_.combine(behind[g], load(i + width - 1, g)));
          store(i, g, scan_.combine(kept(i - begin, g), behind[g]));
        });
    else
      for (; i < gain; ++i)
        each_lane([&](std::size_t g) {
          put(behind[g], scan_.combine(behind[g], load(i + width - 1, g)));
          store(i, g, behind[g]);
        });
    for (; i < last; ++i) give(i);
  }

  /// The same of narrow windows: of twice as many elements in each round, all at once.
  void by_doubling(std::size_t begin, std::size_t end) const {
    std::size_t const first = std::max(begin, windows_.first_result()), last = std::min(end, windows_.end_of_results());
    std::size_t const width = windows_.width;
    if (first >= last || windows_.elements == 0) return;
    std::size_t const whole = std::max(first, windows_.before);
    std::size_t const gain  = std::min(last, windows_.end() + 1 > width ? windows_.end() + 1 - width : 0);
    for (std::size_t i = first; i < std::min(last, whole); ++i) one_by_one(i);
    if (whole < gain) double_up(whole, gain);
    for (std::size_t i = std::max(whole, gain); i < last; ++i) one_by_one(i);
  }

 private:
  template <class F>
  [[gnu::always_inline]] void each_lane(F const& f) const {
    if constexpr (lie == Lie::in_rows)
      for (std::size_t g = 0; g < lanes_; ++g) f(g);
    else
      f(0);
  }
  std::size_t lanes() const { return lie == Lie::in_rows ? lanes_ : 1; }
  Value load(std::size_t place, std::size_t g) const { return static_cast<Value>(from_(place - windows_.before, g)); }
  void store(std::size_t i, std::size_t g, Value const& value) const {
    put(dest_(i, g), static_cast<typename Scan::Dest>(value));
  }
  Value& kept(std::size_t i, std::size_t g) const { return kept_[i * lanes() + g]; }

  /// What stands at the places from one on up to another, of which there are some. Of one line four parts go side by
  /// side: each alone would wait for its last result.
  void fold(std::size_t begin, std::size_t end, Row& all) const {
    if constexpr (lie != Lie::in_rows) {
      constexpr std::size_t parts = 4, least = 64;
      if (end - begin >= least) {
        std::size_t const length = (end - begin) / parts;
        Lanes<Value, parts> of;
        for (std::size_t part = 0; part < parts; ++part) put(of[part], load(begin + part * length, 0));
        for (std::size_t k = 1; k < length; ++k)
          for (std::size_t part = 0; part < parts; ++part)
            put(of[part], scan_.combine(of[part], load(begin + part * length + k, 0)));
        put(all[0], scan_.combine(scan_.combine(of[0], of[1]), scan_.combine(of[2], of[3])));
        return fold_on(begin + parts * length, end, all);
      }
    }
    each_lane([&](std::size_t g) { put(all[g], load(begin, g)); });
    fold_on(begin + 1, end, all);
  }
  void fold_on(std::size_t begin, std::size_t end, Row& all) const {
    for (std::size_t place = begin; place < end; ++place)
      each_lane([&](std::size_t g) { put(all[g], scan_.combine(all[g], load(place, g))); });
  }
  void one_by_one(std::size_t i) const {
    Row all;
    fold(std::max(i, windows_.before), std::min(i + windows_.width, windows_.end()), all);
    each_lane([&](std::size_t g) { store(i, g, all[g]); });
  }

  /// What is in a run from each place on. Whether there is anything: then for all of its results.
  bool keep_rests(std::size_t begin) const {
    std::size_t const first = std::max(begin, windows_.before), end = std::min(begin + runs_.length, windows_.end());
    if (first >= end) return false;
    Row rest;
    auto const keep = [&](std::size_t place) {
      each_lane([&](std::size_t g) { put(kept(place - begin, g), rest[g]); });
    };
    each_lane([&](std::size_t g) { put(rest[g], load(end - 1, g)); });
    keep(end - 1);
    for (std::size_t place = end - 1; place-- > first;)
      each_lane([&](std::size_t g) {
        put(rest[g], scan_.combine(load(place, g), rest[g]));
        put(kept(place - begin, g), rest[g]);
      });
    for (std::size_t place = begin; place < first; ++place) keep(place);
    return true;
  }

  /// Windows of elements alone. Behind each round values[k] is that of 1, 2, 4, ... elements from k on, and made[k]
  /// that of as many as the bits so far of the width say.
  void double_up(std::size_t begin, std::size_t end) const {
    std::size_t const width = windows_.width, count = (end - begin) * lanes();
    std::size_t valid   = (end - begin + width - 1) * lanes();
    Value* const values = kept_;
    Value* const made   = kept_ + (runs_.length + width) * lanes();
    for (std::size_t i = 0; i < end - begin + width - 1; ++i)
      each_lane([&](std::size_t g) { put(values[i * lanes() + g], load(begin + i, g)); });
    std::size_t done = 0;
    for (std::size_t bit = 1; bit <= width; bit *= 2) {
      std::size_t const apart = done * lanes(), further = bit * lanes();
      if (width & bit) {
        if (done == 0)
          for (std::size_t k = 0; k < count; ++k) put(made[k], values[k]);
        else
          for (std::size_t k = 0; k < count; ++k) put(made[k], scan_.combine(made[k], values[k + apart]));
        done += bit;
      }
      if (2 * bit > width) break;
      valid -= further;
      for (std::size_t k = 0; k < valid; ++k) put(values[k], scan_.combine(values[k], values[k + further]));
    }
    for (std::size_t i = 0; i < end - begin; ++i)
      each_lane([&](std::size_t g) { store(begin + i, g, made[i * lanes() + g]); });
  }

  Scan const& scan_;
  core::Windows windows_;
  core::WindowRuns runs_;
  Group<typename Scan::From const, lie> from_;
  Group<typename Scan::Dest, lie> dest_;
  std::size_t line_, lanes_;
  Value* kept_;
};

}  // namespace KokkosScan::host::windows
