// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace contract {

/// How often the program, in any thread, has called any operator new (counted_new.cpp replaces them all).
std::size_t calls_of_new();

}  // namespace contract
