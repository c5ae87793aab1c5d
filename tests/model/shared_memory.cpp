// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_memory.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "run.hpp"

namespace model {
namespace {

constexpr std::size_t alignment_of_all = 128;
constexpr std::uint32_t lines          = 1U << 20;  // of a file; the rest of a site's number says which

}  // namespace

void SharedMemory::begin(std::size_t bytes, unsigned threads) {
  threads_               = threads;
  bytes_                 = bytes;
  std::size_t const room = bytes + alignment_of_all;
  if (memory_.size() * sizeof(std::max_align_t) < room) {
    memory_.resize(room / sizeof(std::max_align_t) + 1);
    std::memset(memory_.data(), 0xa5, memory_.size() * sizeof(std::max_align_t));
    auto const unaligned = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = reinterpret_cast<std::byte*>(memory_.data()) + (alignment_of_all - unaligned % alignment_of_all);
  }
  granule_ = 4;
  shadows_.assign((bytes + granule_ - 1) / granule_, Shadow());
  reader_lists_.clear();
}

// Whether the thread comes after the visit: it is its own, or a barrier lies between.
inline bool SharedMemory::before(Visit visit, Thread const& thread) {
  unsigned const other = visit.thread();
  return other == thread.index || visit.tick() <= thread.after[other] ||
         (other / warp_size == thread.warp() && visit.tick() <= thread.after_in_warp[other % warp_size]);
}

// Of two copies with the same number the one before has an earlier tick.
inline bool SharedMemory::before(Visit visit, Copier const& copy) {
  unsigned const other = visit.thread();
  return visit.tick() <= (other == copy.index ? copy.tick : copy.after[other]) &&
         (other != copy.index || visit.tick() == copy.tick || visit.tick() <= copy.after[other]);
}

// Threads and copies take different ways to shared memory, and a barrier alone does not join them.
inline bool SharedMemory::is_over(Visit visit, Copier const& copy) {
  unsigned const other = visit.thread();
  return before(visit, copy) && (other >= copy.block->size || visit.tick() <= copy.fenced[other]);
}

inline std::uint32_t SharedMemory::site_number(Site const& where) {
  if (last_file_ >= files_.size() || files_[last_file_] != where.file) {
    auto const found = std::find(files_.begin(), files_.end(), where.file);
    last_file_       = static_cast<std::uint32_t>(found - files_.begin());
    if (found == files_.end()) files_.push_back(where.file);
  }
  return last_file_ * lines + where.line;
}

// Values of 1 and 2 bytes: from now on a shadow for each byte.
void SharedMemory::split() {
  std::vector<Shadow> finer(bytes_);
  for (std::size_t byte = 0; byte < bytes_; ++byte) {
    finer[byte] = shadows_[byte / granule_];
    if (std::uint32_t const readers = finer[byte].readers) {
      reader_lists_.push_back(reader_lists_[readers - 1]);
      finer[byte].readers = static_cast<std::uint32_t>(reader_lists_.size());
    }
  }
  shadows_.swap(finer);
  granule_ = 1;
}

void SharedMemory::add_reader(Shadow& shadow, Thread const& thread, Visit now) {
  if (!shadow.readers) {
    reader_lists_.push_back({std::vector<Visit>(threads_), 0, {}, {}});
    shadow.readers = static_cast<std::uint32_t>(reader_lists_.size());
  }
  Readers& list = reader_lists_[shadow.readers - 1];
  if (list.reads.size() <= thread.index) list.reads.resize(thread.index + 1);
  if (!list.reads[thread.index].moment) ++list.count;
  list.reads[thread.index] = now;
}

template <class Visitor>
inline void SharedMemory::forget_what_is_over(Readers& list, Visitor const& thread, std::size_t first,
                                              std::size_t end) {
  for (std::size_t i = first; i < end && list.count > 0; ++i)
    if (list.reads[i].moment && is_over(list.reads[i], thread)) {
      list.reads[i] = Visit();
      --list.count;
    }
}

// A read that was added since somebody looked is over for nobody who knows no more, but for the reader, whose next read
// is behind it anyway.
void SharedMemory::forget_what_is_over(Readers& list, Thread const& thread) {
  if (list.known.empty()) list.known.resize((threads_ + warp_size - 1) / warp_size);
  Readers::Known& known = list.known[thread.warp()];
  std::size_t first = 0, end = 0;
  if (!thread.after.is_same(list.after) && !thread.after.is_same(known.after)) {
    end = list.reads.size();
  } else if (!thread.after_in_warp.is_same(known.after_in_warp)) {
    first = thread.warp() * warp_size;
    end   = std::min<std::size_t>(first + warp_size, list.reads.size());
  }
  list.after = known.after = thread.after;
  known.after_in_warp      = thread.after_in_warp;
  forget_what_is_over(list, thread, first, end);
}

void SharedMemory::forget_what_is_over(Readers& list, Copier const& copy) {
  forget_what_is_over(list, copy, 0, list.reads.size());
}

template <Access access, class Visitor>
inline bool SharedMemory::load(Shadow& shadow, Visitor const& thread, Visit now) {
  for (Visit const& write : {shadow.write, access == Access::add ? Visit() : shadow.addition})
    if (!is_over(write, thread)) {
      other_       = write;
      other_wrote_ = true;
      return false;
    }
  if (access == Access::add) shadow.addition = now;
  // What comes after this read comes after those that are over for it, and a fence behind it is one behind them.
  if (shadow.readers)
    if (Readers& list = reader_lists_[shadow.readers - 1]; list.count > 0) forget_what_is_over(list, thread);
  if (is_over(shadow.reads[0], thread)) {
    shadow.reads[0] = now;
    if (is_over(shadow.reads[1], thread)) shadow.reads[1] = Visit();
  } else if (is_over(shadow.reads[1], thread))
    shadow.reads[1] = now;
  else
    add_reader(shadow, thread, now);
  return true;
}

template <class Visitor>
inline bool SharedMemory::store(Shadow& shadow, Visitor const& thread, Visit now) {
  auto const race = [&](Visit other, bool wrote) {
    other_       = other;
    other_wrote_ = wrote;
    return false;
  };
  if (!is_over(shadow.write, thread)) return race(shadow.write, true);
  for (Visit const& read : shadow.reads)
    if (!is_over(read, thread)) return race(read, false);
  if (shadow.readers)
    if (Readers& list = reader_lists_[shadow.readers - 1]; std::exchange(list.count, 0) > 0)
      for (Visit& read : list.reads) {
        if (!is_over(read, thread)) return race(read, false);
        read = Visit();
      }
  shadow.write    = now;
  shadow.addition = shadow.reads[0] = shadow.reads[1] = Visit();
  return true;
}

template <Access access, class Visitor>
void* SharedMemory::visit(Visitor const& thread, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment,
                          Site const& where) {
  auto const first = static_cast<std::size_t>(byte);
  auto const wrong = [&](Kind kind, std::string const& more) {
    fault_ = {kind,
              "byte " + std::to_string(byte) + " of the block's " + std::to_string(bytes_) + " of shared memory, " +
                  who(thread, access != Access::load, where) + more,
              kind == Kind::shared_race && other_.thread() < threads_ ? static_cast<int>(other_.thread()) : -1};
    return nullptr;
  };
  if (first > bytes_ || bytes > bytes_ - first)
    return wrong(Kind::shared_out_of_range, " a value of " + std::to_string(bytes) + " bytes");
  if (first % alignment != 0)
    return wrong(Kind::misaligned, " a value that needs an alignment of " + std::to_string(alignment));
  if ((first | bytes) % granule_ != 0) split();

  Visit const now{thread.tick * visitors + thread.index, site_number(where)};
  Shadow* shadow    = &shadows_[first / granule_];
  Shadow* const end = shadow + bytes / granule_;
  for (; shadow != end; ++shadow) {
    if constexpr (access != Access::store)
      if (shadow->write.moment == 0) {
        byte = (shadow - shadows_.data()) * static_cast<std::ptrdiff_t>(granule_);
        return wrong(Kind::shared_uninitialised, ", which nobody has written");
      }
    bool const right = access == Access::store ? store(*shadow, thread, now) : load<access>(*shadow, thread, now);
    if (!right) {
      byte                = (shadow - shadows_.data()) * static_cast<std::ptrdiff_t>(granule_);
      bool const unfenced = std::is_same_v<Visitor, Copier> && other_.thread() < threads_ && before(other_, thread);
      return wrong(Kind::shared_race,
                   " and " + who(other_, other_wrote_) +
                       (unfenced ? ", with no fence_for_copies() behind that" : ", with no barrier in between"));
    }
  }
  return start_ + first;
}

template void* SharedMemory::visit<Access::load>(Thread const&, std::ptrdiff_t, std::size_t, std::size_t, Site const&);
template void* SharedMemory::visit<Access::store>(Thread const&, std::ptrdiff_t, std::size_t, std::size_t, Site const&);
template void* SharedMemory::visit<Access::add>(Thread const&, std::ptrdiff_t, std::size_t, std::size_t, Site const&);
template void* SharedMemory::visit<Access::load>(Copier const&, std::ptrdiff_t, std::size_t, std::size_t, Site const&);
template void* SharedMemory::visit<Access::store>(Copier const&, std::ptrdiff_t, std::size_t, std::size_t, Site const&);

void* SharedMemory::take(Thread const& thread, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment,
                         Site const& where) {
  void* const address = visit<Access::store>(thread, byte, bytes, alignment, where);
  auto const first    = static_cast<std::size_t>(byte) / granule_;
  for (std::size_t i = 0; address && i < bytes / granule_; ++i)
    shadows_[first + i].write = {~0U, site_number(where)};  // nobody ever comes after that
  return address;
}

std::string SharedMemory::name(unsigned visitor) const {
  return visitor < threads_ ? "thread " + std::to_string(visitor) : visitor == visitors - 1 ? "an mbarrier" : "a copy";
}

std::string SharedMemory::who(Thread const& thread, bool writes, Site const& where) const {
  return name(thread.index) + (writes ? " writes (" : " reads (") + where.file + ":" + std::to_string(where.line) + ")";
}

std::string SharedMemory::who(Visit visit, bool writes) const {
  return name(visit.thread()) + (writes ? " wrote (" : " read (") + files_[visit.site / lines] + ":" +
         std::to_string(visit.site % lines) + ")";
}

void* Run::shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Access access, Site const& where) {
  turn_point(1);
  SharedMemory& memory = self_->block->shared;
  void* const address  = access == Access::store ? memory.visit<Access::store>(*self_, byte, bytes, alignment, where)
                         : access == Access::add ? memory.visit<Access::add>(*self_, byte, bytes, alignment, where)
                                                 : memory.visit<Access::load>(*self_, byte, bytes, alignment, where);
  if (!address)
    fail(memory.fault().kind, [&] {
      auto const met = [&](Thread const& thread) {
        Site const& met_at = thread.state == State::waiting ? thread.passed : thread.where;
        return "\n  thread " + std::to_string(thread.index) + " met others " +
               (met_at.line ? "last" + at(met_at) : "never");
      };
      int const other = memory.fault().other;
      return memory.fault().text + met(*self_) +
             (other < 0 ? "" : met(self_->block->threads[static_cast<unsigned>(other)]));
    });
  record(access == Access::load ? Event::What::shared_load : Event::What::shared_store,
         static_cast<std::uintptr_t>(byte), bytes, where);
  return address;
}

void* shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Access access, Site const& where) {
  return Run::running->shared(byte, bytes, alignment, access, where);
}

}  // namespace model
