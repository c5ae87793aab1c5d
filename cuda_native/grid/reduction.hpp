// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>

#include "../one_wave/part.hpp"
#include "../tuning.hpp"
#include "lookback.hpp"

//  Reduction: reduce the shares of blocks, combine their aggregates; for scans that store nothing, of which the total
//  is wanted paper       Blelloch 1990, the up-sweep launches    2, of which the second has one block or two bytes n
//  operations  n
//  steps       those of a share
//  progress    none: no block waits for another
//
// Each warp goes along parts that follow each other, with what they combine to in its registers; nothing is shared but
// at the end. How many shares there are follows from n alone: it is part of the bits of a float result.
namespace KokkosScan::cuda::reduction {

/// What it serves: longer ones of the values that one wave keeps in registers.
template <class Problem>
inline constexpr bool serves = core::stores_nothing<typename Problem::Sink> && !core::has_stored_length<Problem> &&
                               sizeof(typename Problem::Value) <= one_wave_value_bytes_most;

template <class Problem, bool realigned = false>
using Part = one_wave::Part<core::Resolved<Problem>, one_wave::Shape<Kept<Problem>>::rounds, realigned>;

inline constexpr int warps = reduction_threads / warp_size;

/// How many blocks share n values; each has one at least. Short ones have few for each warp: tests name fewer blocks.
template <class Problem>
std::size_t blocks(std::size_t n, std::size_t most = reduction_blocks) {
  std::size_t const wanted = Tiles{n, std::size_t{Part<Problem>::length} * warps}.count();
  return wanted < most ? wanted : most;
}

/// The first part of a warp, of so many in all.
KOKKOSSCAN_FUNCTION inline std::size_t first_part(std::size_t parts, std::size_t all_warps, std::size_t warp) {
  return warp * parts / all_warps;
}

/// The aggregate of a part, in all lanes. All lanes call it.
template <class Part, class Value>
__device__ void reduce_part(Part&& part, Uninitialized<Value>& aggregate) {
  if (part.is_regular_in()) {
    part.template load<true>();
    part.template fold<true>(aggregate);
  } else if (part.is_realigned_in()) {
    part.load_realigned();
    part.template fold<true>(aggregate);
  } else {
    part.template load<false>();
    part.template fold<false>(aggregate);
  }
}

template <class Given, bool realigned>
__global__ void __launch_bounds__(reduction_threads)
    reduction_kernel(Given const given, typename Given::Value* aggregates) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  using Part          = reduction::Part<Given, realigned>;
  auto const& problem = core::resolved(given);
  auto const of_warps = shared_memory<Value>(0);
  static_assert(Part::words == 0, "they would lie there, too");
  std::size_t const parts     = Tiles{problem.n, Part::length}.count();
  std::size_t const all_warps = gridDim.x * std::size_t{warps}, first_warp = blockIdx.x * std::size_t{warps};
  auto const first = [&](int k) { return first_part(parts, all_warps, first_warp + static_cast<std::size_t>(k)); };

  int const own           = whole_warp();
  std::size_t const begin = first(own), end = first(own + 1);
  Uninitialized<Value> through;
  for (std::size_t k = begin; k < end; ++k) {
    std::size_t const i = k * Part::length, rest = problem.n - i;
    Uninitialized<Value> aggregate;
    reduction::reduce_part(Part(problem, i, rest < Part::length ? static_cast<int>(rest) : Part::length), aggregate);
    if (k > begin) aggregate.put(problem.combine(through.value, aggregate.value));
    through = aggregate;
  }
  if (begin < end && lane() == 0) of_warps.store(own, through.value);
  __syncthreads();
  if (threadIdx.x != 0) return;
  Maybe<Value> of_block;
  for (int k = 0; k < warps; ++k)
    if (first(k) < first(k + 1)) of_block.put(problem.combine(of_block, of_warps.load(k)));
  ::new (static_cast<void*>(aggregates + blockIdx.x)) Value(*of_block);
}

template <class Block, class Problem>
void run(Stream stream, Problem const& problem, States const& states, typename Problem::Value* aggregates,
         typename Problem::Value* staging, std::size_t most_blocks = reduction_blocks) {
  using Value             = typename Problem::Value;
  std::size_t const count = reduction::blocks<Problem>(problem.n, most_blocks);
  Grid const grid{static_cast<unsigned>(count), reduction_threads, warps * sizeof(Value)};
  using Any              = Part<Problem, true>;
  bool const is_moved_by = Any::realigns && !Any::are_regular(problem);
  if constexpr (Any::realigns)
    if (is_moved_by) launch(stream, grid, reduction_kernel<Problem, true>, problem, aggregates);
  if (!is_moved_by) launch(stream, grid, reduction_kernel<Problem, false>, problem, aggregates);

  auto of_blocks  = core::scan_of_aggregates(problem, aggregates, Tiles{count, 1});
  of_blocks.total = problem.total;
  lookback::run<Block>(stream, of_blocks, states, staging);
}

}  // namespace KokkosScan::cuda::reduction
