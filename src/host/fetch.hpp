// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "../core/problem.hpp"
#include "../core/tiles.hpp"
#include "tuning.hpp"

// Asking memory for elements before their time comes, into the second-level cache.
namespace KokkosScan::host {

/// Where the elements of a tile begin in memory, in either direction.
template <class Element>
Element* begin_of(core::Contiguous<Element> const& array, core::Tile tile) {
  return array.data + tile.begin;
}
template <class Element>
Element* begin_of(core::Backward<Element> const& array, core::Tile tile) {
  return array.data + 1 - tile.end;
}

enum class For : bool { reading, writing };

namespace detail {
/// Asks for each line once, as far as steps of whole elements allow.
template <For purpose, class Element>
void fetch(Element* data, std::ptrdiff_t stride, std::size_t begin, std::size_t end) {
  std::size_t const apart = sizeof(Element) * static_cast<std::size_t>(stride < 0 ? -stride : stride);
  std::size_t const step  = apart == 0 ? end : std::max<std::size_t>(1, line_bytes / apart);
  for (std::size_t i = begin; i < end; i += step)
    __builtin_prefetch(data + static_cast<std::ptrdiff_t>(i) * stride, purpose == For::writing, 2);
}
}  // namespace detail

template <For purpose, class Element>
void fetch(core::Contiguous<Element> const& elements, std::size_t begin, std::size_t end) {
  detail::fetch<purpose>(elements.data, 1, begin, end);
}
template <For purpose, class Element>
void fetch(core::Backward<Element> const& elements, std::size_t begin, std::size_t end) {
  detail::fetch<purpose>(elements.data, -1, begin, end);
}
template <For purpose, class Element>
void fetch(core::Strided<Element> const& elements, std::size_t begin, std::size_t end) {
  detail::fetch<purpose>(elements.data, elements.stride, begin, end);
}
/// What a source reads or a sink writes. Of anything but arrays nobody knows where it lies.
template <For purpose, class Part>
void fetch(Part const& part, std::size_t begin, std::size_t end) {
  if constexpr (requires { fetch<purpose>(part.array, begin, end); }) fetch<purpose>(part.array, begin, end);
}

}  // namespace KokkosScan::host
