// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/mpi.hpp>

#include "wrong_calls.hpp"

// Of scans across ranks; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
namespace ranks_api = KokkosScan::mpi;

void wrong_scans(MPI_Comm comm, Exec const& exec, Numbers const& from, Numbers const& dest) {
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle; it stands behind the communicator
  ranks_api::inclusive_scan(comm, from, dest);
  // expect: op and init are swapped
  ranks_api::inclusive_scan(comm, exec, from, dest, 0, Sum{});
  // expect: op and init are swapped
  ranks_api::exclusive_scan(comm, exec, from, dest, Sum{}, 0L);
  // expect: too few arguments
  ranks_api::inclusive_scan(comm, exec, from);
  // expect: scans across ranks take no Length
  ranks_api::inclusive_scan(comm, exec, from, dest, Length{Number(), 3});
  // expect: along an Axis there is no start_ of a scan across ranks
  ranks_api::start_inclusive_scan(comm, exec, Matrix(), Matrix(), Axis{0});
}

void wrong_scans_by_key(MPI_Comm comm, Exec const& exec, Numbers const& from, Numbers const& dest) {
  int total = 0;
  // expect: a scan by key has no total
  ranks_api::inclusive_scan_by_key(comm, exec, from, from, dest, Sum{}, Total{total});
  // expect: across ranks there is no Length
  ranks_api::inclusive_scan_by_key(comm, exec, from, from, dest, Length{Number(), 4});
}

void wrong_compactions(MPI_Comm comm, Exec const& exec, Numbers const& from, Numbers const& dest) {
  std::size_t count = 0;
  // expect: across ranks the counts are returned; no Total is named
  ranks_api::copy_if(comm, exec, from, dest, [](int value) { return value > 0; }, Total{count});
  // expect: from and dest of rebalance must have one value type
  ranks_api::rebalance(comm, exec, from, Kokkos::View<double*, Space>());
}
#endif
