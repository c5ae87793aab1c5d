// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#if !defined(KOKKOSSCAN_MODEL_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define KOKKOSSCAN_MODEL_UCONTEXT 1
#endif
#ifdef KOKKOSSCAN_MODEL_UCONTEXT
#include <ucontext.h>
#endif

namespace model {

struct Stack {
  std::byte* bottom = nullptr;
  std::size_t size  = 0;
  std::byte* top() const { return bottom + size; }
};

/// A new one, for good. Only what is touched of it takes memory.
Stack another_stack();

/// A flow of control that stops and goes on when it is told to.
class Fiber {
 public:
  using Entry = void (*)();  // calls arrived() first, and never returns

  Fiber() = default;           // stands for whoever changes from it first: the OS thread on its own stack
  explicit Fiber(Entry entry)  // on a stack of its own
      : stack_(another_stack()), bottom_(stack_.bottom), bottom_size_(stack_.size) {
    prepare(entry);
  }
  Fiber(Fiber const&)            = delete;
  Fiber& operator=(Fiber const&) = delete;

  /// Stops `from` and continues `to`; returns when somebody changes back.
  static void change(Fiber& from, Fiber& to);
  static void arrived();
  static Fiber& current();

  /// It will be changed to soon.
  void prefetch() const {
#ifndef KOKKOSSCAN_MODEL_UCONTEXT
    auto const* const top = static_cast<std::byte const*>(stack_pointer_);
    for (int line = 0; line < 4; ++line) __builtin_prefetch(top + line * 64);
#endif
  }

  /// Forgets what it was stopped at, without unwinding it, and has it begin anew. Called on another fiber.
  void begin_anew(Fiber& caller, Entry entry);

 private:
  void prepare(Entry);
  static void continue_as(Fiber& from, Fiber& to);
  static void drop_frames();

#ifdef KOKKOSSCAN_MODEL_UCONTEXT
  ucontext_t context_;
#else
  void* stack_pointer_ = nullptr;
#endif
  Stack stack_;
  void* frames_            = nullptr;  // AddressSanitizer's, while stopped
  void const* bottom_      = nullptr;  // of the stack it runs on
  std::size_t bottom_size_ = 0;
};

/// Fibers that wait for work, each at the same point of a loop.
class Fibers {
 public:
  explicit Fibers(Fiber::Entry entry) : entry_(entry) {}

  Fiber* take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Fiber>(entry_));
      free_.push_back(all_.back().get());
    }
    Fiber* const fiber = free_.back();
    free_.pop_back();
    return fiber;
  }
  void give(Fiber* fiber) { free_.push_back(fiber); }

  /// Back from work that will not be finished.
  void give_unfinished(Fiber* fiber, Fiber& caller) {
    fiber->begin_anew(caller, entry_);
    give(fiber);
  }

 private:
  Fiber::Entry entry_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
};

}  // namespace model
