// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../transfer.hpp"
#include "../units.hpp"
#include "../warp.hpp"
#include "partition.hpp"

namespace KokkosScan::cuda::one_wave {

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

}  // namespace KokkosScan::cuda::one_wave
