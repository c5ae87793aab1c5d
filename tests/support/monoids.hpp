// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../../src/core/macros.hpp"
#include "random.hpp"

// Value types whose operator is associative and does not commute, from 8 to 64 bytes: with any of them an operand out
// of order, left out or taken twice changes the result. All arithmetic is unsigned, so it is exact for every grouping.
namespace test {

/// 16 bytes: a 2 x 2 matrix mod 2^32.
struct Matrix {
  std::uint32_t a, b, c, d;
  KOKKOSSCAN_FUNCTION Matrix then(Matrix const& right) const {
    return {a * right.a + b * right.c, a * right.b + b * right.d, c * right.a + d * right.c, c * right.b + d * right.d};
  }
  static Matrix random(Random& random) {
    auto const word = [&] { return static_cast<std::uint32_t>(random()); };
    // Odd determinant: a product of such matrices never degenerates to zero.
    std::uint32_t const b = word(), c = word();
    return {word() | 1U, b & ~1U, c, word() | 1U};
  }
  bool operator==(Matrix const&) const = default;
};

/// 12 bytes, no power of two: the map x -> a x + b mod 2^32, and how many maps it is made of.
struct Affine {
  std::uint32_t a, b, count;
  KOKKOSSCAN_FUNCTION Affine then(Affine const& right) const {
    return {right.a * a, right.a * b + right.b, count + right.count};
  }
  static Affine random(Random& random) {
    auto const word = [&] { return static_cast<std::uint32_t>(random()); };
    return {word() | 1U, word(), 1};
  }
  bool operator==(Affine const&) const = default;
};

/// 8 bytes: the bicyclic monoid, closing and opening brackets that are left when pairs are removed.
struct Bicyclic {
  std::uint32_t closing, opening;
  KOKKOSSCAN_FUNCTION Bicyclic then(Bicyclic const& right) const {
    std::uint32_t const pairs = opening < right.closing ? opening : right.closing;
    return {closing + right.closing - pairs, opening + right.opening - pairs};
  }
  static Bicyclic random(Random& random) {
    return {static_cast<std::uint32_t>(random.below(4)), static_cast<std::uint32_t>(random.below(4))};
  }
  bool operator==(Bicyclic const&) const = default;
};

/// 24 bytes: an affine map mod 2^64 and its count.
struct Affine64 {
  std::uint64_t a, b, count;
  KOKKOSSCAN_FUNCTION Affine64 then(Affine64 const& right) const {
    return {right.a * a, right.a * b + right.b, count + right.count};
  }
  static Affine64 random(Random& random) { return {random() | 1U, random(), 1}; }
  bool operator==(Affine64 const&) const = default;
};

/// 64 bytes, the largest size served, without a default constructor.
class Record {
 public:
  KOKKOSSCAN_FUNCTION Record(std::uint64_t a, std::uint64_t b, std::uint64_t id)
      : Record(a, b, id, id, 1, id, id, id ^ a) {}

  KOKKOSSCAN_FUNCTION Record then(Record const& right) const {
    return {right.a_ * a_,
            right.a_ * b_ + right.b_,
            first_,
            right.last_,
            count_ + right.count_,
            sum_ + right.sum_,
            most_ < right.most_ ? right.most_ : most_,
            parity_ ^ right.parity_};
  }
  static Record random(Random& random) {
    std::uint64_t const a = random() | 1U, b = random();
    return {a, b, random()};
  }
  bool operator==(Record const&) const = default;

 private:
  KOKKOSSCAN_FUNCTION Record(std::uint64_t a, std::uint64_t b, std::uint64_t first, std::uint64_t last,
                             std::uint64_t count, std::uint64_t sum, std::uint64_t most, std::uint64_t parity)
      : a_(a), b_(b), first_(first), last_(last), count_(count), sum_(sum), most_(most), parity_(parity) {}

  std::uint64_t a_, b_, first_, last_, count_, sum_, most_, parity_;
};

static_assert(sizeof(Bicyclic) == 8 && sizeof(Affine) == 12 && sizeof(Matrix) == 16 && sizeof(Affine64) == 24 &&
              sizeof(Record) == 64);

template <class T>
concept Monoid = requires(T const& value, Random& random) {
  value.then(value);
  T::random(random);
};

/// The operator of all of them. It has no identity: the library must do without.
struct Then {
  template <Monoid T>
  KOKKOSSCAN_FUNCTION T operator()(T const& left, T const& right) const {
    return left.then(right);
  }
};

}  // namespace test
