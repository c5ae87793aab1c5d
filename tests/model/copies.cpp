// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copies.hpp"

#include <algorithm>
#include <cstring>

#include "guarded.hpp"
#include "run.hpp"

// Copies between global and shared memory. Each is read and written piece by piece, at moments that chance chooses
// between its start and the time when somebody has waited for it; what it writes to global memory may appear as late as
// at the end of the launch.
namespace model {
namespace {

constexpr int cost_of_a_start = 16;

}  // namespace

Copies::Copies(std::uint64_t seed) : random_(mixed(seed, 0xc0b1e5)) {
  between_turns_ = random_.one_of({1U, 4U, 64U, 1U << 20});
  pieces_        = random_.one_of({1U, 16U, 256U, 1U << 16});
}

void Copies::write(unsigned i) {
  std::memcpy(read[i]->global, read[i]->held.data(), read[i]->bytes);
  std::swap(read[i], read.back());
  read.pop_back();
}

void Copies::write_all() {
  while (!read.empty()) write(any(read.size()));
}

void Run::start_copy(bool in, std::ptrdiff_t shared, void const* global, std::size_t bytes, std::ptrdiff_t counted_by,
                     Site const& where) {
  turn_point(cost_of_a_start);
  Thread& me      = *self_;
  Block& block    = *me.block;
  auto const is   = [&] { return std::string(in ? "copy_in" : "copy_out") + at(where); };
  auto const byte = static_cast<std::size_t>(shared);
  require_order(in ? "copies in" : "copies out", where);
  if (bytes == 0 || bytes % Copies::piece != 0)
    fail(Kind::bad_argument, [&] { return is() + " of " + std::to_string(bytes) + " bytes"; });
  if (byte % Copies::piece != 0 || reinterpret_cast<std::uintptr_t>(global) % Copies::piece != 0)
    fail(Kind::misaligned, [&] { return is() + " needs addresses that are multiples of 16"; });
  if (byte > block.shared.bytes() || bytes > block.shared.bytes() - byte)
    fail(Kind::shared_out_of_range, [&] {
      return is() + " of " + std::to_string(bytes) + " bytes from byte " + std::to_string(shared) + " of " +
             std::to_string(block.shared.bytes());
    });
  if (in && !mbarrier(counted_by, where).published)
    fail(Kind::misused_mbarrier, [&] { return is() + " is counted by an mbarrier without publish_barriers()"; });
  if (block.copies == most_copies)
    fail(Kind::bad_argument, [&] { return is() + ": the model has no room for more copies at once"; });

  Guarded::touch(global, bytes);
  Marks past       = past_of(me);
  auto const taken = [&] {
    return std::any_of(copies_.under_way.begin(), copies_.under_way.end(), [&](auto const& other) {
      return other->self.block == &block && other->self.index == block.size + block.next_copy;
    });
  };
  while (taken()) block.next_copy = (block.next_copy + 1) % most_copies;
  auto* const to   = const_cast<std::byte*>(static_cast<std::byte const*>(global));
  auto copy        = std::make_unique<Copy>(Copy{{}, me.index, in, shared, to, bytes, 0, counted_by, where});
  copy->self.block = &block;
  copy->self.index = block.size + block.next_copy;
  copy->self.tick  = ++block.copy_ticks[block.next_copy];
  block.next_copy  = (block.next_copy + 1) % most_copies;
  copy->self.after = std::move(past);
  for (unsigned i = block.size; i-- > 0;) {
    auto const& fences = block.fences[i];
    auto const behind  = std::upper_bound(fences.begin(), fences.end(), copy->self.after[i]);
    if (behind != fences.begin()) copy->self.fenced.raise(i, behind[-1]);
  }
  if (!in) ++block.copied_out[me.index].under_way;
  ++block.copies;
  copies_.under_way.push_back(std::move(copy));
}

void Run::fence_for_copies(Site const& where) {
  if (omits(Duty::fence_of_copies, where)) return;
  turn_point(1);
  Thread& me = *self_;
  me.block->fences[me.index].push_back(me.tick++);
}

void Run::wait_until_copied_out(Site const& where) {
  if (omits(Duty::wait_for_copies, where)) return;
  turn_point(cost_of_a_start);
  Thread& me           = *self_;
  me.loads_since_pause = 0;
  auto& mine           = me.block->copied_out[me.index];
  if (mine.under_way > 0) {
    comes_to(Call::copied_out, where);
    wait();
  }
  for (auto const& [index, tick] : mine.read) me.after.raise(index, tick);
  mine.read.clear();
}

/// A copy that a thread makes for itself is a store of its own, some time before it has waited for it: here at once, or
/// then.
void Run::copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::size_t alignment, Site const& where) {
  Guarded::touch(from, bytes);
  if (reinterpret_cast<std::uintptr_t>(from) % alignment != 0)
    fail(Kind::misaligned, [&] { return "copy_in" + at(where) + " of what is not aligned"; });
  if (copies_.any(2) == 0)
    std::memcpy(shared(to, bytes, alignment, Access::store, where), from, bytes);
  else
    self_->block->own_copies[self_->index].push_back({to, from, bytes, alignment, where});
}

void Run::wait_until_copied_in(Site const& where) {
  if (omits(Duty::wait_for_copies, where)) return;
  auto& own = self_->block->own_copies[self_->index];
  for (auto const& copy : own)
    std::memcpy(shared(copy.to, copy.bytes, copy.alignment, Access::store, copy.where), copy.from, copy.bytes);
  own.clear();
}

/// One of the copies has a turn.
void Run::move_a_copy() {
  unsigned const i = copies_.any(copies_.under_way.size() + copies_.read.size());
  if (i < copies_.under_way.size())
    go_on(i);
  else
    copies_.write(i - static_cast<unsigned>(copies_.under_way.size()));
}

void Run::go_on(unsigned i) {
  Copy& copy           = *copies_.under_way[i];
  Block& block         = *copy.self.block;
  SharedMemory& memory = block.shared;
  std::size_t const n  = std::min(copies_.bytes_at_once(), copy.bytes - copy.done);
  auto const shared    = copy.shared + static_cast<std::ptrdiff_t>(copy.done);
  void* const address  = copy.in ? memory.visit<Access::store>(copy.self, shared, n, Copies::piece, copy.where)
                                 : memory.visit<Access::load>(copy.self, shared, n, Copies::piece, copy.where);
  blamed_              = &block.threads[copy.starter];
  if (!address) fail(memory.fault().kind, [&] { return memory.fault().text; });
  if (copy.in) {
    std::memcpy(address, copy.global + copy.done, n);
  } else {
    auto const* const bytes = static_cast<std::byte const*>(address);
    copy.held.insert(copy.held.end(), bytes, bytes + n);
  }
  copy.done += n;
  if (copy.done == copy.bytes) end_copy(i);
  blamed_ = nullptr;
}

void Run::end_copy(unsigned i) {
  std::unique_ptr<Copy> copy = std::move(copies_.under_way[i]);
  copies_.under_way[i]       = std::move(copies_.under_way.back());
  copies_.under_way.pop_back();
  Block& block = *copy->self.block;
  --block.copies;
  if (copy->in) {
    auto& mbarriers = block.mbarriers;
    auto const mbarrier =
        std::find_if(mbarriers.begin(), mbarriers.end(), [&](auto const& p) { return p.byte == copy->mbarrier; });
    mbarrier->past.join(copy->self.after);
    mbarrier->past.raise(copy->self.index, copy->self.tick);
    auto const bytes = static_cast<std::int64_t>(copy->bytes);
    Site const where = copy->where;
    copy.reset();  // or else it would stay on the stack of a thread that is abandoned
    count_bytes(*mbarrier, -bytes, where);
  } else {
    Thread& starter = block.threads[copy->starter];
    auto& its       = block.copied_out[copy->starter];
    its.read.push_back({copy->self.index, copy->self.tick});
    if (--its.under_way == 0 && starter.state == State::waiting && starter.call == Call::copied_out)
      scheduler_.can_move(starter);
    copies_.read.push_back(std::move(copy));
  }
  check_stuck(block);
}

void Run::check_copies(Block const& block) {
  for (auto const& own : block.own_copies)
    if (!own.empty())
      fail(Kind::shared_race,
           [&] { return "the block ends before a thread waited for its copy" + at(own.front().where); });
  for (auto const& copy : copies_.under_way)
    if (copy->self.block == &block)
      fail(Kind::shared_race, [&] {
        return "the block ends, and its shared memory with it, before the copy that thread " +
               std::to_string(copy->starter) + " started" + at(copy->where);
      });
}

void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::ptrdiff_t mbarrier, Site const& where) {
  Run::running->start_copy(true, to, from, bytes, mbarrier, where);
}
void copy_out(void* to, std::ptrdiff_t from, std::size_t bytes, Site const& where) {
  Run::running->start_copy(false, from, to, bytes, 0, where);
}
void wait_until_copied_out(Site const& where) { Run::running->wait_until_copied_out(where); }
void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::size_t alignment, Site const& where) {
  Run::running->copy_in(to, from, bytes, alignment, where);
}
void wait_until_copied_in(Site const& where) { Run::running->wait_until_copied_in(where); }
void fence_for_copies(Site const& where) { Run::running->fence_for_copies(where); }

}  // namespace model
