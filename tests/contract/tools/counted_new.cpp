// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cstdlib>
#include <new>

#include "executors.hpp"

namespace {

std::atomic<std::size_t> calls{0};

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  std::size_t const whole = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole < alignment ? alignment : whole);
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const memory = take(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

std::size_t contract::calls_of_new() { return calls.load(); }

// The forms for arrays of the standard library end in these. All of these are here, since a sanitizer's own form of one
// would not fit ours of another.
void* operator new(std::size_t bytes) { return take_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept { return take(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, std::nothrow_t const&) noexcept {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, std::nothrow_t const&) noexcept { std::free(memory); }
