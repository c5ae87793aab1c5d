// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/summed_area_table.hpp>
#include <KokkosScan/window_scan.hpp>

#include "wrong_calls.hpp"

// Of windows and summed area tables; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
using KokkosScan::summed_area_table;
using KokkosScan::Window;
using KokkosScan::window_scan;

void wrong_windows(Exec const& exec, Numbers const& from, Numbers const& dest, Matrix const& matrix) {
  // expect: window_scan needs a Window{before, after} behind dest
  window_scan(exec, from, dest, Sum{});
  // expect: window_scan needs an op behind the Window, and takes nothing else in order
  window_scan(exec, from, dest, Window{1, 2});
  // expect: there is more than one Window, As or Axis
  window_scan(exec, from, dest, Window{1, 2}, Window{1, 2}, Sum{});
  // expect: window_scan takes Window, Axis and As, and neither Total, Totals, Length nor Reversed
  window_scan(exec, from, dest, Window{1, 2}, Sum{}, Reversed{});
  // expect: of rank 2 and 3 window_scan needs an Axis{d}
  window_scan(exec, matrix, matrix, Window{1, 2}, Sum{});
  // expect: from and dest of window_scan must have the same rank
  window_scan(exec, matrix, dest, Window{1, 2}, Sum{}, Axis{0});
  // expect: window_scan takes Views of rank 1, 2 and 3
  window_scan(exec, Kokkos::View<int****, Space>(), dest, Window{1, 2}, Sum{}, Axis{0});
  // expect: op must be callable as T op(T, T) with the accumulator's type
  window_scan(exec, from, dest, Window{1, 2}, [](int left) { return left; });
  // expect: a Window is that of window_scan; other scans have none
  inclusive_scan(exec, from, dest, Window{1, 2});
}

void wrong_tables(Exec const& exec, Numbers const& from, Matrix const& matrix) {
  // expect: behind dest summed_area_table takes As<T>{} and nothing else
  summed_area_table(exec, matrix, matrix, Sum{});
  Kokkos::View<int****, Space> const four;
  // expect: summed_area_table takes Views of rank 2 and 3
  summed_area_table(exec, four, four);
  // expect: from and dest of a summed_area_table must have the same rank
  summed_area_table(exec, matrix, Kokkos::View<int***, Space>());
  // expect: box_sum takes a table of rank 2 or 3
  static_cast<void>(KokkosScan::box_sum(from, from, from));
}
#endif
