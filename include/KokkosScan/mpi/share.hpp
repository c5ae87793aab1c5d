// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// KokkosScan::mpi::Share: what a rank has of all elements.
#include "../../../src/ranks/share.hpp"
