// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "../one_wave/part.hpp"
#include "../one_wave/partition.hpp"
#include "../tile_states.hpp"

//  One wave: look-back without groups, over few tiles, which a large device has at once. Each is kept in registers, and
//  the threads of its block poll all earlier ones together
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n
//  operations  2 n, and up to 512 a tile to look back
//  steps       those of a tile, and one look-back
//  progress    a block that has a tile must be able to go on; tiles come from a counter
//
// For arrays so small that what counts is how often one waits for memory: once for the values, and where there is more
// than one tile, once for a tile's number and once for the aggregates of the others.
namespace KokkosScan::cuda::one_wave {

/// Has inputs brought into the second-level cache, while nobody knows yet which block will take them.
template <class Array>
__device__ void fetch_ahead(Array const& array, std::size_t begin, std::size_t length, std::size_t n) {
  if constexpr (core::is_side_by_side<Array>) {
    constexpr std::size_t line = 128 / sizeof(core::ElementOf<Array>);  // rounded down; not all of wide elements
    std::size_t const i        = begin + threadIdx.x * line;
    if (threadIdx.x * line < length && i < n) fetch_into_second_level(&array[i]);
  }
}
template <class Problem, std::size_t... k>
__device__ void fetch_ahead([[maybe_unused]] Problem const& problem, [[maybe_unused]] std::size_t begin,
                            [[maybe_unused]] std::size_t length, std::index_sequence<k...>) {
  (fetch_ahead(problem.source.template array_at<k>(), begin, length, problem.n), ...);
}

/// Combines `before` with all k tiles that come before: each warp polls 32 at a time, and then all combine what they
/// saw.
template <class Value, class Combine>
__device__ void look_back(States const& states, std::uint32_t epoch, int k, Combine const& combine,
                          Maybe<Value>& before) {
  auto const parts = shared_memory<Value>(Layout<Value>::before_byte);
  for (int first = whole_warp() * warp_size; first < k; first += static_cast<int>(blockDim.x)) {
    int const lanes = k - first < warp_size ? k - first : warp_size;
    Uninitialized<Value> aggregate;
    wait_for(TileStatus<Value>(states.slot(static_cast<std::size_t>(first + lane())), epoch), lane() < lanes,
             aggregate);
    aggregate = scan_runs(aggregate, lanes, combine);
    if (lane() == lanes - 1) parts.store(first / warp_size, aggregate.value);
  }
  [[maybe_unused]] constexpr int at_once = one_wave_aggregates_at_once;  // for nvcc alone
  __syncthreads();
#pragma unroll at_once
  for (int part = 0; part * warp_size < k; ++part) before.put(combine(before, parts.load(part)));
}

/// Scans a tile. For a full one, with all parts regular, there are no tests for what is missing or not aligned, and no
/// code for it to jump over: what lies behind a jump has to be fetched, which takes 0.1 us.
template <int rounds, bool full, bool alone, bool realigned, class Problem>
__device__ void scan_tile(Problem const& problem, States const& states, Ticket const& ticket, std::size_t begin,
                          int n) {
  using Value           = typename Problem::Value;
  using Part            = one_wave::Part<Problem, rounds, realigned>;
  auto const aggregates = shared_memory<Value>(Layout<Value>::aggregates_byte);
  auto const combine    = [&](auto const& left, Value const& right) { return problem.combine(left, right); };
  auto const [k, epoch] = ticket;
  int const parts       = full ? static_cast<int>(blockDim.x) / warp_size : (n + Part::length - 1) / Part::length;
  int const own         = scanning_warp<Value>();
  int const first       = own * Part::length;
  Part part(problem, begin + static_cast<std::size_t>(first), n - first < Part::length ? n - first : Part::length,
            shared_memory<std::uint32_t>(Layout<Value>::bytes).from(own * Part::words));

  // ---- the aggregates of its parts
  Uninitialized<Value> aggregate;
  if (full || part.is_regular_in()) {
    part.template load<true>();
    part.template fold<true>(aggregate);
  } else if (part.is_realigned_in()) {
    part.load_realigned();
    part.template fold<true>(aggregate);
  } else if (part.has_values()) {
    part.template load<false>();
    part.template fold<false>(aggregate);
  }
  if (parts > 1) {
    if (own < parts && lane() == 0) aggregates.store(own, aggregate.value);
    __syncthreads();
    if (lane() < parts) aggregate.put(aggregates.load(lane()));
    for (int delta = 1; delta < parts; delta *= 2) {
      Uninitialized<Value> const before = shuffle_up(aggregate, delta);
      if (lane() >= delta && lane() < parts) aggregate.put(combine(before.value, aggregate.value));
    }
  }
  Uninitialized<Value> const before_part = shuffle(aggregate, own > 0 ? own - 1 : 0);

  // ---- what comes before it
  Maybe<Value> before = problem.start();
  if constexpr (!alone) {
    Uninitialized<Value> const of_tile = shuffle(aggregate, parts - 1);
    if (threadIdx.x == 0) TileStatus<Value>(states.slot(k), epoch).publish(TileState::aggregate, of_tile.value);
    look_back(states, epoch, static_cast<int>(k), combine, before);
  }
  if (own > 0 && own < parts) before.put(combine(before, before_part.value));

  // ---- the result
  if (full || part.is_regular_out())
    part.template write<true>(before);
  else if (part.is_realigned_out())
    part.write_realigned(before);
  else if (part.has_values())
    part.template write<false>(before);
}

/// Of how many tiles, from the first one on, all parts are regular.
template <class Problem>
KOKKOSSCAN_FUNCTION std::uint32_t full_tiles(Problem const& problem, std::size_t length) {
  return static_cast<std::uint32_t>(Part<Problem, 1>::are_regular(problem) ? problem.n / length : 0);
}

/// `alone`: there is but one tile. Of the first `full_tiles` all parts are regular. `realigned`: none are, and units
/// that are not aligned are realigned; in kernels of their own, as others would take their registers, too.
template <class Given, int rounds, bool alone, bool realigned>
__global__ void __launch_bounds__(Shape<Kept<Given>>::most_threads, Shape<Kept<Given>>::min_blocks_per_sm)
    one_wave_kernel(Given const given, States const states, std::uint32_t const given_full_tiles) {
  begin_behind_previous_grid();
  using Value              = typename Given::Value;
  using Problem            = core::Resolved<Given>;
  auto const& problem      = core::resolved(given);
  std::size_t const length = static_cast<std::size_t>(blockDim.x) * (Part<Problem, rounds>::length / warp_size);
  Tiles const tiles{problem.n, length};
  if (has_no_tile<Given>(problem, tiles.count())) return;
  std::uint32_t full_tiles = given_full_tiles;
  if constexpr (core::has_stored_length<Given>) full_tiles = one_wave::full_tiles(problem, length);

  Ticket own{};
  if constexpr (!alone) {
    auto const ticket = shared_memory<Ticket>(Layout<Value>::ticket_byte);
    fetch_ahead(problem, blockIdx.x * length, length,
                std::make_index_sequence<core::arrays_of<typename Problem::Source>>());
    // By the last warp, which fetches ahead of wide elements alone, so the ticket mostly waits for no fetches.
    if (threadIdx.x == blockDim.x - 1) ticket.store(0, states.take_tile(blocks_with_tiles<Given>(tiles.count())));
    __syncthreads();
    own = ticket.load(0);
  }
  std::size_t const begin = own.tile * length;
  std::size_t const rest  = problem.n - begin;
  if (!realigned && own.tile < full_tiles)
    scan_tile<rounds, true, alone, false>(problem, states, own, begin, static_cast<int>(length));
  else
    scan_tile<rounds, false, alone, realigned>(problem, states, own, begin,
                                               static_cast<int>(rest < length ? rest : length));
  if constexpr (!alone)
    if (whole_warp() == 0) states.finish<Value>(own.epoch, blocks_with_tiles<Given>(tiles.count()));
}

template <bool realigned, class Problem>
void run(Stream stream, Problem const& problem, States const& states, Partition partition) {
  using Value = typename Problem::Value;
  using Kept  = cuda::Kept<Problem>;
  static_assert(Shape<Kept>::rounds > 1 && one_round_units <= one_wave_few_units,
                "with one round there must be but one tile");
  std::size_t const tiles = Tiles{problem.n, partition.tile<Kept>()}.count();
  constexpr auto shared   = [](int threads) {
    constexpr int of_warp = Part<core::Resolved<Problem>, Shape<Kept>::rounds>::words * int{sizeof(std::uint32_t)};
    return Layout<Value>::bytes + threads / warp_size * of_warp;
  };
  static_assert(shared(Shape<Kept>::most_threads) <= shared_bytes_at_most);
  Grid const grid{static_cast<unsigned>(tiles), partition.threads, static_cast<std::size_t>(shared(partition.threads))};
  std::uint32_t const full = one_wave::full_tiles<core::Resolved<Problem>>(problem, partition.tile<Kept>());
  if (partition.rounds == 1)
    launch(stream, grid, one_wave_kernel<Problem, 1, true, realigned>, problem, states, full);
  else if (tiles == 1)
    launch(stream, grid, one_wave_kernel<Problem, Shape<Kept>::rounds, true, realigned>, problem, states, full);
  else
    launch(stream, grid, one_wave_kernel<Problem, Shape<Kept>::rounds, false, realigned>, problem, states, full);
}
template <class Problem>
void run(Stream stream, Problem const& problem, States const& states, Partition partition) {
  using Any = Part<core::Resolved<Problem>, 1, true>;
  if constexpr (Any::realigns)
    if (!Any::are_regular(problem)) return run<true>(stream, problem, states, partition);
  run<false>(stream, problem, states, partition);
}

}  // namespace KokkosScan::cuda::one_wave
