// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/compaction.hpp>
#include <KokkosScan/mpi/share.hpp>

#include "../../../src/ranks/compact.hpp"

namespace KokkosScan::mpi {

/// KokkosScan::copy_if and copy_flagged on each rank: what is chosen stays where it is, in order. Returned is, alike on
/// all ranks but for their place, how many were chosen here, on the ranks before and on all. Each rank reads its
/// elements once. The call waits for exec. All ranks call it; where one fails all throw, and dest of the others may be
/// written.
///
///   Share share = copy_if(comm, exec, from, dest, predicate)
///   Share share = copy_flagged(comm, exec, from, flags, dest)
inline constexpr ranks::Function<ranks::Chosen<driver::CopyIf>, "KokkosScan::mpi::copy_if"> copy_if{};
inline constexpr ranks::Function<ranks::Chosen<driver::CopyFlagged>, "KokkosScan::mpi::copy_flagged"> copy_flagged{};

}  // namespace KokkosScan::mpi
