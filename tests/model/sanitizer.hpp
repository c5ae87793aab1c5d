// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

// AddressSanitizer has to be told on which stack it is, and that the frames of an abandoned one are gone. It looks at
// the kernels alone, so the model, which is built without it, is told that they have it (CMakeLists.txt).
#ifndef KOKKOSSCAN_MODEL_ASAN
#define KOKKOSSCAN_MODEL_ASAN 0
#endif

#if KOKKOSSCAN_MODEL_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace model::sanitizer {

constexpr bool on = KOKKOSSCAN_MODEL_ASAN;

#if KOKKOSSCAN_MODEL_ASAN
inline void leave(void** frames, void const* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(frames, bottom, size);
}
inline void arrive(void* frames, void const** left_bottom, std::size_t* left_size) {
  __sanitizer_finish_switch_fiber(frames, left_bottom, left_size);
}
inline void forget(void* bottom, std::size_t size) { __asan_unpoison_memory_region(bottom, size); }
#else
inline void leave(void**, void const*, std::size_t) {}
inline void arrive(void*, void const**, std::size_t*) {}
inline void forget(void*, std::size_t) {}
#endif

}  // namespace model::sanitizer
