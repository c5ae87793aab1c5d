// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "model.hpp"
#include "random.hpp"

namespace model {

/// How one launch treats its threads, drawn from its seed. Fair chances for everybody at every step would keep all
/// blocks equally far, and faults show when one is far ahead or far behind: so launches differ in character.
struct Temper {
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
  unsigned patience;       // how much a thread may do on end, on average
  unsigned impatience;     // one in so many turns goes to a thread that waits for a word, if others can move
  unsigned newest_in_ten;  // loads of a word that see the newest value although an older one would do; and stores that
                           // are the newest although they might come before others

  static Temper draw(Settings const&, Random&);
  std::string text() const;
};

}  // namespace model
