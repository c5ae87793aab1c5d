// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the kernels need of the machine they run on, beyond the words of CUDA C++ itself: the block's shared memory, the
// words that blocks exchange, and launches. Everything else in cuda_native/ is the same text on a GPU and in the
// execution model of tests/model, which runs the kernels on a CPU.
#ifdef __CUDACC__
#include "machine/copies.hpp"
#include "machine/grids.hpp"
#include "machine/launch.hpp"
#include "machine/shared.hpp"
#include "machine/words.hpp"
#else
#include <model/machine.hpp>
#endif
