# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D COMMANDS=<compile_commands.json> -D SOURCE=<file> -D COMPILER=<GNU or Clang> -P wrong_calls.cmake
#
# Compiles a file with KOKKOSSCAN_WRONG by the command that the build has for it. Of every call that stands below a
# comment `// expect: WORDS` an error must say the words.
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
if(COMPILER MATCHES Clang)
  set(no_limit -ferror-limit=0)
endif()
separate_arguments(command UNIX_COMMAND "${command}")
execute_process(
  COMMAND ${command} -fsyntax-only -DKOKKOSSCAN_WRONG ${no_limit}
  WORKING_DIRECTORY ${folder}
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said
)

# Lines as lists, for which some characters have a meaning.
function(lines_of name text)
  string(REGEX REPLACE "[][;]" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

# The errors of each line of the file. GCC names the line before an error in what it calls, Clang behind it.
lines_of(said_lines "${said}")
if(COMPILER MATCHES Clang)
  list(REVERSE said_lines)
endif()
cmake_path(GET SOURCE FILENAME source_name)
set(at 0)
foreach(line IN LISTS said_lines)
  if(line MATCHES "^[^ ]*${source_name}:([0-9]+):[0-9]+") # at its begin: Clang names lambdas by where they stand
    set(at ${CMAKE_MATCH_1})
  endif()
  if(line MATCHES "error:")
    string(APPEND errors_${at} "${line}\n")
    set(at 0) # the next one has a line of its own, or none
  endif()
endforeach()

file(READ ${SOURCE} source)
lines_of(source_lines "${source}")
set(number 0)
set(cases 0)
set(missing "")
set(words "")
foreach(line IN LISTS source_lines)
  math(EXPR number "${number} + 1")
  if(words)
    string(FIND "${errors_${number}}" "${words}" place)
    if(place EQUAL -1)
      string(APPEND missing "\n${SOURCE}:${number}: expected the words\n  ${words}\nfound\n  ${errors_${number}}")
    endif()
    math(EXPR cases "${cases} + 1")
  endif()
  set(words "")
  if(line MATCHES "// expect: (.+)$")
    set(words "${CMAKE_MATCH_1}")
  endif()
endforeach()
if(missing OR cases EQUAL 0)
  message("${said}")
  message(FATAL_ERROR "of ${cases} wrong calls some compile, or no error says why not:${missing}")
endif()
message("${cases} wrong calls, each refused in the words expected")
