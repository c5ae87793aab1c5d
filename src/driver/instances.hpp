// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../core/memory.hpp"
#include "backend.hpp"
#include "workspace.hpp"

// Who has scratch: a Handle has its own, and an instance without one has what is kept for it here.
namespace KokkosScan::driver {

inline constexpr char const* scratch_label = "KokkosScan::scratch";

/// The two kinds of scratch that scans on one instance need.
template <class Exec>
struct Workspaces {
  using Space = Workspace<Exec, Scratch<Exec>>;

  Space scratch, states;

  explicit Workspaces(std::string const& label)
      : scratch(label, Space::Content::anything), states(label, Space::Content::zeros) {}

  void release(Exec const& exec) {
    require_no_capture(exec);
    scratch.release(exec);
    states.release(exec);
  }
  /// What graphs use, too.
  void release_all(Exec const& exec) {
    require_no_capture(exec);
    scratch.release_all(exec);
    states.release_all(exec);
  }
  void free_unused() {
    scratch.free_unused();
    states.free_unused();
  }
  bool has_pinned() const { return scratch.has_pinned() || states.has_pinned(); }

  /// Those of a Handle, whose instance is there as long as they are.
  static std::shared_ptr<Workspaces> of_handle(Exec const& exec, std::string const& label) {
    return {new Workspaces(label), [exec](Workspaces* all) {
              try {
                all->release_all(exec);
                delete all;
              } catch (std::exception const&) {
                // Nothing can be freed in the order of a stream that is captured: then at Kokkos::finalize.
              }
            }};
  }

 private:
  static void require_no_capture(Exec const& exec) {
    if (Scratch<Exec>::capture_of(exec))
      throw std::runtime_error("KokkosScan: scratch cannot be released while its instance is captured into a graph");
  }
};

/// All Instances, whatever their execution space. They are never destroyed, as the registry of holders.
class AnyInstances {
 public:
  AnyInstances(AnyInstances const&)            = delete;
  AnyInstances& operator=(AnyInstances const&) = delete;

  static void release_all() {
    for (AnyInstances* one = first(); one; one = one->next_) one->release();
  }

 protected:
  AnyInstances()  = default;
  ~AnyInstances() = default;

  template <class Instances>
  static Instances& make() {
    auto* const made     = new Instances;
    AnyInstances* before = first();
    do made->AnyInstances::next_ = before;
    while (!first().compare_exchange_weak(before, made));
    return *made;
  }

  /// Frees what no call has, when all work is done.
  virtual void release() = 0;

 private:
  static std::atomic<AnyInstances*>& first() {
    static std::atomic<AnyInstances*> list{nullptr};
    return list;
  }
  AnyInstances* next_ = nullptr;
};

/// The scratch of the instances of a device that come without a Handle.
///
/// Nothing says when one of them is gone. So what was not used for longest is given up, once its work is done: for that
/// a mark is left behind each call, as soon as there are so many instances that it may be needed.
template <class Exec>
class Instances final : public Holder, public AnyInstances {
  using Source = Scratch<Exec>;

  struct Entry {
    explicit Entry(Exec const& exec) : key(exec) {}
    typename Source::Key key;
    Workspaces<Exec> workspaces{scratch_label};
    typename Source::Mark mark;
    std::atomic<bool> marked{false};  // behind the last call
    std::uint64_t last_use = 0;
  };

 public:
  /// A call on an instance, from before its first lease to behind its last.
  class Call {
   public:
    Call(Instances& all, Exec const& exec, bool captured)
        : exec_(exec), captured_(captured), entry_(all.find(exec, captured)) {
      marks_ = all.are_many_;
    }
    Call(Call const&)            = delete;
    Call& operator=(Call const&) = delete;
    ~Call() {
      // Nothing was enqueued for a graph, and the mark of the call before still says when the instance is done.
      if (!captured_) entry_->marked = marks_ && entry_->mark.record(exec_);
    }
    Workspaces<Exec>& workspaces() const { return entry_->workspaces; }

   private:
    Exec const& exec_;
    bool captured_, marks_;
    std::shared_ptr<Entry> entry_;
  };

  static Instances& all() {
    static Instances& one = make<Instances>();
    return one;
  }

  /// Frees in order what is kept for one instance.
  void release(Exec const& exec) { find(exec, static_cast<bool>(Source::capture_of(exec)))->workspaces.release(exec); }

  static constexpr std::size_t kept = 16;

 private:
  friend class Call;

  /// The entry of an instance: of several that may be its own, the one that was used last. For a captured one that has
  /// none, one is made for this call alone, in which there is no scratch to be had.
  std::shared_ptr<Entry> find(Exec const& exec, bool captured) {
    typename Source::Key const key(exec);
    std::lock_guard const lock(mutex_);
    auto found = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if ((*entry)->key == key && (found == entries_.end() || (*entry)->last_use > (*found)->last_use)) found = entry;
    if (found == entries_.end()) {
      if (captured) return std::make_shared<Entry>(exec);
      if (entries_.size() >= kept) give_up();
      entries_.push_back(std::make_shared<Entry>(exec));
      are_many_ = entries_.size() > kept / 2;
      found     = entries_.end() - 1;
    }
    (*found)->last_use = ++uses_;
    return *found;
  }

  /// By calls, which get at an entry under the mutex alone, and by graphs.
  static bool is_unused(std::shared_ptr<Entry> const& entry) {
    return entry.use_count() == 1 && !entry->workspaces.has_pinned();
  }

  /// Half of those that are kept, so that this is seldom.
  void give_up() {
    std::sort(entries_.begin(), entries_.end(),
              [](auto const& left, auto const& right) { return left->last_use > right->last_use; });
    for (std::size_t i = entries_.size(); i-- > 0 && entries_.size() > kept / 2;) {
      auto const& entry = entries_[i];
      if (is_unused(entry) && entry->marked && entry->mark.is_passed())
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void release() override {
    std::lock_guard const lock(mutex_);
    std::vector<std::shared_ptr<Entry>> unused, others;
    for (auto& entry : entries_) (is_unused(entry) ? unused : others).push_back(std::move(entry));
    entries_ = std::move(others);
    if (!unused.empty()) Kokkos::fence("KokkosScan::release_scratch");
  }

  void free_unused() override {
    std::lock_guard const lock(mutex_);
    entries_.clear();
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::uint64_t uses_ = 0;
  std::atomic<bool> are_many_{false};
};

/// Where all instances are alike.
template <class Exec>
  requires(!Scratch<Exec>::instances_differ)
class Instances<Exec> final : public AnyInstances {
 public:
  class Call {
   public:
    Call(Instances& all, Exec const&, bool) : workspaces_(all.workspaces_) {}
    Workspaces<Exec>& workspaces() const { return workspaces_; }

   private:
    Workspaces<Exec>& workspaces_;
  };

  static Instances& all() {
    static Instances& one = make<Instances>();
    return one;
  }
  void release(Exec const& exec) { workspaces_.release(exec); }

 private:
  void release() override { workspaces_.free_unused(); }

  Workspaces<Exec> workspaces_{scratch_label};
};

/// With room for a total behind all else.
template <class Value>
core::Needs with_total(core::Needs needs) {
  needs.scratch = core::round_up(needs.scratch, alignof(Value)) + sizeof(Value);
  return needs;
}

/// The scratch of one call: leased until everything that uses it is enqueued.
template <class Exec>
class Leases {
  using Lease   = typename Workspaces<Exec>::Space::Lease;
  using Capture = typename Scratch<Exec>::Capture;

 public:
  /// Of a Handle.
  Leases(Exec const& exec, Workspaces<Exec>& from, core::Needs const& needs)
      : Leases(exec, from, needs, Scratch<Exec>::capture_of(exec)) {}
  /// Of an instance.
  Leases(Exec const& exec, core::Needs const& needs) : Leases(exec, needs, Scratch<Exec>::capture_of(exec)) {}

  core::Memory memory() const { return {scratch_.data(), states_.data(), states_.bytes()}; }

 private:
  Leases(Exec const& exec, Workspaces<Exec>& from, core::Needs const& needs, Capture const& capture)
      : scratch_(from.scratch.lease(exec, needs.scratch, capture)),
        states_(from.states.lease(exec, needs.states, capture)) {}
  Leases(Exec const& exec, core::Needs const& needs, Capture const& capture)
      : call_(std::in_place, Instances<Exec>::all(), exec, static_cast<bool>(capture)),
        scratch_(call_->workspaces().scratch.lease(exec, needs.scratch, capture)),
        states_(call_->workspaces().states.lease(exec, needs.states, capture)) {}

  std::optional<typename Instances<Exec>::Call> call_;  // first: it ends when the blocks are given back
  Lease scratch_, states_;
};

}  // namespace KokkosScan::driver
