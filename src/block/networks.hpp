// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/options.hpp"

// Where there is CUDA, an operator for the host alone is none the worse for it.
#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20013, 20014, 20015
#endif
#include "blelloch.hpp"
#include "brent_kung.hpp"
#include "kogge_stone.hpp"
#include "kogge_stone_double_buffered.hpp"
#include "three_phase.hpp"
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif

namespace KokkosScan::block {

/// Whether the choice names one of the networks in this folder.
inline bool is_network(BlockScan choice) {
  switch (choice) {
    case BlockScan::kogge_stone:
    case BlockScan::kogge_stone_double_buffered:
    case BlockScan::brent_kung:
    case BlockScan::blelloch:
    case BlockScan::three_phase: return true;
    default: return false;
  }
}

/// Calls f(Network{}) with the network of that name.
template <class F>
decltype(auto) with_network(BlockScan choice, F&& f) {
  switch (choice) {
    case BlockScan::kogge_stone: return f(KoggeStone{});
    case BlockScan::kogge_stone_double_buffered: return f(KoggeStoneDoubleBuffered{});
    case BlockScan::brent_kung: return f(BrentKung{});
    case BlockScan::blelloch: return f(Blelloch{});
    default: return f(ThreePhase{});
  }
}

}  // namespace KokkosScan::block
