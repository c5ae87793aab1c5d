// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "support/matrix.hpp"

// Views of every layout, with const, traits, odd offsets and gaps: nothing outside the elements of dest may change.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Lie;
using test::Shape;
using Exec  = Kokkos::DefaultExecutionSpace;
using Value = test::Bicyclic;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;

template <class FromLayout, class DestLayout, std::size_t from_stride, std::size_t dest_stride, Lie lie>
struct Plain : test::Layouts<FromLayout, DestLayout, false> {
  static Shape shape(std::size_t n) {
    return {
        .n = n, .from_offset = 1, .dest_offset = 3, .from_stride = from_stride, .dest_stride = dest_stride, .lie = lie};
  }
};
using RightToLeft    = Plain<LayoutRight, LayoutLeft, 1, 1, Lie::apart>;
using StrideOne      = Plain<LayoutStride, LayoutStride, 1, 1, Lie::apart>;
using StrideThree    = Plain<LayoutStride, LayoutStride, 3, 3, Lie::apart>;
using StridesDiffer  = Plain<LayoutStride, LayoutStride, 2, 5, Lie::apart>;
using StridedFrom    = Plain<LayoutStride, LayoutRight, 3, 1, Lie::apart>;
using StridedDest    = Plain<LayoutRight, LayoutStride, 1, 3, Lie::apart>;
using StridedInPlace = Plain<LayoutStride, LayoutStride, 3, 3, Lie::in_place>;

/// The input is const and marked for random access; the output is marked, too.
struct ConstAndTraits : RightToLeft {
  template <class Scan>
  static auto from(Scan const& scan) {
    using Traits = Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>;
    return Kokkos::View<Value const*, LayoutRight, Exec::memory_space, Traits>(RightToLeft::from(scan));
  }
  template <class Scan>
  static auto dest(Scan const& scan) {
    using Traits = Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::Restrict>;
    return Kokkos::View<Value*, LayoutLeft, Exec::memory_space, Traits>(RightToLeft::dest(scan));
  }
};

/// The elements of a View but its first and its last ones, as when offsets are filled behind a leading zero.
struct Subviews : RightToLeft {
  template <class Layout, class View>
  static auto inner(View const& elements) {
    using Whole         = Kokkos::View<Value*, Layout, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    std::size_t const n = elements.extent(0);
    return Kokkos::subview(Whole(elements.data() - 1, n + 2), std::pair<std::size_t, std::size_t>(1, n + 1));
  }
  template <class Scan>
  static auto from(Scan const& scan) {
    return inner<LayoutRight>(RightToLeft::from(scan));
  }
  template <class Scan>
  static auto dest(Scan const& scan) {
    return inner<LayoutLeft>(RightToLeft::dest(scan));
  }
};

/// The first and the last column of one matrix of three columns: their elements take turns in memory.
template <class Layout, Lie lie_>
struct Columns {
  static constexpr bool every_total = false;
  static Shape shape(std::size_t n) { return {.n = n, .from_stride = 3, .dest_stride = 3, .lie = lie_}; }

  // Rows of a LayoutLeft matrix lie in memory as the columns of a LayoutRight one.
  static auto line(Value* data, std::size_t n, std::size_t k) {
    using Matrix = Kokkos::View<Value**, Layout, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if constexpr (std::is_same_v<Layout, LayoutRight>)
      return Kokkos::subview(Matrix(data, n, 3), Kokkos::ALL, k);
    else
      return Kokkos::subview(Matrix(data, 3, n), k, Kokkos::ALL);
  }
  template <class Scan>
  static auto from(Scan const& scan) {
    auto const first = scan.template from<LayoutStride>();
    return line(first.data(), first.extent(0), 0);
  }
  template <class Scan>
  static auto dest(Scan const& scan) {
    auto const first = scan.template from<LayoutStride>();
    return line(first.data(), first.extent(0), lie_ == Lie::columns ? 2 : 0);
  }
};
using TwoColumns = Columns<LayoutRight, Lie::columns>;
using TwoRows    = Columns<LayoutLeft, Lie::columns>;
using OneColumn  = Columns<LayoutRight, Lie::in_place>;

template <class Arrangement>
class Layout : public testing::Test {};
using Arrangements = testing::Types<RightToLeft, StrideOne, StrideThree, StridesDiffer, StridedFrom, StridedDest,
                                    StridedInPlace, ConstAndTraits, Subviews, TwoColumns, TwoRows, OneColumn>;
TYPED_TEST_SUITE(Layout, Arrangements);

TYPED_TEST(Layout, all_edge_lengths) {
  std::size_t i = 0;
  for (std::size_t const n : test::edge_lengths(test::automatic_tile<Exec, Value>())) {
    auto const values = test::make_values<test::Then, Value>(n, n);
    test::Call<Value> call{.shape = TypeParam::shape(n), .init = Value{2, 5}, .total_to = test::TotalTo::view};
    test::expect_scan<Kind::exclusive, Value, TypeParam>(Exec(), values, call, test::Then{});
    if (i++ % 2) call.init.reset();
    test::expect_scan<Kind::inclusive, Value, TypeParam>(Exec(), values, call, test::Then{});
  }
}

}  // namespace
