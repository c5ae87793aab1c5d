# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# KokkosScan's own build says which Kokkos serves, and how to point at one.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
refuse_kokkos()
configure_fails(
  ${library_source} ${work}/build_${REASON} ${arguments} -DKOKKOSSCAN_BUILD_TESTS=OFF -DKOKKOSSCAN_BUILD_PERF=OFF
)
expect_words("${said}" ${words})
