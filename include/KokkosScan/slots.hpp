// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <cstddef>
#include <string>

#include "../../src/driver/allocate_slots.hpp"

namespace KokkosScan {

/// requests(i) slots for each i, one behind the other, as long as there are any: without atomics, so always the same
/// slots to the same i.
///
///   allocate_slots(exec, requests, capacity, begins, granted)
///   allocate_slots(exec, requests, capacity, begins, granted, Total{x})     x is how many slots are asked for
///
/// begins(i) is the sum of the requests before i; granted(i), of bool or any integer, is whether the sum through i is
/// within the capacity: an integer, or a View of rank 0 of one, which is read on exec. So from the first request that
/// is too much on none is granted, and begins tells how many slots would have to be there. Requests of less than none
/// count as none. Sums are made in std::size_t and stay its largest number where they would be larger; begins and the
/// total are the largest number of their types where those hold no more, and what sums up to more than begins can hold
/// is not granted. begins may be requests.
inline constexpr driver::Function<driver::AllocateSlots, "KokkosScan::allocate_slots"> allocate_slots{};

/// A View that many share without atomics: each call gives slots behind those of the calls before. How many are taken
/// stands in memory of the View's space, where exec reads and writes it; so nothing waits, and calls can be captured
/// into a graph. Copies share one level; calls on one arena must be in order, as those on one instance are.
///
///   Arena arena(memory)
///   arena.allocate(exec, requests, begins, granted)
///   arena.reset(exec)
template <class Memory>
class Arena {
  static_assert(Kokkos::is_view_v<Memory>, "KokkosScan: the memory of an Arena must be a Kokkos::View");
  static_assert(Memory::rank() == 1, "KokkosScan: the memory of an Arena must be a View of rank 1");
  using Level = Kokkos::View<std::size_t, typename Memory::memory_space>;

 public:
  explicit Arena(Memory const& memory)
      : memory_(memory), level_("KokkosScan::Arena level"), before_("KokkosScan::Arena level before") {}

  Memory const& memory() const { return memory_; }
  std::size_t capacity() const { return memory_.extent(0); }
  /// How many slots are taken.
  Kokkos::View<std::size_t const, typename Memory::memory_space> level() const { return level_; }

  /// As allocate_slots, with slots of the memory that are still free: begins(i) is an index there. What is not granted
  /// takes nothing, and the next call goes on behind what is.
  template <class ExecOrHandle, class Requests, class Begins, class Granted>
  void allocate(std::string const& label, ExecOrHandle const& exec, Requests const& requests, Begins const& begins,
                Granted const& granted) const {
    allocate_(label, exec, capacity(), level_, before_, requests, begins, granted);
  }
  template <NoLabel ExecOrHandle, class Requests, class Begins, class Granted>
  void allocate(ExecOrHandle const& exec, Requests const& requests, Begins const& begins,
                Granted const& granted) const {
    allocate_(exec, capacity(), level_, before_, requests, begins, granted);
  }

  /// All slots are free again, in order on exec.
  template <class ExecOrHandle>
  void reset(ExecOrHandle const& exec) const {
    static_assert(driver::is_exec_or_handle<ExecOrHandle>,
                  "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
    driver::AllocateInArena::reset(exec, level_);
  }

 private:
  static constexpr driver::Function<driver::AllocateInArena, "KokkosScan::Arena::allocate"> allocate_{};

  Memory memory_;
  Level level_, before_;
};

}  // namespace KokkosScan
