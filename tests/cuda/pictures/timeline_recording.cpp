// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "timeline.hpp"

namespace pictures {

namespace cuda = KokkosScan::cuda;
using What     = model::Event::What;

namespace {

/// What a block has published at a word.
using Published = cuda::TaggedValue<Interval>;
Published published_at(std::uintptr_t word) {
  Published published;
  std::memcpy(&published, reinterpret_cast<void const*>(word), sizeof(published));
  return published;
}

}  // namespace

/// At which tile the warp is that runs, or -1; 0 where that is not asked for.
int TimelineRecording::tile_at() const {
  if (blocks_ == Blocks::have_a_tile) return 0;
  auto const found = tiles_.find({blockIdx.x, cuda::warp()});
  return found == tiles_.end() ? -1 : found->second;
}

/// A warp that handles a part of a tile, or publishes its aggregate, is at that tile. Whole tiles may be others'.
void TimelineRecording::go_to(Interval const& value) {
  if (blocks_ == Blocks::have_several_tiles)
    tiles_[{blockIdx.x, cuda::warp()}] = static_cast<int>(value.last / tile_length_);
}

int TimelineRecording::tick(bool shows) {
  unsigned const launch = model::Model::current()->launches() - 1;
  Time const now        = clock_++;
  int const tile        = tile_at();
  if (timeline_.strides.size() <= launch) timeline_.strides.resize(launch + 1);
  if (tile < 0) return -1;
  auto const [place, is_new] = bars_.try_emplace({launch, blockIdx.x, tile}, static_cast<int>(timeline_.bars.size()));
  int const bar              = place->second;
  int const known            = blocks_ == Blocks::have_several_tiles ? tile : -1;
  if (is_new) timeline_.bars.push_back({launch, blockIdx.x, known, {now, now}, {}, {}});
  if (!shows) return bar;
  Bar& b = bar_of(bar);
  if (bar != latest_) b.turns.push_back({now, now});
  b.turns.back().end = b.span.end = clock_;
  latest_                         = bar;
  return bar;
}

void TimelineRecording::on(model::Event const& event) {
  // Of a warp that goes from tile to tile, what it meets and takes may belong to the next.
  bool const is_word = event.what == What::word_load || event.what == What::word_store;
  bool const publishes =
      event.what == What::word_store && event.at >= reinterpret_cast<std::uintptr_t>(states_.slot(0));
  if (publishes) go_to(published_at(event.at).value().value);
  int const bar = tick(is_word || blocks_ == Blocks::have_a_tile);
  if (bar < 0) return;
  Poller& poller = pollers_[{bar, event.thread}];
  if (event.what == What::word_load) {
    poller.words.insert(event.at);
    poller.span.end = clock_;
  } else if (event.what == What::pause) {
    pause(bar, poller, event.where);
  } else if (event.what == What::warp) {
    poller.met = true;
    poller.words.clear();
  } else if (publishes) {
    publish(bar, event.at);
  }
}

void TimelineRecording::pause(int bar, Poller& poller, model::Site const& where) {
  poller.met = false;
  if (!poller.waits) {
    poller.waits      = true;
    poller.where      = where;
    poller.span.begin = clock_;
    waiting_[bar].push_back(&poller);
  }
  wait_at(bar, where).words.merge(poller.words);
  poller.words.clear();
}

/// All threads of a block that wait in the same loop wait together.
Wait& TimelineRecording::wait_at(int bar, model::Site const& where) {
  auto& waits      = bar_of(bar).waits;
  auto const found = std::find_if(waits.begin(), waits.end(), [&](Wait const& wait) {
    return wait.where.line == where.line && std::strcmp(wait.where.file, where.file) == 0;
  });
  if (found != waits.end()) return *found;
  waits.push_back({{clock_, clock_}, where, {}});
  return waits.back();
}

/// One lane polls, and another may combine what it saw: so a wait is over when its own thread combines, or another one
/// of the block after its thread has met its warp.
void TimelineRecording::come_out(int bar, Poller const& combining) {
  auto const waiting = waiting_.find(bar);
  if (waiting == waiting_.end()) return;
  std::erase_if(waiting->second, [&](Poller* poller) {
    if (poller != &combining && !poller->met) return false;
    Wait& wait      = wait_at(bar, poller->where);
    wait.span.begin = std::min(wait.span.begin, poller->span.begin);
    wait.span.end   = std::max(wait.span.end, poller->span.end);
    poller->waits   = false;
    return true;
  });
}

/// Of what is combined behind a wait, and was published before its end in a word that it polled, the latest is what it
/// waited for.
void TimelineRecording::use(int bar, Interval const& value) {
  auto const found = published_.find(value);
  if (found == published_.end()) return;
  auto const time_of = [&](int i) { return timeline_.publications[i].time; };
  auto const word    = timeline_.publications[found->second].word;
  for (Wait& wait : bar_of(bar).waits) {
    if (!wait.words.contains(word) || time_of(found->second) > wait.span.end) continue;
    if (wait.ended_by < 0 || time_of(found->second) > time_of(wait.ended_by)) wait.ended_by = found->second;
  }
}

Interval TimelineRecording::combine(Interval const& left, Interval const& right) {
  if (left.last + 1 != right.first) throw std::logic_error("the operator was handed values that are no neighbours");
  if (right.last - right.first + 1 < tile_length_) go_to(right);
  int const bar = tick();
  if (bar < 0) throw std::logic_error("a warp combined the aggregates of others before it had a tile");
  come_out(bar, pollers_[{bar, threadIdx.x}]);
  for (Interval const& value : {left, right}) {
    use(bar, value);
    auto const maker = made_.find(value);
    if (maker == made_.end()) continue;
    Bar const& from = bar_of(maker->second);
    if (from.launch < bar_of(bar).launch && from.block != bar_of(bar).block) timeline_.flows.insert({from.block, bar});
  }
  auto& stride = timeline_.strides[bar_of(bar).launch];
  stride       = std::max(stride, right.last - left.last);
  if (bar_of(bar).tile < 0) bar_of(bar).tile = static_cast<int>(left.first / tile_length_);
  Interval const result = {left.first, right.last};
  made_.try_emplace(result, bar);
  return result;
}

void TimelineRecording::access(Interval const* input) {
  int const bar = tick();
  if (input) made_.try_emplace(*input, bar);
}

void TimelineRecording::publish(int bar, std::uintptr_t word) {
  Published const published   = published_at(word);
  Interval const value        = published.value().value;
  cuda::TileState const state = cuda::Tag::read(1, published.tag());  // the first scan of a workspace
  if (state == cuda::TileState::empty) throw std::logic_error("a block published an empty state");
  if (!published_.try_emplace(value, static_cast<int>(timeline_.publications.size())).second)
    throw std::logic_error("two blocks published the same");
  timeline_.publications.push_back({bar, state, word, clock_});
}

Timeline TimelineRecording::finish() {
  timeline_.end = clock_;
  for (Bar const& bar : timeline_.bars)
    for (Wait const& wait : bar.waits)
      if (wait.ended_by < 0) throw std::logic_error("a block waited, and nobody knows for whom");
  return std::move(timeline_);
}

}  // namespace pictures
