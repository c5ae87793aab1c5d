// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "grid_runs.hpp"
#include "network_picture.hpp"
#include "timeline_picture.hpp"

// Which pictures there are.
namespace pictures {
namespace {

namespace block = KokkosScan::cuda::block;

/// A network is the same in every schedule.
template <class Algorithm>
std::string network(std::string const& name, int n, int threads, ScratchUse scratch_use) {
  auto const picture_of = [&](std::uint64_t seed) {
    return draw_network(record_network<Algorithm>(n, threads, scratch_use, seed), name, scratch_use);
  };
  std::string const picture = picture_of(0);
  for (std::uint64_t seed = 1; seed < 5; ++seed)
    if (picture_of(seed) != picture) throw std::logic_error(name + ": the picture depends on the schedule");
  return picture;
}

void draw_networks(Files& files) {
  auto const scratch       = ScratchUse::aggregates;
  files["kogge_stone.svg"] = network<block::KoggeStone<1>>("Kogge-Stone", 16, 16, scratch);
  files["kogge_stone_double_buffered.svg"] =
      network<block::KoggeStoneDoubleBuffered<1>>("Kogge-Stone between two buffers", 16, 16, ScratchUse::buffer);
  files["brent_kung.svg"] = network<block::BrentKung<2>>("Brent-Kung", 16, 8, scratch);
  files["blelloch.svg"]   = network<block::Blelloch<2>>("Blelloch", 16, 8, ScratchUse::aggregate);

  // Shuffles take whole warps; the threads that have no value sit out.
  files["three_phase.svg"] =
      network<block::ThreePhase<block::WarpShuffle, 4>>("Three phases, 4 values to a thread", 16, 32, scratch);
  files["warp_shuffle.svg"]           = network<block::WarpShuffle>("Warp shuffles within a warp", 16, 32, scratch);
  files["warp_shuffle_two_warps.svg"] = network<block::WarpShuffle>("Warp shuffles in two warps", 64, 64, scratch);
}

std::size_t turns(Timeline const& timeline) {
  std::size_t count = 0;
  for (Bar const& bar : timeline.bars) count += bar.turns.size();
  return count;
}

/// Calls f(bar that waits, wait, publication that ended the wait).
template <class F>
void for_each_wait(Timeline const& timeline, F const& f) {
  for (Bar const& bar : timeline.bars)
    for (Wait const& wait : bar.waits) f(bar, wait, timeline.publications[static_cast<std::size_t>(wait.ended_by)]);
}

/// How many waits began when it was there already what they waited for, and was not seen: words are slow in the model.
/// That is right, and confuses in a picture.
int late_waits(Timeline const& timeline) {
  int count = 0;
  for_each_wait(timeline,
                [&](Bar const&, Wait const& wait, Publication const& by) { count += by.time < wait.span.begin; });
  return count;
}

/// How many waits of the third group were ended by the last tile of that group.
int waits_of_third_group_for(int group, Timeline const& timeline) {
  int count = 0;
  for_each_wait(timeline, [&](Bar const& bar, Wait const&, Publication const& by) {
    int const from = timeline.bars[static_cast<std::size_t>(by.bar)].tile;
    count += bar.tile >= 64 && from == group * 32 + 31;
  });
  return count;
}

/// The first run, from a seed on that is known to be good, in which there is to be seen what there is to say. So when
/// the kernels or the model change their ways, it is enough to draw anew.
template <class Run, class IsClear>
Timeline first_clear(RunSettings settings, Run const& run, IsClear const& is_clear) {
  for (std::uint64_t const end = settings.seed + 500; settings.seed < end; ++settings.seed) {
    Timeline timeline = run(settings);
    if (is_clear(timeline)) return timeline;
  }
  throw std::runtime_error("no run shows what a picture is to show");
}

std::string hillis_steele() {
  Timeline const timeline = first_clear({.n = 1000, .seed = 18, .resident = 2}, run_hillis_steele,
                                        [](Timeline const& t) { return turns(t) < 100; });
  TimelineView view{"Hillis-Steele: a launch for each doubling",
                    "1000 elements, 4 blocks, 2 of them resident.",
                    "block",
                    {0, 1, 2, 3}};
  view.launch_name = "stride";
  view.launches.resize(timeline.strides.size());
  view.launches.front() = "fetch";
  view.launches.back()  = "deliver";
  return draw_timeline(timeline, view);
}

std::string hierarchical() {
  TimelineView view{"Hierarchical: scan the tiles, scan their totals, join the prefixes",
                    "8 tiles, 3 blocks resident. No block waits for another.",
                    "tile",
                    {0, 1, 2, 3, 4, 5, 6, 7}};
  view.launch_name = "launch";
  view.launches    = {"tiles", "totals", "prefixes"};
  return draw_timeline(first_clear({.n = 8 * tile_length, .seed = 15, .resident = 3, .start = model::Start::ascending},
                                   run_hierarchical, [](Timeline const& t) { return turns(t) < 80; }),
                       view);
}

std::string within_a_group() {
  auto const is_clear = [](Timeline const& t) {
    int waits   = 0;
    Time waited = 0;
    for_each_wait(t, [&](Bar const&, Wait const& wait, Publication const&) {
      ++waits;
      waited += wait.span.end - wait.span.begin;
    });
    return turns(t) < 250 && waits >= 4 && waited > t.end / 5 && late_waits(t) == 0;
  };
  return draw_timeline(first_clear({.n = 8 * tile_length, .seed = 53, .resident = 4}, run_lookback, is_clear),
                       {"Within a group: each tile waits for the totals before it",
                        "Look-back, 8 tiles, 4 blocks resident; a chained scan does the same here.",
                        "tile",
                        {0, 1, 2, 3, 4, 5, 6, 7}});
}

std::string one_wave() {
  auto const is_clear = [](Timeline const& t) {
    int waits = 0;
    for_each_wait(t, [&](Bar const&, Wait const&, Publication const&) { ++waits; });
    return turns(t) < 250 && waits >= 5 && late_waits(t) == 0;
  };
  return draw_timeline(first_clear({.n = 8 * one_wave_tile_length, .seed = 0, .resident = 8}, run_one_wave, is_clear),
                       {"One wave: each tile waits for the totals of all before it",
                        "8 tiles, all blocks resident. Totals are looked at once, and there are no prefixes.",
                        "tile",
                        {0, 1, 2, 3, 4, 5, 6, 7}});
}

/// How many waits in a block did not keep it from working on other tiles, and were over soon after their reason.
int waits_beside_work(Timeline const& timeline) {
  int count = 0;
  for_each_wait(timeline, [&](Bar const& bar, Wait const& wait, Publication const& by) {
    auto const works_meanwhile = [&](Bar const& other) {
      return other.block == bar.block && other.tile != bar.tile &&
             std::any_of(other.turns.begin(), other.turns.end(),
                         [&](Span const& turn) { return turn.begin > wait.span.begin && turn.end < by.time; });
    };
    bool const is_soon_over = by.time > wait.span.begin && wait.span.end - by.time < timeline.end / 20;
    count += is_soon_over && std::any_of(timeline.bars.begin(), timeline.bars.end(), works_meanwhile);
  });
  return count;
}

std::string pipelined() {
  auto const is_clear = [](Timeline const& t) { return waits_beside_work(t) >= 4 && late_waits(t) == 0; };
  RunSettings const settings{.n = 9 * static_cast<std::size_t>(pipelined_tile_length), .seed = 0, .resident = 3};
  TimelineView view{"Pipelined: blocks have several tiles under way",
                    "9 tiles, 3 blocks. While a tile waits, its block works on others.",
                    "tile",
                    {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  view.names_blocks = true;
  return draw_timeline(first_clear(settings, run_pipelined, is_clear), view);
}

/// Across groups, where the single-pass algorithms differ; with all blocks at once, so that later groups get ahead.
void draw_groups(Files& files) {
  RunSettings settings{.n = 96 * tile_length, .seed = 32, .resident = 96};
  auto const waits_for = [](int group) {
    return [group](Timeline const& t) {
      return turns(t) < 4000 && waits_of_third_group_for(group, t) > 12 && late_waits(t) < 4;
    };
  };
  TimelineView view{"Chained: each group waits for the prefix behind its predecessor",
                    "96 tiles in three groups, all blocks resident; of each group the first and the last tiles.",
                    "tile",
                    {0, 1, -1, 30, 31, 32, 33, -1, 62, 63, 64, 65, -1, 94, 95},
                    32};
  files["chained.svg"]  = draw_timeline(first_clear(settings, run_chained, waits_for(1)), view);
  settings.seed         = 118;
  view.title            = "Look-back: each group waits for the totals of those before it";
  files["lookback.svg"] = draw_timeline(first_clear(settings, run_lookback, waits_for(0)), view);
}

}  // namespace

Files draw_all() {
  Files files;
  draw_networks(files);
  files["hillis_steele.svg"]  = hillis_steele();
  files["hierarchical.svg"]   = hierarchical();
  files["within_a_group.svg"] = within_a_group();
  files["one_wave.svg"]       = one_wave();
  files["pipelined.svg"]      = pipelined();
  draw_groups(files);
  return files;
}

}  // namespace pictures
