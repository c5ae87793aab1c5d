// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace perf::cuda {

/// What nothing on a stream can beat: a kernel that does nothing, and copies of so many bytes.
void empty_kernel();
void copy_by_kernel(unsigned char* to, unsigned char const* from, std::size_t bytes);
void copy_by_runtime(unsigned char* to, unsigned char const* from, std::size_t bytes);

}  // namespace perf::cuda
