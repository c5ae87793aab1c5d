// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "../arena.hpp"
#include "../problem.hpp"
#include "buffer.hpp"

namespace perf::host {

/// Where a problem lies, how it is set up and how it is checked.
template <class P>
class Arena {
 public:
  using From = typename P::From;
  using To   = typename P::To;

  /// In place: to is from. Offsets: to has one more element, in front.
  explicit Arena(Shape const& shape) : shape_(shape) {}

  /// What the operation reads and writes. Of a strided View the elements alone are counted, although whole cache lines
  /// move.
  static double bytes(Shape const& shape) {
    return static_cast<double>(shape.n * sizeof(From) + (shape.n + shape.placement.offsets) * sizeof(To));
  }

  static std::size_t memory(Shape const& shape) {
    return Buffer::rounded(from_bytes(shape)) + Buffer::rounded(to_bytes(shape)) + shape.n * sizeof(To);
  }

  void allocate() {
    // Half a page apart, for all sizes alike. Loads from where another page was just written wait for that: with
    // results that begin 64 to 512 bytes behind their inputs, as malloc puts some, scans take up to 1.5 times the time.
    from_ = Buffer(from_bytes(shape_), 0);
    to_   = Buffer(to_bytes(shape_), page / 2);
    expected_ =
        Kokkos::View<To*, Kokkos::HostSpace>(Kokkos::view_alloc("expected", Kokkos::WithoutInitializing), shape_.n);
    auto const to  = reinterpret_cast<To*>(to_.data());
    problem_.first = shape_.placement.offsets ? to : nullptr;
    problem_.to    = P::template view<typename P::ToView>(shape_.placement.offsets ? to + 1 : to, shape_.n);
    problem_.from  = P::template view<typename P::FromView>(shape_.placement.in_place
                                                                ? static_cast<From const*>(static_cast<void*>(to))
                                                                : reinterpret_cast<From*>(from_.data()),
                                                           shape_.n);
    trouble_ = compute_expected<P>(expected_.data(), shape_.n);
  }

  void prepare() {
    from_.fill(0);
    to_.fill(poison);
    From* const from = const_cast<From*>(problem_.from.data());
    for_each_block(shape_.n, [from](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) from[i * P::stride] = as_value<From>(P::Input::value(i));
    });
  }

  /// A scan of zeros leaves zeros: in place, any number of calls has the same work.
  void settle() {
    if (shape_.placement.in_place) to_.fill(0);
  }

  std::string check() const {
    if (!trouble_.empty()) return trouble_;
    if (problem_.first && *problem_.first != To{}) return "offset 0 is " + number(*problem_.first) + ", not 0";
    std::size_t wrong = shape_.n, count = 0;
    auto const to       = problem_.to;
    auto const expected = expected_;
    Kokkos::parallel_reduce(
        "perf: check", Kokkos::RangePolicy<Space>(0, shape_.n),
        [=](std::size_t i, std::size_t& first, std::size_t& sum) {
          // Bits: a NaN is not equal to itself, and must not pass.
          if (std::memcmp(&to(i), &expected(i), sizeof(To)) == 0 || to(i) == expected(i)) return;
          if (i < first) first = i;
          ++sum;
        },
        Kokkos::Min<std::size_t>(wrong), count);
    if (count == 0) return {};
    return std::to_string(count) + " of " + std::to_string(shape_.n) + " elements are wrong, the first at " +
           std::to_string(wrong) + ": " + number(to(wrong)) + ", expected " + number(expected(wrong));
  }

  P const& problem() const { return problem_; }
  Buffer const& from() const { return from_; }
  Buffer const& to() const { return to_; }
  Shape const& shape() const { return shape_; }

 private:
  static constexpr unsigned char poison = 0xA5;

  // Either buffer also serves the copies, which move half of the operation's bytes from one to the other.
  static std::size_t from_bytes(Shape const& shape) {
    return std::max(shape.n * P::stride * sizeof(From), static_cast<std::size_t>(bytes(shape)) / 2);
  }
  static std::size_t to_bytes(Shape const& shape) {
    return std::max((shape.n + shape.placement.offsets) * P::stride * sizeof(To),
                    static_cast<std::size_t>(bytes(shape)) / 2);
  }

  static std::string number(To value) { return std::to_string(value); }

  Shape shape_;
  Buffer from_ = {}, to_ = {};
  Kokkos::View<To*, Kokkos::HostSpace> expected_ = {};
  P problem_                                     = {};
  std::string trouble_                           = {};
};

}  // namespace perf::host
