# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D COMMANDS=<compile_commands.json> -D SOURCE=<file> [-D FLAGS=<flag;...>] [-D EXPECT=<words>] -P syntax_only.cmake
#
# Checks a source file with the compiler and the flags that the build uses for it. Without EXPECT it must compile
# without a warning; with EXPECT it must not, and one of the errors must say the words.
cmake_minimum_required(VERSION 3.22)

file(READ "${COMMANDS}" database)
string(JSON count LENGTH "${database}")
math(EXPR last "${count} - 1")
foreach(k RANGE ${last})
  string(JSON file GET "${database}" ${k} file)
  if(file STREQUAL SOURCE)
    string(JSON command GET "${database}" ${k} command)
    string(JSON folder GET "${database}" ${k} directory)
    break()
  endif()
endforeach()
if(NOT command)
  message(FATAL_ERROR "${COMMANDS} has no command for ${SOURCE}: was the build configured with Ninja or make?")
endif()

set(ENV{LC_ALL} C)
separate_arguments(command UNIX_COMMAND "${command}")
execute_process(
  COMMAND ${command} -fsyntax-only ${FLAGS}
  WORKING_DIRECTORY ${folder}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said
)

if(NOT DEFINED EXPECT)
  if(NOT status EQUAL 0 OR said MATCHES "warning( #[^:]*)?:")
    message("${said}")
    message(FATAL_ERROR "must compile without a warning")
  endif()
  return()
endif()

string(REGEX REPLACE "([][+.*?()^$|\\])" "\\\\\\1" words "${EXPECT}")
if(status EQUAL 0)
  message(FATAL_ERROR "compiles, but must not; expected the words\n  ${EXPECT}")
elseif(NOT said MATCHES "error:[^\n]*${words}")
  message("${said}")
  message(FATAL_ERROR "does not compile, as it should, but no error says\n  ${EXPECT}")
endif()
