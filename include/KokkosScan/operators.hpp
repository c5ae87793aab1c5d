// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sum, Product, Min, Max, BitAnd, BitOr, BitXor, LogicalAnd and LogicalOr, and what an operator of your own may have.
#include "../../src/core/operators.hpp"

// Less and Greater, the orders of keys.
#include "../../src/core/comparisons.hpp"
