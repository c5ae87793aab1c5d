// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overlap.hpp"

#include <algorithm>
#include <numeric>

namespace KokkosScan::driver {
namespace {

/// Whether elements i of a and j of b, whose strides differ, share a byte: whether i a.stride - j b.stride is one of
/// the few distances at which they do. For each of them the i are those of one residue class, between two bounds.
bool overlap_somewhere(Footprint const& a, Footprint const& b) {
  __extension__ typedef __int128 Wide;
  Wide const stride = static_cast<Wide>(a.stride), other = static_cast<Wide>(b.stride);
  Wide const common = static_cast<Wide>(std::gcd(a.stride, b.stride));
  Wide const period = other / common;  // of the residue classes
  // The inverse of a.stride / common, by Euclid's algorithm.
  Wide inverse = 0, next = 1;
  for (Wide left = period, right = stride / common % period; right != 0;) {
    Wide const times = left / right;
    Wide const rest  = left - times * right;
    left             = right;
    right            = rest;
    Wide const sum   = inverse - times * next;
    inverse          = next;
    next             = sum;
  }
  auto const modulo = [](Wide value, Wide by) { return (value % by + by) % by; };
  auto const floor  = [](Wide value, Wide by) { return value / by - (value % by < 0); };
  Wide const apart  = static_cast<Wide>(b.first) - static_cast<Wide>(a.first);
  Wide const last = static_cast<Wide>(a.count) - 1, other_last = static_cast<Wide>(b.count) - 1;
  // a.first + i a.stride begins `shift` bytes behind b.first + j b.stride.
  for (Wide shift = 1 - static_cast<Wide>(a.size); shift < static_cast<Wide>(b.size); ++shift) {
    Wide const distance = apart + shift;  // i a.stride - j b.stride
    if (distance % common != 0) continue;
    Wide const least = std::max<Wide>(0, -floor(-distance, stride));
    Wide const most  = std::min<Wide>(last, floor(distance + other_last * other, stride));
    Wide const own   = modulo(modulo(distance / common, period) * modulo(inverse, period), period);
    if (least + modulo(own - least, period) <= most) return true;
  }
  return false;
}

}  // namespace

bool ranges_share_a_byte(Footprint const& a, Footprint const& b) {
  std::uintptr_t const stride = a.count > 1 ? a.stride : 0, other = b.count > 1 ? b.stride : 0;
  std::uintptr_t const period = std::gcd(stride, other);
  if (period == 0) return true;  // two single elements
  std::uintptr_t const after =
      b.first >= a.first ? (b.first - a.first) % period : (period - (a.first - b.first) % period) % period;
  if (after >= a.size && period - after >= b.size) return false;
  if (stride == other || stride == 0 || other == 0) return true;  // the ranges interleave, so the elements do
  return overlap_somewhere(a, b);
}

}  // namespace KokkosScan::driver
