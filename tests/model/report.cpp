// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "run.hpp"

// Who waits for whom.
namespace model {

std::string at(Site const& where) { return std::string(" (") + where.file + ":" + std::to_string(where.line) + ")"; }

std::string hex(unsigned bits) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setw(8) << std::setfill('0') << bits;
  return text.str();
}

namespace {

constexpr unsigned most_lines = 24;

std::string of_word(Word const& word) {
  std::ostringstream text;
  Bits const now = word.messages.back().value;
  text << "a word of " << word.bytes << " bytes at " << static_cast<void*>(word.address) << ", now " << std::hex;
  if (word.bytes == 16) text << "0x" << now.high << " ";
  text << "0x" << now.low << std::dec << " after " << word.newest() << " writes";
  return text.str();
}

/// "1-31, 40"
std::string ranges(std::vector<unsigned> const& numbers) {
  std::string text;
  for (std::size_t i = 0, end; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    if (i) text += ", ";
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += "-" + std::to_string(numbers[end - 1]);
  }
  return text;
}

std::string doing(Thread const& thread) {
  switch (thread.state) {
    case State::running:
    case State::ready: return "can move";
    case State::ended: return "ended";
    case State::paused:
      return "paused" + at(thread.where) + (thread.polled ? " after a poll of a word" + at(thread.polled_from) : "");
    case State::waiting: break;
  }
  if (thread.call == Call::phase) {
    auto const& mbarriers = thread.block->mbarriers;
    auto const mbarrier   = std::find_if(mbarriers.begin(), mbarriers.end(),
                                         [&](Mbarrier const& m) { return m.byte == std::ptrdiff_t{thread.other}; });
    return "waits at " + text_of(*mbarrier) + ", for parity " + std::to_string(thread.mask) + at(thread.where);
  }
  if (thread.call == Call::copied_out || thread.call == Call::previous_grid)
    return std::string("waits at ") + name_of(thread.call) + at(thread.where);
  return std::string("waits at ") + name_of(thread.call) +
         (thread.call == Call::syncthreads ? "" : " for lanes " + hex(thread.mask)) + at(thread.where);
}

}  // namespace

std::string Run::who_waits(Block const& block) const {
  std::vector<std::pair<std::string, std::vector<unsigned>>> groups;
  for (unsigned i = 0; i < block.size; ++i) {
    std::string const text = doing(block.threads[i]);
    auto const found       = std::find_if(groups.begin(), groups.end(), [&](auto const& g) { return g.first == text; });
    if (found != groups.end())
      found->second.push_back(i);
    else if (groups.size() < most_lines)
      groups.push_back({text, {i}});
  }
  std::string text;
  for (auto const& [what, threads] : groups) {
    text += "  block " + std::to_string(block.index) + ", thread" + (threads.size() > 1 ? "s " : " ") +
            ranges(threads) + ": " + what + "\n";
    Thread const& first = block.threads[threads[0]];
    if (first.state == State::paused && first.polled)
      text += "    thread " + std::to_string(first.index) + " at " + of_word(words_[first.polled_word]) + "\n";
  }
  return text;
}

std::string Run::who_waits() const {
  std::vector<Block const*> blocks;
  for (auto const& block : resident_) blocks.push_back(block.get());
  std::sort(blocks.begin(), blocks.end(), [](auto const* a, auto const* b) { return a->index < b->index; });
  std::string text;
  unsigned lines = 0;
  for (Block const* block : blocks) {
    std::string const more = who_waits(*block);
    lines += static_cast<unsigned>(std::count(more.begin(), more.end(), '\n'));
    if (lines > most_lines) {
      text += "  ...\n";
      break;
    }
    text += more;
  }
  std::vector<unsigned> waiting;
  Grid const& grid = grids_[present_];
  for (unsigned i = grid.started; i < grid.shape.blocks; ++i) waiting.push_back(block_at(grid, i));
  std::sort(waiting.begin(), waiting.end());
  if (!waiting.empty()) text += "  not started: block " + ranges(waiting) + "\n";
  return text;
}

}  // namespace model
