// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "oracle.hpp"
#include "shape.hpp"

// One call of the API against the oracle, in an arena.
namespace test {

enum class TotalTo { nobody, host, view };

template <class T>
struct Call {
  Shape shape;
  std::optional<T> init = std::nullopt;  // an exclusive scan needs one
  TotalTo total_to      = TotalTo::nobody;

  friend std::ostream& operator<<(std::ostream& out, Call const& call) {
    char const* const totals[] = {"no total", "a total on the host", "a total in a View"};
    return out << call.shape << ", " << (call.init ? "init" : "no init") << ", "
               << totals[static_cast<int>(call.total_to)];
  }
};

/// Whether these are the expected values, and which is the first that is not.
template <class T>
testing::AssertionResult same_values(std::vector<T> const& got, std::vector<T> const& expected) {
  if (got.size() != expected.size())
    return testing::AssertionFailure() << got.size() << " values instead of " << expected.size();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(got[i] == expected[i]))
      return testing::AssertionFailure() << "element " << i << " of " << got.size() << " is "
                                         << testing::PrintToString(got[i]) << " instead of "
                                         << testing::PrintToString(expected[i]);
  return testing::AssertionSuccess();
}

/// The memory of one call, and what must be in it afterwards. It knows no operator: one instantiation serves them all.
template <class From, class T, class Sum, class Space>
class ScanCase {
 public:
  ScanCase(std::vector<From> const& input, Call<Sum> const& call, Expected<Sum> const& expected)
      : expected_(convert<T>(expected.values, KokkosScan::Unchanged{})),
        expected_total_(expected.total),
        total_to_(call.total_to),
        placed_(placement<From, T, Sum>(call.shape)),
        arena_(placed_.bytes) {
    if (call.shape.lie != Lie::in_place) {
      std::vector<T> poison;
      poison.reserve(expected_.size());
      for (T const& value : expected_) poison.push_back(anything_but(value));
      arena_.template write<T>(placed_.dest, poison);
    }
    arena_.template write<From>(placed_.from, input);
    host_total_.emplace(expected_total_ ? anything_but(*expected_total_) : std::bit_cast<Sum>(Bytes<Sum>{}));
    arena_.template write<Sum>(placed_.total, {*host_total_});
    arena_.send({placed_.from, placed_.dest, placed_.total});
  }

  template <class Layout>
  auto from() const {
    return view<From, Layout>(placed_.from);
  }
  template <class Layout>
  auto dest() const {
    return view<T, Layout>(placed_.dest);
  }
  TotalTo total_to() const { return total_to_; }
  /// No values, no init, and an operator without identity.
  bool total_is_undefined() const { return !expected_total_; }
  Sum& host_total() { return *host_total_; }
  auto total_view() const {
    return Kokkos::View<Sum, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(arena_.template data<Sum>(placed_.total));
  }

  void verify() {
    arena_.fetch();
    EXPECT_TRUE(same_values(arena_.template read<T>(placed_.dest), expected_));
    if (total_to_ == TotalTo::host && expected_total_) {
      EXPECT_TRUE(same_values<Sum>({*host_total_}, {*expected_total_})) << "the total on the host";
    }
    if (total_to_ == TotalTo::view && expected_total_) {
      EXPECT_TRUE(same_values<Sum>(arena_.template read<Sum>(placed_.total), {*expected_total_}))
          << "the total in a View";
      EXPECT_TRUE(arena_.untouched_but({placed_.dest, placed_.total}));
    } else {
      EXPECT_TRUE(arena_.untouched_but({placed_.dest}));
    }
  }

 private:
  template <class Element, class Layout>
  auto view(Region const& region) const {
    using View = Kokkos::View<Element*, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if constexpr (std::same_as<Layout, Kokkos::LayoutStride>)
      return View(arena_.template data<Element>(region),
                  Kokkos::LayoutStride(region.count, region.stride / sizeof(Element)));
    else
      return View(arena_.template data<Element>(region), region.count);
  }

  std::vector<T> expected_;
  std::optional<Sum> expected_total_;
  TotalTo total_to_;
  std::optional<Sum> host_total_;
  Placement placed_;
  Arena<Space> arena_;
};

/// The function of the API for that kind; the transform form if there is a transform.
template <Kind kind, class ExecOrHandle, class From, class Dest, class Op, class Unary, class T, class... Total>
void call_scan(ExecOrHandle const& exec, From const& from, Dest const& dest, Op const& op, Unary const& unary,
               std::optional<T> const& init, Total const&... total) {
  constexpr bool plain = std::same_as<Unary, KokkosScan::Unchanged>;
  if constexpr (kind == Kind::exclusive && plain)
    KokkosScan::exclusive_scan(exec, from, dest, *init, op, total...);
  else if constexpr (kind == Kind::exclusive)
    KokkosScan::transform_exclusive_scan(exec, from, dest, *init, op, unary, total...);
  else if constexpr (plain)
    init ? KokkosScan::inclusive_scan(exec, from, dest, op, *init, total...)
         : KokkosScan::inclusive_scan(exec, from, dest, op, total...);
  else
    init ? KokkosScan::transform_inclusive_scan(exec, from, dest, op, unary, *init, total...)
         : KokkosScan::transform_inclusive_scan(exec, from, dest, op, unary, total...);
}

/// What the Views of a call are: of these layouts (LayoutStride for a shape with strides), with every kind of total,
/// each of which is one more instantiation of the API, or with that in a View alone. Tests have arrangements of their
/// own.
template <class FromLayout, class DestLayout, bool every_total_ = true>
struct Layouts {
  static constexpr bool every_total = every_total_;
  static auto from(auto const& scan) { return scan.template from<FromLayout>(); }
  static auto dest(auto const& scan) { return scan.template dest<DestLayout>(); }
};
using Contiguous          = Layouts<Kokkos::LayoutRight, Kokkos::LayoutRight>;
using ContiguousViewTotal = Layouts<Kokkos::LayoutRight, Kokkos::LayoutRight, false>;
using Strided             = Layouts<Kokkos::LayoutStride, Kokkos::LayoutStride>;
using StridedViewTotal    = Layouts<Kokkos::LayoutStride, Kokkos::LayoutStride, false>;

/// Makes the call and compares every element, the total, and all memory around them. Sums are of the call's type.
template <Kind kind, class T, class Arrangement = Contiguous, class ExecOrHandle, class From, class Sum, class Op,
          class Unary = KokkosScan::Unchanged>
void expect_scan(ExecOrHandle const& exec, std::vector<From> const& input, Call<Sum> const& call, Op const& op,
                 Unary const& unary = {}) {
  auto const& instance = KokkosScan::driver::instance(exec);
  SCOPED_TRACE(testing::Message() << (kind == Kind::inclusive ? "inclusive, " : "exclusive, ") << call);

  Expected<Sum> expected = serial_scan(kind, convert<Sum>(input, unary), op, call.init);
  if constexpr (KokkosScan::HasIdentity<Op, Sum>)
    if (!expected.total) expected.total.emplace(Op::template identity<Sum>());

  using Memory = typename std::remove_cvref_t<decltype(instance)>::memory_space;
  ScanCase<From, T, Sum, Memory> scan(input, call, expected);
  auto const from  = Arrangement::from(scan);
  auto const dest  = Arrangement::dest(scan);
  auto const scans = [&](auto const&... more) {
    if constexpr (std::same_as<Sum, T>)
      call_scan<kind>(exec, from, dest, op, unary, call.init, more...);
    else
      call_scan<kind>(exec, from, dest, op, unary, call.init, more..., KokkosScan::As<Sum>{});
  };
  auto const make = [&](auto const&... total) {
    if (sizeof...(total) > 0 && scan.total_is_undefined())
      EXPECT_THROW(scans(total...), std::invalid_argument);
    else
      scans(total...);
  };
  if constexpr (Arrangement::every_total) {
    if (scan.total_to() == TotalTo::nobody) make();
    if (scan.total_to() == TotalTo::host) make(KokkosScan::Total{scan.host_total()});
  } else {
    ASSERT_EQ(scan.total_to(), TotalTo::view) << "this test compiles no other";
  }
  if (scan.total_to() == TotalTo::view) make(KokkosScan::Total{scan.total_view()});
  instance.fence("test");
  scan.verify();
}

}  // namespace test
