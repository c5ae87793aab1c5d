# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The component mpi: MODE=tree, a project that has KokkosScan in its tree and uses it, run by two ranks (one that finds it
# installed is tests/examples/mesh, which find_package.cmake runs); MODE=installed, that it comes to who asks for it, and
# to nobody else; MODE=without_mpi, what those are told who ask for it where CMake finds no MPI, and that all others are
# told nothing.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
set(arguments ${same_kokkos} -DKokkosScan_DIR=${package_folder} -DLIBRARY=${library_source})
if(EXISTS ${library_build}/src/host/simd/objects)
  list(APPEND arguments -DKOKKOSSCAN_KERNELS_FROM=${library_build})
endif()

if(NOT MODE STREQUAL "without_mpi")
  set(build ${work}/mpi_${MODE})
  configure(${tests_source}/mpi ${build} ${arguments} ${same_mpi} -DWAY=${MODE})
  if(MODE STREQUAL "installed")
    return()
  endif()
  run(${CMAKE_COMMAND} --build ${build})
  run(${CMAKE_COMMAND} -E env ${ranks_environment} OMP_NUM_THREADS=1 OMP_PROC_BIND=false ${two_ranks} ${build}/across_ranks)
  expect_words("${said}" "rank 0 of 2: 1 to 1000" "rank 1 of 2: 1001 to 3000")
  return()
endif()

list(APPEND arguments -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON)
set(build ${work}/mpi_without)
set(words "component mpi needs an MPI" libopenmpi-dev MPI_CXX_COMPILER)
configure_fails(${tests_source}/mpi ${build} ${arguments} -DWAY=installed)
expect_words("${said}" ${words})
configure(${tests_source}/mpi ${build} ${arguments} -DWAY=quiet)
if(said MATCHES "Warning|Error")
  message("${said}")
  message(FATAL_ERROR "QUIET is not quiet")
endif()
file(READ ${build}/reason reason)
expect_words("${reason}" ${words})
configure(${tests_source}/mpi ${build} ${arguments} -DWAY=optional)
configure_fails(${tests_source}/mpi ${build} ${arguments} -DWAY=tree -DWITHOUT_MPI=ON)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
expect_words("${said}" "KokkosScan::mpi needs MPI" "find_package(MPI 3.0 REQUIRED COMPONENTS CXX) before")
