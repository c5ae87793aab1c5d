# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The README's example, and those of tests/examples, as they stand there, built and run against the installed package,
# out of reach of the sources.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)

take_example(${library_source}/README.md ${work}/readme_example.cpp)

set(build ${work}/find_package)
configure(
  ${tests_source}/find_package ${build} ${same_kokkos} -DCMAKE_BUILD_TYPE=${build_type} -DCMAKE_PREFIX_PATH=${prefix}
  -DEXAMPLE=${work}/readme_example.cpp -DEXAMPLES=${library_source}/tests/examples
  -DVERSION=${version} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
)
run(${CMAKE_COMMAND} --build ${build} --config "${build_type}")
file(GLOB examples RELATIVE ${library_source}/tests/examples ${library_source}/tests/examples/*/CMakeLists.txt)
list(TRANSFORM examples REPLACE "(.*)/CMakeLists.txt" "\\1/\\1")
foreach(program example ${examples})
  run(${CMAKE_COMMAND} -E env OMP_PROC_BIND=false OMP_NUM_THREADS=2 ${build}/${program})
  message("${said}")
  if(said STREQUAL "")
    message(FATAL_ERROR "${program} prints nothing")
  endif()
endforeach()

# Which files did the compiler open? The preprocessor says so, also that of nvcc, which has no -MF.
if(EXISTS ${build}/compile_commands.json)
  file(READ ${build}/compile_commands.json commands)
  string(JSON count LENGTH "${commands}")
  math(EXPR last "${count} - 1")
  foreach(k RANGE ${last})
    string(JSON file GET "${commands}" ${k} file)
    if(file STREQUAL "${work}/readme_example.cpp")
      string(JSON command GET "${commands}" ${k} command)
    endif()
  endforeach()
  separate_arguments(command UNIX_COMMAND "${command}")
  list(FIND command -o place)
  math(EXPR behind "${place} + 1")
  list(REMOVE_AT command ${place} ${behind})
  list(REMOVE_ITEM command -c)
  execute_process(COMMAND ${command} -E WORKING_DIRECTORY ${build} RESULT_VARIABLE status OUTPUT_FILE ${build}/opened)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "cannot preprocess the example: ${status}")
  endif()
  file(STRINGS ${build}/opened opened REGEX "^#.*\"")
  expect_words("${opened}" KokkosScan.hpp src/driver)
  foreach(folder include src)
    string(FIND "${opened}" "\"${library_source}/${folder}/" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "the installed package needs files of ${library_source}/${folder}")
    endif()
  endforeach()
endif()
