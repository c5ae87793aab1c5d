// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/distribute.hpp>
#include <vector>

#include "wrong_calls.hpp"

// Of scans over several instances; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
using Execs    = std::vector<Exec>;
using Several  = std::vector<Numbers>;
using Matrices = std::vector<Matrix>;

void wrong_scans(Execs const& execs, Several const& from, Several const& dest) {
  // expect: instances must be a container (size() and [i]) of execution space instances or Handles
  distribute(Exec(), from, dest);
  // expect: instances must be Kokkos execution space instances or KokkosScan::Handles
  distribute(std::vector<int>(), from, dest);
  // expect: from and dest must be containers (size() and [i]) of Views, one for each instance
  distribute(execs, from, dest[0]);
  // expect: of several instances there is no Length
  distribute(execs, from, dest, Length{Number(), 3});
  // expect: distribute is for Views of rank 1, and has no Axis
  distribute(execs, from, dest, Axis{0});
  // expect: from and dest must be Views of rank 1
  distribute(execs, Matrices(), dest);
  // expect: too few arguments
  distribute_exclusive(execs, from, dest);
}

void wrong_scans_by_key(Execs const& execs, Several const& keys, Several const& from, Several const& dest) {
  // expect: keys must be a container (size() and [i]) of Views, one for each instance
  distribute_by_key(execs, keys[0], from, dest);
  // expect: instances must be a container (size() and [i]) of execution space instances or Handles
  distribute_by_key(Exec(), keys, from, dest[0]);
  // expect: from and dest must be containers (size() and [i]) of Views, one for each instance
  distribute_by_key(execs, keys, from[0], dest);
  // expect: keys must be a View of rank 1
  distribute_by_key(execs, Matrices(), from, dest);
  // expect: of several instances there is no Length
  distribute_by_key(execs, keys, from, dest, Length{Number(), 4}, Reversed{});
  // expect: inclusive_scan_by_key takes no init: behind dest stand op and key_equal
  distribute_by_key(execs, keys, from, dest, Sum{}, 0);
  int total = 0;
  // expect: a scan by key has no total
  distribute_by_key(execs, keys, from, dest, Sum{}, Total{total});
  // expect: a scan by key has no Axis
  distribute_by_key(execs, keys, from, dest, Axis{0});
  // expect: too few arguments
  distribute_exclusive_by_key(execs, keys, from, dest);
  // expect: key_equal must be callable as bool key_equal(Key, Key)
  distribute_exclusive_by_key(execs, keys, from, dest, 0, Sum{}, [](int key) { return key; });
}
#endif
