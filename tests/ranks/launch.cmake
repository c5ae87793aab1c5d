# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How programs of several ranks are started by tests, with the MPI that was found: kokkosscan_command_of_ranks(N RESULT)
# gives what stands before a program, `ranks_environment` is the environment that it needs.

# More ranks than cores: Open MPI refuses them unless told, it and MPICH spin where they had better yield, and Kokkos
# warns of them. Of Open MPI: root may be the only user of a container; without a network between ranks of one machine its
# tcp has nothing to pair; and its UCX puts hooks into functions of the C library that the address sanitizer has its own
# in, and crashes there.
set(ranks_environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=^tcp
    OMPI_MCA_pml=ob1 OMPI_MCA_osc=^ucx MPIR_CVAR_ENABLE_HEAVY_YIELD=1 KOKKOS_DISABLE_WARNINGS=1
    OMP_NUM_THREADS=1 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
)
if(kokkosscan_for_sanitizers)
  list(APPEND ranks_environment ASAN_OPTIONS=fast_unwind_on_malloc=0) # for support/leaks.supp
endif()
set(many_ranks "")
if(MPI_CXX_FOUND)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE launcher ERROR_VARIABLE launcher)
  if(launcher MATCHES "Open MPI|OpenRTE|PRRTE")
    set(many_ranks --oversubscribe)
  endif()
endif()

function(kokkosscan_command_of_ranks ranks result)
  set(${result} ${MPIEXEC_EXECUTABLE} ${many_ranks} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} PARENT_SCOPE)
endfunction()
