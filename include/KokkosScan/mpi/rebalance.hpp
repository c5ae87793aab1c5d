// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/mpi/share.hpp>

#include "../../../src/ranks/function.hpp"
#include "../../../src/ranks/rebalance.hpp"

namespace KokkosScan::mpi {

/// What this rank has once all elements are shared equally, of which it has n now: rank r of P those from
/// floor(r N / P) up to floor((r + 1) N / P). All ranks call it.
///
///   Share share = balanced_share(comm, n)
inline constexpr ranks::BalancedShare balanced_share{};

/// The elements of all ranks, in order, in equal shares. dest has at least as many elements as balanced_share() says,
/// and is apart from from; if it is too short on one rank, all throw and nothing is written. Returned is the share.
///
///   Share share = rebalance(comm, exec, from, dest)
///
/// Elements go straight from View to View where both lie side by side in memory that MPI reaches, and through scratch
/// of the host elsewhere. Memory of a device MPI reaches if KOKKOSSCAN_GPU_AWARE_MPI is 1 in the environment, and not
/// if that is 0; without it, if Kokkos' device is one of CUDA and MPI says so. The call waits for exec, and for what
/// other ranks send; what a rank keeps, and what goes through scratch of exec, is in dest when exec has come to it.
inline constexpr ranks::Function<ranks::Rebalance, "KokkosScan::mpi::rebalance"> rebalance{};

}  // namespace KokkosScan::mpi
