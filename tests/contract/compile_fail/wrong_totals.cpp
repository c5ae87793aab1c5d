// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "given.hpp"

namespace wrong_calls {

void ambiguous(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int variable = 0;
#ifdef KOKKOSSCAN_CASE_init_or_total
  // expect: a variable at this place could be init or the total
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, variable);
#else
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, KokkosScan::Total{variable});
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, std::as_const(variable));
#endif
}

void wide_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_of_another_type
  // expect: the last argument is no total
  long total = 0;
#else
  int total = 0;
#endif
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, total);
}

void wide_named_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_named_total_of_another_type
  // expect: a total must have the value type of dest
  long total = 0;
#else
  int total = 0;
#endif
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, KokkosScan::Total{total});
}

void const_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_is_const
  // expect: the last argument is no total
  int const total = 0;
#else
  int total = 0;
#endif
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, total);
}

void const_named_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_named_total_is_const
  // expect: KokkosScan: a total must
  int const total = 0;
#else
  int total = 0;
#endif
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, KokkosScan::Total{total});
}

void temporary_total(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_is_a_temporary
  // expect: the last argument is no total
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{}, int());
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{});
#endif
}

void wide_total_view(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_total_view_of_another_type
  // expect: a total must have the value type of dest, and not be const
  KokkosScan::inclusive_scan(exec, from, dest, Kokkos::View<long, Space>("total"));
#else
  KokkosScan::inclusive_scan(exec, from, dest, Kokkos::View<int, Space>("total"));
#endif
}

void const_total_view(Exec const& exec, Numbers const& from, Numbers const& dest,
                      Kokkos::View<int, Space> const& total) {
#ifdef KOKKOSSCAN_CASE_total_view_is_const
  // expect: a total must have the value type of dest, and not be const
  KokkosScan::inclusive_scan(exec, from, dest, Kokkos::View<int const, Space>(total));
#else
  KokkosScan::inclusive_scan(exec, from, dest, total);
#endif
}

void far_total(Exec const& exec, Numbers const& from, Numbers const& dest, Kokkos::View<int, Space> const& near,
               Kokkos::View<int, FarSpace, Kokkos::MemoryUnmanaged> const& far) {
#ifdef KOKKOSSCAN_CASE_total_out_of_reach
  // expect: exec cannot access the memory space of the total
  KokkosScan::inclusive_scan(exec, from, dest, far);
#else
  KokkosScan::inclusive_scan(exec, from, dest, near);
#endif
  static_cast<void>(far);
}

void total_of_offsets(Exec const& exec, Numbers const& counts, Numbers const& offsets) {
#ifdef KOKKOSSCAN_CASE_total_of_offsets_is_a_view
  // expect: the total of offsets_from_counts is a variable of the value type of offsets
  Kokkos::View<int, Space> const total("total");
#else
  int total = 0;
#endif
  KokkosScan::offsets_from_counts(exec, counts, offsets, total);
}

}  // namespace wrong_calls
