# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds a Kokkos that serves, or says which would. Used by the build and, installed, by find_package(KokkosScan).

set(KokkosScan_kokkos_minimum 4.6)
string(
  CONCAT KokkosScan_kokkos_advice
         "KokkosScan needs Kokkos ${KokkosScan_kokkos_minimum} or newer (tested: 4.6, 5.0, 5.2).\n"
         "Point CMake at one: -DKokkos_ROOT=/path/to/kokkos/prefix, the environment variable Kokkos_ROOT, "
         "CMAKE_PREFIX_PATH, `spack load kokkos` or your cluster's module.\n"
)

if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos CONFIG QUIET)
endif()

if(NOT TARGET Kokkos::kokkos)
  set(KokkosScan_kokkos_problem "CMake found no Kokkos.")
  if(Kokkos_CONSIDERED_CONFIGS)
    string(APPEND KokkosScan_kokkos_problem " Considered and refused: ${Kokkos_CONSIDERED_CONFIGS}.")
  endif()
elseif(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS KokkosScan_kokkos_minimum)
  set(KokkosScan_kokkos_problem "CMake found Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}.")
else()
  unset(KokkosScan_kokkos_problem)
endif()

if(KokkosScan_kokkos_problem AND CMAKE_FIND_PACKAGE_NAME STREQUAL "KokkosScan")
  # The caller decides whether a missing dependency is fatal.
  set(KokkosScan_FOUND FALSE)
  set(KokkosScan_NOT_FOUND_MESSAGE "${KokkosScan_kokkos_problem}\n${KokkosScan_kokkos_advice}")
elseif(KokkosScan_kokkos_problem)
  message(FATAL_ERROR "${KokkosScan_kokkos_problem}\n${KokkosScan_kokkos_advice}")
elseif(Kokkos_DIR)
  message(STATUS "KokkosScan: Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} (${Kokkos_DEVICES})")
endif()
