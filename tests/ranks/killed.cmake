# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A rank that is killed ends the job, with a message and within so many seconds: the launcher sees to that, if nothing of
# the library keeps the others from ending.
#
#   cmake -DCOMMAND="LAUNCHER;ARGUMENT;...;PROGRAM" -DSECONDS=10 -P killed.cmake
string(TIMESTAMP begin %s)
execute_process(
  COMMAND ${COMMAND}
  TIMEOUT 60
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors
)
string(TIMESTAMP end %s)
math(EXPR seconds "${end} - ${begin}")
if(result EQUAL 0)
  message(FATAL_ERROR "expected that the job fails, found that it ended well")
endif()
if(seconds GREATER SECONDS)
  message(FATAL_ERROR "expected that the job ends within ${SECONDS} s, found ${seconds} s (${result})")
endif()
string(TOLOWER "${output}${errors}" told)
if(NOT told MATCHES "kill|signal|exit code")
  message(FATAL_ERROR "expected a message that a rank was killed, found \"${output}${errors}\"")
endif()
message(STATUS "ended after ${seconds} s, with ${result}")
