// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

// The arguments that are recognised by their type, anywhere behind dest.
namespace KokkosScan {

/// Where the total of all elements and init goes:
///
///   Total{x}      x is a variable of the host: this one call waits
///   Total{view}   a View of rank 0 that exec can write: no fence
template <class T>
struct Total {
  static_assert(!std::is_const_v<T>, "KokkosScan: a total must not be const");
  using value_type = T;

  T& value;

  template <class Variable>
  KOKKOS_FUNCTION explicit Total(Variable&& variable) : value(variable) {
    static_assert(std::is_lvalue_reference_v<Variable>,
                  "KokkosScan: a total must be a variable or a View of rank 0, not a temporary value");
  }
};
template <class View>
  requires Kokkos::is_view_v<View>
struct Total<View> {
  static_assert(View::rank() == 0, "KokkosScan: a total must be a variable or a View of rank 0");
  static_assert(!std::is_const_v<typename View::value_type>, "KokkosScan: a total must not be const");
  using value_type   = typename View::value_type;
  using memory_space = typename View::memory_space;

  value_type* address;  // and not the View: to count its holders would take as long as a small scan

  KOKKOS_FUNCTION explicit Total(View const& view) : address(view.data()) {}
};
template <class T>
Total(T&&) -> Total<
    std::conditional_t<Kokkos::is_view_v<std::remove_cvref_t<T>>, std::remove_cvref_t<T>, std::remove_reference_t<T>>>;

/// Where the totals of segments go: a View of rank 1, of at least as many values as there are segments.
///
///   Totals{view}
template <class View>
struct Totals {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: the totals of segments must be a View");
  using view_type = View;

  View view;

  explicit Totals(View const& of_segments) : view(of_segments) {}
};

/// Names the accumulator, which else has the value type of dest: float results of sums that are made in double.
///
///   As<T>{}
template <class T>
struct As {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64 && !std::is_const_v<T>,
                "KokkosScan: As<T>{} needs a trivially copyable type of 1 to 64 bytes");
};

/// Of a Length that says of no upper bound.
struct AllElements {};

/// How many elements are scanned, as a View of rank 0 says that exec can read: of any type of integers. It is read on
/// exec, in order, without a fence; it may be the total of a scan before, and the total may go there.
///
///   Length{view}         up to all elements of from
///   Length{view, most}   no more than that; in the place of n, too
///
/// A negative one counts as none, one that is larger than there are elements as all.
template <class View, class Most = AllElements>
struct Length {
  static_assert(Kokkos::is_view_v<View>,
                "KokkosScan: a Length is that of a View of rank 0; what the host knows is n, or a subview");
};
template <class View, class Most>
  requires Kokkos::is_view_v<View>
struct Length<View, Most> {
  static_assert(View::rank() == 0, "KokkosScan: a Length is that of a View of rank 0");
  static_assert(std::integral<typename View::non_const_value_type>, "KokkosScan: a Length must be an integer");
  static_assert(std::integral<Most> || std::same_as<Most, AllElements>,
                "KokkosScan: the upper bound of a Length must be an integer");
  using value_type   = typename View::non_const_value_type;
  using memory_space = typename View::memory_space;

  static constexpr bool is_bounded = std::integral<Most>;

  value_type const* address;
  [[no_unique_address]] Most most;

  explicit Length(View const& view, Most const& at_most = {}) : address(view.data()), most(at_most) {}
};
template <class View>
Length(View const&) -> Length<View>;
template <class View, class Most>
Length(View const&, Most const&) -> Length<View, Most>;

/// From the far end: the element nearer to it is the earlier one and stands left, and init enters there.
///
///   Reversed{}
struct Reversed {};

struct ReversedAxis;

/// Of window_scan: how many elements before each one its window has, and how many behind it.
///
///   Window{before, after}
struct Window {
  std::int64_t before, after;

  template <std::integral Before, std::integral After>
  constexpr Window(Before elements_before, After elements_after)
      : before(as_given(elements_before)), after(as_given(elements_after)) {}

 private:
  /// More than there can be are as many as there are.
  template <std::integral Count>
  static constexpr std::int64_t as_given(Count count) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<Count>)
      return count > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(count);
    else
      return static_cast<std::int64_t>(count);
  }
};

/// The dimension along which Views of rank 2, 3 or 4 are scanned, each of their lines by itself.
///
///   Axis{d}
///   Axis{d}.reversed()    from the far end of each line
struct Axis {
  int dimension;

  explicit constexpr Axis(int d) : dimension(d) {}

  /// From the far end of each line.
  constexpr ReversedAxis reversed() const;
};
struct ReversedAxis : Axis {
  constexpr Axis reversed() const { return *this; }
};
constexpr ReversedAxis Axis::reversed() const { return {*this}; }

}  // namespace KokkosScan
