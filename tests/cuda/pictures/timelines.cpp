// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "cuda_native/scan.hpp"
#include "timeline.hpp"

// The grid algorithms, each run in the model with short tiles: one value for each thread of two warps, where they do
// not say themselves how long theirs are.
namespace pictures {
namespace {

namespace cuda = KokkosScan::cuda;
namespace core = KokkosScan::core;

constexpr std::uint32_t tile_length = 64;
using ShortBlock                    = cuda::Block<Interval, cuda::block::WarpShuffle, tile_length>;
static_assert(ShortBlock::tile_length == tile_length);

struct RunSettings {
  std::size_t n;
  std::uint64_t seed;
  unsigned resident;  // blocks at once
  model::Start start = model::Start::seeded;
  std::uint32_t tile = tile_length;
};

struct Combining {
  TimelineRecording* recording;
  Interval operator()(Interval const& left, Interval const& right) const { return recording->combine(left, right); }
};

/// An array whose accesses are seen.
template <class Element>
struct Watched {
  Element* data;
  TimelineRecording* recording;
  Element& operator[](std::size_t i) const {
    recording->access(std::is_const_v<Element> ? data + i : nullptr);
    return data[i];
  }
};

/// How a kernel gets its arrays: watched, or side by side, as those are that copies can move.
template <bool copies, class Element>
auto array(Element* data, TimelineRecording& recording) {
  if constexpr (copies)
    return core::Contiguous<Element>{data};
  else
    return Watched<Element>{data, &recording};
}

/// Memory for values and states, aligned as memory of a GPU is.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : lines_(bytes / sizeof(Line) + 1) {}
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(lines_.data());
  }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };
  std::vector<Line> lines_;
};

/// Blocks that copy have several tiles.
template <bool copies, class Run>
Timeline record(RunSettings const& settings, Run const& run) {
  auto const n = static_cast<std::uint32_t>(settings.n);
  Memory inputs(n * sizeof(Interval)), outputs(n * sizeof(Interval)), scratch(2 * n * sizeof(Interval));
  auto* const from = inputs.as<Interval>();
  auto* const dest = outputs.as<Interval>();
  for (std::uint32_t i = 0; i < n; ++i) from[i] = {i, i};
  Memory state(cuda::States::bytes(cuda::Groups<Interval>::slots(n)));
  auto const states = cuda::States::in(state.as<void>(), state.bytes());

  using Blocks = TimelineRecording::Blocks;
  TimelineRecording recording(settings.tile, copies ? Blocks::have_several_tiles : Blocks::have_a_tile);
  recording.watch(states);
  model::Model const model(model::Settings{
      .seed = settings.seed, .resident = settings.resident, .start = settings.start, .recorder = recording.recorder()});
  auto const read    = array<copies, Interval const>(from, recording);
  auto const written = array<copies, Interval>(dest, recording);
  core::ArrayScan<core::Kind::inclusive, Interval, std::remove_const_t<decltype(read)>,
                  std::remove_const_t<decltype(written)>, Combining> const scan{{read, {}},   {written}, n,
                                                                                {&recording}, {},        nullptr};
  run(scan, states, scratch.as<Interval>());

  for (std::uint32_t i = 0; i < n; ++i)
    if (dest[i] != Interval{0, i}) throw std::logic_error("the result is wrong");
  return recording.finish();
}

/// The first run, from a seed on that is known to be good, in which there is to be seen what there is to say. So when
/// the kernels or the model change their ways, it is enough to draw anew.
template <bool copies = false, class Run, class IsClear>
std::string draw_first_clear(TimelineView const& view, RunSettings settings, Run const& run, IsClear const& is_clear) {
  for (std::uint64_t const end = settings.seed + 500; settings.seed < end; ++settings.seed)
    if (Timeline const timeline = record<copies>(settings, run); is_clear(timeline))
      return draw_timeline(timeline, view);
  throw std::runtime_error("no run shows what a picture is to show");
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
    for (Wait const& wait : bar.waits) f(bar, wait, timeline.publications[wait.ended_by]);
}

/// How many waits began when it was there already what they waited for, and was not seen: words are slow in the model.
/// That is right, and confuses in a picture.
int late_waits(Timeline const& timeline) {
  int count = 0;
  for_each_wait(timeline,
                [&](Bar const&, Wait const& wait, Publication const& by) { count += by.time < wait.span.begin; });
  return count;
}

std::vector<int> first(int count) {
  std::vector<int> rows(count);
  for (int i = 0; i < count; ++i) rows[i] = i;
  return rows;
}

std::string hillis_steele() {
  TimelineView view{"Hillis-Steele: a launch for each doubling", "1000 elements, 4 blocks, 2 of them resident.",
                    first(4)};
  view.row_name         = "block";
  view.launch_name      = "stride";
  view.launches         = std::vector<std::string>(12);  // of ten doublings
  view.launches.front() = "fetch";
  view.launches.back()  = "deliver";
  return draw_first_clear(
      view, {.n = 1000, .seed = 18, .resident = 2},
      [](auto const& scan, auto const&, Interval* scratch) { cuda::hillis_steele::run(nullptr, scan, scratch); },
      [](Timeline const& t) { return turns(t) < 100; });
}

std::string hierarchical() {
  TimelineView view{"Hierarchical: scan the tiles, scan their aggregates, combine the prefixes",
                    "8 tiles, 3 blocks resident. No block waits for another.", first(8)};
  view.launch_name = "launch";
  view.launches    = {"tiles", "aggregates", "prefixes"};
  return draw_first_clear(
      view, {.n = 8 * tile_length, .seed = 15, .resident = 3, .start = model::Start::ascending},
      [](auto const& scan, auto const&, Interval* scratch) {
        cuda::hierarchical::run<ShortBlock>(nullptr, scan, scratch, nullptr);
      },
      [](Timeline const& t) { return turns(t) < 80; });
}

constexpr auto look_back = [](auto const& scan, auto const& states, Interval*) {
  cuda::lookback::run<ShortBlock>(nullptr, scan, states, nullptr);
};

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
  return draw_first_clear({"Within a group: each tile waits for the aggregates before it",
                           "Look-back, 8 tiles, 4 blocks resident; a chained scan does the same here.", first(8)},
                          {.n = 8 * tile_length, .seed = 53, .resident = 4}, look_back, is_clear);
}

std::string one_wave() {
  constexpr cuda::one_wave::Partition partition{.threads = 64, .rounds = cuda::one_wave::Shape<Interval>::rounds};
  constexpr std::uint32_t tile = partition.tile<Interval>();
  auto const is_clear          = [](Timeline const& t) {
    int waits = 0;
    for_each_wait(t, [&](Bar const&, Wait const&, Publication const&) { ++waits; });
    return turns(t) < 250 && waits >= 5 && late_waits(t) == 0;
  };
  return draw_first_clear(
      {"One wave: each tile waits for the aggregates of all before it",
       "8 tiles, all blocks resident. Aggregates are polled at once, and there are no prefixes.", first(8)},
      {.n = 8 * tile, .seed = 0, .resident = 8, .tile = tile},
      [=](auto const& scan, auto const& states, Interval*) { cuda::one_wave::run(nullptr, scan, states, partition); },
      is_clear);
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
  constexpr std::uint32_t tile = cuda::pipelined::Shape<Interval>::tile;
  TimelineView view{"Pipelined: blocks have several tiles under way",
                    "9 tiles, 3 blocks. While a tile waits, its block works on others.", first(9)};
  view.names_blocks = true;
  return draw_first_clear<true>(
      view, {.n = 9 * tile, .seed = 0, .resident = 3, .tile = tile},
      [](auto const& scan, auto const& states, Interval*) {
        cuda::pipelined::run(nullptr, scan, states, cuda::current_device());
      },
      [](Timeline const& t) { return waits_beside_work(t) >= 4 && late_waits(t) == 0; });
}

/// How many waits of the third group were ended by the last tile of that group.
int waits_of_third_group_for(int group, Timeline const& timeline) {
  int count = 0;
  for_each_wait(timeline, [&](Bar const& bar, Wait const&, Publication const& by) {
    int const from = timeline.bars[by.bar].tile;
    count += bar.tile >= 64 && from == group * 32 + 31;
  });
  return count;
}

/// Across groups, where the single-pass algorithms differ; with all blocks at once, so that later groups get ahead.
template <class Run>
std::string groups(std::string const& title, std::uint64_t seed, int waits_for, Run const& run) {
  return draw_first_clear({title,
                           "96 tiles in three groups, all blocks resident; of each group the first and the last tiles.",
                           {0, 1, -1, 30, 31, 32, 33, -1, 62, 63, 64, 65, -1, 94, 95},
                           32},
                          {.n = 96 * tile_length, .seed = seed, .resident = 96}, run, [=](Timeline const& t) {
                            return turns(t) < 4000 && waits_of_third_group_for(waits_for, t) > 12 && late_waits(t) < 4;
                          });
}

}  // namespace

void draw_timelines(Files& files) {
  files["hillis_steele.svg"]  = hillis_steele();
  files["hierarchical.svg"]   = hierarchical();
  files["within_a_group.svg"] = within_a_group();
  files["one_wave.svg"]       = one_wave();
  files["pipelined.svg"]      = pipelined();
  files["chained.svg"]        = groups("Chained: each group waits for the prefix behind its predecessor", 32, 1,
                                       [](auto const& scan, auto const& states, Interval*) {
                                  cuda::chained::run<ShortBlock>(nullptr, scan, states, nullptr);
                                });
  files["lookback.svg"] =
      groups("Look-back: each group waits for the aggregates of those before it", 118, 0, look_back);
}

}  // namespace pictures
