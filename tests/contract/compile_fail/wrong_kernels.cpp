// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

// Of what is a kernel of the user's, or stands in one; as in wrong_calls.cpp.
#ifdef KOKKOSSCAN_WRONG
/// What is called for each index, and has nothing else.
template <class Value>
struct Call {
  KOKKOS_FUNCTION void operator()(std::size_t, Value&, bool) const {}
};
template <class Value>
struct CallAndType : Call<std::remove_extent_t<Value>> {
  using value_type = Value;
};
struct Strange {
  Strange() = delete;
  KOKKOS_FUNCTION void operator+=(Strange const&) {}
};
struct WithTag {
  KOKKOS_FUNCTION void operator()(WithTag, std::size_t, int&, bool) const {}
};

void wrong_parallel_scans(Exec const& exec) {
  int total = 0;
  // expect: parallel_scan takes a Kokkos::RangePolicy or an integer n, and within kernels the ranges of a team
  parallel_scan(Kokkos::TeamPolicy<Exec>(1, 1), Call<int>());
  // expect: parallel_scan takes a Kokkos::RangePolicy or an integer n
  parallel_scan(8.5, Call<int>());
  // expect: behind exec or a Handle parallel_scan takes a policy or n, a functor and perhaps a total
  parallel_scan(exec, 8);
  // expect: behind the functor of parallel_scan may stand a total and nothing else
  parallel_scan(8, Call<int>(), total, total);
  // expect: cannot be told from the functor's call operator: let the functor have a value_type, or pass a total
  parallel_scan(8, [](std::size_t, auto&, bool) {});
  // expect: parallel_scan takes no value_type = T[]
  parallel_scan(8, CallAndType<int[]>());
  // expect: the functor's value type must not be const, nor a reference
  parallel_scan(8, Call<int const>());
  // expect: the functor's value type must be trivially copyable and of 1 to 64 bytes
  parallel_scan(8, Call<std::string>());
  // expect: the functor must be callable as functor(i, update, final), behind the work tag if the policy has one
  parallel_scan(Kokkos::RangePolicy<Exec, WithTag>(0, 8), Call<int>(), total);
  // expect: the functor must be callable as functor(i, update, final)
  parallel_scan(8, WithTag(), total);
  // expect: the functor needs an init(update), behind the work tag if the policy has one
  parallel_scan(8, Call<Strange>());
  // expect: the functor needs a join(dest, src), behind the work tag if the policy has one
  parallel_scan(8, Call<Bytes<4>>());
  long wide = 0;
  // expect: a total must have the functor's value type
  parallel_scan(8, CallAndType<int>(), wide);
  // expect: a total must be a variable or a View of rank 0, neither const nor a temporary value
  parallel_scan(8, Call<int>(), 5);
  // expect: a total must be a variable or a View of rank 0, neither const nor a temporary value
  parallel_scan(8, Call<int>(), std::as_const(total));
  // expect: a total must be a variable or a View of rank 0
  parallel_scan(8, Call<int>(), Numbers());
  // expect: neither exec nor the host can access the memory space of the total
  parallel_scan(8, Call<int>(), FarNumber());
}

void wrong_team_scans(Kokkos::TeamPolicy<Exec>::member_type const& team, Numbers const& from, Numbers const& dest) {
  int total = 0;
  // expect: from and dest must be Views of rank 1
  team_inclusive_scan(team, Kokkos::View<long**, Space>(), dest);
  // expect: op and init are swapped
  team_inclusive_scan(team, from, dest, 0U, Sum{});
  // expect: init is a value in a kernel: write view()
  team_exclusive_scan(team, from, dest, Number("init"));
  // expect: scans of a team take no As<T>{}
  team_inclusive_scan(team, from, dest, As<int>{});
  // expect: scans of a team have no Axis: let each team scan subviews of rank 1
  team_inclusive_scan(team, from, dest, Axis{0});
  // expect: scans of a team have no Axis: let each team scan subviews of rank 1
  team_exclusive_scan(team, Matrix(), Matrix(), 0, Axis{0}.reversed());
  // expect: scans of a team take no Length: write subviews that have so many elements
  team_inclusive_scan(team, from, dest, Length{Number("length")});
  // expect: scans of a team have no Axis
  team_inclusive_scan_value(team, 5, Sum{}, Axis{0});
  // expect: scans of a team take no Length
  team_inclusive_scan_value(team, 5, Length{Number("length"), 8});
  // expect: a team's scan into a View takes no Total: read the last result
  team_inclusive_scan(team, from, dest, Total{total});
  // expect: too few arguments
  team_exclusive_scan_value(team, 5, Reversed{});
  // expect: what a thread brings must be trivially copyable and of 1 to 64 bytes
  team_inclusive_scan_value(team, std::string());
  long wide = 0;
  // expect: a total must have the type of what a thread brings
  team_inclusive_scan_value(team, 5, Total{wide});
  // expect: the total of a team is a variable, which each thread gets
  team_inclusive_scan_value(team, 5, Total{Number("total")});
}
#endif
