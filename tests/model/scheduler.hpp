// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "block.hpp"
#include "model.hpp"
#include "random.hpp"

namespace model {

/// How one launch treats its threads, drawn from its seed. Fair chances for everybody at every step would keep all
/// blocks equally far, and faults show when one is far ahead or far behind: so launches differ in character.
struct Policy {
  enum class Blocks {
    chance,  // any block that can move, for a while
    stay,    // the same one for as long as it can
    rank,    // the first in a ranking that changes now and then
  };
  enum class Threads {
    chance,
    latest,  // who became able to move last
  };

  unsigned resident;
  Start start;
  Blocks blocks;
  unsigned block_turns;  // how many turns on end a block has by chance, on average
  Threads threads;
  bool descending;         // in which order threads of a block become able to move at once
  unsigned time_slice;     // how much a thread may do on end, on average
  unsigned poll_one_in;    // one in so many turns goes to a thread that waits for a word, if others can move
  unsigned newest_in_ten;  // loads of a word that see the newest value although an older one would do; and stores that
                           // are the newest although they might come before others

  static Policy draw(Settings const&, Random&);
  std::string text() const;
};

/// Whose turn it is.
class Scheduler {
 public:
  void begin(Policy const& policy, Random* random);

  void enter(Block& block);         // with all its threads able to move
  void can_move(Thread& thread);    // takes its turn at some time
  void steps_back(Thread& thread);  // the same, but others of its block first, if there are any
  void waits_for_word(Thread& thread);

  /// Who is next; null if nobody can move but those who wait for words. \p news counts what might end their wait.
  Thread* next(std::uint64_t news);

  std::vector<Thread*> const& waiting_for_words() const { return paused_; }
  /// Gives each of those who wait for words a poll.
  void let_them_poll();

 private:
  Block& choose();
  Block& any();
  Thread& take(Block& block);
  Thread& take_paused(unsigned i);

  Policy policy_{};
  Random* random_ = nullptr;
  std::vector<Block*> movable_;
  std::vector<Thread*> paused_;
  Block* favourite_     = nullptr;  // who goes on if it can move; by rank, the first of those who can
  unsigned lowest_rank_ = 0;
};

}  // namespace model
