// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/rows.hpp>
#include <KokkosScan/slots.hpp>

#include "wrong_calls.hpp"

// Of slots and rows; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
void wrong_slots(Exec const& exec, Numbers const& requests, Numbers const& begins, Kokkos::View<bool*, Space> granted) {
  using KokkosScan::allocate_slots;
  Kokkos::View<double*, Space> const floats;
  // expect: requests must be a View of integers
  allocate_slots(exec, floats, 5, begins, granted);
  // expect: capacity must be an integer, or a View of rank 0 of one
  allocate_slots(exec, requests, 5.5, begins, granted);
  // expect: capacity must be an integer, or a View of rank 0 of one
  allocate_slots(exec, requests, requests, begins, granted);
  // expect: begins must be a View of non-const integers
  allocate_slots(exec, requests, 5, floats, granted);
  // expect: granted must be a View of non-const bool or integers
  allocate_slots(exec, requests, 5, begins, floats);
  // expect: behind granted may stand a Total{x} and nothing else
  allocate_slots(exec, requests, 5, begins, granted, 7);
  double total = 0;
  // expect: the total of slots must be an integer
  allocate_slots(exec, requests, 5, begins, granted, KokkosScan::Total{total});
  // expect: the memory of an Arena must be a View of rank 1
  KokkosScan::Arena(Kokkos::View<int**, Space>());
  // expect: offsets must be a View of rank 1, of integers
  KokkosScan::owners(exec, floats, begins);
  // expect: owner must be a View of non-const integers
  KokkosScan::owners(exec, requests, floats);
  // expect: f must be callable as f(row, item), and a const f must be
  KokkosScan::for_each_slot(exec, requests, 5);
}
#endif
