# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernels for one architecture, warnings being errors, and prints what each takes. None may spill.
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
set(spilling "")
foreach(line IN LISTS lines)
  if(line MATCHES "Compiling entry function '([^']+)'")
    set(kernel "${CMAKE_MATCH_1}")
    math(EXPR kernels "${kernels} + 1")
  elseif(line MATCHES " [1-9][0-9]* bytes spill")
    string(APPEND spilling "\n  ${kernel}:${line}")
  elseif(line MATCHES "Used ([0-9]+) registers")
    message("${CMAKE_MATCH_1} registers: ${kernel}")
  endif()
endforeach()
if(kernels EQUAL 0)
  message(FATAL_ERROR "nvcc named no kernels:\n${text}")
endif()
if(spilling)
  message(FATAL_ERROR "Kernels that spill registers for ${ARCHITECTURE}:${spilling}")
endif()
message("${kernels} kernels for ${ARCHITECTURE}, none spills")
