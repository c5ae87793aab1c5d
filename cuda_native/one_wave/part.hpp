// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "../boundaries.hpp"
#include "../kept.hpp"
#include "../units.hpp"
#include "../warp.hpp"
#include "partition.hpp"
#include "realigned_part.hpp"

namespace KokkosScan::cuda::one_wave {

/// The part of a tile that a warp keeps in its registers. `realigned`: units that are not aligned are moved all the
/// same.
template <class Problem, int rounds, bool realigned = false>
class Part {
  using Value = typename Problem::Value;
  using S     = Shape<Kept<Problem>>;

  using UnitMarks = Marks<Problem, S::unit, S::unit>;

  using Source = typename Problem::Source;
  using Sink   = typename Problem::Sink;

  // Whether inputs and results are moved by units, once those are aligned.
  template <class Array>
  static constexpr bool has_units = 16 % sizeof(Kept<Problem>) == 0 && core::is_side_by_side<Array>;
  template <std::size_t... k>
  static constexpr bool have_units(std::index_sequence<k...>) {
    return sizeof...(k) > 0 && (has_units<core::ArrayAt<Source, k>> && ...);
  }
  static constexpr auto all_arrays = std::make_index_sequence<core::arrays_of<Source>>();
  static constexpr bool units_in   = have_units(all_arrays);
  static constexpr bool units_out  = has_units<core::ArrayOf<Sink>>;

  template <std::size_t k>
  static constexpr bool realigns_at =
      realigned && can_realign<InputUnit<Problem, k, S::unit>, core::ElementOf<core::ArrayAt<Source, k>>>;
  static constexpr bool realigns_in =
      units_in && []<std::size_t... k>(std::index_sequence<k...>) { return (realigns_at<k> || ...); }(all_arrays);
  static constexpr bool realigns_out = [] {
    if constexpr (realigned && units_out)
      return can_realign<ResultUnit<Problem, S::unit>, core::ElementOf<core::ArrayOf<Sink>>>;
    else
      return false;
  }();

 public:
  static constexpr int length    = rounds * warp_size * S::unit;
  static constexpr bool realigns = realigns_in || realigns_out;
  /// The words of marks that a warp makes, if it makes any; the first one may hold others, too.
  static constexpr int words = keeps_mark_words<Problem> ? length / int{core::bits_of_word} + 1 : 0;

  /// Of `n` values from `begin` on; there may be none.
  __device__ Part(Problem const& problem, std::size_t begin, int n,
                  Shared<std::uint32_t> own_words = shared_memory<std::uint32_t>(0))
      : problem_(problem), begin_(begin), n_(n), words_(own_words) {}

  __device__ bool has_values() const { return n_ > 0; }
  /// Whether the code needs no more tests: it is full, and can be moved by units if its values lie in such.
  __device__ bool is_regular_in() const { return n_ == length && begin_units(problem_, all_arrays); }
  __device__ bool is_regular_out() const { return n_ == length && begins_units_out(problem_); }
  /// Whether its units can be moved though they are not aligned.
  __device__ bool is_realigned_in() const {
    return realigns_in && n_ == length && begin_units<true>(problem_, all_arrays);
  }
  __device__ bool is_realigned_out() const { return realigns_out && n_ == length; }
  /// Whether no full part needs that.
  KOKKOSSCAN_FUNCTION static bool are_regular(Problem const& problem) {
    return begin_units(problem, all_arrays) && begins_units_out(problem);
  }

  template <bool regular>
  __device__ void load() {
#pragma unroll
    for (int r = 0; r < rounds; ++r) load<regular>(r);
    mark<regular>();
  }
  __device__ void load_realigned() {
    if constexpr (realigns_in) load_realigned(all_arrays);
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
        fold_unit<regular>(problem_, false, through, values(r), count<regular>(r));
        through    = scan_runs(through, lanes, combine);
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
    write<regular>(before, [this](std::size_t first, auto const& unit, int) { this->put(first, unit); });
  }
  __device__ void write_realigned(Maybe<Value> const& before) {
    if constexpr (realigns_out) {
      RealignedPart<ResultUnit<Problem, S::unit>, S::unit, rounds, core::ArrayOf<Sink>> results(
          problem_.sink.array, begin_ + static_cast<std::size_t>(index(0)));
      write<true>(before, [&](std::size_t, auto const& unit, int r) { results.put(r, unit); });
      results.store();
    }
  }

 private:
  /// put(first, unit, r) takes the results of a round, if they are moved by units.
  template <bool regular, class Put>
  __device__ void write(Maybe<Value> const& before, [[maybe_unused]] Put const& put_unit) {
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
      std::size_t const first = begin_ + static_cast<std::size_t>(index(r));
      if constexpr (regular && units_out) {
        put_unit(first, next_results<ResultUnit<Problem, S::unit>>(problem_, !is_lead || before, running, values(r)),
                 r);
      } else if constexpr (keeps_chosen<Problem>) {
        emit(own_[r], !is_lead || before, first, n, running);
      } else if constexpr (core::takes_one<Sink> && !keeps_elements<Problem>) {
        scan_unit<regular>(problem_, !is_lead || before, running, own_[r], n);
        store<regular>(r);
      } else {
        store_unit<regular>(problem_, !is_lead || before, running, values(r), first, n);
      }
      if (problem_.total && begin_ + static_cast<std::size_t>(index(r) + n) == problem_.n)
        problem_.put_total(running.value);
    }
  }

  /// Whether the units of all arrays are aligned, or realigned if they are not.
  template <bool or_realigned = false, std::size_t... k>
  KOKKOSSCAN_FUNCTION static bool begin_units([[maybe_unused]] Problem const& problem, std::index_sequence<k...>) {
    if constexpr (units_in)
      return (((or_realigned && realigns_at<k>) ||
               begins_unit<InputUnit<Problem, k, S::unit>, S::unit>(problem.source.template array_at<k>())) &&
              ...);
    else
      return true;
  }
  KOKKOSSCAN_FUNCTION static bool begins_units_out(Problem const& problem) {
    if constexpr (units_out)
      return begins_unit<ResultUnit<Problem, S::unit>, S::unit>(problem.sink.array);
    else
      return true;
  }

  /// Emits what n elements of a unit do, from element `first` on.
  __device__ void emit(KeptUnit<Problem, S::unit> const& own, bool any, std::size_t first, int n,
                       Uninitialized<Value>& running) const {
    core::PutInStreams<Sink> const put{problem_.sink};
    if (!any) running.put(before_first(problem_, own));
    emit_chosen(problem_, put, first, running, own, n);
    if constexpr (requires { problem_.sink.emit_end(put, running.value); })
      if (first + static_cast<std::size_t>(n) == problem_.n) problem_.sink.emit_end(put, running.value);
  }
  template <int count, class Element, class... Units>
  __device__ ChosenUnit<Problem, count> chosen(bool is_first, Uninitialized<Element>& previous,
                                               Units const&... units) const {
    ChosenUnit<Problem, count> own;
    own.choose(problem_.source, is_first, previous, units...);
    return own;
  }
  template <std::size_t... k>
  __device__ ChosenUnit<Problem, 1> load_chosen(std::size_t i, std::index_sequence<k...>) const {
    Uninitialized<core::ElementOf<core::ArrayAt<Source, 0>>> previous;
    if constexpr (Source::sees_previous) previous.put(array<0>()[i > 0 ? i - 1 : 0]);
    return chosen<1>(i == 0, previous, one(array<k>()[i])...);
  }
  template <class Element>
  __device__ static ElementUnit<Element, 1> one(Element const& element) {
    ElementUnit<std::remove_const_t<Element>, 1> unit;
    unit.put(0, element);
    return unit;
  }

  template <class ResultUnit>
  __device__ void put(std::size_t first, ResultUnit const& unit) const {
    write_unit<S::unit>(problem_.sink.array, first, unit);
  }

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
    if constexpr (regular && units_in) {
      own_[r] = load_unit(
          i, [&]<std::size_t k>() { return read_unit<InputUnit<Problem, k, S::unit>, S::unit>(array<k>(), i); },
          all_arrays);
    } else {
#pragma unroll
      for (int v = 0; v < S::unit; ++v)
        if (v < count<regular>(r)) put_element(own_[r], v, i + static_cast<std::size_t>(v));
    }
  }
  /// Finds the marks, while the elements are on their way.
  template <bool regular>
  __device__ void mark() {
    auto const& source = problem_.source;
    if constexpr (keeps_mark_words<Problem>) {
      core::MarkWords const in_memory = source.mark_words(begin_, static_cast<std::size_t>(n_));
      std::size_t const first         = in_memory.begin;
      boundaries::Words own(words_);
      boundaries::make(own, source.offsets, source.elements, first, static_cast<int>(in_memory.end - first));
      mark<regular>([&](std::size_t i, std::size_t count) {
        return source.marks(i, count, [&](std::size_t w) { return words_.load(static_cast<int>(w - first)); });
      });
    } else if constexpr (keeps_elements<Problem>) {
      mark<regular>([&](std::size_t i, std::size_t count) { return source.marks(i, count); });
    }
  }
  template <bool regular, class Get>
  __device__ void mark(Get const& get) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) marks_[r] = {begin_ + static_cast<std::size_t>(index(r)), count<regular>(r), get};
  }
  /// Puts what is kept of element i.
  __device__ void put_element(KeptUnit<Problem, S::unit>& own, int v, std::size_t i) const {
    if constexpr (keeps_elements<Problem>)
      own.put(v, array<0>()[i]);
    else if constexpr (keeps_chosen<Problem>)
      own.put(v, load_chosen(i, all_arrays));
    else
      own.put(v, problem_.source.load(i));
  }
  /// The values of a round; they may be lost.
  __device__ decltype(auto) values(int r) { return marks_[r].values(problem_, 0, own_[r]); }
  template <std::size_t k>
  __device__ auto const& array() const {
    return problem_.source.template array_at<k>();
  }
  /// read<k>() reads the elements of array k.
  template <class Read, std::size_t... k>
  __device__ KeptUnit<Problem, S::unit> load_unit([[maybe_unused]] std::size_t i, Read const& read,
                                                  std::index_sequence<k...>) const {
    auto const& source = problem_.source;
    if constexpr (core::is_plain<Source> || keeps_elements<Problem>) {
      return (read.template operator()<k>(), ...);
    } else {
      Uninitialized<core::ElementOf<core::ArrayAt<Source, 0>>> previous;
      if constexpr (Source::sees_previous) previous.put(array<0>()[i > 0 ? i - 1 : 0]);
      if constexpr (keeps_chosen<Problem>)
        return chosen<S::unit>(i == 0, previous, read.template operator()<k>()...);
      else
        return make_unit<Source, Value>(source, i == 0, previous, read.template operator()<k>()...);
    }
  }

  template <std::size_t k>
  struct PartOf {
    using Array   = core::ArrayAt<Source, k>;
    using Element = InputUnit<Problem, k, S::unit>;
    std::conditional_t<realigns_at<k>, RealignedPart<Element, S::unit, rounds, Array>,
                       AlignedPart<Element, S::unit, Array>>
        part;
  };
  template <std::size_t... k>
  struct PartsOf : PartOf<k>... {};
  template <std::size_t... k>
  __device__ void load_realigned(std::index_sequence<k...>) {
    std::size_t const first = begin_ + static_cast<std::size_t>(index(0));
    PartsOf<k...> parts{PartOf<k>{{array<k>(), first}}...};
    (parts.PartOf<k>::part.load(array<k>(), problem_.n), ...);
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      std::size_t const i = begin_ + static_cast<std::size_t>(index(r));
      own_[r] =
          load_unit(i, [&]<std::size_t a>() { return static_cast<PartOf<a> const&>(parts).part.get(r); }, all_arrays);
    }
    mark<true>();
  }
  template <bool regular>
  __device__ void store(int r) {
#pragma unroll
    for (int v = 0; v < S::unit; ++v)
      if (v < count<regular>(r)) store_value(problem_, begin_ + static_cast<std::size_t>(index(r) + v), own_[r].get(v));
  }

  Problem const& problem_;
  std::size_t begin_;
  int n_;
  Shared<std::uint32_t> words_;
  KeptUnit<Problem, S::unit> own_[rounds];
  UnitMarks marks_[rounds];
  Uninitialized<Value> before_[rounds];  // each unit, in the part
};

}  // namespace KokkosScan::cuda::one_wave
