// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "given.hpp"

// exec, from and dest.
namespace wrong_calls {

void no_exec(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_exec_is_no_space
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle
  KokkosScan::inclusive_scan(exec.concurrency(), from, dest);
#else
  KokkosScan::inclusive_scan(exec, from, dest);
#endif
}

void no_exec_for_offsets(Exec const& exec, Numbers const& counts, Numbers const& offsets) {
#ifdef KOKKOSSCAN_CASE_exec_of_offsets_is_no_space
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle
  KokkosScan::offsets_from_counts(exec.concurrency(), counts, offsets);
#else
  KokkosScan::offsets_from_counts(exec, counts, offsets);
#endif
}

#ifdef KOKKOSSCAN_CASE_handle_of_no_space
// expect: a Handle needs a Kokkos execution space instance
using Handle = KokkosScan::Handle<Space>;
#else
using Handle = KokkosScan::Handle<Exec>;
#endif
std::size_t size_of_handle() { return sizeof(Handle); }

void rank(Exec const& exec, Kokkos::View<int**, Space> const& matrix, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_rank_2
  // expect: from and dest must be Views of rank 1
  KokkosScan::inclusive_scan(exec, matrix, dest);
#else
  KokkosScan::inclusive_scan(exec, Kokkos::subview(matrix, Kokkos::ALL, 0), dest);
#endif
}

void no_view(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_from_is_no_view
  // expect: from and dest must be Kokkos::Views
  KokkosScan::exclusive_scan(exec, from.data(), dest, 0);
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0);
#endif
}

void no_dest_view(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_dest_is_no_view
  // expect: from and dest must be Kokkos::Views
  KokkosScan::exclusive_scan(exec, from, dest.data(), 0);
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0);
#endif
}

void const_dest(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_dest_is_const
  // expect: dest must be a View of non-const values
  KokkosScan::inclusive_scan(exec, from, Kokkos::View<int const*, Space>(dest));
#else
  KokkosScan::inclusive_scan(exec, Kokkos::View<int const*, Space>(from), dest);
#endif
}

void far_memory(Exec const& exec, FarNumbers const& far, Numbers const& near, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_memory_out_of_reach
  // expect: exec cannot access the memory space of from or dest
  KokkosScan::inclusive_scan(exec, far, dest);
#else
  KokkosScan::inclusive_scan(exec, near, dest);
#endif
  static_cast<void>(far);
}

void large_values(Exec const& exec, Kokkos::View<Bytes<64>*, Space> const& good,
                  Kokkos::View<Bytes<65>*, Space> const& bad) {
#ifdef KOKKOSSCAN_CASE_values_of_65_bytes
  // expect: value types must be trivially copyable and of 1 to 64 bytes
  KokkosScan::inclusive_scan(exec, bad, bad);
#else
  KokkosScan::inclusive_scan(exec, good, good);
#endif
  static_cast<void>(bad);
}

void values_with_copies(Exec const& exec, Numbers const& good, Kokkos::View<std::string*, Space> const& bad) {
#ifdef KOKKOSSCAN_CASE_values_not_trivially_copyable
  // expect: value types must be trivially copyable and of 1 to 64 bytes
  KokkosScan::inclusive_scan(exec, bad, bad);
#else
  KokkosScan::inclusive_scan(exec, good, good);
#endif
  static_cast<void>(bad);
}

void conversion(Exec const& exec, Kokkos::View<Bytes<4>*, Space> const& bad, Kokkos::View<short*, Space> const& good,
                Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_from_does_not_convert
  // expect: the values of from, transformed if so asked, must convert to the accumulator's type
  KokkosScan::inclusive_scan(exec, bad, dest);
#else
  KokkosScan::inclusive_scan(exec, good, dest);
#endif
  static_cast<void>(bad);
}

}  // namespace wrong_calls
