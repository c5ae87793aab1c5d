// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../exec/scratch_blocks.hpp"
#include "../exec/scratch_holder.hpp"

// Scratch memory that outlives the call, so that a scan allocates nothing after the first call of a size.
namespace KokkosScan::driver {

/// What holds scratch. It may outlive Kokkos; its memory may not.
class Holder : public exec::ScratchHolder {
 protected:
  Holder() : ScratchHolder(free_at_finalize) {}
  ~Holder() override = default;

 private:
  static void free_at_finalize() {
    Kokkos::push_finalize_hook([] {
      Kokkos::fence("KokkosScan: scratch is freed");
      free_everything();
    });
  }
};

/// Blocks of scratch for work on one instance, or on all where Source says that they do not differ.
template <class Exec, class Source>
class Workspace final : public Holder {
  using Capture = typename Source::Capture;

  class OfInstance final : public exec::ScratchSource {
   public:
    OfInstance(Exec const& exec, Capture const& capture) : exec_(exec), capture_(capture) {}

    std::string name() const override { return Source::source(); }
    void* allocate(std::string const& label, std::size_t bytes) const override {
      return Source::allocate(exec_, label, bytes);
    }
    void clear(void* data, std::size_t bytes) const override { Source::clear(exec_, data, bytes); }
    void free(std::string const& label, void* data, std::size_t bytes) const override {
      Source::free(exec_, label, data, bytes);
    }
    bool is_captured() const override { return static_cast<bool>(capture_); }
    void keep(exec::GraphCount const& graphs) const override { Source::keep(capture_, graphs); }

   private:
    Exec const& exec_;
    Capture const& capture_;
  };

 public:
  using Content = exec::ScratchBlocks::Content;
  using Lease   = exec::ScratchBlocks::Lease;

  /// Kokkos Tools see the blocks under that label.
  Workspace(std::string const& label, Content content) : blocks_(label, content) {}
  ~Workspace() override { free_unused(); }

  Lease lease(Exec const& exec, std::size_t bytes, Capture const& capture) {
    if (bytes == 0) return {};
    return blocks_.lease(OfInstance(exec, capture), bytes);
  }
  /// Frees in order what neither a call has at the moment nor a graph uses.
  void release(Exec const& exec) { blocks_.release(OfInstance(exec, {})); }
  /// Frees in order what no call has at the moment.
  void release_all(Exec const& exec) { blocks_.release_all(OfInstance(exec, {})); }
  void free_unused() override { blocks_.free_unused(Source::free_unused); }
  bool has_pinned() const { return blocks_.has_pinned(); }

 private:
  exec::ScratchBlocks blocks_;
};

}  // namespace KokkosScan::driver
