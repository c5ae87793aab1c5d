// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block.hpp"
#include "calls.hpp"
#include "copies.hpp"
#include "model.hpp"
#include "scheduler.hpp"
#include "words.hpp"

namespace model {

std::string at(Site const&);
std::string hex(unsigned bits);
std::string text_of(Mbarrier const&);

struct Store;

/// One launch, or several, each of which depends on the one before it.
class Run {
 public:
  Run(std::vector<Grid> grids, Model& model, Store& store);
  ~Run();
  void go();

  static inline Run* running = nullptr;
  static void work();  // what the fibers do

  // What threads call; each may stop the caller and let others go on.
  void syncthreads(Site const&);
  std::uint64_t meet(Call, unsigned mask, std::uint64_t value, unsigned other, int width, Site const&);
  void* shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Access, Site const&);
  Bits load(void const*, unsigned bytes, bool acquire, Site const&);
  void store(void*, Bits const&, unsigned bytes, bool release, Site const&);
  template <class Number, class Change>
  Number modify(Number*, Change const&, Site const&);  // in word_access.cpp only
  void fence(Site const&);
  void init_mbarrier(std::ptrdiff_t byte, unsigned arrivals, Site const&);
  void publish_barriers(Site const&);
  void arrive(std::ptrdiff_t byte, unsigned bytes, Site const&);
  void wait_for_phase(std::ptrdiff_t byte, unsigned parity, Site const&);
  void start_copy(bool in, std::ptrdiff_t shared, void const* global, std::size_t bytes, std::ptrdiff_t counted_by,
                  Site const&);
  void wait_until_copied_out(Site const&);
  void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::size_t alignment, Site const&);
  void wait_until_copied_in(Site const&);
  void fence_for_copies(Site const&);
  void pause(Site const&);
  void sleep();
  void wait_for_previous_grid(Site const&);
  void let_next_grid_start(Site const&);

 private:
  // Turns (run.cpp)
  unsigned block_at(Grid const&, unsigned start) const;
  void start_blocks();
  void start_blocks_of(Grid&);
  void turn_point(int cost);
  void yield();
  void wait();
  void check_stuck(Block const&);
  Thread* pick();
  void nobody_can_move();
  void change_to(Thread* next);
  void leave(Fiber& from, Thread* next);
  void begin_turn(Thread& next);
  void run_thread();
  void end_thread();
  void abandon();

  // Barriers and warps (meetings.cpp)
  Thread& comes_to(Call, Site const&);
  void wake(Block&, unsigned first, unsigned count, unsigned mask);
  void exchange(Meeting const&, Thread* lanes);
  void order_warp(Meeting const&, Thread* lanes);
  void order_block(Block&);
  void check_ending(Thread const&);

  // Mbarriers and copies (mbarriers.cpp, copies.cpp)
  Marks past_of(Thread&);
  Mbarrier& mbarrier(std::ptrdiff_t byte, Site const&);
  void count_bytes(Mbarrier&, std::int64_t bytes, Site const&);
  void move_a_copy();
  void go_on(unsigned copy);
  void end_copy(unsigned copy);
  void check_copies(Block const&);

  // Words (word_access.cpp)
  unsigned word(void const*, unsigned bytes, Site const&);
  std::uint32_t choose_message(unsigned number);
  void count_poll(unsigned number, Site const&);
  bool is_overtaken(unsigned number);

  // Grids (grids.cpp)
  void require_order(char const* what, Site const&);
  void check_order_of_end();
  void count_end(Block&);
  void end_grid();

  // Faults (report.cpp)
  // The text is made and forgotten before the thread is abandoned, so that nothing is left on its stack.
  template <class Text>
  [[noreturn, gnu::noinline, gnu::cold]] void fail(Kind kind, Text const& text) {
    complain(kind, text());
    give_up();
  }
  void complain(Kind, std::string const& text);
  [[noreturn]] void give_up();
  std::string who_waits() const;
  std::string who_waits(Block const&) const;

  void record(Event::What what, std::uintptr_t at, std::size_t bytes, Site const& where) {
    if (recorder_) [[unlikely]]
      report(what, at, bytes, where);
  }
  bool omits(Duty duty, Site const& where) const { return omissions_ && (*omissions_)(duty, where); }
  void report(Event::What, std::uintptr_t at, std::size_t bytes, Site const&);

  std::vector<Grid> grids_;
  std::size_t present_ = 0;  // the first one that has not ended
  Model& model_;
  Store& store_;
  Recorder const* recorder_;
  Omissions const* omissions_;
  std::uint64_t seed_;
  Random random_;
  Policy policy_;
  Scheduler& scheduler_;
  Words& words_;
  Copies copies_;

  std::vector<std::unique_ptr<Block>> resident_;
  std::unique_ptr<Block> ended_;  // the last one that did: self_ may still be a thread of it

  Thread* self_         = nullptr;
  Thread const* blamed_ = nullptr;  // for what a copy does, who started it
  Fiber main_;
  int slice_left_      = 0;
  std::uint64_t turns_ = 0, trace_ = 0, events_ = 0;

  // Whether anything changes while all that can move poll words
  std::uint64_t news_ = 0, news_before_ = 0, seen_before_ = 0;
  unsigned quiet_rounds_ = 0;
  bool newest_only_      = false;

  std::exception_ptr thrown_;
  std::optional<ModelError> error_;
};

/// What is kept from one launch to the next, for its memory only.
struct Store {
  Fibers fibers{Run::work};
  Words words;
  Scheduler scheduler;
  std::vector<std::unique_ptr<Block>> blocks;
};

}  // namespace model
