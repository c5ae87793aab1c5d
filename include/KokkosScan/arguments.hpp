// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Total, As, Length and Reversed: the arguments that are recognised by their type, anywhere behind dest.
#include "../../src/driver/named_arguments.hpp"
