// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <KokkosScan/operators.hpp>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

// One scan as every backend sees it: raw pointers and parameters, no Kokkos.
namespace KokkosScan::driver {

enum class Kind : bool { inclusive, exclusive };

/// How the elements of a rank-1 View lie in memory.
template <class Element>
struct Contiguous {
  Element* data;
  KOKKOSSCAN_FUNCTION Element& operator[](std::size_t i) const { return data[i]; }
};

template <class Element>
struct Strided {
  Element* data;
  std::ptrdiff_t stride;
  KOKKOSSCAN_FUNCTION Element& operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

/// A value that may be missing. No value type needs a default constructor or an identity: what is missing is never
/// handed to the operator.
template <class T>
class Maybe {
 public:
  KOKKOSSCAN_FUNCTION Maybe() : nothing_(0), present_(false) {}
  KOKKOSSCAN_FUNCTION Maybe(T const& value) : value_(value), present_(true) {}

  KOKKOSSCAN_FUNCTION explicit operator bool() const { return present_; }
  KOKKOSSCAN_FUNCTION T const& operator*() const { return value_; }
  KOKKOSSCAN_FUNCTION void put(T const& value) {
    ::new (static_cast<void*>(&value_)) T(value);
    present_ = true;
  }

 private:
  union {
    char nothing_;
    T value_;
  };
  bool present_;
};

/// An init that stands in memory and is read by whoever scans: it may be the total of a scan that is still to come.
template <class T>
struct StoredInit {
  T const* address;
};

template <Kind kind_, class Value_, class From, class Dest, class Op, class Unary, class Init = Maybe<Value_>>
struct Scan {
  using Value     = Value_;  // the accumulator
  using Inputs    = From;
  using Outputs   = Dest;
  using Operator  = Op;
  using Transform = Unary;
  using Stored    = std::remove_reference_t<decltype(std::declval<Dest const&>()[0])>;  // what dest holds

  static constexpr Kind kind = kind_;

  /// Whether results become another type where they are stored.
  static constexpr bool converts_results = !std::is_same_v<Stored, Value>;

  From from;
  Dest dest;
  std::size_t n;
  Op op;
  Unary unary;
  Init init;
  Value* total;  // where the backend leaves the total; null when nobody asked

  KOKKOSSCAN_FUNCTION Value input(std::size_t i) const { return value_of(from[i]); }

  template <class Element>
  KOKKOSSCAN_FUNCTION Value value_of(Element const& element) const {
    return static_cast<Value>(unary(element));
  }

  /// What stands before the first element. By reference where it is a value: kernels have it among their parameters.
  KOKKOSSCAN_FUNCTION Maybe<Value> const& start() const
    requires std::is_same_v<Init, Maybe<Value>>
  {
    return init;
  }
  KOKKOSSCAN_FUNCTION Maybe<Value> start() const
    requires(!std::is_same_v<Init, Maybe<Value>>)
  {
    return static_cast<Value>(*init.address);
  }

  /// Stores a result in dest. What is there, a value or none, is not read.
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Value const& result) const {
    ::new (static_cast<void*>(&dest[i])) Stored(static_cast<Stored>(result));
  }

  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const {
    return static_cast<Value>(op(left, right));
  }
  KOKKOSSCAN_FUNCTION Value combine(Maybe<Value> const& left, Value const& right) const {
    return left ? combine(*left, right) : right;
  }
};

/// What the total of an empty scan is: init, or else the identity.
template <class Scan>
KOKKOSSCAN_FUNCTION typename Scan::Value empty_total(Scan const& scan) {
  using Value = typename Scan::Value;
  if constexpr (HasIdentity<typename Scan::Operator, Value>)
    return scan.start() ? *scan.start() : Scan::Operator::template identity<Value>();
  else
    return *scan.start();  // the API refuses an empty scan that has neither
}

/// The bytes of that many values; where no number is large enough, more than anyone has.
constexpr std::size_t bytes_of(std::size_t count, std::size_t value_bytes) {
  constexpr std::size_t most = static_cast<std::size_t>(-1) / 2;
  return count > most / value_bytes ? most : count * value_bytes;
}

/// The memory that a scan works in, in bytes.
struct Needs {
  std::size_t scratch = 0;  // holds anything, before and after
  std::size_t states  = 0;  // holds zeros before its first use, and then serves one scan after the other
};
struct Memory {
  void* scratch            = nullptr;
  void* states             = nullptr;
  std::size_t states_bytes = 0;  // that there are; perhaps more than needed
};

/// So many bytes, rounded up to a multiple.
constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// The range of elements that one worker, team or block handles at a time.
struct Tile {
  std::size_t begin = 0;
  std::size_t end   = 0;
  KOKKOSSCAN_FUNCTION std::size_t size() const { return end - begin; }
};

/// The fixed partition of n elements. It depends on types and choices alone, never on the number of threads: this is
/// what makes the bits of a result repeat.
struct Tiles {
  std::size_t n;
  std::size_t length;
  KOKKOSSCAN_FUNCTION std::size_t count() const { return n / length + (n % length != 0); }
  KOKKOSSCAN_FUNCTION Tile operator[](std::size_t k) const {
    return {k * length, (k + 1) * length < n ? (k + 1) * length : n};
  }
};

}  // namespace KokkosScan::driver
