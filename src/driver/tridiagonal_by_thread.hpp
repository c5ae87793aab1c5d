// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

#include "../core/tridiagonal.hpp"

// Tridiagonal systems of many long columns on devices: elimination from the first row to the last (Thomas), a thread to
// each. Four arrays are read; what is kept in x and in scratch is written on the way to the last row, and read on the
// way back: 9 values a row.
namespace KokkosScan::driver::tridiagonal {

using namespace core::tridiagonal;

/// One line a thread: neighbours go along neighbouring lines. Rows are asked for some ahead; right sides are kept where
/// the unknowns will be.
template <class T>
struct LineByThread {
  Systems<T> systems;
  T* uppers;

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    constexpr std::size_t ahead = 4;
    std::size_t const n = systems.shape.length, lines = systems.shape.count();
    LinePlace const line = systems.place(k);
    Eliminated<T> done{T(0), T(0)};
    for (std::size_t begin = 0; begin < n; begin += ahead) {
      Row<T> rows[ahead];
      for (std::size_t j = 0; j < ahead; ++j)
        if (begin + j < n) rows[j] = systems.row(line, begin + j);
      for (std::size_t j = 0; j < ahead; ++j)
        if (begin + j < n) {
          done                            = eliminate(without_lower(rows[j], done));
          uppers[(begin + j) * lines + k] = done.upper;
          systems.store(line, begin + j, done.right);
        }
    }
    T x = done.right;
    for (std::size_t end = n - 1; end > 0; end -= end < ahead ? end : ahead) {
      Eliminated<T> rows[ahead];
      for (std::size_t j = 0; j < ahead; ++j)
        if (j < end) rows[j] = {uppers[(end - 1 - j) * lines + k], Systems<T>::element(systems.x, line, end - 1 - j)};
      for (std::size_t j = 0; j < ahead; ++j)
        if (j < end) systems.store(line, end - 1 - j, x = solved(rows[j], x));
    }
  }
};

}  // namespace KokkosScan::driver::tridiagonal
