// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "call.hpp"
#include "fiber.hpp"
#include "marks.hpp"

namespace model {

struct Block;

constexpr unsigned most_threads = 1024;
constexpr unsigned warp_size    = 32;
constexpr unsigned most_copies  = 256;               // of a block, under way at once
constexpr unsigned visitors     = 2 * most_threads;  // threads, copies, and what none of them is

enum class State : std::uint8_t { ready, running, waiting, paused, ended };

/// A thread of a block, as the kernels know it. A turn costs little more than the lines of the cache that it touches:
/// so what every turn needs comes first, and what only words need comes last.
struct alignas(64) Thread {
  Fiber* fiber   = nullptr;  // while it runs, or is stopped
  Block* block   = nullptr;
  unsigned index = 0;  // in the block
  State state    = State::ended;

  unsigned lane() const { return index % warp_size; }
  unsigned warp() const { return index / warp_size; }

  // What it waits at, or waited at last, and where it passed before that; for which lanes.
  Call call     = Call::syncthreads;
  unsigned mask = 0;
  Site where, passed;

  // Shared memory: its own time, and up to which time of each other thread it comes after that thread.
  Marks after;          // of the block's threads
  Marks after_in_warp;  // of its warp's lanes, where that is more
  std::uint32_t tick = 1;
  unsigned barriers  = 0;      // of the block, that it has passed
  bool is_ordered    = false;  // it comes after the previous grid

  // What it hands over at a shuffle or vote, and gets.
  std::uint64_t given = 0, got = 0;
  unsigned width  = 0;
  unsigned other  = 0;  // the lane it asks for, or how far away that is
  unsigned source = 0;  // the lane whose value it got

  // Waiting for a word: what it saw since the last pause(), and in the time from the one before to that.
  unsigned loads_since_pause = 0;
  std::uint64_t seen = 0, seen_before = 0;
  std::uint64_t last_news = 0;      // after which it had a turn although it waits
  bool polled             = false;  // at a word, ever
  unsigned polled_word    = 0;      // which word
  Site polled_from;

  // The words that blocks exchange: the oldest message of each word that it may still read; what it will know after a
  // fence, having read without acquiring; and what its last fence releases.
  Marks view, unfenced, released;
};

}  // namespace model
