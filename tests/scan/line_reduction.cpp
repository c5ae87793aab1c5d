// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "src/driver/reduce_lines.hpp"
#include "support/affine_map.hpp"

// What the elements of each line combine to, in each of the ways that hosts and devices have, against a loop.
namespace test {
namespace {

namespace core   = KokkosScan::core;
namespace driver = KokkosScan::driver;
using Exec       = Kokkos::DefaultHostExecutionSpace;

using Affine = test::AffineMap;
struct Turned {
  KOKKOS_FUNCTION Affine operator()(Affine const& value) const { return {value.summand, value.factor}; }
};

template <bool reversed>
using Reduction =
    core::LineScan<core::Kind::inclusive, reversed, Affine, Affine const, Affine, Compose, Turned, core::NoInit>;

/// Whose lines lie along memory, or across it; with gaps, or none.
template <bool reversed>
void expect_reduced(core::LineShape const& shape, bool along, std::size_t gap) {
  SCOPED_TRACE(std::to_string(shape.length) + " x " + std::to_string(shape.extents[0]) + " x " +
               std::to_string(shape.extents[1]) + " x " + std::to_string(shape.extents[2]) +
               (along ? ", along memory" : ", across") + (reversed ? ", reversed" : "") + ", gap " +
               std::to_string(gap));
  std::size_t const n[4]  = {shape.extents[0], shape.extents[1], along ? shape.extents[2] : shape.length,
                            along ? shape.length : shape.extents[2]};
  std::size_t const apart = along || gap == 0 ? 1 : 2;
  std::size_t const s2 = n[3] * apart + gap, s1 = n[2] * s2, s0 = n[1] * s1 + gap;
  std::vector<Affine> values(n[0] * s0 + 1);
  std::mt19937_64 random(shape.length);
  for (Affine& value : values) value = {random(), random()};
  std::size_t const lines = shape.count(), step = along ? 1 : s2, next = along ? s2 : apart;
  std::vector<Affine> dest(lines + 2, Affine{7, 7}), right;
  for (std::size_t k = 0; k < lines; ++k) {
    std::size_t const row = k / shape.extents[2];
    Affine const* first =
        &values[row / shape.extents[1] * s0 + row % shape.extents[1] * s1 + k % shape.extents[2] * next];
    Affine sum = Turned()(first[(reversed ? shape.length - 1 : 0) * step]);
    for (std::size_t i = 1; i < shape.length; ++i)
      sum = Compose()(sum, Turned()(first[(reversed ? shape.length - 1 - i : i) * step]));
    right.push_back(sum);
  }
  auto const signed_of = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count); };
  core::Lines<Affine const> from{values.data(), signed_of(step), {signed_of(s0), signed_of(s1), signed_of(next)}};
  if (reversed) {
    from.data += (shape.length - 1) * step;
    from.step = -from.step;
  }
  core::Lines<Affine> const to{
      dest.data() + 1, 0, {signed_of(shape.extents[1] * shape.extents[2]), signed_of(shape.extents[2]), 1}};
  Reduction<reversed> const scan{shape, from, to, {}, {}, {}};
  Exec const exec;
  auto const expect = [&](char const* way, auto const& call) {
    std::fill(dest.begin(), dest.end(), Affine{7, 7});
    call();
    EXPECT_TRUE(std::equal(right.begin(), right.end(), dest.begin() + 1)) << way;
    EXPECT_TRUE(dest.front() == (Affine{7, 7}) && dest.back() == (Affine{7, 7})) << way;
  };
  expect("as hosts do", [&] { driver::reduce_lines("test", exec, scan); });
  expect("a line by a thread", [&] {
    for (std::size_t k = 0; k < lines; ++k) core::ReducePartOfLine<Reduction<reversed>>{scan, {1, shape.length, {}}}(k);
  });
  expect("in parts", [&] {
    std::size_t const length = core::length_of_line_parts(shape, 5, 3), parts = (shape.length + length - 1) / length;
    std::vector<Affine> of_parts(parts * lines, Affine{});
    core::LineParts<Affine> const cut{parts, length, of_parts.data()};
    for (std::size_t i = 0; i < parts * lines; ++i) core::ReducePartOfLine<Reduction<reversed>>{scan, cut}(i);
    if (parts > 1)
      for (std::size_t k = 0; k < lines; ++k) core::ReduceParts<Reduction<reversed>>{scan, cut}(k);
  });
  expect("as runs", [&] { driver::run_scan("test", exec, core::as_reduced_runs(scan)); });
  if (core::are_side_by_side(from, shape, reversed))
    expect("as runs of an array", [&] { driver::run_scan("test", exec, core::as_reduced_array_of_runs(scan)); });
}

TEST(LineReduction, is_what_a_loop_finds) {
  std::vector<core::LineShape> const shapes{{1, {1, 1, 1}},    {2, {1, 1, 3}},    {7, {2, 3, 5}},  {8, {1, 1, 200}},
                                            {1, {2, 2, 70}},   {3001, {1, 2, 2}}, {64, {3, 1, 1}}, {65, {1, 1, 129}},
                                            {9000, {1, 1, 1}}, {2500, {1, 1, 65}}};
  for (auto const& shape : shapes)
    for (bool const along : {true, false})
      for (std::size_t const gap : {std::size_t{0}, std::size_t{3}}) {
        expect_reduced<false>(shape, along, gap);
        expect_reduced<true>(shape, along, gap);
      }
}

TEST(LineReduction, parts_are_not_too_short_and_not_too_many) {
  for (std::size_t const length : std::vector<std::size_t>{1, 31, 32, 33, 1000, 100'000})
    for (std::size_t const wanted : std::vector<std::size_t>{0, 1, 3, 1000}) {
      std::size_t const each  = core::length_of_line_parts({length, {1, 1, 1}}, wanted, 32);
      std::size_t const parts = (length + each - 1) / each;
      EXPECT_TRUE(parts == 1 || (each >= 32 && parts <= wanted)) << length << ", " << wanted;
      EXPECT_GE(each * parts, length);
    }
}

}  // namespace
}  // namespace test
