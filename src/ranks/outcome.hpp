// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "channel.hpp"

// What a call across ranks throws where another rank has failed.
namespace KokkosScan::ranks {

[[noreturn]] inline void throw_failed(Channel const& channel, std::string_view label, int failed) {
  throw std::runtime_error(std::string(label) + ": rank " + std::to_string(failed) +
                           " failed in this call (what it threw says why); without its part rank " +
                           std::to_string(channel.rank()) + " has no result");
}
[[noreturn]] inline void throw_failed_before(std::string_view label, int failed) {
  throw std::runtime_error(std::string(label) + ": rank " + std::to_string(failed) +
                           " failed in the call before this one (what it threw says why); this call was done by no "
                           "rank, the next one will be");
}

}  // namespace KokkosScan::ranks
