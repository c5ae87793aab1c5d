// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

#include "../driver/arguments.hpp"
#include "../driver/compact.hpp"
#include "calls.hpp"
#include "function.hpp"
#include "sum_across.hpp"

// What chooses elements of all ranks: each rank chooses of its own, in one pass, and what crosses is how many.
namespace KokkosScan::ranks {

/// Local::call, whose count goes to the host and across ranks.
template <class Local>
struct Chosen {
  template <class ExecOrHandle, class From, class... Arguments>
  static mpi::Share call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, From const& from,
                         Arguments const&... arguments) {
    constexpr bool has_count = (driver::is_total<Arguments> || ...);
    static_assert(!has_count, "KokkosScan: across ranks the counts are returned; no Total is named");
    if constexpr (has_count) {
      return {};
    } else {
      Channel& channel = Channel::of(comm, label);
      ranks::check_calls_agree(channel, label, exec,
                               [] { return "choice from " + std::string(type_name<typename From::value_type>()); });
      return SumAcross<std::size_t>(channel, label, true,
                                    [&] {
                                      std::size_t count = 0;
                                      Local::call(label, exec, from, arguments..., Total{count});
                                      return count;
                                    })
          .share();
    }
  }
};

}  // namespace KokkosScan::ranks
