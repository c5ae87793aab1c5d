// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scans across the ranks of MPI, and what is made of them: find_package(KokkosScan COMPONENTS mpi), KokkosScan::mpi.
#include <KokkosScan/mpi/compaction.hpp>
#include <KokkosScan/mpi/offsets.hpp>
#include <KokkosScan/mpi/pending.hpp>
#include <KokkosScan/mpi/rebalance.hpp>
#include <KokkosScan/mpi/scan.hpp>
#include <KokkosScan/mpi/scan_by_key.hpp>
#include <KokkosScan/mpi/share.hpp>
