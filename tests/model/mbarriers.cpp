// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "run.hpp"

// Mbarriers: who waits for the end of a phase comes after all who arrived in it, and after the copies that it counted.
namespace model {
namespace {

constexpr int cost_of_an_mbarrier    = 8;
constexpr unsigned most_arrivals     = (1U << 20) - 1;
constexpr std::int64_t most_bytes    = (1 << 20) - 1;
constexpr std::size_t mbarrier_bytes = 8;
constexpr std::uint32_t most_ticks   = ~0U / visitors - 1;

Mbarrier* find(Block& block, std::ptrdiff_t byte) {
  auto& mbarriers = block.mbarriers;
  auto const found =
      std::find_if(mbarriers.begin(), mbarriers.end(), [&](Mbarrier const& m) { return m.byte == byte; });
  return found == mbarriers.end() ? nullptr : &*found;
}

std::string name(std::ptrdiff_t byte) { return "the mbarrier at byte " + std::to_string(byte) + " of shared memory"; }

}  // namespace

// What comes before that which the thread does next. Its time goes on, so that what it does then is not among that.
Marks Run::past_of(Thread& thread) {
  if (++thread.tick >= most_ticks)
    fail(Kind::endless, [] { return "a thread has met others or copies 2 million times"; });
  Marks past           = thread.after;
  unsigned const first = thread.warp() * warp_size;
  for (unsigned lane = warp_size; lane-- > 0;)
    if (std::uint32_t const tick = thread.after_in_warp[lane]) past.raise(first + lane, tick);
  past.raise(thread.index, thread.tick - 1);
  return past;
}

Mbarrier& Run::mbarrier(std::ptrdiff_t byte, Site const& where) {
  Thread& me               = *self_;
  Mbarrier* const mbarrier = find(*me.block, byte);
  if (!mbarrier) fail(Kind::misused_mbarrier, [&] { return name(byte) + at(where) + " was not initialised"; });
  unsigned const by = mbarrier->made_by;
  if (by != me.index && mbarrier->made_at > me.after[by] &&
      !(by / warp_size == me.warp() && mbarrier->made_at <= me.after_in_warp[by % warp_size]))
    fail(Kind::misused_mbarrier, [&] {
      return name(byte) + at(where) + " was initialised by thread " + std::to_string(by) + at(mbarrier->where) +
             ", with no barrier in between";
    });
  return *mbarrier;
}

void Run::init_mbarrier(std::ptrdiff_t byte, unsigned arrivals, Site const& where) {
  turn_point(1);
  Thread& me   = *self_;
  Block& block = *me.block;
  if (arrivals == 0 || arrivals > most_arrivals)
    fail(Kind::bad_argument, [&] { return name(byte) + at(where) + " for " + std::to_string(arrivals) + " arrivals"; });
  if (find(block, byte))
    fail(Kind::misused_mbarrier, [&] { return name(byte) + at(where) + " was initialised before"; });
  if (!block.shared.take(me, byte, mbarrier_bytes, mbarrier_bytes, where))
    fail(block.shared.fault().kind, [&] { return block.shared.fault().text; });
  block.mbarriers.push_back({.byte = byte, .where = where, .made_by = me.index, .made_at = me.tick, .count = arrivals});
}

void Run::publish_barriers(Site const& where) {
  if (omits(Duty::publication, where)) return;
  turn_point(1);
  for (Mbarrier& mbarrier : self_->block->mbarriers)
    if (mbarrier.made_by == self_->index) mbarrier.published = true;
}

void Run::arrive(std::ptrdiff_t byte, unsigned bytes, Site const& where) {
  if (omits(Duty::arrival, where)) return;
  turn_point(cost_of_an_mbarrier);
  Thread& me           = *self_;
  me.loads_since_pause = 0;
  Mbarrier& mbarrier   = this->mbarrier(byte, where);
  if (mbarrier.missing == 0)
    fail(Kind::misused_mbarrier, [&] {
      return name(byte) + at(where) + " has had all its " + std::to_string(mbarrier.count) +
             " arrivals, and waits for copies";
    });
  --mbarrier.missing;
  mbarrier.past.join(past_of(me));
  mbarrier.view.join(me.view);
  count_bytes(mbarrier, bytes, where);
}

void Run::count_bytes(Mbarrier& mbarrier, std::int64_t bytes, Site const& where) {
  mbarrier.bytes += bytes;
  if (mbarrier.bytes > most_bytes || mbarrier.bytes < -most_bytes)
    fail(Kind::misused_mbarrier,
         [&] { return name(mbarrier.byte) + at(where) + " counts no more than 2^20 - 1 bytes"; });
  if (mbarrier.missing != 0 || mbarrier.bytes != 0) return;
  ++mbarrier.ended;
  mbarrier.missing      = mbarrier.count;
  mbarrier.past_of_last = std::move(mbarrier.past);
  mbarrier.view_of_last = std::move(mbarrier.view);
  mbarrier.past.clear();
  mbarrier.view.clear();
  for (Thread* const thread : mbarrier.waiting) scheduler_.can_move(*thread);
  mbarrier.waiting.clear();
}

// Only the parity of a phase can be asked for. Who polls too late, when the phase behind the one that is meant has
// ended as well, may wait for ever.
void Run::wait_for_phase(std::ptrdiff_t byte, unsigned parity, Site const& where) {
  if (omits(Duty::wait, where)) return;
  turn_point(cost_of_an_mbarrier);
  Thread& me           = *self_;
  me.loads_since_pause = 0;
  if (parity > 1) fail(Kind::bad_argument, [&] { return "a parity of " + std::to_string(parity) + at(where); });
  std::uint64_t const ended_before = mbarrier(byte, where).ended;
  if (ended_before % 2 == parity) {
    comes_to(Call::phase, where);
    me.mask  = parity;
    me.other = static_cast<unsigned>(byte);
    mbarrier(byte, where).waiting.push_back(&me);
    wait();
  }
  Mbarrier const& mbarrier = this->mbarrier(byte, where);
  if (mbarrier.ended > ended_before + 1)
    fail(Kind::misused_mbarrier, [&] {
      return name(byte) + at(where) +
             ": the phase that is waited for has ended, and so has the next one, which has not "
             "waited for this thread";
    });
  me.after.join(mbarrier.past_of_last);
  me.view.join(mbarrier.view_of_last);
  record(Event::What::phase, static_cast<std::uintptr_t>(byte), 0, where);
}

std::string text_of(Mbarrier const& mbarrier) {
  return name(mbarrier.byte) + ", of whose phases " + std::to_string(mbarrier.ended) +
         " have ended and the next one misses " + std::to_string(mbarrier.missing) + " of " +
         std::to_string(mbarrier.count) + " arrivals and " + std::to_string(mbarrier.bytes) + " bytes";
}

void init_mbarrier(std::ptrdiff_t byte, unsigned arrivals, Site const& where) {
  Run::running->init_mbarrier(byte, arrivals, where);
}
void publish_barriers(Site const& where) { Run::running->publish_barriers(where); }
void arrive(std::ptrdiff_t byte, unsigned bytes, Site const& where) { Run::running->arrive(byte, bytes, where); }
void wait_for_phase(std::ptrdiff_t byte, unsigned parity, Site const& where) {
  Run::running->wait_for_phase(byte, parity, where);
}

}  // namespace model
