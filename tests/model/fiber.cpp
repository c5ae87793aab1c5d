// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <vector>

#include "sanitizer.hpp"

// A change of the context costs a few nanoseconds when only the registers that a call preserves are saved; swapcontext
// makes a system call for the signal mask, and costs a hundred times as much.
#ifndef KOKKOSSCAN_MODEL_UCONTEXT
extern "C" void kokkosscan_model_change(void** save, void* to);

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl kokkosscan_model_change
  .hidden kokkosscan_model_change
  .type kokkosscan_model_change, @function
kokkosscan_model_change:
  .irp saved, rbp, rbx, r12, r13, r14, r15
  pushq %\saved
  .endr
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  .irp saved, r15, r14, r13, r12, rbx, rbp
  popq %\saved
  .endr
  popq %rcx
  jmp *%rcx
  .size kokkosscan_model_change, . - kokkosscan_model_change
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .globl kokkosscan_model_change
  .hidden kokkosscan_model_change
  .type kokkosscan_model_change, %function
kokkosscan_model_change:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size kokkosscan_model_change, . - kokkosscan_model_change
)");
#endif
#endif

namespace model {
namespace {

Fiber* left     = nullptr;  // the one that stopped
Fiber* arriving = nullptr;  // the one that goes on
Fiber* keeper   = nullptr;  // whom drop_frames() goes back to

// AddressSanitizer's frames are several times as large.
constexpr std::size_t page_bytes  = 4096;
constexpr std::size_t stack_bytes = (sanitizer::on ? 256 : 64) * std::size_t(1024);

// The page below each of the first stacks faults; the kernel has room for 65530 mappings, two for each such stack.
constexpr std::size_t guarded = 16384;

// Stacks whose tops lie at the same offset in their pages would all want the same few lines of the cache.
constexpr std::size_t colours = 48;
constexpr std::size_t colour  = 64;

std::vector<Stack> several_stacks(std::size_t made) {
  constexpr std::size_t together = 64;
  constexpr std::size_t each     = page_bytes + stack_bytes;
  void* const slab =
      mmap(nullptr, together * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  std::vector<Stack> stacks;
  for (std::size_t i = together; i-- > 0;) {
    auto* const bottom = static_cast<std::byte*>(slab) + i * each;
    if (made < guarded && mprotect(bottom, page_bytes, PROT_NONE) != 0) throw std::bad_alloc();
    stacks.push_back({bottom + page_bytes, stack_bytes - (made + i) % colours * colour});
  }
  return stacks;
}

}  // namespace

Stack another_stack() {
  static std::vector<Stack> stacks;
  static std::size_t made = 0;
  if (stacks.empty()) {
    stacks = several_stacks(made);
    made += stacks.size();
  }
  Stack const stack = stacks.back();
  stacks.pop_back();
  return stack;
}

void Fiber::prepare(Entry entry) {
#ifdef KOKKOSSCAN_MODEL_UCONTEXT
  getcontext(&context_);
  context_.uc_stack.ss_sp   = stack_.bottom;
  context_.uc_stack.ss_size = stack_.size;
  context_.uc_link          = nullptr;
  makecontext(&context_, entry, 0);
#else
  // What kokkosscan_model_change would have saved, had entry's first instruction been where it was called.
  auto** const top = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(stack_.top()) & ~std::uintptr_t(15));
#if defined(__x86_64__)
  void** const saved = top - 10;  // six registers, entry, a return address that is not used, and aligned as by a call
  for (int i = 0; i < 10; ++i) saved[i] = nullptr;
  saved[6] = reinterpret_cast<void*>(entry);
#else
  void** const saved = top - 20;
  for (int i = 0; i < 20; ++i) saved[i] = nullptr;
  saved[11] = reinterpret_cast<void*>(entry);
#endif
  stack_pointer_ = saved;
#endif
}

void Fiber::continue_as(Fiber& from, Fiber& to) {
  left     = &from;
  arriving = &to;
#ifdef KOKKOSSCAN_MODEL_UCONTEXT
  swapcontext(&from.context_, &to.context_);
#else
  kokkosscan_model_change(&from.stack_pointer_, to.stack_pointer_);
#endif
}

void Fiber::change(Fiber& from, Fiber& to) {
  sanitizer::leave(&from.frames_, to.bottom_, to.bottom_size_);
  continue_as(from, to);
  arrived();
}

void Fiber::arrived() {
  if constexpr (sanitizer::on) {
    void const* bottom = nullptr;
    std::size_t size   = 0;
    sanitizer::arrive(arriving->frames_, &bottom, &size);
    if (!left->bottom_) {
      left->bottom_      = bottom;
      left->bottom_size_ = size;
    }
  }
}

Fiber& Fiber::current() { return *arriving; }

void Fiber::begin_anew(Fiber& caller, Entry entry) {
  sanitizer::forget(stack_.bottom, stack_.size);
  if (frames_) {
    keeper = &caller;
    prepare(drop_frames);
    change(caller, *this);
    sanitizer::forget(stack_.bottom, stack_.size);
    frames_ = nullptr;
  }
  prepare(entry);
}

// AddressSanitizer deletes the frames of a fiber when that leaves its stack for good.
void Fiber::drop_frames() {
  arrived();
  sanitizer::leave(nullptr, keeper->bottom_, keeper->bottom_size_);
  continue_as(*arriving, *keeper);
}

}  // namespace model
