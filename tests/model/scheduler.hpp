// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "block.hpp"
#include "random.hpp"
#include "temper.hpp"

namespace model {

/// Whose turn it is.
class Scheduler {
 public:
  void begin(Temper const& temper, Random* random);

  void enter(Block& block);         // with all its threads able to move
  void can_move(Thread& thread);    // takes its turn at some time
  void steps_back(Thread& thread);  // the same, but others of its block first, if there are any
  void waits_for_word(Thread& thread);

  /// Who is next; null if nobody can move but those who wait for words. \p news counts what might end their wait.
  Thread* next(std::uint64_t news);

  std::vector<Thread*> const& waiting_for_words() const { return paused_; }
  /// Gives each of those who wait for words a look.
  void let_them_look();

 private:
  Block& choose();
  Block& any();
  Thread& take(Block& block);
  Thread& take_paused(unsigned i);

  Temper temper_{};
  Random* random_ = nullptr;
  std::vector<Block*> movable_;
  std::vector<Thread*> paused_;
  Block* favourite_     = nullptr;  // who goes on if it can move; by rank, the first of those who can
  unsigned lowest_rank_ = 0;
};

}  // namespace model
