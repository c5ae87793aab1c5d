// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stacks.hpp"

#include <sys/mman.h>

#include <new>
#include <vector>

#include "sanitizer.hpp"

namespace model {
namespace {

// AddressSanitizer's frames are several times as large.
constexpr std::size_t page_bytes  = 4096;
constexpr std::size_t stack_bytes = (sanitizer::on ? 256 : 64) * std::size_t(1024);

// The page below each of the first stacks faults; the kernel has room for 65530 mappings, two for each such stack.
constexpr std::size_t guarded = 16384;

// Stacks whose tops lie at the same place of their pages would all want the same few lines of the cache.
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

}  // namespace model
