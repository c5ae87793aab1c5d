// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Blocks of scratch that calls lease, whatever memory they are of. It is in the library, and knows no Kokkos, since
// every source with a call would compile it otherwise.
namespace KokkosScan::exec {

/// How many graphs use a block. A graph that is destroyed counts itself out.
using GraphCount = std::shared_ptr<std::atomic<int>>;

struct Block {
  void* data        = nullptr;
  std::size_t bytes = 0;
  GraphCount graphs = nullptr;

  /// A graph that uses it may be replayed at any time.
  bool is_pinned() const { return graphs && *graphs > 0; }
};

/// Where blocks are taken from and given to, in the order of the instance that a call is for.
class BlockSource {
 public:
  virtual std::string name() const                                                 = 0;
  virtual void* allocate(std::string const& label, std::size_t bytes) const        = 0;
  virtual void clear(void* data, std::size_t bytes) const                          = 0;
  virtual void free(std::string const& label, void* data, std::size_t bytes) const = 0;
  /// Whether what is enqueued becomes part of a graph, and how that graph counts itself.
  virtual bool is_captured() const           = 0;
  virtual void keep(GraphCount const&) const = 0;

 protected:
  ~BlockSource() = default;
};

/// A call leases a block and gives it back when everything that uses the block is enqueued; so concurrent calls never
/// share one, and later calls reuse it in order.
///
/// No more blocks are kept than calls were under way at once, and none that is too small for the latest of them: when
/// no idle block is large enough, all idle ones are freed, in order, before a larger one is taken.
class Blocks {
 public:
  enum class Content { anything, zeros };

  /// Of new blocks the content is what is asked for.
  Blocks(std::string label, Content content) : label_(std::move(label)), content_(content) {}
  Blocks(Blocks const&)            = delete;
  Blocks& operator=(Blocks const&) = delete;

  class Lease {
   public:
    Lease() = default;
    Lease(Blocks* owner, Block block) : owner_(owner), block_(std::move(block)) {}
    Lease(Lease const&)            = delete;
    Lease& operator=(Lease const&) = delete;
    ~Lease();
    void* data() const { return block_.data; }
    std::size_t bytes() const { return block_.bytes; }

   private:
    Blocks* owner_ = nullptr;
    Block block_;
  };

  /// A block of at least so many bytes. In a capture none is taken anew, since what is to be done once would become
  /// part of the graph; and the block is not freed as long as the graph lives.
  Lease lease(BlockSource const& from, std::size_t bytes);

  /// Frees in order what neither a call has at the moment nor a graph uses.
  void release(BlockSource const& to);
  /// Frees in order what no call has at the moment.
  void release_all(BlockSource const& to);
  /// Frees what no call has at the moment, when nothing uses it any more.
  void free_unused(void (*free)(std::string const& label, void* data, std::size_t bytes));

  bool has_pinned() const;

 private:
  Block take(BlockSource const& from, std::size_t bytes);
  void give_back(Block block);
  Block pop();
  void free_idle(BlockSource const& to);
  void free_last(BlockSource const& to);

  std::string label_;
  Content content_;
  mutable std::mutex mutex_;
  std::vector<Block> idle_;
  std::size_t blocks_ = 0;  // idle or not
};

}  // namespace KokkosScan::exec
