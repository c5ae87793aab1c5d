// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "run.hpp"

// The words that blocks exchange, in a memory that is as weak as the promises allow: a store becomes visible to each
// thread at another time, unless the thread has been told of it by a release and an acquire, or by a barrier.
namespace model {
namespace {

constexpr int cost_of_a_word           = 16;
constexpr std::uint32_t oldest_of      = 12;  // how many messages back a load may go
constexpr unsigned loads_without_end   = 1U << 16;
constexpr unsigned loads_between_turns = 64;

}  // namespace

unsigned Run::word(void const* address, unsigned bytes, Site const& where) {
  require_order("comes to a word", where);
  unsigned const number = words_.find(address, bytes);
  if (number == Words::none) fail(words_.fault().kind, [&] { return words_.fault().text + at(where); });
  return number;
}

std::uint32_t Run::choose_message(unsigned number) {
  std::uint32_t const newest = words_[number].newest();
  std::uint32_t oldest       = self_->view[number];
  if (newest > oldest_of) oldest = std::max(oldest, newest - oldest_of);
  bool const any = oldest < newest && !newest_only_ && random_.below(10) >= policy_.newest_in_ten;
  return any ? oldest + random_.below(newest - oldest + 1) : newest;
}

// A thread that waits without pause() must not keep the others from writing what it waits for, nor do so for ever.
void Run::count_poll(unsigned number, Site const& where) {
  self_->polled      = true;
  self_->polled_word = number;
  self_->polled_from = where;
  if (++self_->loads_since_pause % loads_between_turns == 0) yield();
  if (self_->loads_since_pause > loads_without_end)
    fail(Kind::endless, [&] { return "polls words without end and without pause()\n" + who_waits(); });
}

Bits Run::load(void const* address, unsigned bytes, bool acquire, Site const& where) {
  turn_point(cost_of_a_word);
  acquire               = acquire && !omits(Duty::acquire, where);
  Thread& me            = *self_;
  unsigned const number = word(address, bytes, where);
  count_poll(number, where);

  std::uint32_t const chosen = choose_message(number);
  Message const& message     = words_[number].messages[chosen];
  me.view.raise(number, chosen);
  (acquire ? me.view : me.unfenced).join(message.view);
  me.seen = mixed(me.seen, std::uint64_t(number) << 32 | chosen);
  record(Event::What::word_load, reinterpret_cast<std::uintptr_t>(address), bytes, where);
  return message.value;
}

// Two stores to one word that nothing puts into an order: the later one in time may come first, and then nobody sees
// it. (Not so where atomics count: nothing comes between what one read and what it wrote.)
bool Run::is_overtaken(unsigned number) {
  Word const& now = words_[number];
  return self_->view[number] < now.newest() && !now.counts && random_.below(10) >= policy_.newest_in_ten;
}

void Run::store(void* address, Bits const& value, unsigned bytes, bool release, Site const& where) {
  turn_point(cost_of_a_word);
  release               = release && !omits(Duty::release, where);
  Thread& me            = *self_;
  unsigned const number = word(address, bytes, where);
  if (is_overtaken(number)) {
    me.view.raise(number, words_[number].newest());
  } else {
    me.view.raise(number, words_[number].newest() + 1);
    words_[number].append(value, release ? me.view : me.released);
  }
  me.loads_since_pause = 0;
  ++news_;
  record(Event::What::word_store, reinterpret_cast<std::uintptr_t>(address), bytes, where);
}

// Relaxed; but who acquires the new value acquires what the old one carried, too.
template <class Number, class Change>
Number Run::modify(Number* address, Change const& change, Site const& where) {
  turn_point(cost_of_a_word);
  Thread& me            = *self_;
  unsigned const number = word(address, sizeof(Number), where);
  Word& now             = words_[number];
  now.counts            = true;
  Message const& before = now.messages.back();
  auto const old        = static_cast<Number>(before.value.low);
  Bits const value{change(old), 0};
  Marks view = me.released;
  view.join(before.view);
  me.unfenced.join(before.view);
  me.seen            = mixed(mixed(me.seen, number), old);
  bool const changes = value.low != old;
  if (changes) {
    me.loads_since_pause = 0;
    ++news_;
  }
  me.view.raise(number, now.newest() + 1);
  now.append(value, std::move(view));
  record(Event::What::atomic, reinterpret_cast<std::uintptr_t>(address), sizeof(Number), where);
  if (!changes) count_poll(number, where);
  return old;
}

void Run::fence(Site const& where) {
  if (omits(Duty::fence, where)) return;
  turn_point(cost_of_a_word);
  Thread& me = *self_;
  me.view.join(me.unfenced);
  me.unfenced.clear();
  me.released = me.view;
  record(Event::What::fence, 0, 0, where);
}

void Run::pause(Site const& where) {
  record(Event::What::pause, 0, 0, where);
  Thread& me           = *self_;
  me.passed            = me.where;
  me.where             = where;
  me.loads_since_pause = 0;
  me.seen_before       = me.seen;
  me.seen              = 0;
  scheduler_.waits_for_word(me);
  change_to(pick());
}

void load_word(void const* address, void* value, unsigned bytes, bool acquire, Site const& where) {
  Bits const bits = Run::running->load(address, bytes, acquire, where);
  std::memcpy(value, &bits, bytes);
}
void store_word(void* address, void const* value, unsigned bytes, bool release, Site const& where) {
  Bits bits{};
  std::memcpy(&bits, value, bytes);
  Run::running->store(address, bits, bytes, release, where);
}
unsigned fetch_add(unsigned* address, unsigned summand, Site const& where) {
  return Run::running->modify(address, [=](unsigned old) { return old + summand; }, where);
}
std::uint64_t fetch_add(std::uint64_t* address, std::uint64_t summand, Site const& where) {
  return Run::running->modify(address, [=](std::uint64_t old) { return old + summand; }, where);
}
unsigned fetch_increment(unsigned* address, unsigned last, Site const& where) {
  return Run::running->modify(address, [=](unsigned old) { return old >= last ? 0 : old + 1; }, where);
}
void fence(Site const& where) { Run::running->fence(where); }
void pause(Site const& where) { Run::running->pause(where); }

}  // namespace model
