// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
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

/// Names the accumulator, which else has the value type of dest: float results of sums that are made in double.
template <class T>
struct As {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64 && !std::is_const_v<T>,
                "KokkosScan: As<T>{} needs a trivially copyable type of 1 to 64 bytes");
};

/// From the far end: the element nearer to it is the earlier one and stands left, and init enters there.
struct Reversed {};

}  // namespace KokkosScan
