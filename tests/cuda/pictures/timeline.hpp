// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cuda_native/tile_states.hpp"

namespace pictures {

/// A value that remembers which elements it covers.
struct Interval {
  std::uint32_t first, last;
  auto operator<=>(Interval const&) const = default;
};

/// Counts everything that threads do: the events of the model, the applications of the operator, and the accesses to
/// the arrays.
using Time = std::int64_t;

struct Span {
  Time begin, end;
};

/// From the first pause in a loop to the last poll.
struct Wait {
  Span span;
  model::Site where;               // the loop
  std::set<std::uintptr_t> words;  // that were polled
  int ended_by = -1;               // the publication that came last of those that it waited for
};

/// What one block does in one launch.
struct Bar {
  unsigned launch, block;
  int tile;  // from the first values that it combines
  Span span;
  std::vector<Span> turns;
  std::vector<Wait> waits;
};

struct Publication {
  int bar;
  KokkosScan::cuda::TileState state;
  std::uintptr_t word;
  Time time;
};

/// A block of a launch uses what another block made in an earlier launch.
struct Flow {
  unsigned from_block;
  int to_bar;
  auto operator<=>(Flow const&) const = default;
};

/// One scan.
struct Timeline {
  std::vector<Bar> bars;
  std::vector<Publication> publications;
  std::set<Flow> flows;
  std::vector<std::uint32_t> strides;  // of the launches: how far before the right operand the left one stands, at most
  Time end = 0;
};

/// Listens to the kernels of one scan. It never asks which algorithm that is, but for how many tiles a block has: who
/// waited for whom follows from who polled which word, who published there, and which values the operator was handed
/// afterwards.
class TimelineRecording {
 public:
  enum class Blocks { have_a_tile, have_several_tiles };

  /// A block that has several tiles under way gets a bar for each, of what its warps combine and publish there.
  explicit TimelineRecording(std::uint32_t length_of_a_tile, Blocks blocks = Blocks::have_a_tile)
      : tile_length_(length_of_a_tile), blocks_(blocks) {}

  model::Recorder recorder() {
    return [this](model::Event const& event) { on(event); };
  }
  /// Where the blocks publish.
  void watch(KokkosScan::cuda::States const& states) { states_ = states; }

  /// Called by the threads of the kernels.
  Interval combine(Interval const& left, Interval const& right);
  void access(Interval const* input);

  Timeline finish();

 private:
  /// A thread that polls words.
  struct Poller {
    Span span{0, 0};
    model::Site where;
    std::set<std::uintptr_t> words;  // that it polled since it last paused
    bool waits = false;
    bool met   = false;  // others of its warp, since it last paused
  };

  /// One more thing was done, by the thread that runs. Returns its bar, or -1 if it has none.
  int tick(bool shows = true);
  int tile_at() const;
  void go_to(Interval const& value);
  void on(model::Event const&);
  void pause(int bar, Poller&, model::Site const&);
  void come_out(int bar, Poller const& combining);
  void use(int bar, Interval const&);
  void publish(int bar, std::uintptr_t word);
  Wait& wait_at(int bar, model::Site const&);
  Bar& bar_of(int bar) { return timeline_.bars[bar]; }

  std::uint32_t tile_length_;
  Blocks blocks_;
  KokkosScan::cuda::States states_{nullptr, 0};
  Timeline timeline_;
  Time clock_ = 0;
  int latest_ = -1;                                          // bar, that had its turn
  std::map<std::tuple<unsigned, unsigned, int>, int> bars_;  // by launch, block and tile, if it has several
  std::map<std::pair<unsigned, int>, int> tiles_;            // by block and warp
  std::map<std::pair<int, unsigned>, Poller> pollers_;       // by bar and thread
  std::map<int, std::vector<Poller*>> waiting_;              // by bar
  std::map<Interval, int> published_;                        // by which publication
  std::map<Interval, int> made_;                             // by which bar, first
};

/// What of a timeline is to be seen.
struct TimelineView {
  std::string title, about;
  std::vector<int> rows;                // tiles in ascending order, or blocks; -1 stands for those in between
  int group         = 0;                // so many tiles form one
  bool names_blocks = false;            // beside the tiles
  std::string launch_name{};            // if there are several launches
  std::vector<std::string> launches{};  // an empty name stands for the stride that was recorded
  std::string row_name = "tile";
};

/// Time from left to right, a row for each tile or block: when it works, waits and publishes, and who ends whose wait.
std::string draw_timeline(Timeline const& timeline, TimelineView const& view);

/// By file name, the text of the file.
using Files = std::map<std::string, std::string>;
/// Runs the grid algorithms and draws them.
void draw_timelines(Files&);

}  // namespace pictures
