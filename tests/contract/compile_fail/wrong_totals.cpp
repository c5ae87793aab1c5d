// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "given.hpp"

// What is wrapped is the total, what is not wrapped is init.
namespace wrong_calls {

using KokkosScan::As;
using KokkosScan::Total;

void bare_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_total_is_not_wrapped
  // expect: too many arguments; a total is written Total{x}
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, total);
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, Total{total});
#endif
}

void bare_total_for_op(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_total_in_the_place_of_op
  // expect: and a const op must be; a total is written Total{x}
  KokkosScan::inclusive_scan(exec, from, dest, total);
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{total});
#endif
}

void bare_view(Exec const& exec, Numbers const& from, Numbers const& dest, Kokkos::View<int, Space> const& place) {
#ifdef KOKKOSSCAN_CASE_view_in_the_place_of_op
  // expect: a View stands where op belongs; a total is written Total{view}
  KokkosScan::inclusive_scan(exec, from, dest, place);
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{place});
#endif
}

void two_totals(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_two_totals
  // expect: there is more than one Total
  KokkosScan::inclusive_scan(exec, from, dest, Total{total}, Total{total});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{total});
#endif
}

void wide_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
  long total = 0;
#ifdef KOKKOSSCAN_CASE_total_of_another_type
  // expect: a total must have the accumulator's type: that of dest, or T with As<T>{}
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, Total{total});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, Total{total}, As<long>{});
#endif
}

void const_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_is_const
  // expect: a total must not be const
  int const total = 0;
#else
  int total = 0;
#endif
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, Total{total});
}

void temporary_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_is_a_temporary
  // expect: a total must be a variable or a View of rank 0, not a temporary value
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, Total{int()});
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{});
#endif
}

void long_total_view(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_view_of_rank_1
  // expect: a total must be a variable or a View of rank 0
  KokkosScan::inclusive_scan(exec, from, dest, Total{dest});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{Kokkos::subview(dest, 0)});
#endif
}

void wide_total_view(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_view_of_another_type
  // expect: a total must have the accumulator's type
  KokkosScan::inclusive_scan(exec, from, dest, Total{Kokkos::View<long, Space>("total")});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{Kokkos::View<int, Space>("total")});
#endif
}

void const_total_view(Exec const& exec, Numbers const& from, Numbers const& dest,
                      Kokkos::View<int, Space> const& total) {
#ifdef KOKKOSSCAN_CASE_total_view_is_const
  // expect: a total must not be const
  KokkosScan::inclusive_scan(exec, from, dest, Total{Kokkos::View<int const, Space>(total)});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{total});
#endif
}

void far_total(Exec const& exec, Numbers const& from, Numbers const& dest, Kokkos::View<int, Space> const& near,
               Kokkos::View<int, FarSpace, Kokkos::MemoryUnmanaged> const& far) {
#ifdef KOKKOSSCAN_CASE_total_out_of_reach
  // expect: exec cannot access the memory space of the total
  KokkosScan::inclusive_scan(exec, from, dest, Total{far});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Total{near});
#endif
  static_cast<void>(far);
}

void far_init(Exec const& exec, Numbers const& from, Numbers const& dest, Kokkos::View<int, Space> const& near,
              Kokkos::View<int, FarSpace, Kokkos::MemoryUnmanaged> const& far) {
#ifdef KOKKOSSCAN_CASE_init_out_of_reach
  // expect: exec cannot access the memory space of init
  KokkosScan::exclusive_scan(exec, from, dest, far);
#else
  KokkosScan::exclusive_scan(exec, from, dest, near);
#endif
  static_cast<void>(far);
}

void narrow_total_of_offsets(Exec const& exec, Numbers const& counts, Kokkos::View<long*, Space> const& offsets) {
#ifdef KOKKOSSCAN_CASE_total_of_offsets_is_narrower
  // expect: the total of offsets_from_counts must have the value type of offsets, or be a wider integer
  int total = 0;
#else
  long total = 0;
#endif
  KokkosScan::offsets_from_counts(exec, counts, offsets, Total{total});
}

void init_for_offsets(Exec const& exec, Numbers const& counts, Numbers const& offsets) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_total_of_offsets_is_not_wrapped
  // expect: behind offsets may stand a Total and nothing else
  KokkosScan::offsets_from_counts(exec, counts, offsets, total);
#else
  KokkosScan::offsets_from_counts(exec, counts, offsets, Total{total});
#endif
}

}  // namespace wrong_calls
