// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <new>

#include "macros.hpp"

namespace KokkosScan::core {

/// Constructs a value where another one is, or none. Value types may have no assignment.
template <class Value>
KOKKOSSCAN_FUNCTION void put(Value& to, Value const& value) {
  ::new (static_cast<void*>(&to)) Value(value);
}

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
    core::put(value_, value);
    present_ = true;
  }

 private:
  union {
    char nothing_;
    T value_;
  };
  bool present_;
};

}  // namespace KokkosScan::core
