// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "timeline.hpp"

namespace pictures {

/// Listens to the kernels of one scan. It never asks which algorithm that is, but for how many tiles a block has: who
/// waited for whom follows from who polled which word, who published there, and which values the operator was handed
/// afterwards.
class TimelineRecording {
 public:
  enum class Blocks { have_a_tile, have_several_tiles };

  /// A block that has several tiles under way gets a bar for each, of what its warps combine and publish there.
  explicit TimelineRecording(std::uint32_t length_of_a_tile, Blocks blocks = Blocks::have_a_tile)
      : tile_length_(length_of_a_tile), blocks_(blocks) {}

  model::Recorder recorder();
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
  Bar& bar_of(int bar) { return timeline_.bars[static_cast<std::size_t>(bar)]; }

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

}  // namespace pictures
