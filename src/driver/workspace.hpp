// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

// Scratch memory that outlives the call, so that a scan allocates nothing after the first call of a size.
namespace KokkosScan::driver {

/// Blocks of scratch in one memory space. A call leases a block and gives it back when everything that uses the block
/// is enqueued; so concurrent calls never share one, and later calls on the same instance reuse it in order.
class Workspace {
 public:
  template <class MemorySpace>
  static std::shared_ptr<Workspace> in() {
    return std::make_shared<Workspace>(
        MemorySpace::name(),
        [](std::size_t bytes) { return Kokkos::kokkos_malloc<MemorySpace>("KokkosScan::scratch", bytes); },
        [](void* data) { Kokkos::kokkos_free<MemorySpace>(data); });
  }

  enum class Purpose { scratch, states };

  /// The workspace of an instance whose caller brings no Handle.
  template <class MemorySpace>
  static Workspace& shared(std::uint32_t instance, Purpose purpose) {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    auto& place = all.shared[{MemorySpace::name(), instance, purpose}];
    if (!place) place = in<MemorySpace>();
    return *place;
  }

  using Allocate = void* (*)(std::size_t);
  using Free     = void (*)(void*);
  Workspace(char const* space, Allocate take, Free free) : space_(space), allocate_(take), free_(free) {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    all.alive.insert(this);
    if (!std::exchange(all.frees_at_finalize, true)) Kokkos::push_finalize_hook(free_everything);
  }
  Workspace(Workspace const&)            = delete;
  Workspace& operator=(Workspace const&) = delete;
  ~Workspace() {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    all.alive.erase(this);
    free_idle();
  }

  class Lease {
   public:
    Lease(Workspace* owner, void* data, std::size_t bytes) : owner_(owner), data_(data), bytes_(bytes) {}
    Lease(Lease const&)            = delete;
    Lease& operator=(Lease const&) = delete;
    ~Lease() {
      if (owner_) owner_->give_back({data_, bytes_});
    }
    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

   private:
    Workspace* owner_;
    void* data_;
    std::size_t bytes_;
  };

  /// A block of at least so many bytes. Before a new one is taken, permit() may throw; and it is first handed to
  /// prepare(data, bytes).
  Lease lease(std::size_t bytes) {
    return lease(bytes, [] {}, [](void*, std::size_t) {});
  }
  template <class Permit, class Prepare>
  Lease lease(std::size_t bytes, Permit const& permit, Prepare const& prepare) {
    if (bytes == 0) return {nullptr, nullptr, 0};
    std::lock_guard const lock(mutex_);
    auto best = idle_.end();  // the smallest that is large enough
    for (auto block = idle_.begin(); block != idle_.end(); ++block)
      if (block->bytes >= bytes && (best == idle_.end() || block->bytes < best->bytes)) best = block;
    if (best != idle_.end()) {
      Block const fitting = *best;
      idle_.erase(best);
      return {this, fitting.data, fitting.bytes};
    }
    permit();
    // Blocks are kept, since freeing one would fence. The rounding bounds what a growing series of sizes leaves behind.
    std::size_t const rounded = bytes < rounded_below ? std::bit_ceil(bytes) : bytes;
    idle_.reserve(++blocks_);  // so that nothing can fail when it is given back
    void* const data = allocate(rounded);
    try {
      prepare(data, rounded);
    } catch (...) {
      free_(data);
      throw;
    }
    return {this, data, rounded};
  }

 private:
  struct Block {
    void* data;
    std::size_t bytes;
  };
  struct Registry {
    std::recursive_mutex mutex;  // recursive: creating a shared workspace registers it
    std::map<std::tuple<std::string_view, std::uint32_t, Purpose>, std::shared_ptr<Workspace>> shared;
    std::set<Workspace*> alive;
    bool frees_at_finalize = false;
  };
  static Registry& registry() {
    // Never destroyed: a Handle of static lifetime may go after everything else.
    static Registry& all = *new Registry;
    return all;
  }

  // Handles may outlive Kokkos; their memory may not.
  static void free_everything() {
    Registry& all = registry();
    std::lock_guard const lock(all.mutex);
    for (Workspace* workspace : all.alive) workspace->free_idle();
    all.shared.clear();
    all.frees_at_finalize = false;
  }

  void* allocate(std::size_t bytes) const {
    try {
      if (void* const data = allocate_(bytes)) return data;
    } catch (std::exception const& reason) {
      fail(bytes, reason.what());
    }
    fail(bytes, "it returned null");
  }
  [[noreturn]] void fail(std::size_t bytes, std::string const& reason) const {
    throw std::runtime_error("KokkosScan: Kokkos::kokkos_malloc<" + std::string(space_) + ">(" + std::to_string(bytes) +
                             ") for scratch failed: " + reason);
  }

  void give_back(Block block) {
    std::lock_guard const lock(mutex_);
    idle_.push_back(block);
  }
  void free_idle() {
    std::lock_guard const lock(mutex_);
    for (Block const& block : idle_) free_(block.data);
    idle_.clear();
  }

  static constexpr std::size_t rounded_below = 16 * 1024 * 1024;

  char const* space_;
  Allocate allocate_;
  Free free_;
  std::mutex mutex_;
  std::vector<Block> idle_;
  std::size_t blocks_ = 0;
};

/// A block for work on exec, in the state that its purpose asks for.
template <class Backend, class Exec>
Workspace::Lease lease_for(Exec const& exec, Workspace& workspace, Workspace::Purpose purpose, std::size_t bytes) {
  auto const permit = [&] {
    if constexpr (requires { Backend::permit_new_scratch(exec); }) Backend::permit_new_scratch(exec);
  };
  return workspace.lease(bytes, permit, [&](void* data, std::size_t size) {
    if (purpose == Workspace::Purpose::states) Backend::clear(exec, data, size);
  });
}

}  // namespace KokkosScan::driver
