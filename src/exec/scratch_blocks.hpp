// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

// Blocks of scratch that calls lease, whatever memory they are of. They are in the library, and know no Kokkos, since
// every source with a call would compile them otherwise; and what a debug mode of the standard library makes larger
// does not stand here, since the library may be without one.
namespace KokkosScan::exec {

/// How many graphs use a block. A graph that is destroyed counts itself out.
using GraphCount = std::shared_ptr<std::atomic<int>>;

struct ScratchBlock {
  void* data        = nullptr;
  std::size_t bytes = 0;
  GraphCount graphs = nullptr;

  /// A graph that uses it may be replayed at any time.
  bool is_pinned() const { return graphs && *graphs > 0; }
};

/// Where blocks are taken from and given to, in the order of the instance that a call is for.
class ScratchSource {
 public:
  virtual std::string name() const                                                 = 0;
  virtual void* allocate(std::string const& label, std::size_t bytes) const        = 0;
  virtual void clear(void* data, std::size_t bytes) const                          = 0;
  virtual void free(std::string const& label, void* data, std::size_t bytes) const = 0;
  /// Whether what is enqueued becomes part of a graph, and how that graph counts itself.
  virtual bool is_captured() const           = 0;
  virtual void keep(GraphCount const&) const = 0;

 protected:
  ~ScratchSource() = default;
};

/// A call leases a block and gives it back when everything that uses the block is enqueued; so concurrent calls never
/// share one, and later calls reuse it in order.
///
/// No more blocks are kept than calls were under way at once, and none that is too small for the latest of them: when
/// no idle block is large enough, all idle ones are freed, in order, before a larger one is taken.
class ScratchBlocks {
 public:
  enum class Content { anything, zeros };

  /// Of new blocks the content is what is asked for.
  ScratchBlocks(std::string const& label, Content content);
  ScratchBlocks(ScratchBlocks const&)            = delete;
  ScratchBlocks& operator=(ScratchBlocks const&) = delete;
  ~ScratchBlocks();

  class Lease {
   public:
    Lease() = default;
    Lease(ScratchBlocks* owner, ScratchBlock block) : owner_(owner), block_(std::move(block)) {}
    Lease(Lease const&)            = delete;
    Lease& operator=(Lease const&) = delete;
    ~Lease();
    void* data() const { return block_.data; }
    std::size_t bytes() const { return block_.bytes; }

   private:
    ScratchBlocks* owner_ = nullptr;
    ScratchBlock block_;
  };

  /// A block of at least so many bytes. In a capture none is taken anew, since what is to be done once would become
  /// part of the graph; and the block is not freed as long as the graph lives.
  Lease lease(ScratchSource const& from, std::size_t bytes);

  /// Frees in order what neither a call has at the moment nor a graph uses.
  void release(ScratchSource const& to);
  /// Frees in order what no call has at the moment.
  void release_all(ScratchSource const& to);
  /// Frees what no call has at the moment, when nothing uses it any more.
  void free_unused(void (*free)(std::string const& label, void* data, std::size_t bytes));

  bool has_pinned() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace KokkosScan::exec
