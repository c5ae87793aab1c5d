// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include "../driver/read_element.hpp"
#include "../driver/run_scan.hpp"
#include "under_way.hpp"

// A value that kernels of an instance find and the host sends to other ranks. Kokkos has no way to ask an instance
// whether it is done and not to wait for it; so the value goes into memory that both reach, and a kernel behind the one
// that writes it says there that it has been written.
namespace KokkosScan::ranks {

struct Slot {
  alignas(64) std::byte value[64];
  int is_there;
};

/// Slots that outlive the calls, so that none allocates after the first.
class Slots final : public driver::Holder {
 public:
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  using Space = Kokkos::SharedHostPinnedSpace;
#else
  using Space = Kokkos::HostSpace;
#endif

  static Slots& all() {
    static auto& those = *new Slots;
    return those;
  }
  Slot* take() {
    if (idle_.empty()) {
      idle_.reserve(++count_);  // so that nothing can fail when it is given back
      return static_cast<Slot*>(Kokkos::kokkos_malloc<Space>("KokkosScan::carry", sizeof(Slot)));
    }
    Slot* const slot = idle_.back();
    idle_.pop_back();
    return slot;
  }
  void give_back(Slot* slot) { idle_.push_back(slot); }

  void free_unused() override {
    for (Slot* slot : idle_) Kokkos::kokkos_free<Space>(slot);
    count_ -= idle_.size();
    idle_.clear();
  }

 private:
  std::vector<Slot*> idle_;
  std::size_t count_ = 0;  // idle or not
};

struct MarkSlot {
  Slot* slot;
  KOKKOS_FUNCTION void operator()(int) const {
    Kokkos::memory_fence();
    Kokkos::atomic_store(&slot->is_there, 1);
  }
};

/// One value at a time.
template <class Value, class ExecOrHandle>
class Arriving {
  static_assert(Kokkos::SpaceAccessibility<driver::InstanceOf<ExecOrHandle>, Slots::Space>::accessible,
                "KokkosScan: calls across ranks need memory that kernels of exec and the host both reach, and this "
                "Kokkos has none");

 public:
  Arriving(std::string const& label, ExecOrHandle const& exec_or_handle)
      : label_(label), exec_or_handle_(exec_or_handle) {}
  Arriving(Arriving const&)            = delete;
  Arriving& operator=(Arriving const&) = delete;
  ~Arriving() {
    if (!slot_) return;
    try {
      if (!is_known_) driver::wait_for(label_, exec_or_handle_);
    } catch (std::exception const&) {
      return;  // whatever exec still does with the slot, nobody else gets it
    }
    Slots::all().give_back(slot_);
  }

  /// Calls f(address), which enqueues what puts the value there. One that is asked for with is_there() is marked.
  template <class F>
  void enqueue(bool is_marked, F const& f) {
    if (!slot_) slot_ = Slots::all().take();
    is_known_       = false;
    is_marked_      = is_marked;
    slot_->is_there = 0;
    f(reinterpret_cast<Value*>(slot_->value));
    if (is_marked) driver::enqueue_once(label_, exec_or_handle_, MarkSlot{slot_});
  }
  bool is_there() {
    if (!is_known_ && is_marked_)
      is_known_ = std::atomic_ref<int>(slot_->is_there).load(std::memory_order_acquire) != 0;
    return is_known_;
  }
  /// What was enqueued on exec since is not waited for, if the mark comes soon; else exec is, which says what is wrong.
  void wait() {
    for (int polls = 0; is_marked_ && polls < most_polls && !is_there(); ++polls) {
      UnderWay::all_go_on();
      std::this_thread::yield();
    }
    if (is_known_) return;
    driver::wait_for(label_, exec_or_handle_);
    is_known_ = true;
  }
  Value const& value() const { return *reinterpret_cast<Value const*>(slot_->value); }

 private:
  static constexpr int most_polls = 1000000;  // a second or so

  std::string const& label_;
  ExecOrHandle const& exec_or_handle_;
  Slot* slot_    = nullptr;  // none until one is needed
  bool is_known_ = true, is_marked_ = false;
};

/// Where what was asked for is done when the dispatch returns.
template <class Value, class ExecOrHandle>
  requires driver::runs_at_once<typename driver::BackendFor<ExecOrHandle>::type>
class Arriving<Value, ExecOrHandle> {
 public:
  Arriving(std::string const&, ExecOrHandle const&) {}

  template <class F>
  void enqueue(bool, F const& f) {
    f(reinterpret_cast<Value*>(value_));
  }
  bool is_there() const { return true; }
  void wait() const {}
  Value const& value() const { return *reinterpret_cast<Value const*>(value_); }

 private:
  alignas(Value) std::byte value_[sizeof(Value)];
};

}  // namespace KokkosScan::ranks
