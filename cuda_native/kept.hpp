// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "element_units.hpp"

// What a lane keeps in registers until it is known what comes before it: units of values; or of elements, where values
// are made of those and of marks. A mark is a bit there, and a register beside a value.
namespace KokkosScan::cuda {

/// Whether the elements of an array can be kept where so much room is for each.
template <class Array, std::size_t size>
inline constexpr bool can_keep = core::is_side_by_side<Array> && std::is_trivially_copyable_v<core::ElementOf<Array>> &&
                                 sizeof(core::ElementOf<Array>) <= size;

/// Whether what is kept are elements and marks by where they stand.
template <class Problem>
inline constexpr bool keeps_elements = [] {
  using Source = typename Problem::Source;
  if constexpr (core::sees_marks<Source>)
    return can_keep<core::ArrayAt<Source, 0>, sizeof(typename Problem::Value::Value)>;
  else
    return false;
}();
/// Whether those marks are bits of words, which the pipeline has copied in, and one wave makes as it goes.
template <class Problem>
inline constexpr bool keeps_mark_words = [] {
  if constexpr (keeps_elements<Problem>)
    return core::has_mark_words<typename Problem::Source>;
  else
    return false;
}();
/// Whether the elements of several arrays can be staged where so much is kept of each: no element is larger than that,
/// and all together are not much larger, since two tiles must fit into shared memory.
template <class Source, std::size_t size, class = std::make_index_sequence<core::arrays_of<Source>>>
inline constexpr bool can_stage = false;
template <class Source, std::size_t size, std::size_t... k>
  requires(sizeof...(k) > 0)
inline constexpr bool can_stage<Source, size, std::index_sequence<k...>> =
    (can_keep<core::ArrayAt<Source, static_cast<int>(k)>, size> && ...) &&
    2 * (sizeof(core::ElementOf<core::ArrayAt<Source, static_cast<int>(k)>>) + ...) <= 3 * size;

/// Whether what is kept are elements, and a mark that is made of each, for a sink that emits some of them.
inline constexpr std::size_t chosen_bytes_most = 16;
template <class Source, class = void>
struct ChosenElements {
  using type = void;
};
template <class A, class B>
struct TwoElements {
  A a;
  B b;
};
template <class Source>
  requires(Source::kept_arrays == 1)
struct ChosenElements<Source> {
  using type = core::ElementOf<core::ArrayAt<Source, 0>>;
};
template <class Source>
  requires(Source::kept_arrays == 2)
struct ChosenElements<Source> {
  using type = TwoElements<core::ElementOf<core::ArrayAt<Source, 0>>, core::ElementOf<core::ArrayAt<Source, 1>>>;
};
template <class Sink, int k>
using StreamOf = std::remove_cvref_t<decltype(std::declval<Sink const&>().template stream<k>().array)>;
template <class Array>
inline constexpr bool takes_copies = core::is_side_by_side<Array> && !core::is_backward<Array>;
template <class Sink, class = std::make_integer_sequence<int, Sink::streams>>
inline constexpr bool take_copies = false;
template <class Sink, int... k>
inline constexpr bool take_copies<Sink, std::integer_sequence<int, k...>> = (takes_copies<StreamOf<Sink, k>> && ...);
template <class Source, class Sink>
concept EmitsElements = requires {
  Source::kept_arrays;
  Sink::streams;
};
template <class Source, class Sink>
inline constexpr bool can_keep_chosen = false;
template <class Source, class Sink>
  requires EmitsElements<Source, Sink>
inline constexpr bool can_keep_chosen<Source, Sink> =
    sizeof(typename ChosenElements<Source>::type) <= chosen_bytes_most &&
    can_stage<Source, sizeof(typename ChosenElements<Source>::type)> && take_copies<Sink>;
template <class Problem>
inline constexpr bool keeps_chosen = can_keep_chosen<typename Problem::Source, typename Problem::Sink>;

/// The type that decides how many are kept: that of values; of values with marks, without those; and of elements that
/// are chosen.
template <class Problem>
struct KeptOf {
  using type = typename Problem::Value;
};
template <class Problem>
  requires keeps_elements<Problem>
struct KeptOf<Problem> {
  using type = typename Problem::Value::Value;
};
template <class Problem>
  requires keeps_chosen<Problem>
struct KeptOf<Problem> {
  using type = typename ChosenElements<typename Problem::Source>::type;
};
template <class Problem>
using Kept = typename KeptOf<Problem>::type;

template <class Source>
inline constexpr int kept_arrays_of = 0;
template <class Source>
  requires(Source::kept_arrays > 0)
inline constexpr int kept_arrays_of<Source> = Source::kept_arrays;

/// Elements, and a bit of each that says whether it is chosen.
template <std::size_t, class Unit>
struct KeptElements {
  Unit unit;
};
template <class Problem, int count_, class = std::make_index_sequence<kept_arrays_of<typename Problem::Source>>>
struct ChosenUnit;
template <class Problem, int count_, std::size_t... k>
struct ChosenUnit<Problem, count_, std::index_sequence<k...>>
    : KeptElements<k, ElementUnit<core::ElementOf<core::ArrayAt<typename Problem::Source, k>>, count_>>... {
  using Value  = typename Problem::Value;
  using Source = typename Problem::Source;
  template <std::size_t a>
  using UnitAt = ElementUnit<core::ElementOf<core::ArrayAt<Source, a>>, count_>;

  static constexpr int count = count_;
  static_assert(count <= 32);

  std::uint32_t marks = 0;

  template <std::size_t a>
  __device__ UnitAt<a>& elements() {
    return static_cast<KeptElements<a, UnitAt<a>>&>(*this).unit;
  }
  template <std::size_t a>
  __device__ UnitAt<a> const& elements() const {
    return static_cast<KeptElements<a, UnitAt<a>> const&>(*this).unit;
  }
  __device__ bool is_chosen(int v) const { return (marks >> v & 1U) != 0; }
  __device__ int chosen() const { return __popc(marks); }
  /// How many there are from the last that is chosen on; of n, if none is.
  __device__ int since(int n) const { return marks == 0 ? n : n - 32 + __clz(marks) + 1; }

  __device__ void put(int v, ChosenUnit<Problem, 1> const& one) {
    (elements<k>().put(v, one.template elements<k>().get(0)), ...);
    marks |= (one.marks & 1U) << v;
  }
  __device__ Value value(Source const& source, int v) const {
    return source.value(is_chosen(v), elements<k>().get(v)...);
  }
  __device__ Value advance(Source const& source, Value const& before, int v) const {
    return source.advance(before, is_chosen(v), elements<k>().get(v)...);
  }
  template <class Put, class Sink>
  __device__ void emit(Sink const& sink, Put const& put, std::size_t i, Value const& before, int v) const {
    sink.emit(put, i, is_chosen(v), before, elements<k>().get(v)...);
  }
  /// Which of the elements of all arrays a source chooses; those of some are kept.
  template <class Element, class... Units>
  __device__ void choose(Source const& source, bool is_first, Uninitialized<Element>& previous, Units const&... units) {
    keep(units...);
#pragma unroll
    for (int v = 0; v < count; ++v) {
      bool chosen;
      if constexpr (Source::sees_previous)
        chosen = source.mark(is_first && v == 0, previous.value, units.get(v)...);
      else
        chosen = source.mark(units.get(v)...);
      if (chosen) marks |= 1U << v;
      if constexpr (Source::sees_previous) previous.put(first_of(units...).get(v));
    }
  }

 private:
  template <class First, class... Others>
  __device__ static First const& first_of(First const& first, Others const&...) {
    return first;
  }
  template <class First, class... Others>
  __device__ void keep(First const& first, Others const&... others) {
    elements<0>() = first;
    if constexpr (sizeof...(k) > 1) elements<1>() = first_of(others...);
  }
};

/// Combines `before` with the values of the first n of a unit; `any`: whether there is any before.
template <class Problem, class Unit, class Value = typename Problem::Value>
__device__ void fold_chosen(Problem const& problem, bool any, Uninitialized<Value>& aggregate, Unit const& unit,
                            int n = Unit::count) {
  auto const& source = problem.source;
  if constexpr (Problem::Source::of_marks_alone) {
    aggregate.put(source.behind_marks(any ? aggregate.value : source.behind_nothing(), unit.chosen(), unit.since(n)));
  } else {
#pragma unroll
    for (int v = 0; v < Unit::count; ++v)
      if (v < n) aggregate.put(any || v > 0 ? unit.advance(source, aggregate.value, v) : unit.value(source, v));
  }
}
/// Emits what the first n elements of a unit do, the first being element i; `running` is what stands before them, and
/// then what stands behind them.
template <class Problem, class Unit, class Put, class Value = typename Problem::Value>
__device__ void emit_chosen(Problem const& problem, Put const& put, std::size_t i, Uninitialized<Value>& running,
                            Unit const& unit, int n = Unit::count) {
#pragma unroll
  for (int v = 0; v < Unit::count; ++v)
    if (v < n) {
      unit.emit(problem.sink, put, i + static_cast<std::size_t>(v), running.value, v);
      running.put(unit.advance(problem.source, running.value, v));
    }
}
/// What stands before the first element of all, for whoever must have something: never combined with anything.
template <class Problem, class Unit>
__device__ typename Problem::Value before_first(Problem const& problem, Unit const& unit) {
  Unit none  = unit;
  none.marks = 0;
  return none.value(problem.source, 0);
}

template <class Problem, int count>
struct KeptUnitOf {
  using type = Unit<typename Problem::Value>;
};
template <class Problem, int count>
  requires keeps_elements<Problem>
struct KeptUnitOf<Problem, count> {
  using type = ElementUnit<core::ElementOf<core::ArrayAt<typename Problem::Source, 0>>, count>;
};
template <class Problem, int count>
  requires keeps_chosen<Problem>
struct KeptUnitOf<Problem, count> {
  using type = ChosenUnit<Problem, count>;
};
template <class Problem, int count>
using KeptUnit = typename KeptUnitOf<Problem, count>::type;

/// The values of a unit of elements.
template <class Problem, int count_>
struct MarkedUnit {
  static constexpr int count = count_;

  typename Problem::Source const& source;
  std::size_t first;
  KeptUnit<Problem, count> const& elements;
  std::uint32_t marks;

  __device__ typename Problem::Value get(int v) const {
    return source.make(first + static_cast<std::size_t>(v), (marks >> v & 1U) != 0, elements.get(v));
  }
  /// What is combined through value v.
  __device__ typename Problem::Value advance(typename Problem::Value const& before, int v) const {
    return source.advance(before, first + static_cast<std::size_t>(v), (marks >> v & 1U) != 0, elements.get(v));
  }
};

/// The marks of `count` neighbours in units of `unit`: none.
template <class Problem, int unit, int count>
struct Marks {
  template <class Kept>
  __device__ Kept& values(Problem const&, int, Kept& own) const {
    return own;
  }
};
template <class Problem, int unit, int count>
  requires keeps_elements<Problem>
class Marks<Problem, unit, count> {
  static constexpr int bits  = 32;
  static constexpr int words = (count + bits - 1) / bits;
  static_assert(bits % unit == 0, "the marks of a unit are in one word");

 public:
  Marks() = default;
  /// `first`: the index of the first of them, of which there are n, or fewer. get(i, count) gives as many as 64.
  template <class Get>
  __device__ Marks(std::size_t first, int n, Get const& get) : first_(first) {
#pragma unroll
    for (int w = 0; w < words; w += 2) {
      int const rest = n - w * bits;
      std::uint64_t const marks =
          rest <= 0 ? 0
                    : get(first + static_cast<std::size_t>(w * bits), static_cast<std::size_t>(rest < 64 ? rest : 64));
      word_[w] = static_cast<std::uint32_t>(marks);
      if (w + 1 < words) word_[w + 1] = static_cast<std::uint32_t>(marks >> bits);
    }
  }
  /// The values of unit u.
  __device__ MarkedUnit<Problem, unit> values(Problem const& problem, int u, KeptUnit<Problem, unit> const& own) const {
    int const i = u * unit;
    return {problem.source, first_ + static_cast<std::size_t>(i), own, word_[i / bits] >> (i % bits)};
  }

 private:
  std::size_t first_;
  std::uint32_t word_[words];
};

}  // namespace KokkosScan::cuda
