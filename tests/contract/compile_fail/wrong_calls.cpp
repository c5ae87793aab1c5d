// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <KokkosScan/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

// Each wrong call stands below the words that the compiler must say of it; what differs least from it and is right,
// other tests call. No two wrong calls may instantiate the same check, since its error comes once.
namespace {

using namespace KokkosScan;
using Exec    = Kokkos::DefaultHostExecutionSpace;
using Space   = Exec::memory_space;
using Numbers = Kokkos::View<int*, Space>;
using Number  = Kokkos::View<int, Space>;

template <std::size_t size>
struct Bytes {
  std::array<char, size> content;
  KOKKOS_FUNCTION friend Bytes operator+(Bytes const& left, Bytes const&) { return left; }
};

/// Memory that no host space is told it could access.
struct FarSpace {
  using memory_space    = FarSpace;
  using execution_space = Exec;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;
  static constexpr char const* name() { return "Far"; }
};
using FarNumbers = Kokkos::View<int*, FarSpace, Kokkos::MemoryUnmanaged>;
using FarNumber  = Kokkos::View<int, FarSpace, Kokkos::MemoryUnmanaged>;
using Matrix     = Kokkos::View<int**, Space>;

}  // namespace

#ifdef KOKKOSSCAN_WRONG
void wrong_views(Exec const& exec, Numbers const& from, Numbers const& dest, Matrix const& matrix) {
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle
  inclusive_scan(exec.concurrency(), from, dest);
  // expect: exec must be a Kokkos execution space instance or a KokkosScan::Handle
  offsets_from_counts(exec.concurrency(), from, dest);
  // expect: a Handle needs a Kokkos execution space instance
  static_cast<void>(sizeof(Handle<Space>));
  // expect: from and dest must be Views of rank 1
  inclusive_scan(exec, matrix, dest);
  // expect: from and dest must be Kokkos::Views
  exclusive_scan(exec, from.data(), dest, 0);
  // expect: from and dest must be Kokkos::Views
  exclusive_scan(exec, from, Kokkos::View<long*, Space>().data(), 0);
  // expect: dest must be a View of non-const values
  inclusive_scan(exec, from, Kokkos::View<int const*, Space>(dest));
  // expect: exec cannot access the memory space of from or dest
  inclusive_scan(exec, FarNumbers(), dest);
  Kokkos::View<Bytes<65>*, Space> const too_large;
  // expect: value types must be trivially copyable and of 1 to 64 bytes
  inclusive_scan(exec, too_large, too_large);
  Kokkos::View<std::string*, Space> const texts;
  // expect: value types must be trivially copyable and of 1 to 64 bytes
  inclusive_scan(exec, texts, texts);
  // expect: the values of from, transformed if so asked, must convert to the accumulator's type
  inclusive_scan(exec, Kokkos::View<Bytes<4>*, Space>(), dest);
}

void wrong_functions(Exec const& exec, Numbers const& from, Numbers const& dest) {
  // expect: op must be callable as T op(T, T) with the accumulator's type
  inclusive_scan(exec, from, dest, [](int left) { return left; });
  // expect: op must be callable as T op(T, T) with the accumulator's type
  exclusive_scan(exec, from, dest, 0, [calls = 0](int left, int) mutable { return left + ++calls; });
  // expect: unary must be callable with the value type of from, and a const unary must be
  transform_inclusive_scan(exec, from, dest, Sum{}, [](int left, int right) { return left + right; });
  // expect: the values of from, transformed if so asked, must convert to the accumulator's type
  transform_exclusive_scan(exec, from, dest, 0, Sum{}, [](int) { return std::string(); });
  // expect: init, a value or a View of rank 0, must convert to the accumulator's type
  exclusive_scan(exec, from, dest, std::string("0"));
  // expect: too few arguments
  exclusive_scan(exec, from, dest);
  // expect: too few arguments
  transform_inclusive_scan(exec, from, dest, Sum{});
  int total = 0;
  // expect: too many arguments
  inclusive_scan(exec, from, dest, Sum{}, 0, 0, Total{total});
  // expect: behind offsets may stand a Total and nothing else
  offsets_from_counts(exec, from, dest, Total{total}, Total{total});
  // expect: op and init are swapped
  inclusive_scan(exec, from, dest, 0, Sum{});
  // expect: op and init are swapped
  exclusive_scan(exec, from, dest, Sum{}, 0L);
  // expect: an operator stands where init belongs
  exclusive_scan(exec, Kokkos::View<bool*, Space>(), Kokkos::View<bool*, Space>(),
                 [](bool l, bool r) { return l && r; });
  // expect: counts must be numbers that convert to the value type of offsets
  offsets_from_counts(exec, Kokkos::View<Bytes<4>*, Space>(), dest);
  // expect: must convert to the accumulator's type
  inclusive_scan(exec, from, dest, Sum{}, As<Bytes<4>>{});
  // expect: the type of this Handle leaves no choice; write Handle handle(exec, Options{...})
  static_cast<void>(Handle<Exec>(exec, Options{}));
  // expect: from_string reads a BlockScan or a GridScan
  static_cast<void>(from_string<int>("chained"));
}

void wrong_axes(Exec const& exec, Numbers const& from, Numbers const& dest) {
  using Table = Kokkos::View<int**, Space>;
  Table const table;
  int total = 0;
  // expect: along an Axis from and dest must be Views of rank 2, 3 or 4
  inclusive_scan(exec, from, dest, Axis{0});
  // expect: along an Axis from and dest must have the same rank
  inclusive_scan(exec, table, Kokkos::View<int***, Space>(), Axis{0});
  // expect: along an Axis there is no total; that of a line is the last result of an inclusive one
  inclusive_scan(exec, table, table, Axis{0}, Total{total});
  // expect: along an Axis there is no Length
  inclusive_scan(exec, table, table, Axis{0}, Length{Kokkos::View<int, Space>()});
  // expect: Reversed{} is for Views of rank 1; write Axis{d}.reversed()
  inclusive_scan(exec, table, table, Axis{0}, Reversed{});
  // expect: along an Axis init is a value, or a View of one rank less than from
  exclusive_scan(exec, table, table, table, Axis{0});
  // expect: the values of init must convert to the accumulator's type
  exclusive_scan(exec, table, table, Kokkos::View<Bytes<4>*, Space>(), Axis{1});
  Kokkos::View<int***, Space> const cube;
  // expect: a View stands where op belongs; a total is written Total{view}, and init stands behind op
  inclusive_scan(exec, cube, cube, Axis{0}, table);
  // expect: op and init are swapped
  inclusive_scan(exec, cube, cube, Axis{0}, table, Sum{});
  // expect: init, a value or a View of rank 0, must convert to the accumulator's type
  exclusive_scan(exec, from, dest, table);
  // expect: there is more than one Total, As, Length, Reversed or Axis
  inclusive_scan(exec, table, table, Axis{0}, Axis{1});
  // expect: a scan by key has no Axis
  inclusive_scan_by_key(exec, from, from, dest, Axis{0});
  // expect: a scan by index has no Axis
  inclusive_scan(exec, 5, [](std::size_t) { return 1; }, [](std::size_t, int) {}, Axis{0});
}

void wrong_totals(Exec const& exec, Numbers const& from, Numbers const& dest, Number const& place) {
  int total = 0;
  // expect: too many arguments; a total is written Total{x}
  exclusive_scan(exec, from, dest, 0, Sum{}, total);
  // expect: and a const op must be; a total is written Total{x}
  inclusive_scan(exec, from, dest, total);
  // expect: a View stands where op belongs; a total is written Total{view}
  inclusive_scan(exec, from, dest, place);
  // expect: there is more than one Total
  inclusive_scan(exec, from, dest, Total{total}, Total{total});
  long wide = 0;
  // expect: a total must have the accumulator's type: that of dest, or T with As<T>{}
  inclusive_scan(exec, from, dest, Sum{}, Total{wide});
  int const constant = 0;
  // expect: a total must not be const
  inclusive_scan(exec, from, dest, Sum{}, Total{constant});
  // expect: a total must be a variable or a View of rank 0, not a temporary value
  exclusive_scan(exec, from, dest, 0, Sum{}, Total{int()});
  // expect: a total must be a variable or a View of rank 0
  inclusive_scan(exec, from, dest, Total{dest});
  // expect: a total must have the accumulator's type
  inclusive_scan(exec, from, dest, Total{Kokkos::View<long, Space>("total")});
  // expect: a total must not be const
  inclusive_scan(exec, from, dest, Total{Kokkos::View<int const, Space>(place)});
  // expect: exec cannot access the memory space of the total
  inclusive_scan(exec, from, dest, Total{FarNumber()});
  // expect: exec cannot access the memory space of init
  exclusive_scan(exec, from, dest, FarNumber());
  // expect: the total of offsets_from_counts must have the value type of offsets, or be a wider integer
  offsets_from_counts(exec, from, Kokkos::View<long*, Space>(), Total{total});
  // expect: behind offsets may stand a Total and nothing else
  offsets_from_counts(exec, from, dest, total);
  // expect: behind offsets may stand a Total and nothing else
  offsets_from_counts(exec, from, dest, Axis{0});
}

/// What in(i) returns, and an out that takes it.
template <class T>
struct Zeros {
  KOKKOS_FUNCTION T operator()(std::size_t) const { return T(0); }
};
struct Ignore {
  template <class T>
  KOKKOS_FUNCTION void operator()(std::size_t, T const&) const {}
};

void wrong_calls_by_index(Exec const& exec, Number const& place) {
  using Half = Kokkos::Experimental::half_t;
  using Kokkos::complex;
  // expect: init is wider than what in(i) returns; name the accumulator with As<T>{}, or convert init
  exclusive_scan(exec, 8, Zeros<int>(), Ignore(), 0.5F);
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<int>(), Ignore(), 0L);
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<float>(), Ignore(), 0.5);
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<float>(), Ignore(), 0L);
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<complex<float>>(), Ignore(), complex<double>());
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<complex<float>>(), Ignore(), 0.5);
  // expect: init is wider than what in(i) returns
  inclusive_scan(exec, 8, Zeros<Half>(), Ignore(), Sum{}, 0.5);
  // expect: init is wider than what in(i) returns
  inclusive_scan(exec, 8, Zeros<Kokkos::Experimental::bhalf_t>(), Ignore(), Max{}, 0.5);
  // expect: init is wider than what in(i) returns
  exclusive_scan(exec, 8, Zeros<float>(), Ignore(), Kokkos::View<double, Space>());
  // expect: too many arguments; a total is written Total{x}, all else is op and init
  exclusive_scan(exec, 8, Zeros<int>(), Ignore(), 0, Sum{}, Sum{});
  // expect: with the accumulator's type (what in(i) returns, or T with As<T>{}), and a const op must be
  inclusive_scan(exec, 8, Zeros<int>(), Ignore(), [](int left) { return left; });
  // expect: must convert to the accumulator's type: what in(i) returns, or T with As<T>{}
  exclusive_scan(exec, 8, Zeros<int>(), Ignore(), std::string());
  // expect: what in(i) returns must convert to the T of As<T>{}
  inclusive_scan(exec, 8, Zeros<Bytes<4>>(), Ignore(), As<int>{});
  long wide = 0;
  // expect: a total must have the accumulator's type: what in(i) returns, or T with As<T>{}
  inclusive_scan(exec, 8, Zeros<int>(), Ignore(), Total{wide});
  // expect: n must be an integer; one that a View of rank 0 holds is written Length{view, most}
  inclusive_scan(exec, place, Zeros<int>(), Ignore());
  // expect: n must be an integer
  exclusive_scan(exec, 8.0, Zeros<int>(), Ignore(), 0);
}

/// Without an identity.
struct Later {
  KOKKOS_FUNCTION int operator()(int, int right) const { return right; }
};

void wrong_lengths(Exec const& exec, Numbers const& from, Numbers const& dest, Number const& place) {
  // expect: a Length is that of a View of rank 0; what the host knows is n, or a subview
  static_cast<void>(sizeof(Length{5}));
  // expect: a Length is that of a View of rank 0
  static_cast<void>(sizeof(Length{from}));
  // expect: a Length must be an integer
  static_cast<void>(sizeof(Length{Kokkos::View<float, Space>()}));
  // expect: the upper bound of a Length must be an integer
  static_cast<void>(sizeof(Length{place, 8.0}));
  // expect: there is more than one Total, As, Length, Reversed or Axis
  inclusive_scan(exec, from, dest, Length{place}, Length{place});
  // expect: exec cannot access the memory space of the length
  inclusive_scan(exec, from, dest, Length{FarNumber()});
  int total = 0;
  // expect: a Length may be 0, and the total of no values under an operator without identity<T>() is not defined
  inclusive_scan(exec, from, dest, Later{}, Length{place}, Total{total});
  // expect: by index no View says how many elements there may be: write Length{view, most}
  inclusive_scan(exec, Length{place}, Zeros<int>(), Ignore());
  // expect: by index a Length stands in the place of n
  exclusive_scan(exec, 8, Zeros<int>(), Ignore(), 0, Length{place, 8});
  // expect: behind offsets may stand a Total and nothing else
  offsets_from_counts(exec, from, dest, Length{place});
}

void wrong_calls_by_key(Exec const& exec, Numbers const& keys, Numbers const& from, Numbers const& dest) {
  // expect: keys must be a Kokkos::View
  inclusive_scan_by_key(exec, keys.data(), from, dest);
  // expect: keys must be a View of rank 1
  inclusive_scan_by_key(exec, Matrix(), from, dest);
  // expect: exec cannot access the memory space of keys
  inclusive_scan_by_key(exec, FarNumbers(), from, dest);
  // expect: keys must be trivially copyable and of 1 to 64 bytes
  inclusive_scan_by_key(exec, Kokkos::View<std::string*, Space>(), from, dest);
  // expect: key_equal must be callable as bool key_equal(Key, Key)
  inclusive_scan_by_key(exec, Kokkos::View<Bytes<4>*, Space>(), from, dest);
  // expect: key_equal must be callable as bool key_equal(Key, Key)
  inclusive_scan_by_key(exec, keys, from, dest, Sum{}, [](int key) { return key; });
  // expect: too many arguments: a scan by key takes op and key_equal behind dest, and an exclusive one init before them
  exclusive_scan_by_key(exec, keys, from, dest, 0, Sum{}, std::equal_to<int>(), 0);
  // expect: inclusive_scan_by_key takes no init: behind dest stand op and key_equal
  inclusive_scan_by_key(exec, keys, from, dest, 0);
  // expect: inclusive_scan_by_key takes no init
  inclusive_scan_by_key(exec, keys, from, dest, Sum{}, 0);
  // expect: inclusive_scan_by_key takes no init
  inclusive_scan_by_key(exec, keys, from, dest, Sum{}, Number());
  int total = 0;
  // expect: a scan by key has no total; that of a run is the last result of an inclusive one
  inclusive_scan_by_key(exec, keys, from, dest, Sum{}, Total{total});
}

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
