// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "call.hpp"
#include "model.hpp"
#include "thread.hpp"

namespace model {

/// A copy, as shared memory knows it: a thread with a number behind those of the block's threads, and until when each
/// of them fenced what it read and wrote.
struct Copier : Thread {
  Marks fenced;
};

/// The shared memory of a block, and who was where in it. A byte that is written by one thread, and written or read by
/// another, needs a barrier or an mbarrier in between; but for additions that threads make at once, which need none
/// between each other. Shuffles, votes and the words that blocks exchange are none.
/// Before a copy, a thread that wrote needs fence_for_copies(), too, and so does one that read what the copy writes, or
/// one that read it later.
class SharedMemory {
 public:
  void begin(std::size_t bytes, unsigned threads);

  /// What is wrong with an access.
  struct Fault {
    Kind kind;
    std::string text;
    int other;  // thread; -1: none
  };

  /// The address of these bytes; null, and a fault, if the thread or copy must not access them.
  template <Access access, class Visitor>
  void* visit(Visitor const&, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Site const&);
  /// These bytes become an mbarrier, which is no data any more; null, and a fault, if the thread must not write them.
  void* take(Thread const& thread, std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Site const& where);
  Fault const& fault() const { return fault_; }

  std::size_t bytes() const { return bytes_; }

 private:
  /// A thread at a time, in one number; 0 is nobody.
  struct Visit {
    std::uint32_t moment = 0, site = 0;
    unsigned thread() const { return moment % visitors; }
    std::uint32_t tick() const { return moment / visitors; }
  };
  /// Of 4 bytes, or of each: the last write, and the reads since that no other read comes after, mostly two at most.
  struct Shadow {
    Visit write, reads[2];
    Visit addition;             // the last one since, which is a read, too
    std::uint32_t readers = 0;  // further reads, in reader_lists_[readers - 1]
  };
  /// Further reads of a word, by their threads. What is over for one thread is over for all that know the same: so it
  /// is looked for when somebody has learnt more, not by every thread that reads the word.
  struct Readers {
    struct Known {
      Marks after, after_in_warp;
    };
    std::vector<Visit> reads;
    unsigned count = 0;        // of reads that are somebody's
    Marks after;               // what they knew of the block who looked last
    std::vector<Known> known;  // what each warp knew when it looked last
  };

  template <Access access, class Visitor>
  bool load(Shadow& shadow, Visitor const&, Visit now);
  template <class Visitor>
  bool store(Shadow& shadow, Visitor const&, Visit now);
  void add_reader(Shadow& shadow, Thread const&, Visit now);
  template <class Visitor>
  static void forget_what_is_over(Readers&, Visitor const&, std::size_t first, std::size_t end);
  void forget_what_is_over(Readers&, Thread const&);
  void forget_what_is_over(Readers&, Copier const&);
  void split();

  static bool before(Visit, Thread const&);
  static bool before(Visit, Copier const&);
  static bool is_over(Visit visit, Thread const& thread) { return before(visit, thread); }
  static bool is_over(Visit visit, Copier const& copy);
  std::uint32_t site_number(Site const&);
  std::string name(unsigned visitor) const;
  std::string who(Thread const&, bool writes, Site const&) const;
  std::string who(Visit, bool writes) const;

  std::size_t bytes_ = 0;
  unsigned threads_  = 0;
  std::vector<std::max_align_t> memory_;
  std::byte* start_ = nullptr;  // aligned to 128
  std::vector<Shadow> shadows_;
  std::size_t granule_ = 4;
  std::vector<Readers> reader_lists_;
  std::vector<char const*> files_;
  std::uint32_t last_file_ = 0;
  Visit other_;  // of a race
  bool other_wrote_ = false;
  Fault fault_{};
};

}  // namespace model
