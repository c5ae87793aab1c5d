// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// BlockScan, GridScan and Options: the algorithms that can be chosen.
#include "../../src/core/options.hpp"
