# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernels for one architecture, warnings being errors, and writes what each takes to ARCHITECTURE.txt in
# the current folder. None may spill.
#   cmake -D NVCC=... -D SOURCE=kernels.cu -D ROOT=... -D ARCHITECTURE=sm_90 -P resources.cmake
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
set(fewest 255)
set(most 0)
set(table "")
set(spilling "")
foreach(line IN LISTS lines)
  if(line MATCHES "Compiling entry function '([^']+)'")
    set(kernel "${CMAKE_MATCH_1}")
    math(EXPR kernels "${kernels} + 1")
  elseif(line MATCHES "bytes spill")
    set(spills "${line}")
    if(line MATCHES " [1-9][0-9]* bytes spill")
      string(APPEND spilling "\n  ${kernel}:${line}")
    endif()
  elseif(line MATCHES "Used ([0-9]+) registers")
    set(registers ${CMAKE_MATCH_1})
    if(registers LESS fewest)
      set(fewest ${registers})
    endif()
    if(registers GREATER most)
      set(most ${registers})
    endif()
    set(shared 0)
    if(line MATCHES "([0-9]+) bytes smem")
      set(shared ${CMAKE_MATCH_1})
    endif()
    string(APPEND table "${registers} registers, ${shared} bytes of shared memory before those of the launch,${spills}: ${kernel}\n")
  endif()
endforeach()
if(kernels EQUAL 0)
  message(FATAL_ERROR "nvcc named no kernels:\n${text}")
endif()
if(spilling)
  message(FATAL_ERROR "Kernels that spill registers for ${ARCHITECTURE}:${spilling}")
endif()
set(summary "${ARCHITECTURE}: ${kernels} kernels, ${fewest} to ${most} registers, none spills")
file(WRITE ${ARCHITECTURE}.txt "${summary}\n${table}")
message("${summary}")
