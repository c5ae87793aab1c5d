// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "maybe.hpp"
#include "sinks.hpp"

// Scans by one functor, as Kokkos::parallel_scan takes it: functor(i, update, final) brings `update` from what stands
// before index i to what stands behind it, and with `final` does with it what the scan is for.
namespace KokkosScan::core {

// The functor names the type of its index, perhaps a narrower one.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// Such a functor, and from which index on it is called. What Kokkos would take it for, it is here: its own init and
/// join, with the work tag if there is one, or else a new value and +=.
template <class Value_, class Index, class Tag, class Functor>
struct ScanFunctor {
  using Value = Value_;

  Functor functor;
  Index begin;

  KOKKOSSCAN_FUNCTION Value initial() const {
    if constexpr (has_init) {
      Place place;
      if constexpr (std::is_void_v<Tag>)
        functor.init(place.value);
      else
        functor.init(Tag(), place.value);
      return place.value;
    } else {
      return Value();
    }
  }

  /// For the k-th index.
  KOKKOSSCAN_FUNCTION void call(std::size_t k, Value& update, bool final) const {
    auto const i = static_cast<Index>(static_cast<std::size_t>(begin) + k);
    if constexpr (std::is_void_v<Tag>)
      functor(i, update, final);
    else
      functor(Tag(), i, update, final);
  }

  KOKKOSSCAN_FUNCTION void join(Value& left, Value const& right) const {
    if constexpr (!has_join && std::is_arithmetic_v<Value>)
      left = static_cast<Value>(left + right);  // += would convert in silence, or with a warning
    else if constexpr (!has_join)
      left += right;
    else if constexpr (std::is_void_v<Tag>)
      functor.join(left, right);
    else
      functor.join(Tag(), left, right);
  }

  static constexpr bool is_called = [] {
    if constexpr (std::is_void_v<Tag>)
      return std::is_invocable_v<Functor const&, Index, Value&, bool>;
    else
      return std::is_invocable_v<Functor const&, Tag, Index, Value&, bool>;
  }();
  static constexpr bool has_init = [] {
    if constexpr (std::is_void_v<Tag>)
      return requires(Functor const& f, Value& value) { f.init(value); };
    else
      return requires(Functor const& f, Value& value) { f.init(Tag(), value); };
  }();
  static constexpr bool has_join = [] {
    if constexpr (std::is_void_v<Tag>)
      return requires(Functor const& f, Value& left, Value const& right) { f.join(left, right); };
    else
      return requires(Functor const& f, Value& left, Value const& right) { f.join(Tag(), left, right); };
  }();

 private:
  /// For a value that init makes: there may be no other way to make one.
  union Place {
    char none;
    Value value;
    KOKKOSSCAN_FUNCTION Place() : none(0) {}
  };
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// The source, the operator and the sink of a scan by a functor.
template <class Functor>
struct OfFunctor {
  using Value = typename Functor::Value;

  static constexpr Uses uses        = {.before = true, .own = false, .through = false};
  static constexpr bool takes_turns = true;  // no other kernel of the instance may run at the same time

  Functor functor;
  std::size_t last;
  Value* total;  // null when nobody asked

  /// What the functor makes of nothing at an index.
  KOKKOSSCAN_FUNCTION Value load(std::size_t k) const {
    Value update = functor.initial();
    functor.call(k, update, false);
    return update;
  }

  /// The functor's join: op(left, right), left being the earlier value.
  KOKKOSSCAN_FUNCTION Value operator()(Value const& left, Value const& right) const {
    Value joined(left);
    functor.join(joined, right);
    return joined;
  }

  /// The final call at each index, with what stands before it. What the last one leaves is the total.
  KOKKOSSCAN_FUNCTION Value initial() const { return functor.initial(); }
  KOKKOSSCAN_FUNCTION void advance(std::size_t k, Value& running) const {
    functor.call(k, running, true);
    if (k == last && total) core::put(*total, running);
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t k, Value const& before, Value const&, Value const&) const {
    Value update = k == 0 ? initial() : before;
    advance(k, update);
  }
};

/// A scan by a functor. Its source, operator and sink are one object, which a kernel has among its parameters once: a
/// functor with a dozen Views has more than a third of the 4 KiB that there are for them.
template <class Functor>
struct FunctorScan {
  using Value    = typename Functor::Value;
  using Source   = OfFunctor<Functor>;
  using Operator = Source;
  using Sink     = Source;
  using Start    = Maybe<Value>;
  using Total    = Value;

  union {
    Sink sink;
    Source source;
    Operator op;
  };
  std::size_t n;
  Start before_all;
  Value* total;

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION FunctorScan(Functor const& functor, std::size_t count, Start const& start)
      : sink{functor, count - 1, nullptr}, n(count), before_all(start), total(nullptr) {}
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION FunctorScan(FunctorScan const& other)
      : sink(other.sink), n(other.n), before_all(other.before_all), total(other.total) {}
  FunctorScan& operator=(FunctorScan const&) = delete;
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION ~FunctorScan() { sink.~Sink(); }

  KOKKOSSCAN_FUNCTION Start const& start() const { return before_all; }
  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const { return op(left, right); }
  KOKKOSSCAN_FUNCTION Value combine(Maybe<Value> const& left, Value const& right) const {
    return left ? combine(*left, right) : right;
  }
  KOKKOSSCAN_FUNCTION void put_total(Value const& through) const {
    if (total) core::put(*total, through);
  }
};

}  // namespace KokkosScan::core
