# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The README's example, as it stands there, built and run against the installed package, out of reach of the sources.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)

set(readme ${library_source}/README.md)
if(NOT EXISTS ${readme})
  message(FATAL_ERROR "there is no README.md whose example could be compiled")
endif()
file(READ ${readme} text)
if(NOT text MATCHES "(^|\n)```cpp\n")
  message(FATAL_ERROR "README.md has no example: no block that begins with ```cpp")
endif()
string(FIND "${text}" "```cpp\n" begin)
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "\n```" end)
string(SUBSTRING "${text}" 0 ${end} example)
string(SUBSTRING "${example}" 7 -1 example) # without ```cpp
if(NOT example MATCHES "int main\\(")
  message(FATAL_ERROR "README.md's first example has no main, so it cannot be run as it stands:\n${example}")
endif()
file(WRITE ${work}/readme_example.cpp "${example}\n")

set(build ${work}/find_package)
configure(
  ${tests_source}/find_package ${build} ${same_kokkos} -DCMAKE_BUILD_TYPE=${build_type} -DCMAKE_PREFIX_PATH=${prefix}
  -DEXAMPLE=${work}/readme_example.cpp -DVERSION=${version} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
)
run(${CMAKE_COMMAND} --build ${build} --config "${build_type}")
run(${CMAKE_COMMAND} -E env OMP_PROC_BIND=false OMP_NUM_THREADS=2 ${build}/example)
message("${said}")
if(said STREQUAL "")
  message(FATAL_ERROR "the example prints nothing")
endif()

# Which files did the compiler open?
if(EXISTS ${build}/compile_commands.json)
  file(READ ${build}/compile_commands.json commands)
  string(JSON command GET "${commands}" 0 command)
  separate_arguments(command UNIX_COMMAND "${command}")
  execute_process(
    COMMAND ${command} -M -MF ${build}/opened WORKING_DIRECTORY ${build} RESULT_VARIABLE status OUTPUT_QUIET
  )
  file(READ ${build}/opened opened)
  expect_words("${opened}" KokkosScan.hpp src/driver)
  foreach(folder include src)
    string(FIND "${opened}" " ${library_source}/${folder}/" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "the installed package needs files of ${library_source}/${folder}")
    endif()
  endforeach()
endif()
