// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stdexcept>

#include "../machine.hpp"
#include "../pipeline/carry.hpp"
#include "../pipeline/loader.hpp"
#include "../pipeline/reducer.hpp"
#include "../pipeline/scanner.hpp"

//  Pipelined look-back: decoupled look-back in which each block works on several tiles at a time
//  paper       Merrill and Garland 2016; Yan, Long and Zhang 2013, whose blocks stay on their multiprocessors, too
//  launches    1
//  bytes       2 n
//  operations  n for the aggregates, n for the results, and some 300 a tile to look back
//  steps       those of a tile, one look-back, and a chain with a link to 64 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter. Compute capability 9.0
//
// A block has several tiles under way, and other warps for each kind of work (../pipeline), which meet at barriers:
//
//   Loader   takes tiles, and has them copied into stages of shared memory
//   Reducer  finds the aggregates of their slices
//   Carry    publishes the aggregate of a tile, and looks back for what comes before it
//   Scanner  takes a tile into registers, so that its stage is empty again, and then, as soon as it is known what comes
//            before it, scans it; its Storer copies the results out
//
// Each lane arrives for itself. One could do so for its warp, but racecheck would not see how it knows of the others,
// and it would be no faster (docs/decisions/cuda-pipeline.md).
namespace KokkosScan::cuda::pipelined {

/// How arrays are moved that begin where they did, or elsewhere, since the length is known.
template <class Given, class Problem>
__device__ CopyPlans<Problem> own_plans(Problem const& problem, CopyPlans<Problem> const& plans) {
  if constexpr (core::resolves_addresses<Given>)
    return CopyPlans<Problem>(problem);
  else
    return plans;
}

template <class Given>
__global__ void __launch_bounds__(Layout<core::Resolved<Given>>::threads, 1)
    pipelined_kernel(Given const given, States const states, CopyPlans<core::Resolved<Given>> const plans) {
  if constexpr (has_copies) {
    using Problem = core::Resolved<Given>;
    using L       = Layout<Problem>;
    if (threadIdx.x == 0) {
      for (int i = 0; i < L::stages; ++i) Stage<Problem>(i).init();
      for (int i = 0; i < L::records; ++i) TileRecord<Problem>(i).init();
      publish_barriers();
    }
    wait_for_previous_grid();  // the Loader lets the next one start
    __syncthreads();
    auto const& problem = core::resolved(given);
    put_total_of_nothing<Given>(problem);

    TiledScan<Problem> const scan(problem, own_plans<Given>(problem, plans));
    constexpr int scanning = L::reducers, carrying = scanning + L::S::slices, loading = carrying + L::records;
    int const own = scanning_warp<typename Problem::Value>();
    if (own < scanning)
      Reducer<Problem>(scan).run(own);
    else if (own < carrying)
      Scanner<Problem>(scan).run(own - scanning);
    else if (own < loading)
      Carry<Problem>(scan).run(states, own - carrying);
    else if (lane() == 0)
      Loader<Problem>(scan).run(states);
    __syncthreads();
    if (own == 0) states.finish<typename Problem::Value>(TileRecord<Problem>(0).ticket().load(0).epoch, gridDim.x);
  }
}

/// Whether a device can run it.
inline bool is_served(Device const& device) { return device.copies && device.shared_bytes >= pipeline_shared_bytes; }

/// Whether the code that would run was compiled for such a device, too.
template <class Problem>
bool is_compiled() {
  return has_copies_in(reinterpret_cast<void const*>(pipelined_kernel<Problem>));
}

/// Whether it is faster than plain look-back, once there are enough values.
template <class Problem>
inline constexpr bool pays = can_copy_in<Problem> && Layout<core::Resolved<Problem>>::Results::any &&
                             sizeof(typename Problem::Value) <= pipeline_value_bytes_most;

template <class Problem>
void run(Stream stream, Problem const& problem, States const& states, Device const& device) {
  if (!is_served(device) || !is_compiled<Problem>())
    throw std::invalid_argument(
        "KokkosScan: Options::grid = pipelined needs a device of compute capability 9.0 with 227 KiB of shared memory "
        "to a block, and code compiled for sm_90 or later");
  using L                  = Layout<core::Resolved<Problem>>;
  std::size_t const tiles  = Tiles{problem.n, L::S::tile}.count();
  std::size_t const blocks = std::min(tiles, static_cast<std::size_t>(device.multiprocessors));
  launch(stream, Grid{static_cast<unsigned>(blocks), L::threads, L::bytes}, pipelined_kernel<Problem>, problem, states,
         CopyPlans<core::Resolved<Problem>>(problem));
}

}  // namespace KokkosScan::cuda::pipelined
