// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "run.hpp"

// Phases: who waits for the end of one comes after all who arrived in it, and after the copies that it counted.
namespace model {
namespace {

constexpr int cost_of_a_phase      = 8;
constexpr unsigned most_arrivals   = (1U << 20) - 1;
constexpr std::int64_t most_bytes  = (1 << 20) - 1;
constexpr std::size_t phase_bytes  = 8;
constexpr std::uint32_t most_ticks = ~0U / visitors - 1;

PhaseWord* find(Block& block, std::ptrdiff_t byte) {
  auto& phases     = block.phases();
  auto const found = std::find_if(phases.begin(), phases.end(), [&](PhaseWord const& p) { return p.byte == byte; });
  return found == phases.end() ? nullptr : &*found;
}

std::string name(std::ptrdiff_t byte) { return "the phase at byte " + std::to_string(byte) + " of shared memory"; }

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

PhaseWord& Run::phase(std::ptrdiff_t byte, Place const& where) {
  Thread& me             = *self_;
  PhaseWord* const phase = find(*me.block, byte);
  if (!phase) fail(Kind::misused_phase, [&] { return name(byte) + at(where) + " was not begun"; });
  unsigned const by = phase->begun_by;
  if (by != me.index && phase->begun_at > me.after[by] &&
      !(by / warp_size == me.warp() && phase->begun_at <= me.after_in_warp[by % warp_size]))
    fail(Kind::misused_phase, [&] {
      return name(byte) + at(where) + " was begun by thread " + std::to_string(by) + at(phase->where) +
             ", with no barrier in between";
    });
  return *phase;
}

void Run::begin_phase(std::ptrdiff_t byte, unsigned arrivals, Place const& where) {
  turn_point(1);
  Thread& me   = *self_;
  Block& block = *me.block;
  if (arrivals == 0 || arrivals > most_arrivals)
    fail(Kind::bad_argument, [&] { return name(byte) + at(where) + " for " + std::to_string(arrivals) + " arrivals"; });
  if (find(block, byte)) fail(Kind::misused_phase, [&] { return name(byte) + at(where) + " was begun before"; });
  if (!block.shared().take(me, byte, phase_bytes, phase_bytes, where))
    fail(block.shared().fault().kind, [&] { return block.shared().fault().text; });
  block.phases().push_back(
      {.byte = byte, .where = where, .begun_by = me.index, .begun_at = me.tick, .count = arrivals});
}

void Run::publish_phases(Place const& where) {
  if (omits(Duty::publication, where)) return;
  turn_point(1);
  for (PhaseWord& phase : self_->block->phases())
    if (phase.begun_by == self_->index) phase.published = true;
}

void Run::arrive(std::ptrdiff_t byte, unsigned bytes, Place const& where) {
  if (omits(Duty::arrival, where)) return;
  turn_point(cost_of_a_phase);
  Thread& me           = *self_;
  me.loads_since_pause = 0;
  PhaseWord& phase     = this->phase(byte, where);
  if (phase.missing == 0)
    fail(Kind::misused_phase, [&] {
      return name(byte) + at(where) + " has had all its " + std::to_string(phase.count) +
             " arrivals, and waits for copies";
    });
  --phase.missing;
  phase.past.join(past_of(me));
  phase.view.join(me.view);
  count_bytes(phase, bytes, where);
}

void Run::count_bytes(PhaseWord& phase, std::int64_t bytes, Place const& where) {
  phase.bytes += bytes;
  if (phase.bytes > most_bytes || phase.bytes < -most_bytes)
    fail(Kind::misused_phase, [&] { return name(phase.byte) + at(where) + " counts no more than 2^20 - 1 bytes"; });
  if (phase.missing != 0 || phase.bytes != 0) return;
  ++phase.ended;
  phase.missing      = phase.count;
  phase.past_of_last = std::move(phase.past);
  phase.view_of_last = std::move(phase.view);
  phase.past.clear();
  phase.view.clear();
  for (Thread* const thread : phase.waiting) scheduler_.can_move(*thread);
  phase.waiting.clear();
}

// Only the parity of a phase can be asked for. Who looks too late, when the phase behind the one that is meant has
// ended as well, may wait for ever.
void Run::wait_for_phase(std::ptrdiff_t byte, unsigned parity, Place const& where) {
  if (omits(Duty::wait, where)) return;
  turn_point(cost_of_a_phase);
  Thread& me           = *self_;
  me.loads_since_pause = 0;
  if (parity > 1) fail(Kind::bad_argument, [&] { return "a parity of " + std::to_string(parity) + at(where); });
  std::uint64_t const ended_before = phase(byte, where).ended;
  if (ended_before % 2 == parity) {
    me.call   = Call::phase;
    me.passed = me.where;
    me.where  = where;
    me.mask   = parity;
    me.other  = static_cast<unsigned>(byte);
    phase(byte, where).waiting.push_back(&me);
    wait();
  }
  PhaseWord const& phase = this->phase(byte, where);
  if (phase.ended > ended_before + 1)
    fail(Kind::misused_phase, [&] {
      return name(byte) + at(where) +
             ": the phase that is waited for has ended, and so has the next one, which has not "
             "waited for this thread";
    });
  me.after.join(phase.past_of_last);
  me.view.join(phase.view_of_last);
  record(Event::What::phase, static_cast<std::uintptr_t>(byte), 0, where);
}

std::string text_of(PhaseWord const& phase) {
  return name(phase.byte) + ", of which " + std::to_string(phase.ended) + " have ended and the next one misses " +
         std::to_string(phase.missing) + " of " + std::to_string(phase.count) + " arrivals and " +
         std::to_string(phase.bytes) + " bytes";
}

void begin_phase(std::ptrdiff_t byte, unsigned arrivals, Place const& where) {
  Run::running->begin_phase(byte, arrivals, where);
}
void publish_phases(Place const& where) { Run::running->publish_phases(where); }
void arrive(std::ptrdiff_t byte, unsigned bytes, Place const& where) { Run::running->arrive(byte, bytes, where); }
void wait_for_phase(std::ptrdiff_t byte, unsigned parity, Place const& where) {
  Run::running->wait_for_phase(byte, parity, where);
}

}  // namespace model
