// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scratch_blocks.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "../core/memory.hpp"

namespace KokkosScan::exec {
namespace {

/// Sizes that grow by a seventh to a quarter: a series of calls that each need a little more takes few blocks, and no
/// block is a quarter too large.
std::size_t rounded(std::size_t bytes) {
  constexpr std::size_t least = 256;
  return core::round_up(bytes, std::max(std::bit_floor(bytes) / 4, least));
}

[[noreturn]] void fail(ScratchSource const& from, std::size_t bytes, std::string const& reason) {
  throw std::runtime_error("KokkosScan: " + from.name() + "(" + std::to_string(bytes) +
                           ") for scratch failed: " + reason);
}

void* allocate(ScratchSource const& from, std::string const& label, std::size_t bytes) {
  try {
    if (void* const data = from.allocate(label, bytes)) return data;
  } catch (std::exception const& reason) {
    fail(from, bytes, reason.what());
  }
  fail(from, bytes, "it returned null");
}

}  // namespace

struct ScratchBlocks::State {
  State(std::string name, Content of_new) : label(std::move(name)), content(of_new) {}

  std::string const label;
  Content const content;
  std::mutex mutex;
  std::vector<ScratchBlock> idle;
  std::size_t blocks = 0;  // idle or not

  ScratchBlock take(ScratchSource const& from, std::size_t bytes) {
    idle.reserve(blocks + 1);  // so that nothing can fail when it is given back
    ScratchBlock block{allocate(from, label, bytes), bytes};
    try {
      if (content == Content::zeros) from.clear(block.data, bytes);
    } catch (...) {
      from.free(label, block.data, bytes);
      throw;
    }
    ++blocks;
    return block;
  }

  ScratchBlock pop() {
    ScratchBlock block = std::move(idle.back());
    idle.pop_back();
    return block;
  }

  void free_last(ScratchSource const& to) {
    ScratchBlock const block = pop();
    --blocks;
    to.free(label, block.data, block.bytes);
  }

  void free_idle(ScratchSource const& to) {
    auto const kept =
        std::partition(idle.begin(), idle.end(), [](ScratchBlock const& block) { return block.is_pinned(); });
    for (auto count = idle.end() - kept; count > 0; --count) free_last(to);
  }
};

ScratchBlocks::ScratchBlocks(std::string const& label, Content content)
    : state_(std::make_unique<State>(label, content)) {}
ScratchBlocks::~ScratchBlocks() = default;

ScratchBlocks::Lease::~Lease() {
  if (!owner_) return;
  State& state = *owner_->state_;
  std::lock_guard const lock(state.mutex);
  state.idle.push_back(std::move(block_));
}

ScratchBlocks::Lease ScratchBlocks::lease(ScratchSource const& from, std::size_t bytes) {
  State& state = *state_;
  std::lock_guard const lock(state.mutex);
  auto best = state.idle.end();  // the smallest that is large enough
  for (auto block = state.idle.begin(); block != state.idle.end(); ++block)
    if (block->bytes >= bytes && (best == state.idle.end() || block->bytes < best->bytes)) best = block;
  bool const is_captured = from.is_captured();
  if (best != state.idle.end()) {
    if (is_captured) {
      if (!best->graphs) best->graphs = std::make_shared<std::atomic<int>>(0);
      from.keep(best->graphs);
    }
    std::swap(*best, state.idle.back());
    return {this, state.pop()};
  }
  if (is_captured)
    throw std::runtime_error(
        "KokkosScan: a captured call needs scratch that is not there; make a call of its type and size before the "
        "capture begins, on the same instance or Handle, or call Handle::reserve<T>(n), reserve_by_key<T>(n), "
        "reserve_segmented<T>(n), reserve_compaction<T>(n) or reserve_sort<Key, Value>(handle, n); for all else there "
        "is only the call before");
  state.free_idle(from);
  return {this, state.take(from, rounded(bytes))};
}

void ScratchBlocks::release(ScratchSource const& to) {
  std::lock_guard const lock(state_->mutex);
  state_->free_idle(to);
}

void ScratchBlocks::release_all(ScratchSource const& to) {
  std::lock_guard const lock(state_->mutex);
  while (!state_->idle.empty()) state_->free_last(to);
}

void ScratchBlocks::free_unused(void (*free)(std::string const& label, void* data, std::size_t bytes)) {
  std::lock_guard const lock(state_->mutex);
  while (!state_->idle.empty()) {
    ScratchBlock const block = state_->pop();
    --state_->blocks;
    free(state_->label, block.data, block.bytes);
  }
}

bool ScratchBlocks::has_pinned() const {
  std::lock_guard const lock(state_->mutex);
  return std::any_of(state_->idle.begin(), state_->idle.end(),
                     [](ScratchBlock const& block) { return block.is_pinned(); });
}

}  // namespace KokkosScan::exec
