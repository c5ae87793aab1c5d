// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <utility>

#include "run.hpp"

// Where threads wait for each other: the barrier of the block, and the shuffles and votes of a warp.
namespace model {
namespace {

constexpr int cost_of_a_meeting = 8;

bool same(Site const& a, Site const& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

}  // namespace

Thread& Run::comes_to(Call call, Site const& where) {
  self_->call   = call;
  self_->passed = std::exchange(self_->where, where);
  return *self_;
}

void Run::syncthreads(Site const& where) {
  if (omits(Duty::barrier, where)) return;
  Thread& me   = comes_to(Call::syncthreads, where);
  Block& block = *me.block;

  me.loads_since_pause = 0;
  if (block.ended)
    fail(Kind::divergence,
         [&] { return "waits at __syncthreads" + at(where) + " for threads that have ended\n" + who_waits(block); });
  if (block.at_barrier == 0)
    block.barrier_where = where;
  else if (!same(block.barrier_where, where))
    fail(Kind::divergence, [&] {
      return "comes to __syncthreads" + at(where) + ", others to that" + at(block.barrier_where) + "\n" +
             who_waits(block);
    });
  if (++block.at_barrier < block.size) {
    wait();
  } else {
    block.at_barrier = 0;
    order_block(block);
    me.state = State::running;
    wake(block, 0, block.size, ~0U);
    turn_point(cost_of_a_meeting);
  }
  record(Event::What::barrier, 0, 0, where);
}

// All but the caller, who goes on as it is.
void Run::wake(Block& block, unsigned first, unsigned count, unsigned mask) {
  for (unsigned i = 0; i < count; ++i) {
    unsigned const k = policy_.descending ? i : count - 1 - i;
    Thread& thread   = block.threads[first + k];
    if ((mask >> k % warp_size & 1) && &thread != self_) scheduler_.can_move(thread);
  }
}

// After __syncthreads everybody comes after everybody, and knows what any of them was told.
void Run::order_block(Block& block) {
  Marks after, view;
  for (unsigned i = block.size; i-- > 0;) {
    after.raise(i, block.threads[i].tick);
    view.join(block.threads[i].view);
  }
  for (unsigned copy = block.size; copy < block.size + most_copies && block.copy_ticks[copy - block.size] > 0; ++copy)
    for (unsigned i = 0; i < block.size; ++i) after.raise(copy, block.threads[i].after[copy]);
  for (unsigned i = 0; i < block.size; ++i) {
    Thread& thread = block.threads[i];
    thread.after   = after;
    thread.view    = view;
    thread.after_in_warp.clear();
    ++thread.tick;
    ++thread.barriers;
  }
  if (block.threads[0].tick >= ~0U / visitors - 1)
    fail(Kind::endless, [] { return "the block has passed 2 million barriers"; });
}

// Lanes that never were need not come: a last warp may name all 32, as the instructions' rules have it, which are about
// "non-exited threads". Those that have ended need not either, by those rules; but who names them has hardly meant it.
std::uint64_t Run::meet(Call call, unsigned named, std::uint64_t value, unsigned other, int width, Site const& where) {
  if (call == Call::syncwarp && omits(Duty::warp_barrier, where)) return 0;
  Thread& me      = comes_to(call, where);
  Block& block    = *me.block;
  auto const mask = named & block.lanes_of(me.warp());
  me.mask         = mask;
  me.given        = value;
  me.other        = other;
  me.width        = static_cast<unsigned>(width);
  auto const is   = [&] { return std::string(name_of(call)) + at(where) + " for lanes " + hex(named); };

  if (width < 1 || width > 32 || (width & (width - 1)))
    fail(Kind::bad_argument, [&] { return is() + " with a width of " + std::to_string(width); });
  if (!(named >> me.lane() & 1)) fail(Kind::divergence, [&] { return is() + ", which is not among them"; });
  if (unsigned const gone = mask & ~block.lanes_alive[me.warp()])
    fail(Kind::divergence, [&] { return is() + ", of which " + hex(gone) + " have ended"; });

  auto& meetings = block.meetings[me.warp()];
  std::size_t i  = 0;
  while (i < meetings.size() && meetings[i].mask != named) ++i;
  if (i == meetings.size())
    meetings.push_back({call, named, 0, where});
  else if (meetings[i].call != call || !same(meetings[i].where, where))
    fail(Kind::divergence, [&] {
      return is() + ", but others of them came to " + name_of(meetings[i].call) + at(meetings[i].where) + "\n" +
             who_waits(block);
    });
  meetings[i].arrived |= 1U << me.lane();

  if (meetings[i].arrived != mask) {
    wait();
  } else {
    Meeting meeting = meetings[i];
    meeting.mask    = mask;
    meetings[i]     = meetings.back();
    meetings.pop_back();
    unsigned const first = me.warp() * warp_size;
    if (call == Call::syncwarp)
      order_warp(meeting, &block.threads[first]);
    else
      exchange(meeting, &block.threads[first]);
    wake(block, first, std::min(warp_size, block.size - first), mask);
    turn_point(cost_of_a_meeting);
  }
  me.seen = mixed(me.seen, me.got);
  record(Event::What::warp, mask, 0, where);
  return me.got;
}

// What each lane gets of the others. Shuffles and votes order no memory.
void Run::exchange(Meeting const& meeting, Thread* lanes) {
  auto const each = [&](auto const& f) {
    for (unsigned lane = 0; lane < warp_size; ++lane)
      if (meeting.mask >> lane & 1) f(lane, lanes[lane]);
  };
  if (meeting.call >= Call::ballot) {
    unsigned votes = 0;
    each([&](unsigned lane, Thread const& thread) { votes |= (thread.given != 0 ? 1U : 0U) << lane; });
    std::uint64_t const result = meeting.call == Call::ballot ? votes
                                 : meeting.call == Call::any  ? votes != 0
                                                              : votes == meeting.mask;
    each([&](unsigned, Thread& thread) { thread.got = result; });
    return;
  }
  each([&](unsigned lane, Thread& thread) {
    unsigned const begin = lane & ~(thread.width - 1);
    unsigned const end   = begin + thread.width;
    unsigned from        = lane;
    switch (meeting.call) {
      case Call::shfl: from = begin + (thread.other & (thread.width - 1)); break;
      case Call::shfl_up: from = thread.other <= lane - begin ? lane - thread.other : lane; break;
      case Call::shfl_down: from = thread.other < end - lane ? lane + thread.other : lane; break;
      default: from = (lane ^ thread.other) < end ? lane ^ thread.other : lane; break;
    }
    thread.source = from;
    // A lane that is not there sends what nobody should use.
    thread.got = from < warp_size && (meeting.mask >> from & 1) ? lanes[from].given : random_.bits();
  });
}

void Run::order_warp(Meeting const& meeting, Thread* lanes) {
  Marks after, after_in_warp, view;
  for (unsigned lane = warp_size; lane-- > 0;)
    if (meeting.mask >> lane & 1) {
      after.join(lanes[lane].after);
      after_in_warp.join(lanes[lane].after_in_warp);
      view.join(lanes[lane].view);
    }
  for (unsigned lane = warp_size; lane-- > 0;)
    if (meeting.mask >> lane & 1) after_in_warp.raise(lane, lanes[lane].tick);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    if (meeting.mask >> lane & 1) {
      lanes[lane].after         = after;
      lanes[lane].after_in_warp = after_in_warp;
      lanes[lane].view          = view;
      ++lanes[lane].tick;
    }
}

// A thread that ends leaves in the lurch who waits for it.
void Run::check_ending(Thread const& thread) {
  Block& block = *thread.block;
  if (block.at_barrier)
    fail(Kind::divergence, [&] { return "ends, and others wait at __syncthreads\n" + who_waits(block); });
  for (Meeting const& meeting : block.meetings[thread.warp()])
    if (meeting.mask >> thread.lane() & 1)
      fail(Kind::divergence, [&] {
        return std::string("ends, and others wait for it at ") + name_of(meeting.call) + at(meeting.where) + "\n" +
               who_waits(block);
      });
  block.lanes_alive[thread.warp()] &= ~(1U << thread.lane());
}

void syncthreads(Site const& where) { Run::running->syncthreads(where); }
std::uint64_t meet(Call call, unsigned mask, std::uint64_t value, unsigned other, int width, Site const& where) {
  return Run::running->meet(call, mask, value, other, width, where);
}

}  // namespace model
