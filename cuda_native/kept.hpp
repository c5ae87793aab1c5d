// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>

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
/// Whether the elements of several arrays can be staged where so much is kept of each: no element is larger than that,
/// and all together are not much larger, since two tiles must fit into shared memory.
template <class Source, std::size_t size, class = std::make_index_sequence<core::arrays_of<Source>>>
inline constexpr bool can_stage = false;
template <class Source, std::size_t size, std::size_t... k>
  requires(sizeof...(k) > 0)
inline constexpr bool can_stage<Source, size, std::index_sequence<k...>> =
    (can_keep<core::ArrayAt<Source, static_cast<int>(k)>, size> && ...) &&
    2 * (sizeof(core::ElementOf<core::ArrayAt<Source, static_cast<int>(k)>>) + ...) <= 3 * size;

/// Whether what is kept are elements of which some are copied, and of each whether it is.
inline constexpr std::size_t chosen_bytes_most = 16;
template <class Problem>
inline constexpr bool keeps_chosen = [] {
  if constexpr (requires { typename Problem::Sink::Compacted; }) {
    using Source           = typename Problem::Source;
    using Compacted        = typename Problem::Sink::Compacted;
    constexpr auto element = sizeof(core::ElementOf<core::ArrayAt<Source, 0>>);
    return core::is_side_by_side<Compacted> && !core::is_backward<Compacted> && element <= chosen_bytes_most &&
           can_stage<Source, element>;
  } else {
    return false;
  }
}();

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
  using type = core::ElementOf<core::ArrayAt<typename Problem::Source, 0>>;
};
template <class Problem>
using Kept = typename KeptOf<Problem>::type;

/// Elements of which some are chosen: a bit of each says so.
template <class Problem, int count_>
struct ChosenUnit {
  using Value   = typename Problem::Value;
  using Element = Kept<Problem>;

  static constexpr int count = count_;
  static_assert(count <= 32);

  ElementUnit<Element, count> elements;
  std::uint32_t marks = 0;

  __device__ bool is_chosen(int v) const { return (marks >> v & 1U) != 0; }
  __device__ Value get(int v) const { return is_chosen(v) ? Value{1} : Value{0}; }
  __device__ int chosen() const { return __popc(marks); }
  __device__ void put(int v, Element const& element, bool is_chosen) {
    elements.put(v, element);
    if (is_chosen) marks |= 1U << v;
  }
};

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
