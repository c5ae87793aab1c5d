// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <optional>
#include <type_traits>

namespace test {

/// As long as it lives, launches are taken to take so many seconds, or are measured.
class AssumeFork {
 public:
  explicit AssumeFork(std::optional<double> seconds) { KokkosScan::host::assume_fork(seconds); }
  AssumeFork(AssumeFork const&)            = delete;
  AssumeFork& operator=(AssumeFork const&) = delete;
  ~AssumeFork() { KokkosScan::host::assume_fork(before_); }

 private:
  std::optional<double> before_ = KokkosScan::host::assumed_fork();
};
inline constexpr double never = 1e9, at_once = 0;

/// A sum of which the library knows nothing.
struct Unknown {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;  // sums of many wrap around
      return static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
    } else {
      return left + right;
    }
  }
};

}  // namespace test
