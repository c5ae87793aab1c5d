# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings are errors in our own tests and benchmarks, never in a consumer's build.
option(KOKKOSSCAN_WARNINGS_AS_ERRORS "Treat warnings in the tests and benchmarks as errors" ${PROJECT_IS_TOP_LEVEL})

add_library(kokkosscan_warnings INTERFACE)
# What nvcc hands to the host compiler is not as written: line marks, casts of its own headers. The builds without CUDA
# judge the same sources.
if(Kokkos_DEVICES MATCHES CUDA)
  set(warnings -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-free-nonheap-object>)
else()
  # What one source calls as another does shadows nothing, where they are compiled together; with --all each is by itself.
  set(shadows $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
  set(warnings -Wall -Wextra -Wpedantic ${shadows} -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor)
endif()
target_compile_options(
  kokkosscan_warnings INTERFACE "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:${warnings}>"
)
if(KOKKOSSCAN_WARNINGS_AS_ERRORS)
  target_compile_options(kokkosscan_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Werror>)
endif()
