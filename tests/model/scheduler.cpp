// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scheduler.hpp"

#include <algorithm>
#include <utility>

namespace model {
namespace {

constexpr unsigned ranks           = 1U << 30;  // a block that falls behind gets a rank above all these
constexpr unsigned turns_of_a_rank = 200;

}  // namespace

Policy Policy::draw(Settings const& settings, Random& random) {
  Policy policy{};
  policy.resident      = random.one_of({1U, 2U, 7U, all_blocks, all_blocks});
  policy.start         = random.one_of({Start::ascending, Start::descending, Start::shuffled});
  policy.blocks        = random.one_of({Blocks::chance, Blocks::stay, Blocks::rank});
  policy.block_turns   = random.one_of({1U, 16U, 256U});
  policy.threads       = random.one_of({Threads::chance, Threads::latest});
  policy.descending    = random.one_in(2);
  policy.time_slice    = random.one_of({8U, 64U, 512U, 1U << 20});
  policy.poll_one_in   = random.one_of({4U, 64U, 1U << 20});
  policy.newest_in_ten = random.one_of({1U, 5U, 9U, 10U});
  if (settings.resident) policy.resident = settings.resident;
  if (settings.start != Start::seeded) policy.start = settings.start;
  return policy;
}

std::string Policy::text() const {
  std::string const order = start == Start::ascending ? "ascending" : start == Start::descending ? "descending" : "any";
  return (resident == all_blocks ? "all blocks" : std::to_string(resident) + " block" + (resident == 1 ? "" : "s")) +
         " resident, started in " + order + " order";
}

void Scheduler::begin(Policy const& policy, Random* random) {
  policy_      = policy;
  random_      = random;
  lowest_rank_ = ranks;
  favourite_   = nullptr;
  movable_.clear();
  paused_.clear();
}

void Scheduler::enter(Block& block) {
  block.rank = random_->below(ranks);
  for (unsigned i = 0; i < block.size; ++i) can_move(block.threads[policy_.descending ? block.size - 1 - i : i]);
}

void Scheduler::can_move(Thread& thread) {
  Block& block = *thread.block;
  thread.state = State::ready;
  if (block.ready.empty()) {
    block.index_in_movable = static_cast<unsigned>(movable_.size());
    movable_.push_back(&block);
    if (policy_.blocks == Policy::Blocks::rank && favourite_ && block.rank < favourite_->rank) favourite_ = &block;
  }
  block.ready.push_back(&thread);
  // Chance has chosen the next two already (take).
  if (std::size_t const n = block.ready.size(); policy_.threads == Policy::Threads::chance && n > 2) {
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

void Scheduler::let_them_poll() {
  while (!paused_.empty()) can_move(take_paused(static_cast<unsigned>(paused_.size() - 1)));
}

Block& Scheduler::any() { return *movable_[random_->below(static_cast<unsigned>(movable_.size()))]; }

Block& Scheduler::choose() {
  if (movable_.size() == 1) return *movable_[0];
  switch (policy_.blocks) {
    case Policy::Blocks::chance:
      if (!favourite_ || random_->one_in(policy_.block_turns)) favourite_ = &any();
      break;
    case Policy::Blocks::stay:
      if (!favourite_) favourite_ = &any();
      break;
    case Policy::Blocks::rank:
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
    movable_[block.index_in_movable] = moved;
    moved->index_in_movable          = block.index_in_movable;
    movable_.pop_back();
    if (favourite_ == &block) favourite_ = nullptr;
    return thread;
  }
  // Who comes next, and after that, unless others do: on its way into the cache while this one runs.
  if (ready.back()->fiber) ready.back()->fiber->prefetch();
  if (std::size_t const n = ready.size(); n > 1) {
    if (policy_.threads == Policy::Threads::chance)
      std::swap(ready[n - 2], ready[random_->below(static_cast<unsigned>(n - 1))]);
    __builtin_prefetch(ready[n - 2]);
    __builtin_prefetch(&ready[n - 2]->after);
  }
  return thread;
}

// Who waits for a word may poll it although others can move; but not twice for the same news, or those who wait
// together in vain would poll for ever, now one, now the other.
Thread* Scheduler::next(std::uint64_t news) {
  if (movable_.empty()) return nullptr;
  if (!paused_.empty() && random_->one_in(policy_.poll_one_in)) {
    unsigned const i = random_->below(static_cast<unsigned>(paused_.size()));
    if (paused_[i]->last_news != news) {
      paused_[i]->last_news = news;
      return &take_paused(i);
    }
  }
  return &take(choose());
}

}  // namespace model
