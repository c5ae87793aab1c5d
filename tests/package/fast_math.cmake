# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A project that compiles all it has with -ffast-math: not so the vector kernels, whose bits would depend on it.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
set(build ${work}/fast_math)
configure(
  ${tests_source}/add_subdirectory ${build} ${same_kokkos} -DLIBRARY=${library_source} -DCMAKE_CXX_FLAGS=-ffast-math
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
)
file(READ ${build}/compile_commands.json database)
string(JSON count LENGTH "${database}")
math(EXPR last "${count} - 1")
set(kernels 0)
foreach(k RANGE ${last})
  string(JSON file GET "${database}" ${k} file)
  if(file MATCHES "/src/host/simd/")
    string(JSON command GET "${database}" ${k} command)
    if(NOT command MATCHES " -ffast-math .* -O2 .*-fno-fast-math -ffp-contract=off ")
      message(FATAL_ERROR "-ffast-math reaches a vector kernel:\n${command}")
    endif()
    math(EXPR kernels "${kernels} + 1")
  endif()
endforeach()
if(kernels EQUAL 0)
  message(FATAL_ERROR "${build}/compile_commands.json has no vector kernels")
endif()
