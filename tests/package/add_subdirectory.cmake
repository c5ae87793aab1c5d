# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A project that has KokkosScan in its tree as a shared library, shows nothing of its own to others, and chooses no build
# type. The outer build's vector kernels serve: they take most of the time, and know nothing of who includes them.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
set(build ${work}/add_subdirectory)
if(EXISTS ${library_build}/src/host/simd/objects)
  set(same_kernels -DKOKKOSSCAN_KERNELS_FROM=${library_build})
endif()
configure(${tests_source}/add_subdirectory ${build} ${same_kokkos} ${same_kernels} -DLIBRARY=${library_source}
          -DBUILD_SHARED_LIBS=ON -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON)
run(${CMAKE_COMMAND} --build ${build})
run(${CMAKE_COMMAND} -E env OMP_PROC_BIND=false OMP_NUM_THREADS=2 ${build}/consumer)

# It installs its own things only.
run(${CMAKE_COMMAND} --install ${build} --prefix ${build}/prefix)
file(GLOB_RECURSE installed RELATIVE ${build}/prefix ${build}/prefix/*)
if(NOT installed STREQUAL "share/consumer")
  message(FATAL_ERROR "installed ${installed}")
endif()
