# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the scripts of this folder have in common. Needs -D SETTINGS=<settings.cmake>.
cmake_policy(VERSION 3.22)
include("${SETTINGS}")
set(ENV{LC_ALL} C)
list(JOIN same_prefixes ":" prefixes)
set(ENV{CMAKE_PREFIX_PATH} "${prefixes}:$ENV{CMAKE_PREFIX_PATH}")

# run(COMMAND ARG...): shows the command and what it says if it fails, and ends the test. Leaves in `said` what it said.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message("${command}\n${said}")
    message(FATAL_ERROR "failed: ${status}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

# configure(SOURCE BUILD ARG...): from scratch, with the tools of the outer build.
function(configure source build)
  file(REMOVE_RECURSE ${build})
  run(${CMAKE_COMMAND} --no-warn-unused-cli -S ${source} -B ${build} ${same_tools} ${ARGN})
  set(said "${said}" PARENT_SCOPE)
endfunction()

# As configure, but it must fail.
function(configure_fails source build)
  file(REMOVE_RECURSE ${build})
  execute_process(
    COMMAND ${CMAKE_COMMAND} --no-warn-unused-cli -S ${source} -B ${build} ${same_tools} ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE said ERROR_VARIABLE said
  )
  if(status EQUAL 0)
    message("${said}")
    message(FATAL_ERROR "CMake accepts what it should refuse")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

# expect_words(TEXT WORD...)
function(expect_words text)
  foreach(word IN LISTS ARGN)
    string(FIND "${text}" "${word}" place)
    if(place EQUAL -1)
      message("${text}")
      message(FATAL_ERROR "does not say '${word}'")
    endif()
  endforeach()
endfunction()

# take_example(DOCUMENT FILE): writes the document's first example, which must be a program, to a file.
function(take_example document file)
  if(NOT EXISTS ${document})
    message(FATAL_ERROR "there is no ${document} whose example could be compiled")
  endif()
  file(READ ${document} text)
  if(NOT text MATCHES "(^|\n)```cpp\n")
    message(FATAL_ERROR "${document} has no example: no block that begins with ```cpp")
  endif()
  string(FIND "${text}" "```cpp\n" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```" end)
  string(SUBSTRING "${text}" 0 ${end} example)
  string(SUBSTRING "${example}" 7 -1 example) # without ```cpp
  if(NOT example MATCHES "int main\\(")
    message(FATAL_ERROR "the first example of ${document} has no main, so it cannot be run as it stands:\n${example}")
  endif()
  file(WRITE ${file} "${example}\n")
endfunction()

# Sets, for REASON = without_kokkos or old_kokkos, `arguments` that make CMake find no Kokkos that serves, and the
# `words` of the message.
macro(refuse_kokkos)
  if(REASON STREQUAL "without_kokkos")
    foreach(name PACKAGE_ROOT_PATH CMAKE_PATH CMAKE_ENVIRONMENT_PATH SYSTEM_ENVIRONMENT_PATH CMAKE_SYSTEM_PATH
                 PACKAGE_REGISTRY SYSTEM_PACKAGE_REGISTRY
    )
      list(APPEND arguments -DCMAKE_FIND_USE_${name}=OFF)
    endforeach()
    set(words "found no Kokkos" 4.6 Kokkos_ROOT)
  else()
    set(arguments -DKokkos_DIR=${tests_source}/old_kokkos)
    set(words "Kokkos 4.2.0" old_kokkos 4.6 Kokkos_ROOT)
  endif()
endmacro()
