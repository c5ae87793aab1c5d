// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "channel.hpp"
#include "rounds.hpp"

// What a call across ranks throws, and what its channel keeps of that.
namespace KokkosScan::ranks {

[[noreturn]] inline void throw_failed(Channel const& channel, std::string const& label, int failed) {
  throw std::runtime_error(label + ": rank " + std::to_string(failed) +
                           " failed in this call (what it threw says why); without its part rank " +
                           std::to_string(channel.rank()) + " has no result, and wrote none");
}
[[noreturn]] inline void throw_failed_before(std::string const& label, int failed) {
  throw std::runtime_error(label + ": rank " + std::to_string(failed) +
                           " failed in the call before this one (what it threw says why); this call was done by no "
                           "rank, the next one will be");
}

/// When all rounds are done: throws what failed here, or std::runtime_error if a rank before this one has failed, or
/// any rank in the call before.
inline void end(Channel& channel, std::string const& label, Rounds const& rounds, std::exception_ptr const& own) {
  if (rounds.failed() != no_rank)
    channel.fail(rounds.failed());
  else if (rounds.failed_before() != no_rank)
    channel.all_know();
  if (own) std::rethrow_exception(own);
  if (rounds.error()) std::rethrow_exception(rounds.error());
  if (rounds.failed() != no_rank) throw_failed(channel, label, rounds.failed());
  if (rounds.failed_before() != no_rank) throw_failed_before(label, rounds.failed_before());
}

}  // namespace KokkosScan::ranks
