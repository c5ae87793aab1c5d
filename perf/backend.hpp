// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "comparison.hpp"
#include "machine.hpp"

namespace perf {

/// What is measured, on the best backend that Kokkos has here: see host/ and cuda/, of which one is built.
std::vector<Family> backend_families();

/// What is to be said of a device.
Facts backend_facts();

}  // namespace perf
