// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_memory.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "block.hpp"

namespace model {
namespace {

constexpr std::size_t alignment_of_all = 128;
constexpr std::uint32_t lines          = 1U << 20;  // of a file; the rest of a place's number says which

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
  cell_bytes_ = 4;
  cells_.assign((bytes + cell_bytes_ - 1) / cell_bytes_, Cell());
  crowds_.clear();
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
inline bool SharedMemory::sees(Visit write, Copier const& copy) {
  unsigned const other = write.thread();
  return before(write, copy) && (other >= copy.block->size() || write.tick() <= copy.fenced[other]);
}

inline std::uint32_t SharedMemory::place_number(Place const& where) {
  if (last_file_ >= files_.size() || files_[last_file_] != where.file) {
    auto const found = std::find(files_.begin(), files_.end(), where.file);
    last_file_       = static_cast<std::uint32_t>(found - files_.begin());
    if (found == files_.end()) files_.push_back(where.file);
  }
  return last_file_ * lines + where.line;
}

// Values of 1 and 2 bytes: from now on a cell for each byte.
void SharedMemory::split() {
  std::vector<Cell> finer(bytes_);
  for (std::size_t byte = 0; byte < bytes_; ++byte) {
    finer[byte] = cells_[byte / cell_bytes_];
    if (std::uint32_t const crowd = finer[byte].crowd) {
      crowds_.push_back(crowds_[crowd - 1]);
      finer[byte].crowd = static_cast<std::uint32_t>(crowds_.size());
    }
  }
  cells_.swap(finer);
  cell_bytes_ = 1;
}

void SharedMemory::join_crowd(Cell& cell, Thread const& thread, Visit now) {
  if (!cell.crowd) {
    crowds_.emplace_back(threads_);
    cell.crowd = static_cast<std::uint32_t>(crowds_.size());
  }
  auto& crowd = crowds_[cell.crowd - 1];
  if (crowd.size() <= thread.index) crowd.resize(thread.index + 1);
  crowd[thread.index] = now;
}

template <class Visitor>
inline bool SharedMemory::load(Cell& cell, Visitor const& thread, Visit now) {
  if (!sees(cell.write, thread)) {
    other_       = cell.write;
    other_wrote_ = true;
    return false;
  }
  if (before(cell.reads[0], thread))
    cell.reads[0] = now;
  else if (before(cell.reads[1], thread))
    cell.reads[1] = now;
  else
    join_crowd(cell, thread, now);
  return true;
}

template <class Visitor>
inline bool SharedMemory::store(Cell& cell, Visitor const& thread, Visit now) {
  auto const race = [&](Visit other, bool wrote) {
    other_       = other;
    other_wrote_ = wrote;
    return false;
  };
  if (!sees(cell.write, thread)) return race(cell.write, true);
  for (Visit const& read : cell.reads)
    if (!before(read, thread)) return race(read, false);
  if (cell.crowd) {
    for (Visit& read : crowds_[cell.crowd - 1]) {
      if (!before(read, thread)) return race(read, false);
      read = Visit();
    }
  }
  cell.write    = now;
  cell.reads[0] = cell.reads[1] = Visit();
  return true;
}

template <bool writes, class Visitor>
void* SharedMemory::visit(Visitor const& thread, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment,
                          Place const& where) {
  auto const first = static_cast<std::size_t>(byte);
  auto const wrong = [&](Kind kind, std::string const& more) {
    fault_ = {kind,
              "byte " + std::to_string(byte) + " of the block's " + std::to_string(bytes_) + " of shared memory, " +
                  who(thread, writes, where) + more,
              kind == Kind::shared_race && other_.thread() < threads_ ? static_cast<int>(other_.thread()) : -1};
    return nullptr;
  };
  if (first > bytes_ || bytes > bytes_ - first)
    return wrong(Kind::shared_out_of_range, " a value of " + std::to_string(bytes) + " bytes");
  if (first % alignment != 0)
    return wrong(Kind::misaligned, " a value that needs an alignment of " + std::to_string(alignment));
  if ((first | bytes) % cell_bytes_ != 0) split();

  Visit const now{thread.tick * visitors + thread.index, place_number(where)};
  Cell* cell      = &cells_[first / cell_bytes_];
  Cell* const end = cell + bytes / cell_bytes_;
  for (; cell != end; ++cell) {
    if constexpr (!writes)
      if (cell->write.moment == 0) {
        byte = (cell - cells_.data()) * static_cast<std::ptrdiff_t>(cell_bytes_);
        return wrong(Kind::shared_uninitialised, ", which nobody has written");
      }
    bool const right = writes ? store(*cell, thread, now) : load(*cell, thread, now);
    if (!right) {
      byte                = (cell - cells_.data()) * static_cast<std::ptrdiff_t>(cell_bytes_);
      bool const unfenced = std::is_same_v<Visitor, Copier> && other_.thread() < threads_ && before(other_, thread);
      return wrong(Kind::shared_race,
                   " and " + who(other_, other_wrote_) +
                       (unfenced ? ", with no fence_for_copies() behind that" : ", with no barrier in between"));
    }
  }
  return start_ + first;
}

template void* SharedMemory::visit<false>(Thread const&, std::ptrdiff_t, std::size_t, std::size_t, Place const&);
template void* SharedMemory::visit<true>(Thread const&, std::ptrdiff_t, std::size_t, std::size_t, Place const&);
template void* SharedMemory::visit<false>(Copier const&, std::ptrdiff_t, std::size_t, std::size_t, Place const&);
template void* SharedMemory::visit<true>(Copier const&, std::ptrdiff_t, std::size_t, std::size_t, Place const&);

void* SharedMemory::take(Thread const& thread, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment,
                         Place const& where) {
  void* const place = write(thread, byte, bytes, alignment, where);
  auto const first  = static_cast<std::size_t>(byte) / cell_bytes_;
  for (std::size_t i = 0; place && i < bytes / cell_bytes_; ++i)
    cells_[first + i].write = {~0U, place_number(where)};  // nobody ever comes after that
  return place;
}

std::string SharedMemory::name(unsigned visitor) const {
  return visitor < threads_ ? "thread " + std::to_string(visitor) : visitor == visitors - 1 ? "an mbarrier" : "a copy";
}

std::string SharedMemory::who(Thread const& thread, bool writes, Place const& where) const {
  return name(thread.index) + (writes ? " writes (" : " reads (") + where.file + ":" + std::to_string(where.line) + ")";
}

std::string SharedMemory::who(Visit visit, bool writes) const {
  return name(visit.thread()) + (writes ? " wrote (" : " read (") + files_[visit.place / lines] + ":" +
         std::to_string(visit.place % lines) + ")";
}

}  // namespace model
