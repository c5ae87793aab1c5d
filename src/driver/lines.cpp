// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace KokkosScan::driver {
namespace {

/// One behind the last byte.
std::uintptr_t end_of(Box const& box) {
  std::uintptr_t last = box.first;
  for (std::size_t d = 0; d < box.rank; ++d) last += (box.extents[d] - 1) * box.strides[d];
  return last + box.size;
}

/// The distances between elements of two boxes in one dimension.
struct Distances {
  std::ptrdiff_t stride, least, most;
  std::ptrdiff_t reach() const { return stride * std::max(-least, most); }
};

/// In all dimensions in which there are several, widest first. Strides must be the same where both boxes have one.
struct AllDistances {
  std::array<Distances, 4> in;
  std::size_t count = 0;

  AllDistances(Box const& a, Box const& b) {
    for (std::size_t d = 0; d < a.rank; ++d)
      if (std::size_t const stride = std::max(a.strides[d], b.strides[d]); stride > 0)
        in[count++] = {static_cast<std::ptrdiff_t>(stride), 1 - static_cast<std::ptrdiff_t>(a.extents[d]),
                       static_cast<std::ptrdiff_t>(b.extents[d]) - 1};
    std::sort(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count),
              [](Distances const& left, Distances const& right) { return left.stride > right.stride; });
  }
};

/// Whether some of the distances, added to `apart`, which is from an element of a to one of b, leave them sharing a
/// byte.
bool meet(Distances const* begin, Distances const* end, std::ptrdiff_t apart, Box const& a, Box const& b) {
  if (begin == end) return apart < static_cast<std::ptrdiff_t>(a.size) && -apart < static_cast<std::ptrdiff_t>(b.size);
  std::ptrdiff_t reach = static_cast<std::ptrdiff_t>(std::max(a.size, b.size));
  for (Distances const* inner = begin + 1; inner != end; ++inner) reach += inner->reach();
  // apart + k stride must not be further than that.
  std::ptrdiff_t const stride = begin->stride;
  std::ptrdiff_t const first  = std::max(begin->least, (-apart - reach) / stride - 1);
  std::ptrdiff_t const last   = std::min(begin->most, (-apart + reach) / stride + 1);
  for (std::ptrdiff_t k = first; k <= last; ++k)
    if (std::abs(apart + k * stride) <= reach && meet(begin + 1, end, apart + k * stride, a, b)) return true;
  return false;
}

bool overlap(Box const& a, Box const& b) {
  if (a.is_empty() || b.is_empty() || end_of(a) <= b.first || end_of(b) <= a.first) return false;
  for (std::size_t d = 0; d < a.rank; ++d)
    if (a.extents[d] > 1 && b.extents[d] > 1 && a.strides[d] != b.strides[d]) return true;
  AllDistances const distances(a, b);
  return meet(distances.in.data(), distances.in.data() + distances.count,
              static_cast<std::ptrdiff_t>(b.first - a.first), a, b);
}

/// Whether no two elements share a byte. Mostly each stride is longer than all that lies within it, which is quick to
/// see; else two are sought, which differ in this dimension and in no wider one.
bool are_apart(Box const& box) {
  AllDistances distances(box, box);
  bool nest   = true;
  auto within = static_cast<std::ptrdiff_t>(box.size);
  for (std::size_t d = distances.count; d-- > 0; within += distances.in[d].reach())
    nest = nest && distances.in[d].stride >= within;
  Distances* const end = distances.in.data() + distances.count;
  for (Distances* widest = distances.in.data(); widest != end && !nest; ++widest) {
    widest->least = 1;
    if (meet(widest, end, 0, box, box)) return false;
  }
  return true;
}

std::string text(Box const& box) {
  std::string extents, strides;
  for (std::size_t d = 0; d < box.rank; ++d) {
    extents += (d > 0 ? " x " : "") + std::to_string(box.extents[d]);
    strides += (d > 0 ? ", " : "") + std::to_string(box.strides[d]);
  }
  return extents + " values of " + std::to_string(box.size) + " bytes from address " + std::to_string(box.first) +
         ", strides " + strides + " bytes";
}

[[noreturn]] void throw_overlap(std::string const& label, char const* a_name, Box const& a, char const* b_name,
                                Box const& b, std::string const& rule) {
  throw std::invalid_argument(label + ": " + a_name + " (" + text(a) + ") and " + b_name + " (" + text(b) +
                              ") overlap; " + rule);
}

bool are_one(Dimension const& outer, Dimension const& inner) {
  for (std::size_t view = 0; view < 3; ++view)
    if (outer.strides[view] != inner.strides[view] * static_cast<std::ptrdiff_t>(inner.extent)) return false;
  return true;
}

}  // namespace

bool Box::is_empty() const {
  return std::any_of(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(rank),
                     [](std::size_t extent) { return extent == 0; });
}

Dimensions in_order_of_memory(Dimensions const& dimensions) {
  constexpr Dimension none{1, {0, 0, 0}};
  Dimensions ordered = dimensions;
  auto const end     = std::remove_if(ordered.begin(), ordered.end(), [](auto const& d) { return d.extent == 1; });
  std::sort(ordered.begin(), end, [](Dimension const& left, Dimension const& right) {
    auto const distance = [](Dimension const& d, std::size_t view) { return std::abs(d.strides[view]); };
    if (distance(left, 1) != distance(right, 1)) return distance(left, 1) > distance(right, 1);
    return distance(left, 0) > distance(right, 0);
  });
  Dimensions result{none, none, none};
  std::size_t free = result.size();  // from here on they are taken
  for (auto inner = end; inner != ordered.begin();) {
    --inner;
    if (free < result.size() && are_one(*inner, result[free]))
      result[free].extent *= inner->extent;
    else
      result[--free] = *inner;
  }
  return result;
}

void check_in_place_or_apart(std::string const& label, char const* from_name, Box const& from, char const* dest_name,
                             Box const& dest) {
  if (from != dest && overlap(from, dest))
    throw_overlap(label, from_name, from, dest_name, dest,
                  "a result may only overlap what it is made of by being the same View");
}

void check_apart(std::string const& label, char const* a_name, Box const& a, char const* b_name, Box const& b) {
  if (overlap(a, b))
    throw_overlap(label, a_name, a, b_name, b, std::string(a_name) + " and " + b_name + " may share no memory");
}

void check_distinct(std::string const& label, char const* name, Box const& view) {
  if (view.is_empty()) return;
  auto const refuse = [&](std::string const& how) {
    throw std::invalid_argument(label + ": the values of " + name + " (" + text(view) + ") overwrite each other" + how);
  };
  for (std::size_t d = 0; d < view.rank; ++d)
    if (view.extents[d] > 1 && view.strides[d] < view.size) refuse(" along dimension " + std::to_string(d));
  if (!are_apart(view)) refuse(": its lines share memory, and each value needs its own");
}

void throw_no_such_axis(std::string const& label, int axis, char const* name, std::size_t rank) {
  throw std::invalid_argument(label + ": Axis is " + std::to_string(axis) + ", and " + name + " has rank " +
                              std::to_string(rank) + "; it must be from 0 to " + std::to_string(rank - 1));
}

void throw_too_short(std::string const& label, std::size_t dimension, char const* from_name, std::size_t from,
                     char const* dest_name, std::size_t dest) {
  std::string const extent = ".extent(" + std::to_string(dimension) + ") is ";
  throw std::invalid_argument(label + ": " + from_name + extent + std::to_string(from) + " and " + dest_name + extent +
                              std::to_string(dest) + "; " + dest_name + " must have at least the same extent");
}

void throw_wrong_init(std::string const& label, std::size_t dimension, char const* from_name, std::size_t from,
                      std::size_t dimension_of_init, char const* init_name, std::size_t init) {
  throw std::invalid_argument(label + ": " + from_name + ".extent(" + std::to_string(dimension) + ") is " +
                              std::to_string(from) + " and " + init_name + ".extent(" +
                              std::to_string(dimension_of_init) + ") is " + std::to_string(init) + "; " + init_name +
                              " must have an element for each line along the Axis");
}

}  // namespace KokkosScan::driver
