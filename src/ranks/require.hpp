// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace KokkosScan::ranks {

/// Throws unless a call of MPI succeeded.
inline void require(int status, char const* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length                          = 0;
  if (MPI_Error_string(status, text, &length) != MPI_SUCCESS) length = 0;
  throw std::runtime_error(std::string("KokkosScan: ") + call + " failed: " +
                           (length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "no reason is given"));
}

/// Whether MPI has ended: what is destroyed behind that calls it no more.
inline bool mpi_has_ended() {
  int ended = 0;
  return MPI_Finalized(&ended) != MPI_SUCCESS || ended != 0;
}

}  // namespace KokkosScan::ranks
