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

/// The type that decides how many are kept: that of values; and of values with marks, without those.
template <class Value, class Source>
struct KeptOf {
  using type                         = Value;
  static constexpr bool are_elements = false;
};
template <class Value, class Source>
  requires(core::sees_marks<Source> && can_keep<core::ArrayAt<Source, 0>, sizeof(typename Value::Value)>)
struct KeptOf<Value, Source> {
  using type                         = typename Value::Value;
  static constexpr bool are_elements = true;
};
template <class Problem>
using Kept = typename KeptOf<typename Problem::Value, typename Problem::Source>::type;
template <class Problem>
inline constexpr bool keeps_elements = KeptOf<typename Problem::Value, typename Problem::Source>::are_elements;

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
