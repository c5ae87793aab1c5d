# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernels for one architecture, warnings being errors, and writes what they take to ARCHITECTURE.txt in the
# current folder: those of a name together, and behind an empty line each. None may spill. Their shared memory is that of
# the launch, which cuda_shared_memory prints.
#   cmake -D NVCC=... -D SOURCE=kernels.cu -D ROOT=... -D ARCHITECTURE=sm_90 -P resources.cmake
cmake_policy(VERSION 3.22)
execute_process(
  COMMAND ${NVCC} -std=c++20 -O2 -arch=${ARCHITECTURE} -cubin -Werror all-warnings -Xptxas -v -I ${ROOT} -I
          ${ROOT}/include -o ${ARCHITECTURE}.cubin ${SOURCE}
  OUTPUT_VARIABLE text
  ERROR_VARIABLE text
  RESULT_VARIABLE status
)
if(status)
  message(FATAL_ERROR "nvcc fails for ${ARCHITECTURE}:\n${text}")
endif()

string(REPLACE ";" "," text "${text}")
string(REPLACE "\n" ";" lines "${text}")
set(kernels 0)
set(names "")
set(table "")
set(spilling "")
foreach(line IN LISTS lines)
  if(line MATCHES "Compiling entry function '([^']+)'")
    set(kernel "${CMAKE_MATCH_1}")
    string(REGEX MATCH "[a-z_]+_kernel" name "${kernel}")
    math(EXPR kernels "${kernels} + 1")
  elseif(line MATCHES "bytes spill")
    set(spills "${line}")
    if(line MATCHES " [1-9][0-9]* bytes spill")
      string(APPEND spilling "\n  ${kernel}:${line}")
    endif()
  elseif(line MATCHES "Used ([0-9]+) registers")
    set(registers ${CMAKE_MATCH_1})
    if(NOT name IN_LIST names)
      list(APPEND names ${name})
      set(count_of_${name} 0)
      set(fewest_of_${name} 255)
      set(most_of_${name} 0)
    endif()
    math(EXPR count_of_${name} "${count_of_${name}} + 1")
    if(registers LESS fewest_of_${name})
      set(fewest_of_${name} ${registers})
    endif()
    if(registers GREATER most_of_${name})
      set(most_of_${name} ${registers})
    endif()
    string(APPEND table "${registers} registers,${spills}: ${kernel}\n")
  endif()
endforeach()
if(kernels EQUAL 0)
  message(FATAL_ERROR "nvcc named no kernels:\n${text}")
endif()
if(spilling)
  message(FATAL_ERROR "Kernels that spill registers for ${ARCHITECTURE}:${spilling}")
endif()
set(summary "${ARCHITECTURE}: ${kernels} kernels, none spills\n")
list(SORT names)
foreach(name IN LISTS names)
  string(APPEND summary "  ${name}: ${count_of_${name}} of ${fewest_of_${name}} to ${most_of_${name}} registers\n")
endforeach()
file(WRITE ${ARCHITECTURE}.txt "${summary}\n${table}")
message("${summary}")
