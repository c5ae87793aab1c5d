// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scheduler.hpp"

#include <algorithm>
#include <utility>

namespace model {
namespace {

constexpr unsigned ranks           = 1U << 30;  // a block that falls behind gets a rank above all these
constexpr unsigned turns_of_a_rank = 200;

}  // namespace

void Scheduler::begin(Temper const& temper, Random* random) {
  temper_      = temper;
  random_      = random;
  lowest_rank_ = ranks;
  favourite_   = nullptr;
  movable_.clear();
  paused_.clear();
}

void Scheduler::enter(Block& block) {
  block.rank = random_->below(ranks);
  for (unsigned i = 0; i < block.size(); ++i) can_move(block.thread(temper_.descending ? block.size() - 1 - i : i));
}

void Scheduler::can_move(Thread& thread) {
  Block& block = *thread.block;
  thread.state = State::ready;
  if (block.ready.empty()) {
    block.place_in_movable = static_cast<unsigned>(movable_.size());
    movable_.push_back(&block);
    if (temper_.blocks == Temper::Blocks::rank && favourite_ && block.rank < favourite_->rank) favourite_ = &block;
  }
  block.ready.push_back(&thread);
  // Chance has chosen the next two already (take).
  if (std::size_t const n = block.ready.size(); temper_.threads == Temper::Threads::chance && n > 2) {
    std::swap(block.ready[n - 1], block.ready[n - 2]);
    std::swap(block.ready[n - 2], block.ready[n - 3]);
  }
}

void Scheduler::steps_back(Thread& thread) {
  can_move(thread);
  auto& ready = thread.block->ready;
  std::swap(ready.back(), ready[random_->below(static_cast<unsigned>(ready.size()))]);
}

void Scheduler::waits_for_word(Thread& thread) {
  thread.state = State::paused;
  ++thread.block->paused;
  paused_.push_back(&thread);
}

Thread& Scheduler::take_paused(unsigned i) {
  Thread& thread = *paused_[i];
  paused_[i]     = paused_.back();
  paused_.pop_back();
  --thread.block->paused;
  return thread;
}

void Scheduler::let_them_look() {
  while (!paused_.empty()) can_move(take_paused(static_cast<unsigned>(paused_.size() - 1)));
}

Block& Scheduler::any() { return *movable_[random_->below(static_cast<unsigned>(movable_.size()))]; }

Block& Scheduler::choose() {
  if (movable_.size() == 1) return *movable_[0];
  switch (temper_.blocks) {
    case Temper::Blocks::chance:
      if (!favourite_ || random_->one_in(temper_.block_turns)) favourite_ = &any();
      break;
    case Temper::Blocks::stay:
      if (!favourite_) favourite_ = &any();
      break;
    case Temper::Blocks::rank:
      if (favourite_ && random_->one_in(turns_of_a_rank)) {
        favourite_->rank = ++lowest_rank_;
        favourite_       = nullptr;
      }
      if (!favourite_)
        favourite_ = *std::min_element(movable_.begin(), movable_.end(),
                                       [](Block const* a, Block const* b) { return a->rank < b->rank; });
      break;
  }
  return *favourite_;
}

Thread& Scheduler::take(Block& block) {
  auto& ready    = block.ready;
  Thread& thread = *ready.back();
  ready.pop_back();
  if (ready.empty()) {
    Block* const moved               = movable_.back();
    movable_[block.place_in_movable] = moved;
    moved->place_in_movable          = block.place_in_movable;
    movable_.pop_back();
    if (favourite_ == &block) favourite_ = nullptr;
    return thread;
  }
  // Who comes next, and after that, unless others do: on its way into the cache while this one runs.
  if (ready.back()->fiber) ready.back()->fiber->prefetch();
  if (std::size_t const n = ready.size(); n > 1) {
    if (temper_.threads == Temper::Threads::chance)
      std::swap(ready[n - 2], ready[random_->below(static_cast<unsigned>(n - 1))]);
    __builtin_prefetch(ready[n - 2]);
    __builtin_prefetch(&ready[n - 2]->after);
  }
  return thread;
}

// Who waits for a word may look for it although others can move; but not twice for the same news, or those who wait
// together in vain would look for ever, now one, now the other.
Thread* Scheduler::next(std::uint64_t news) {
  if (movable_.empty()) return nullptr;
  if (!paused_.empty() && random_->one_in(temper_.impatience)) {
    unsigned const i = random_->below(static_cast<unsigned>(paused_.size()));
    if (paused_[i]->last_news != news) {
      paused_[i]->last_news = news;
      return &take_paused(i);
    }
  }
  return &take(choose());
}

}  // namespace model
