// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>

#include "../tile_states.hpp"
#include "../transfer.hpp"
#include "../units.hpp"
#include "../warp.hpp"

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

/// A tile is cut into parts, one to a warp, and a part into rounds, in each of which every lane has a unit of values.
template <class Value>
struct Shape {
  static constexpr int unit              = Unit<Value>::count;
  static constexpr int rounds            = one_wave_rounds(sizeof(Value));  // or one
  static constexpr int most_threads      = one_wave_units / rounds;
  static constexpr int most_tiles        = one_wave_tiles;
  static constexpr int min_blocks_per_sm = one_wave_min_blocks_per_sm(sizeof(Value));
};

/// Up to so many values it is faster than look-back; where registers would not hold them, never.
template <class Value>
inline constexpr std::size_t most_values =
    sizeof(Value) > one_wave_value_bytes_most ? 0 : std::size_t{one_wave_tiles} * one_wave_units* Shape<Value>::unit;

/// How values are shared out.
struct Partition {
  int threads;  // to a block
  int rounds;   // of a tile

  template <class Value>
  constexpr std::size_t tile() const {
    return static_cast<std::size_t>(threads * rounds) * Shape<Value>::unit;
  }

  /// For n values, and by n alone: it is part of the bits of a float result.
  template <class Value>
  static constexpr Partition of(std::size_t n) {
    using S          = Shape<Value>;
    auto const units = static_cast<int>((n + S::unit - 1) / S::unit);
    if (units > one_wave_few_tiles * one_wave_few_units) return {one_wave_units / S::rounds, S::rounds};
    if (units > one_wave_units) return {one_wave_few_units / S::rounds, S::rounds};
    int const rounds = units <= one_round_units ? 1 : S::rounds;
    auto const warps = static_cast<unsigned>((units + rounds * warp_size - 1) / (rounds * warp_size));
    return {static_cast<int>(std::bit_ceil(warps)) * warp_size, rounds};
  }
};

/// The shared memory of a block.
template <class Value>
struct Layout {
  static constexpr int aligned(int count) {
    return static_cast<int>(core::round_up(sizeof(Value) * static_cast<std::size_t>(count), 16));
  }
  static constexpr int aggregates_byte = 0;                                     // of the warps
  static constexpr int before_byte     = aggregates_byte + aligned(warp_size);  // aggregates of 32 earlier tiles each
  static constexpr int ticket_byte     = before_byte + aligned(Shape<Value>::most_tiles / warp_size);
  static constexpr int bytes           = ticket_byte + 16;
  static_assert(bytes <= shared_bytes_at_most);
};

/// The part of a tile that a warp keeps in its registers.
template <class Problem, int rounds>
class Part {
  using Value = typename Problem::Value;
  using S     = Shape<Value>;

  static constexpr bool packs_in =
      is_packed<Value, core::ArrayOf<typename Problem::Source>> && core::is_plain<typename Problem::Source>;
  static constexpr bool packs_out = is_packed<Value, core::ArrayOf<typename Problem::Sink>>;

 public:
  static constexpr int length = rounds * warp_size * S::unit;

  /// Of `n` values from `begin` on; there may be none.
  __device__ Part(Problem const& problem, std::size_t begin, int n) : problem_(problem), begin_(begin), n_(n) {}

  __device__ bool has_values() const { return n_ > 0; }
  /// Whether the code needs no more tests: it is full, and can be moved in packs if its values lie in such.
  __device__ bool is_regular_in() const { return n_ == length && begins_packs_in(problem_); }
  __device__ bool is_regular_out() const { return n_ == length && begins_packs_out(problem_); }
  /// Whether that holds of all that are full.
  KOKKOSSCAN_FUNCTION static bool are_regular(Problem const& problem) {
    return begins_packs_in(problem) && begins_packs_out(problem);
  }

  template <bool regular>
  __device__ void load() {
#pragma unroll
    for (int r = 0; r < rounds; ++r) load<regular>(r);
  }

  /// Leaves in `aggregate` that of the part. All lanes call it.
  template <bool regular>
  __device__ void fold(Uninitialized<Value>& aggregate) {
    auto const combine = [&](Value const& left, Value const& right) { return problem_.combine(left, right); };
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      if (regular || units(r) > 0) {
        int const lanes = regular || units(r) > warp_size ? warp_size : units(r);
        Uninitialized<Value> through;
        fold_unit<regular>(problem_, false, through, own_[r], count<regular>(r));
        through    = scan_warp(through, lanes, combine);
        before_[r] = shuffle_up(through, 1);
        through    = shuffle(through, lanes - 1);
        if (r > 0) {
          if (lane() == 0)
            before_[r] = aggregate;
          else if (lane() < lanes)
            before_[r].put(problem_.combine(aggregate.value, before_[r].value));
          through.put(problem_.combine(aggregate.value, through.value));
        }
        aggregate = through;
      }
  }

  /// Writes the results, `before` being what stands before the part.
  template <bool regular>
  __device__ void write(Maybe<Value> const& before) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int const n        = count<regular>(r);
      bool const is_lead = r == 0 && lane() == 0;
      if (n == 0) break;
      Uninitialized<Value> running;
      if (!is_lead)
        running.put(problem_.combine(before, before_[r].value));
      else if (before)
        running.put(*before);
      if constexpr (core::takes_one<typename Problem::Sink>) {
        scan_unit<regular>(problem_, !is_lead || before, running, own_[r], n);
        store<regular>(r);
      } else {
        store_unit<regular>(problem_, !is_lead || before, running, own_[r], begin_ + static_cast<std::size_t>(index(r)),
                            n);
      }
      if (problem_.total && begin_ + static_cast<std::size_t>(index(r) + n) == problem_.n)
        put(*problem_.total, running.value);
    }
  }

 private:
  KOKKOSSCAN_FUNCTION static bool begins_packs_in(Problem const& problem) {
    if constexpr (packs_in)
      return starts_a_pack(problem.source.array.data);
    else
      return true;
  }
  KOKKOSSCAN_FUNCTION static bool begins_packs_out(Problem const& problem) {
    if constexpr (packs_out)
      return starts_a_pack(problem.sink.array.data);
    else
      return true;
  }

  __device__ static void put(Value& to, Value const& value) { ::new (static_cast<void*>(&to)) Value(value); }

  /// The index in the part of this lane's unit of a round, how many values it has, and how many units there are from
  /// the first of the round on.
  __device__ static int index(int r) { return (r * warp_size + lane()) * S::unit; }
  template <bool regular>
  __device__ int count(int r) const {
    int const rest = n_ - index(r);
    return regular || rest > S::unit ? S::unit : rest > 0 ? rest : 0;
  }
  __device__ int units(int r) const { return (n_ + S::unit - 1) / S::unit - r * warp_size; }

  template <bool regular>
  __device__ void load(int r) {
    std::size_t const i = begin_ + static_cast<std::size_t>(index(r));
    if constexpr (regular && packs_in) {
      own_[r] = *reinterpret_cast<Pack<Value> const*>(problem_.source.array.data + i);
    } else {
#pragma unroll
      for (int v = 0; v < S::unit; ++v)
        if (v < count<regular>(r)) own_[r].put(v, problem_.source.load(i + static_cast<std::size_t>(v)));
    }
  }
  template <bool regular>
  __device__ void store(int r) {
    std::size_t const i = begin_ + static_cast<std::size_t>(index(r));
    if constexpr (regular && packs_out) {
      own_[r].write(problem_.sink.array.data + i);
    } else {
#pragma unroll
      for (int v = 0; v < S::unit; ++v)
        if (v < count<regular>(r)) store_value(problem_, i + static_cast<std::size_t>(v), own_[r].get(v));
    }
  }

  Problem const& problem_;
  std::size_t begin_;
  int n_;
  Unit<Value> own_[rounds];
  Uninitialized<Value> before_[rounds];  // each unit, in the part
};

/// Has values brought into the second-level cache, while nobody knows yet which block will take them.
template <class Problem>
__device__ void fetch_ahead(Problem const& problem, std::size_t begin, std::size_t length) {
  using Value = typename Problem::Value;
  if constexpr (is_packed<Value, core::ArrayOf<typename Problem::Source>>) {
    constexpr std::size_t line = 128 / sizeof(Value);
    std::size_t const i        = begin + threadIdx.x * line;
    if (threadIdx.x * line < length && i < problem.n) fetch_into_second_level(problem.source.array.data + i);
  }
}

/// Combines `before` with all k tiles that come before: each warp polls 32 at a time, and then all combine what they
/// saw.
template <class Value, class Combine>
__device__ void look_back(States const& states, std::uint32_t epoch, int k, Combine const& combine,
                          Maybe<Value>& before) {
  auto const parts = shared_memory<Value>(Layout<Value>::before_byte);
  for (int first = warp() * warp_size; first < k; first += static_cast<int>(blockDim.x)) {
    int const lanes = k - first < warp_size ? k - first : warp_size;
    Uninitialized<Value> aggregate;
    wait_for(TileStatus<Value>(states.slot(static_cast<std::size_t>(first + lane())), epoch), lane() < lanes,
             aggregate);
    aggregate = scan_warp(aggregate, lanes, combine);
    if (lane() == lanes - 1) parts.store(first / warp_size, aggregate.value);
  }
  [[maybe_unused]] constexpr int at_once = one_wave_aggregates_at_once;  // for nvcc alone
  __syncthreads();
#pragma unroll at_once
  for (int part = 0; part * warp_size < k; ++part) before.put(combine(before, parts.load(part)));
}

/// Scans a tile. For a full one, with all parts regular, there are no tests for what is missing or not aligned, and no
/// code for it to jump over: what lies behind a jump has to be fetched, which takes 0.1 us.
template <int rounds, bool full, bool alone, class Problem>
__device__ void scan_tile(Problem const& problem, States const& states, Ticket const& ticket, std::size_t begin,
                          int n) {
  using Value           = typename Problem::Value;
  using Part            = one_wave::Part<Problem, rounds>;
  auto const aggregates = shared_memory<Value>(Layout<Value>::aggregates_byte);
  auto const combine    = [&](auto const& left, Value const& right) { return problem.combine(left, right); };
  auto const [k, epoch] = ticket;
  int const parts       = full ? static_cast<int>(blockDim.x) / warp_size : (n + Part::length - 1) / Part::length;
  int const first       = warp() * Part::length;
  Part part(problem, begin + static_cast<std::size_t>(first), n - first < Part::length ? n - first : Part::length);

  // ---- the aggregates of its parts
  Uninitialized<Value> aggregate;
  if (full || part.is_regular_in()) {
    part.template load<true>();
    part.template fold<true>(aggregate);
  } else if (part.has_values()) {
    part.template load<false>();
    part.template fold<false>(aggregate);
  }
  if (parts > 1) {
    if (warp() < parts && lane() == 0) aggregates.store(warp(), aggregate.value);
    __syncthreads();
    if (lane() < parts) aggregate.put(aggregates.load(lane()));
    for (int delta = 1; delta < parts; delta *= 2) {
      Uninitialized<Value> const before = shuffle_up(aggregate, delta);
      if (lane() >= delta && lane() < parts) aggregate.put(combine(before.value, aggregate.value));
    }
  }
  Uninitialized<Value> const before_part = shuffle(aggregate, warp() > 0 ? warp() - 1 : 0);

  // ---- what comes before it
  Maybe<Value> before = problem.start();
  if constexpr (!alone) {
    Uninitialized<Value> const of_tile = shuffle(aggregate, parts - 1);
    if (threadIdx.x == 0) TileStatus<Value>(states.slot(k), epoch).publish(TileState::aggregate, of_tile.value);
    look_back(states, epoch, static_cast<int>(k), combine, before);
  }
  if (warp() > 0 && warp() < parts) before.put(combine(before, before_part.value));

  // ---- the result
  if (full || part.is_regular_out())
    part.template write<true>(before);
  else if (part.has_values())
    part.template write<false>(before);
}

/// `alone`: there is but one tile. Of the first `full_tiles` all parts are regular.
template <class Problem, int rounds, bool alone>
__global__ void __launch_bounds__(Shape<typename Problem::Value>::most_threads,
                                  Shape<typename Problem::Value>::min_blocks_per_sm)
    one_wave_kernel(Problem const problem, States const states, std::uint32_t const full_tiles) {
  using Value              = typename Problem::Value;
  std::size_t const length = static_cast<std::size_t>(blockDim.x) * (Part<Problem, rounds>::length / warp_size);

  Ticket own{};
  if constexpr (!alone) {
    auto const ticket = shared_memory<Ticket>(Layout<Value>::ticket_byte);
    fetch_ahead(problem, blockIdx.x * length, length);
    // By the last warp, which has nothing to fetch ahead, so the ticket waits for no fetches.
    if (threadIdx.x == blockDim.x - 1) ticket.store(0, states.take_tile(gridDim.x));
    __syncthreads();
    own = ticket.load(0);
  }
  std::size_t const begin = own.tile * length;
  std::size_t const rest  = problem.n - begin;
  if (own.tile < full_tiles)
    scan_tile<rounds, true, alone>(problem, states, own, begin, static_cast<int>(length));
  else
    scan_tile<rounds, false, alone>(problem, states, own, begin, static_cast<int>(rest < length ? rest : length));
  if constexpr (!alone)
    if (warp() == 0) states.finish(own.epoch);
}

template <class Problem>
void run(Stream stream, Problem const& problem, States const& states, Partition partition) {
  using Value = typename Problem::Value;
  static_assert(Shape<Value>::rounds > 1 && one_round_units <= one_wave_few_units,
                "with one round there must be but one tile");
  std::size_t const tiles = Tiles{problem.n, partition.tile<Value>()}.count();
  Grid const grid{static_cast<unsigned>(tiles), partition.threads, Layout<Value>::bytes};
  auto const full =
      static_cast<std::uint32_t>(Part<Problem, 1>::are_regular(problem) ? problem.n / partition.tile<Value>() : 0);
  if (partition.rounds == 1)
    launch(stream, grid, one_wave_kernel<Problem, 1, true>, problem, states, full);
  else if (tiles == 1)
    launch(stream, grid, one_wave_kernel<Problem, Shape<Value>::rounds, true>, problem, states, full);
  else
    launch(stream, grid, one_wave_kernel<Problem, Shape<Value>::rounds, false>, problem, states, full);
}

}  // namespace KokkosScan::cuda::one_wave
