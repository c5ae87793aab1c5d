// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include "../core/memory.hpp"
#include "../exec/scratch_memory.hpp"

// Scratch memory that outlives the call, so that a scan allocates nothing after the first call of a size.
namespace KokkosScan::driver {

/// What holds scratch. It may outlive Kokkos; its memory may not.
class Holder {
 public:
  Holder(Holder const&)            = delete;
  Holder& operator=(Holder const&) = delete;

  /// When no kernel runs and no call is under way.
  virtual void free_unused() = 0;

 protected:
  Holder() {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    all.alive.push_back(this);
    if (!std::exchange(all.frees_at_finalize, true)) Kokkos::push_finalize_hook(free_everything);
  }
  virtual ~Holder() {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    std::erase(all.alive, this);
  }

 private:
  struct Registry {
    std::recursive_mutex mutex;  // recursive: a holder may hold others
    std::vector<Holder*> alive;
    bool frees_at_finalize = false;
  };
  static Registry& registry() {
    // Never destroyed: a Handle of static lifetime may go after everything else.
    static Registry& all = *new Registry;
    return all;
  }
  static void free_everything() {
    Kokkos::fence("KokkosScan: scratch is freed");
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    auto const holders = all.alive;  // some hold others, which go with them
    for (Holder* holder : holders)
      if (std::find(all.alive.begin(), all.alive.end(), holder) != all.alive.end()) holder->free_unused();
    all.frees_at_finalize = false;
  }
};

/// Blocks of scratch for work on one instance, or on all where Source says that they do not differ. A call leases a
/// block and gives it back when everything that uses the block is enqueued; so concurrent calls never share one, and
/// later calls reuse it in order.
///
/// No more blocks are kept than calls were under way at once, and none that is too small for the latest of them: when
/// no idle block is large enough, all idle ones are freed, in order, before a larger one is taken.
template <class Exec, class Source>
class Workspace final : public Holder {
  struct Block {
    void* data              = nullptr;
    std::size_t bytes       = 0;
    exec::GraphCount graphs = nullptr;

    /// A graph that uses it may be replayed at any time.
    bool is_pinned() const { return graphs && *graphs > 0; }
  };

 public:
  enum class Content { anything, zeros };

  /// Kokkos Tools see the blocks under that label. Of new blocks the content is what is asked for.
  Workspace(std::string label, Content content) : label_(std::move(label)), content_(content) {}
  ~Workspace() override { free_unused(); }

  class Lease {
   public:
    Lease() = default;
    Lease(Workspace* owner, Block block) : owner_(owner), block_(std::move(block)) {}
    Lease(Lease const&)            = delete;
    Lease& operator=(Lease const&) = delete;
    ~Lease() {
      if (owner_) owner_->give_back(std::move(block_));
    }
    void* data() const { return block_.data; }
    std::size_t bytes() const { return block_.bytes; }

   private:
    Workspace* owner_ = nullptr;
    Block block_;
  };

  /// A block of at least so many bytes. In a capture none is taken anew, since what is to be done once would become
  /// part of the graph; and the block is not freed as long as the graph lives.
  Lease lease(Exec const& exec, std::size_t bytes, typename Source::Capture const& capture) {
    if (bytes == 0) return {};
    std::lock_guard const lock(mutex_);
    auto best = idle_.end();  // the smallest that is large enough
    for (auto block = idle_.begin(); block != idle_.end(); ++block)
      if (block->bytes >= bytes && (best == idle_.end() || block->bytes < best->bytes)) best = block;
    if (best != idle_.end()) {
      if (capture) {
        if (!best->graphs) best->graphs = std::make_shared<std::atomic<int>>(0);
        Source::keep(capture, best->graphs);
      }
      std::swap(*best, idle_.back());
      return {this, pop()};
    }
    if (capture)
      throw std::runtime_error(
          "KokkosScan: a captured call needs scratch that is not there; make a call of its type and size before the "
          "capture begins, on the same instance or Handle, or call Handle::reserve<T>(n), reserve_by_key<T>(n), "
          "reserve_segmented<T>(n), reserve_compaction<T>(n) or reserve_sort<Key, Value>(handle, n); for all else "
          "there is "
          "only the call before");
    free_idle(exec);
    return {this, take(exec, rounded(bytes))};
  }

  /// Frees in order what neither a call has at the moment nor a graph uses.
  void release(Exec const& exec) {
    std::lock_guard const lock(mutex_);
    free_idle(exec);
  }
  /// Frees in order what no call has at the moment.
  void release_all(Exec const& exec) {
    std::lock_guard const lock(mutex_);
    while (!idle_.empty()) free_last(exec);
  }
  void free_unused() override {
    std::lock_guard const lock(mutex_);
    for (Block const& block : std::exchange(idle_, {})) {
      --blocks_;
      Source::free_unused(label_, block.data, block.bytes);
    }
  }

  bool has_pinned() const {
    std::lock_guard const lock(mutex_);
    return std::any_of(idle_.begin(), idle_.end(), [](Block const& block) { return block.is_pinned(); });
  }

  /// Sizes that grow by a seventh to a quarter: a series of calls that each need a little more takes few blocks, and no
  /// block is a quarter too large.
  static constexpr std::size_t rounded(std::size_t bytes) {
    return core::round_up(bytes, std::max(std::bit_floor(bytes) / 4, least));
  }

 private:
  static constexpr std::size_t least = 256;

  Block take(Exec const& exec, std::size_t bytes) {
    idle_.reserve(blocks_ + 1);  // so that nothing can fail when it is given back
    Block block{allocate(exec, bytes), bytes};
    try {
      if (content_ == Content::zeros) Source::clear(exec, block.data, bytes);
    } catch (...) {
      Source::free(exec, label_, block.data, bytes);
      throw;
    }
    ++blocks_;
    return block;
  }
  void* allocate(Exec const& exec, std::size_t bytes) const {
    try {
      if (void* const data = Source::allocate(exec, label_, bytes)) return data;
    } catch (std::exception const& reason) {
      fail(bytes, reason.what());
    }
    fail(bytes, "it returned null");
  }
  [[noreturn]] static void fail(std::size_t bytes, std::string const& reason) {
    throw std::runtime_error("KokkosScan: " + Source::source() + "(" + std::to_string(bytes) +
                             ") for scratch failed: " + reason);
  }

  void give_back(Block block) {
    std::lock_guard const lock(mutex_);
    idle_.push_back(std::move(block));
  }
  Block pop() {
    Block block = std::move(idle_.back());
    idle_.pop_back();
    return block;
  }

  void free_idle(Exec const& exec) {
    auto const kept = std::partition(idle_.begin(), idle_.end(), [](Block const& block) { return block.is_pinned(); });
    for (auto count = idle_.end() - kept; count > 0; --count) free_last(exec);
  }
  void free_last(Exec const& exec) {
    Block const block = pop();
    --blocks_;
    Source::free(exec, label_, block.data, block.bytes);
  }

  std::string label_;
  Content content_;
  mutable std::mutex mutex_;
  std::vector<Block> idle_;
  std::size_t blocks_ = 0;  // idle or not
};

}  // namespace KokkosScan::driver
