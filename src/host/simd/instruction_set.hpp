// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

// The compiled kernels exist once for each instruction set; the best one that the processor has is taken at run time.
// All give the same bits, but those of a NaN.
namespace KokkosScan::host::simd {

enum class InstructionSet { baseline, avx2, avx512 };

std::string_view to_string(InstructionSet set);

/// Those that this library was built with and this processor has, the best one last.
std::vector<InstructionSet> available_instruction_sets();

/// The one in use: the best, unless a test asked for another.
InstructionSet instruction_set();

/// For tests and measurements. Throws std::invalid_argument unless it is available.
void use(InstructionSet set);

}  // namespace KokkosScan::host::simd
