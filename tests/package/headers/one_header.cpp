// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOSSCAN_HEADER
#define KOKKOSSCAN_HEADER <KokkosScan/version.hpp>
#endif
#include KOKKOSSCAN_HEADER
#include KOKKOSSCAN_HEADER
