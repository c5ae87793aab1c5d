// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <string>

#include "../driver/function.hpp"

namespace KokkosScan::ranks {

template <class Algorithm, class... Arguments>
concept TakenBy = requires(std::string const& label, MPI_Comm comm, Arguments&&... arguments) {
  Algorithm::call(label, comm, static_cast<Arguments&&>(arguments)...);
};

/// Algorithm::call(label, comm, exec, arguments...), under the label of a call or else under its own name: an object,
/// as driver::Function is, and for the same reason.
template <class Algorithm, driver::Name name>
struct Function {
  template <class ExecOrHandle, class... Arguments>
  auto operator()(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, Arguments&&... arguments) const {
    static_assert(
        driver::is_exec_or_handle<ExecOrHandle>,
        "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle; it stands behind "
        "the communicator");
    if constexpr (driver::is_exec_or_handle<ExecOrHandle>) {
      constexpr bool are_enough = TakenBy<Algorithm, ExecOrHandle const&, Arguments...>;
      static_assert(are_enough, "KokkosScan: too few arguments, or too many");
      if constexpr (are_enough) return Algorithm::call(label, comm, exec, static_cast<Arguments&&>(arguments)...);
    }
  }
  template <class ExecOrHandle, class... Arguments>
  auto operator()(MPI_Comm comm, ExecOrHandle const& exec, Arguments&&... arguments) const {
    static std::string const label = name.text;
    return (*this)(label, comm, exec, static_cast<Arguments&&>(arguments)...);
  }
};

}  // namespace KokkosScan::ranks
