// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../src/core/problem.hpp"
#include "values.hpp"

// As many elements of an array as there are values in a unit, which are moved at once.
namespace KokkosScan::cuda {

template <class Element, int count>
struct alignas(std::has_single_bit(count * sizeof(Element)) && count * sizeof(Element) <= 16
                   ? count * sizeof(Element)
                   : alignof(Element)) ElementUnit {
  Uninitialized<Element> element[count];

  __device__ Element const& get(int v) const { return element[v].value; }
  __device__ void put(int v, Element const& value) { element[v].put(value); }
};

/// What is moved of array k of a source; of one whose elements are values as they are, units of those.
template <class Problem, std::size_t k, int count = Unit<typename Problem::Value>::count>
using InputUnit = std::conditional_t<core::is_plain<typename Problem::Source>, Unit<typename Problem::Value>,
                                     ElementUnit<core::ElementOf<core::ArrayAt<typename Problem::Source, k>>, count>>;
/// The results of a unit of values, for a sink that fills an array.
template <class Problem, int count = Unit<typename Problem::Value>::count,
          class Stored = core::ElementOf<core::ArrayOf<typename Problem::Sink>>>
using ResultUnit = std::conditional_t<std::is_same_v<Stored, typename Problem::Value>, Unit<typename Problem::Value>,
                                      ElementUnit<Stored, count>>;

/// A unit of an array in the order of memory, or one as it stands there in the order of the array: the other way round,
/// where the array is taken backwards.
template <bool backward, int count, class Unit>
__device__ Unit turned(Unit const& unit) {
  Unit result = unit;
  if constexpr (backward) {
#pragma unroll
    for (int v = 0; v < count; ++v) result.put(v, unit.get(count - 1 - v));
  }
  return result;
}

/// Where the unit that begins with element i stands in an array that lies side by side.
template <int count, class Array>
KOKKOSSCAN_FUNCTION auto* place_of_unit(Array const& array, std::size_t i) {
  return &array[core::is_backward<Array> ? i + (count - 1) : i];
}

/// Whether units of an array are aligned in it.
template <class Unit, int count, class Array>
KOKKOSSCAN_FUNCTION bool begins_unit(Array const& array) {
  return reinterpret_cast<std::uintptr_t>(place_of_unit<count>(array, 0)) % alignof(Unit) == 0;
}
/// The unit that begins with element i.
template <class Unit, int count, class Array>
__device__ Unit read_unit(Array const& array, std::size_t i) {
  return turned<core::is_backward<Array>, count>(*reinterpret_cast<Unit const*>(place_of_unit<count>(array, i)));
}
template <int count, class Array, class Element>
__device__ void write_unit(Array const& array, std::size_t i, ElementUnit<Element, count> const& unit) {
  using Unit        = ElementUnit<Element, count>;
  auto* const place = place_of_unit<count>(array, i);
  Unit const own    = turned<core::is_backward<Array>, count>(unit);
  if constexpr (sizeof(Unit) == 16) {
    std::uint32_t word[4];
    memcpy(word, static_cast<void const*>(&own), sizeof(Unit));
    store_at_once(place, word);
  } else {
    *reinterpret_cast<Unit*>(place) = own;
  }
}
template <int count, class Array, class Value>
__device__ void write_unit(Array const& array, std::size_t i, Pack<Value> const& pack) {
  turned<core::is_backward<Array>, count>(pack).write(place_of_unit<count>(array, i));
}

/// What a source makes of a unit of elements of each of its arrays. Of one that sees the element before, `previous` is
/// that, and becomes the last one of the unit.
template <class Source, class Value, class Element, class First, class... Others>
__device__ Unit<Value> make_unit(Source const& source, bool is_first, Uninitialized<Element>& previous,
                                 First const& elements, Others const&... others) {
  Unit<Value> own;
#pragma unroll
  for (int v = 0; v < own.count; ++v) {
    if constexpr (Source::sees_previous) {
      own.put(v, source.make(is_first && v == 0, previous.value, elements.get(v), others.get(v)...));
      previous.put(elements.get(v));
    } else {
      own.put(v, source.make(elements.get(v), others.get(v)...));
    }
  }
  return own;
}

}  // namespace KokkosScan::cuda
