// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#ifdef KOKKOS_ENABLE_CUDA
#include "cuda/backend.hpp"
#else
#include "host/backend.hpp"
#endif

// One scan in memory, its inputs and its expected result, for every backend.
namespace perf {

using Kind = KokkosScan::core::Kind;

KOKKOS_INLINE_FUNCTION std::uint64_t hash(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
  x               = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x >> 32;
}
KOKKOS_INLINE_FUNCTION std::int64_t lowest_bits(std::size_t i) { return static_cast<std::int64_t>(hash(i) & 0xF); }

/// Inputs of which every partial sum is exact, in floats too: right results are equal in every bit, in whatever order
/// they were added. They keep near zero, since a float counts to 2^24 only.
KOKKOS_INLINE_FUNCTION std::int64_t around_zero(std::size_t i) {
  return static_cast<std::int64_t>(hash(i) * 7 >> 32) - 3;
}
KOKKOS_INLINE_FUNCTION std::int64_t counts(std::size_t i) { return around_zero(i) + 3; }

/// Inputs whose running maximum rises all the way, or dropped elements would go unnoticed; and the same for the
/// minimum.
KOKKOS_INLINE_FUNCTION std::int64_t rising(std::size_t i) { return static_cast<std::int64_t>(i >> 4) + lowest_bits(i); }
KOKKOS_INLINE_FUNCTION std::int64_t falling(std::size_t i) { return -rising(i); }

/// Inputs whose partial sums are one of 16 levels: exact where a value has few bits.
KOKKOS_INLINE_FUNCTION std::int64_t levels(std::size_t i) { return lowest_bits(i) - (i > 0 ? lowest_bits(i - 1) : 0); }

using Input = std::int64_t (*)(std::size_t);

/// A number as a value. Of a value of two parts both count.
template <class T, class Number>
KOKKOS_FUNCTION T as_value(Number number) {
  if constexpr (requires(T value) { value.imag(); })
    return T{static_cast<typename T::value_type>(number), static_cast<typename T::value_type>(-number)};
  else
    return static_cast<T>(number);
}
template <class Number, class T>
Number as_number(T const& value) {
  if constexpr (requires { value.real(); })
    return static_cast<Number>(value.real());
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<Number>(value);
  else
    return static_cast<Number>(static_cast<float>(value));
}

// The operators as a user of the other libraries would write them; KokkosScan is called with its own.

template <class T>
struct Plus {
  KOKKOS_FUNCTION static constexpr T identity() { return T{}; }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return static_cast<T>(left + right); }
};

template <class T>
struct Larger {
  KOKKOS_FUNCTION static constexpr T identity() { return std::numeric_limits<T>::lowest(); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return left < right ? right : left; }
};

template <class T>
struct Smaller {
  KOKKOS_FUNCTION static constexpr T identity() { return std::numeric_limits<T>::max(); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return right < left ? right : left; }
};

struct Same {
  template <class T>
  KOKKOS_FUNCTION constexpr T operator()(T const& x) const {
    return x;
  }
};

/// Everything about an operation but its length. A problem of stride 3 uses every third element.
template <class From_, class To_, class Op_, Input input_ = around_zero, Kind kind_ = Kind::inclusive,
          class Unary_ = Same, template <class> class ExactOp_ = Plus, std::size_t stride_ = 1>
struct Problem {
  using From  = From_;
  using To    = To_;
  using Op    = Op_;
  using Unary = Unary_;
  template <class Exact>
  using ExactOp                       = ExactOp_<Exact>;
  static constexpr Kind kind          = kind_;
  static constexpr std::size_t stride = stride_;
  static constexpr bool widens        = !std::is_same_v<From, To>;
  static constexpr bool transforms    = !std::is_same_v<Unary, Same>;
  static constexpr bool by_key        = false;
  static constexpr bool reversed      = false;

  using Layout   = std::conditional_t<stride == 1, Kokkos::LayoutRight, Kokkos::LayoutStride>;
  using FromView = Kokkos::View<From const*, Layout, backend::Memory, Kokkos::MemoryUnmanaged>;
  using ToView   = Kokkos::View<To*, Layout, backend::Memory, Kokkos::MemoryUnmanaged>;

  FromView from = {};
  ToView to     = {};
  To* first     = nullptr;  ///< of offsets: to starts behind it

  std::size_t n() const { return from.extent(0); }

  KOKKOS_FUNCTION static std::int64_t input(std::size_t i) { return input_(i); }

  KOKKOS_FUNCTION static constexpr To identity() {
    if constexpr (requires { Op::identity(); })
      return Op::identity();
    else
      return To{};  // a sum, hidden in a lambda
  }

  template <class View, class T>
  static View view(T* data, std::size_t n) {
    if constexpr (stride == 1)
      return View(data, n);
    else
      return View(data, Kokkos::LayoutStride(n, stride));
  }
};

using Key = std::int32_t;

/// Neighbours with one key are a run of so many elements, those at the ends aside. Halves of runs come first, since a
/// tile that always begins with a run needs nothing of what is before it, and nobody would notice that it got nothing.
KOKKOS_INLINE_FUNCTION Key key_of(std::size_t i, std::size_t run) { return static_cast<Key>((i + run / 2) / run); }

/// What a scan by key is where a library has none: a scan of pairs.
template <class T>
struct RunSum {
  T sum{};              ///< of the last run
  bool begins = false;  ///< whether that run has its first element here

  KOKKOS_FUNCTION friend constexpr RunSum operator+(RunSum const& left, RunSum const& right) {
    return right.begins ? right : RunSum{static_cast<T>(left.sum + right.sum), left.begins};
  }
};

/// The same problem, a run of equal keys at a time; of sums alone.
template <class P>
struct ByKey : P {
  static constexpr bool by_key = true;
  using typename P::To;
  using Keys = Kokkos::View<Key const*, backend::Memory, Kokkos::MemoryUnmanaged>;

  Keys keys = {};

  /// Goes on by element i, as a user would write it.
  KOKKOS_FUNCTION void pass(std::size_t i, RunSum<To>& running, bool writes) const {
    if (i == 0 || keys(i) != keys(i - 1)) running = {To{}, true};
    if (writes && P::kind == Kind::exclusive) this->to(i) = running.sum;
    running.sum = static_cast<To>(running.sum + this->from(i));
    if (writes && P::kind == Kind::inclusive) this->to(i) = running.sum;
  }
};

/// The same problem, from its last element to its first.
template <class P>
struct FromFarEnd : P {
  static constexpr bool reversed = true;
};

/// The oracle: one serial pass in a wider type, from either end. Returns what is wrong with the inputs, if anything is.
template <class P>
std::string compute_expected(typename P::To* expected, std::size_t n, std::size_t run, bool reversed) {
  using To    = typename P::To;
  using Exact = std::conditional_t<std::is_floating_point_v<To>, long double, std::int64_t>;
  typename P::template ExactOp<Exact> const op{};
  static_assert(P::kind == Kind::inclusive || std::is_same_v<typename P::template ExactOp<Exact>, Plus<Exact>>,
                "an exclusive scan begins with zero, which is the identity of a sum");
  Exact running{};
  bool exact = true;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t const i = reversed ? n - 1 - step : step;
    Exact const value   = as_number<Exact>(typename P::Unary{}(as_value<typename P::From>(P::input(i))));
    bool const begins   = step == 0 || (P::by_key && key_of(i, run) != key_of(i - 1, run));
    Exact const next    = begins ? value : op(running, value);
    Exact const now     = P::kind == Kind::inclusive ? next : begins ? Exact{} : running;
    expected[i]         = as_value<To>(now);
    if constexpr (!std::is_integral_v<To>) exact = exact && as_number<Exact>(expected[i]) == now;
    running = next;
  }
  return exact ? "" : "the harness chose inputs whose sums are not exact";
}

template <class T>
std::string type_name() {
  return (std::is_floating_point_v<T> ? "f" : std::is_unsigned_v<T> ? "u" : "i") + std::to_string(8 * sizeof(T));
}

}  // namespace perf
