// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "network_recording.hpp"

namespace pictures {

/// Elements from left to right, time from top to bottom: a dot is an application of the operator, the lines to it come
/// from its operands.
std::string draw_network(Network const& network, std::string const& name, ScratchUse scratch_use);

}  // namespace pictures
