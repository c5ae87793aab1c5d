// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blocks.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <stdexcept>

#include "../core/memory.hpp"

namespace KokkosScan::exec {
namespace {

/// Sizes that grow by a seventh to a quarter: a series of calls that each need a little more takes few blocks, and no
/// block is a quarter too large.
std::size_t rounded(std::size_t bytes) {
  constexpr std::size_t least = 256;
  return core::round_up(bytes, std::max(std::bit_floor(bytes) / 4, least));
}

[[noreturn]] void fail(BlockSource const& from, std::size_t bytes, std::string const& reason) {
  throw std::runtime_error("KokkosScan: " + from.name() + "(" + std::to_string(bytes) +
                           ") for scratch failed: " + reason);
}

void* allocate(BlockSource const& from, std::string const& label, std::size_t bytes) {
  try {
    if (void* const data = from.allocate(label, bytes)) return data;
  } catch (std::exception const& reason) {
    fail(from, bytes, reason.what());
  }
  fail(from, bytes, "it returned null");
}

}  // namespace

Blocks::Lease::~Lease() {
  if (owner_) owner_->give_back(std::move(block_));
}

Blocks::Lease Blocks::lease(BlockSource const& from, std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  auto best = idle_.end();  // the smallest that is large enough
  for (auto block = idle_.begin(); block != idle_.end(); ++block)
    if (block->bytes >= bytes && (best == idle_.end() || block->bytes < best->bytes)) best = block;
  bool const is_captured = from.is_captured();
  if (best != idle_.end()) {
    if (is_captured) {
      if (!best->graphs) best->graphs = std::make_shared<std::atomic<int>>(0);
      from.keep(best->graphs);
    }
    std::swap(*best, idle_.back());
    return {this, pop()};
  }
  if (is_captured)
    throw std::runtime_error(
        "KokkosScan: a captured call needs scratch that is not there; make a call of its type and size before the "
        "capture begins, on the same instance or Handle, or call Handle::reserve<T>(n), reserve_by_key<T>(n), "
        "reserve_segmented<T>(n), reserve_compaction<T>(n) or reserve_sort<Key, Value>(handle, n); for all else there "
        "is only the call before");
  free_idle(from);
  return {this, take(from, rounded(bytes))};
}

void Blocks::release(BlockSource const& to) {
  std::lock_guard const lock(mutex_);
  free_idle(to);
}

void Blocks::release_all(BlockSource const& to) {
  std::lock_guard const lock(mutex_);
  while (!idle_.empty()) free_last(to);
}

void Blocks::free_unused(void (*free)(std::string const& label, void* data, std::size_t bytes)) {
  std::lock_guard const lock(mutex_);
  for (Block const& block : std::exchange(idle_, {})) {
    --blocks_;
    free(label_, block.data, block.bytes);
  }
}

bool Blocks::has_pinned() const {
  std::lock_guard const lock(mutex_);
  return std::any_of(idle_.begin(), idle_.end(), [](Block const& block) { return block.is_pinned(); });
}

Block Blocks::take(BlockSource const& from, std::size_t bytes) {
  idle_.reserve(blocks_ + 1);  // so that nothing can fail when it is given back
  Block block{allocate(from, label_, bytes), bytes};
  try {
    if (content_ == Content::zeros) from.clear(block.data, bytes);
  } catch (...) {
    from.free(label_, block.data, bytes);
    throw;
  }
  ++blocks_;
  return block;
}

void Blocks::give_back(Block block) {
  std::lock_guard const lock(mutex_);
  idle_.push_back(std::move(block));
}

Block Blocks::pop() {
  Block block = std::move(idle_.back());
  idle_.pop_back();
  return block;
}

void Blocks::free_idle(BlockSource const& to) {
  auto const kept = std::partition(idle_.begin(), idle_.end(), [](Block const& block) { return block.is_pinned(); });
  for (auto count = idle_.end() - kept; count > 0; --count) free_last(to);
}

void Blocks::free_last(BlockSource const& to) {
  Block const block = pop();
  --blocks_;
  to.free(label_, block.data, block.bytes);
}

}  // namespace KokkosScan::exec
