// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Handle: an execution space instance with scratch and choices of its own.
#include "../../src/driver/handle.hpp"
