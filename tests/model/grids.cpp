// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "run.hpp"

// Launches, and grids that follow each other on a stream. No more than two are there at once: the present one, and
// behind it one whose threads have not passed their wait. So what the present one wrote is known to all when it ends.
namespace model {
namespace {

constexpr int cost_of_a_wait = 8;

thread_local bool launching           = false;
thread_local Stream* innermost_stream = nullptr;

[[noreturn]] void wrong(std::string const& text) { throw ModelError(Kind::bad_argument, "launch: " + text); }

void check(Shape const& shape) {
  if (launching) wrong("called by a kernel");
  if (shape.blocks == 0 || shape.blocks > 0x7fffffffU) wrong(std::to_string(shape.blocks) + " blocks");
  if (shape.threads <= 0 || shape.threads > static_cast<int>(most_threads))
    wrong(std::to_string(shape.threads) + " threads in a block");
  constexpr std::size_t most_shared = 227 * 1024;  // of sm_90
  if (shape.shared > most_shared) wrong(std::to_string(shape.shared) + " bytes of shared memory");
}

void run(std::vector<Grid> grids) {
  // Host threads take turns, as if they shared one device and its only stream.
  static std::mutex device;
  static Store store;
  std::optional<Model> of_seed_0;
  if (!Model::current()) of_seed_0.emplace();
  struct Launching {
    Launching() { launching = true; }
    ~Launching() { launching = false; }
  };
  std::scoped_lock const lock(device);
  Launching const until_the_end;
  Run(std::move(grids), *Model::current(), store).go();
}

}  // namespace

void launch(Shape const& shape, Body const& body) {
  check(shape);
  std::vector<Grid> grids;
  grids.push_back({shape, body, true});
  run(std::move(grids));
}

Stream::Stream() : outer_(std::exchange(innermost_stream, this)) {}
Stream::~Stream() {
  innermost_stream = outer_;
  if (!launches_.empty() && std::uncaught_exceptions() == 0) std::terminate();
}

Stream* Stream::current() { return innermost_stream; }

void Stream::enqueue(Shape const& shape, std::function<void()> kernel) {
  check(shape);
  launches_.push_back({shape, std::move(kernel)});
}

void Stream::finish() {
  auto const launches = std::exchange(launches_, {});
  std::vector<Grid> grids;
  for (Launch const& launch : launches) {
    auto const call = [](void const* kernel) { (*static_cast<std::function<void()> const*>(kernel))(); };
    grids.push_back({launch.shape, {call, &launch.kernel}, grids.empty()});
  }
  if (!grids.empty()) run(std::move(grids));
}

void Run::wait_for_previous_grid(Site const& where) {
  Thread& me = *self_;
  if (me.is_ordered || omits(Duty::wait_for_grid, where)) return;
  turn_point(cost_of_a_wait);
  if (me.block->grid != &grids_[present_]) {
    comes_to(Call::previous_grid, where);
    ++me.block->at_grid;
    wait();
  }
  me.is_ordered = true;
}

// Before it has waited, a thread could let a third grid start while the first one runs.
void Run::let_next_grid_start(Site const& where) {
  require_order("lets the next grid start", where);
  Block& block = *self_->block;
  if (std::exchange(block.lets_next_grid, true)) return;
  ++block.grid->letting;
  start_blocks();
  turn_point(1);
}

void Run::require_order(char const* what, Site const& where) {
  if (self_->is_ordered) return;
  fail(Kind::grid_order, [&] { return what + at(where) + " before it has waited for the previous grid"; });
}

// If all did so, the grid might be over before the previous one, and the next one would wait for that no longer.
void Run::check_order_of_end() {
  if (self_->is_ordered) return;
  fail(Kind::grid_order, [] { return "ends, and has not waited for the previous grid"; });
}

void Run::count_end(Block& block) {
  if (!std::exchange(block.lets_next_grid, true)) ++block.grid->letting;
  ++block.grid->ended;
}

void Run::end_grid() {
  copies_.write_all();
  if (++present_ == grids_.size()) return;
  words_.begin();
  for (auto& block : resident_) {
    block->at_grid = 0;
    for (unsigned i = 0; i < block->size; ++i) {
      Thread& thread = block->threads[policy_.descending ? block->size - 1 - i : i];
      if (thread.state == State::waiting && thread.call == Call::previous_grid) scheduler_.can_move(thread);
    }
  }
}

void wait_for_previous_grid(Site const& where) { Run::running->wait_for_previous_grid(where); }
void let_next_grid_start(Site const& where) { Run::running->let_next_grid_start(where); }

}  // namespace model
