// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The one place where the version stands; CMakeLists.txt reads it from here.
#define KOKKOSSCAN_VERSION_MAJOR 0
#define KOKKOSSCAN_VERSION_MINOR 1
#define KOKKOSSCAN_VERSION_PATCH 0
#define KOKKOSSCAN_VERSION \
  (KOKKOSSCAN_VERSION_MAJOR * 10000 + KOKKOSSCAN_VERSION_MINOR * 100 + KOKKOSSCAN_VERSION_PATCH)
