// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

#include <algorithm>
#include <utility>

#include "language.hpp"

namespace model {
namespace {

// A seeded "all resident" means at most so many threads, so that they stay in the cache.
constexpr unsigned many_threads = 2048;
constexpr unsigned some_blocks  = 4;

// One grid in so many does not start before the previous one has ended, though it may.
constexpr unsigned one_waits_in = 4;

// A kernel may poll a few times before it does something else than wait.
constexpr unsigned quiet_rounds_of_a_deadlock = 64;

}  // namespace

Run::Run(std::vector<Grid> grids, Model& model, Store& store)
    : grids_(std::move(grids)),
      model_(model),
      store_(store),
      recorder_(model.settings().recorder ? &model.settings().recorder : nullptr),
      omissions_(model.settings().omissions ? &model.settings().omissions : nullptr),
      seed_(model.next_seed()),
      random_(seed_),
      policy_(Policy::draw(model.settings(), random_)),
      scheduler_(store.scheduler),
      words_(store.words),
      copies_(seed_) {
  if (!model.settings().resident)
    for (Grid const& grid : grids_)
      policy_.resident =
          std::min(policy_.resident, std::max(some_blocks, many_threads / static_cast<unsigned>(grid.shape.threads)));
  scheduler_.begin(policy_, &random_);
  words_.begin();
  for (Grid& grid : grids_) {
    if (!grid.is_first) grid.starts_early = !random_.one_in(one_waits_in);
    if (policy_.start != Start::shuffled) continue;
    grid.order.resize(grid.shape.blocks);
    for (unsigned i = 0; i < grid.shape.blocks; ++i) {
      unsigned const other = random_.below(i + 1);
      grid.order[i]        = grid.order[other];
      grid.order[other]    = i;
    }
  }
}

Run::~Run() {
  for (auto& block : resident_) store_.blocks.push_back(std::move(block));
  if (ended_) store_.blocks.push_back(std::move(ended_));
}

/// Which block is the first to start, the second, ...
unsigned Run::block_at(Grid const& grid, unsigned start) const {
  if (policy_.start == Start::ascending) return start;
  return policy_.start == Start::descending ? grid.shape.blocks - 1 - start : grid.order[start];
}

void Run::start_blocks() {
  if (present_ == grids_.size()) return;
  start_blocks_of(grids_[present_]);
  if (present_ + 1 == grids_.size()) return;
  Grid& next = grids_[present_ + 1];
  if (grids_[present_].letting == grids_[present_].shape.blocks && next.starts_early) start_blocks_of(next);
}

void Run::start_blocks_of(Grid& grid) {
  while (grid.started < grid.shape.blocks && grid.started - grid.ended < policy_.resident) {
    if (store_.blocks.empty()) store_.blocks.push_back(std::make_unique<Block>());
    resident_.push_back(std::move(store_.blocks.back()));
    store_.blocks.pop_back();
    Block& block = *resident_.back();
    block.begin(grid, block_at(grid, grid.started++));
    scheduler_.enter(block);
  }
}

void Run::go() {
  running     = this;
  slice_left_ = static_cast<int>(random_.below(2 * policy_.time_slice));
  start_blocks();
  leave(main_, pick());
  abandon();
  running = nullptr;
  model_.ran(trace_, turns_);
  if (thrown_) std::rethrow_exception(thrown_);
  if (error_) throw *error_;
}

// The threads of a launch that failed: nobody unwinds their stacks, since a kernel owns nothing.
void Run::abandon() {
  auto const all_of = [&](Block& block) {
    for (unsigned i = 0; i < block.size; ++i)
      if (Fiber* const fiber = block.threads[i].fiber) store_.fibers.give_unfinished(fiber, main_);
  };
  for (auto& block : resident_) all_of(*block);
  if (ended_) all_of(*ended_);
}

void Run::turn_point(int cost) {
  if ((slice_left_ -= cost) < 0) [[unlikely]]
    yield();
}

void Run::yield() {
  slice_left_ = static_cast<int>(random_.below(2 * policy_.time_slice));
  scheduler_.steps_back(*self_);
  change_to(pick());
}

void Run::sleep() { yield(); }

void Run::wait() {
  self_->state = State::waiting;
  check_stuck(*self_->block);
  change_to(pick());
}

void Run::check_stuck(Block const& block) {
  if (!block.stuck()) return;
  bool const at_an_mbarrier = std::any_of(block.mbarriers.begin(), block.mbarriers.end(),
                                          [](Mbarrier const& mbarrier) { return !mbarrier.waiting.empty(); });
  fail(at_an_mbarrier ? Kind::deadlock : Kind::divergence,
       [&] { return "nobody in block " + std::to_string(block.index) + " can move\n" + who_waits(block); });
}

Thread* Run::pick() {
  if (++turns_ > model_.settings().most_turns)
    fail(Kind::endless, [&] { return "no end after " + std::to_string(turns_ - 1) + " turns\n" + who_waits(); });
  if (copies_.move()) [[unlikely]]
    move_a_copy();
  Thread* next = scheduler_.next(news_);
  while (!next && !copies_.under_way.empty()) {
    move_a_copy();
    next = scheduler_.next(news_);
  }
  if (!next && !scheduler_.waiting_for_words().empty()) {
    nobody_can_move();
    scheduler_.let_them_poll();
    next = scheduler_.next(news_);
  }
  return next;
}

// All poll words, or wait for those who do. If nobody wrote since the last time, and everybody has seen the newest
// of what it polls, and the same as the last time, a few times in a row, then nothing will ever change.
void Run::nobody_can_move() {
  std::uint64_t seen = scheduler_.waiting_for_words().size();
  for (Thread const* thread : scheduler_.waiting_for_words())
    seen += mixed(thread->seen_before + thread->index, thread->block->index);
  newest_only_  = news_ == news_before_;
  quiet_rounds_ = newest_only_ && seen == seen_before_ ? quiet_rounds_ + 1 : 0;
  news_before_  = news_;
  seen_before_  = seen;
  if (quiet_rounds_ > quiet_rounds_of_a_deadlock)
    fail(Kind::deadlock, [&] { return "nobody can move\n" + who_waits(); });
}

void Run::change_to(Thread* next) {
  if (next == self_)
    self_->state = State::running;
  else
    leave(*self_->fiber, next);
}

/// Null: the launch is over.
void Run::leave(Fiber& from, Thread* next) {
  if (next) begin_turn(*next);
  Fiber::change(from, next ? *next->fiber : main_);
}

void Run::begin_turn(Thread& next) {
  trace_      = mixed(trace_, std::uint64_t(next.block->index) << 10 | next.index);
  self_       = &next;
  next.state  = State::running;
  threadIdx.x = next.index;
  blockIdx.x  = next.block->index;
  blockDim.x  = next.block->size;
  gridDim.x   = next.block->grid->shape.blocks;
  if (!next.fiber) next.fiber = store_.fibers.take();
}

void Run::work() {
  Fiber::arrived();
  for (;;) running->run_thread();
}

// One thread from its beginning to its end. Afterwards the fiber takes the next one if that has none yet, or waits to
// be taken, perhaps by another launch: nothing of this one is to be touched then.
void Run::run_thread() {
  Fiber& fiber = Fiber::current();
  if (self_->index == 0) record(Event::What::block_start, 0, 0, Site());
  try {
    Body const& body = self_->block->grid->body;
    body.call(body.data);
  } catch (...) {
    thrown_ = std::current_exception();
  }
  if (!thrown_) end_thread();
  Thread* const next = thrown_ ? nullptr : pick();
  self_->fiber       = nullptr;
  if (next && !next->fiber) {
    next->fiber = &fiber;
    begin_turn(*next);
  } else {
    store_.fibers.give(&fiber);
    leave(fiber, next);
  }
}

void Run::end_thread() {
  record(Event::What::thread_end, 0, 0, Site());
  check_ending(*self_);
  check_order_of_end();
  Block& block = *self_->block;
  self_->state = State::ended;
  ++block.ended;
  ++news_;
  check_stuck(block);
  if (!block.finished()) return;
  check_copies(block);
  count_end(block);
  auto const found = std::find_if(resident_.begin(), resident_.end(), [&](auto& b) { return b.get() == &block; });
  if (ended_) store_.blocks.push_back(std::move(ended_));
  ended_ = std::move(*found);
  *found = std::move(resident_.back());
  resident_.pop_back();
  if (grids_[present_].ended == grids_[present_].shape.blocks) end_grid();
  start_blocks();
}

void Run::report(Event::What what, std::uintptr_t at, std::size_t bytes, Site const& where) {
  (*recorder_)({what, self_->block->index, self_->index, events_++, self_->barriers, at, bytes, where, self_->call,
                self_->source});
}

void Run::complain(Kind kind, std::string const& text) {
  Thread const& by      = blamed_ ? *blamed_ : *self_;
  std::string const who = " block " + std::to_string(by.block->index) + ", thread " + std::to_string(by.index);
  error_.emplace(kind, to_string(kind) + " in" + who + ": " + text + "\n(seed " +
                           std::to_string(model_.settings().seed) + ", launch " +
                           std::to_string(model_.launches() - 1) + "; " + policy_.text() + ")");
}

void Run::give_up() {
  self_->fiber = &Fiber::current();
  Fiber::change(*self_->fiber, main_);
  __builtin_unreachable();
}

void sleep() { Run::running->sleep(); }

}  // namespace model
