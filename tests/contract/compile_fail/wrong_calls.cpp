// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_calls.hpp"

#include <functional>
#include <utility>

// Each wrong call stands below the words that the compiler must say of it; what differs least from it and is right,
// other tests call. No two wrong calls may instantiate the same check, since its error comes once.
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
  // expect: there is more than one Total, Totals, As, Length, Reversed or Axis
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
  // expect: there is more than one Total, Totals, As, Length, Reversed or Axis
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

void wrong_segments(Exec const& exec, Numbers const& from, Numbers const& rows, Numbers const& dest) {
  // expect: row_offsets must be a Kokkos::View, and stand behind from
  segmented_inclusive_scan(exec, from, 3, dest);
  // expect: row_offsets must be a View of rank 1, of integers
  segmented_inclusive_scan(exec, from, Kokkos::View<double*, Space>(), dest);
  // expect: exec cannot access the memory space of row_offsets
  segmented_inclusive_scan(exec, from, FarNumbers(), dest);
  int total = 0;
  // expect: segments have no total of all; those of each go to Totals{view}
  segmented_inclusive_scan(exec, from, rows, dest, Total{total});
  // expect: segments have neither an Axis nor a Length
  segmented_exclusive_scan(exec, from, rows, dest, 1, Axis{0});
  // expect: segments have neither an Axis nor a Length
  segmented_exclusive_scan(exec, from, rows, dest, 1L, Length{Number("length")});
  // expect: too many arguments: of segments an inclusive scan takes op behind dest
  segmented_inclusive_scan(exec, from, rows, dest, Sum{}, 1);
  // expect: too few arguments
  segmented_exclusive_scan(exec, from, rows, dest, Reversed{});
  auto const product = [](int left, int right) { return left * right; };
  // expect: the total of no values under an operator without identity<T>() is not defined
  segmented_reduce(exec, from, rows, dest, product);
  // expect: the accumulator must convert to the value type of the totals
  segmented_inclusive_scan(exec, from, rows, dest, Totals{Kokkos::View<Bytes<4>*, Space>()});
  // expect: exec cannot access the memory space of the totals
  segmented_inclusive_scan(exec, from, rows, dest, Totals{FarNumbers()});
  // expect: Totals{view} are those of segments; the total of a scan is Total{x}
  inclusive_scan(exec, from, dest, Totals{rows});
}

void wrong_compactions(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int count          = 0;
  double fraction    = 0;
  auto const is_even = [](int value) { return value % 2 == 0; };
  // expect: the count is missing; it is written Total{x}
  copy_if(exec, from, dest, is_even);
  // expect: the count is missing; it is written Total{x}
  copy_if(exec, from, dest, is_even, count);
  // expect: a count must be an integer
  copy_if(exec, from, dest, is_even, Total{fraction});
  // expect: too few arguments
  copy_if(exec, from, dest);
  // expect: too many arguments; the count is written Total{x}
  copy_if(exec, from, dest, is_even, Total{count}, 3);
  // expect: predicate must be callable as bool predicate(x)
  copy_if(exec, from, dest, 3, Total{count});
  // expect: the arrays of this call must be Kokkos::Views
  copy_if(exec, from, dest.data(), is_even, Total{count});
  // expect: the arrays of this call must be Views of rank 1
  copy_if(exec, Matrix(), dest, is_even, Total{count});
  // expect: exec cannot access the memory space of an array of this call
  copy_if(exec, from, FarNumbers(), is_even, Total{count});
  // expect: the arrays that results go to must be Views of non-const values
  copy_if(exec, from, Kokkos::View<int const*, Space>(), is_even, Total{count});
  // expect: results must convert to the value type of the array they go to
  copy_if(exec, from, Kokkos::View<Bytes<4>*, Space>(), is_even, Total{count});
  // expect: what chooses or groups elements goes upwards along a View of rank 1
  remove_if(exec, from, is_even, Total{count}, Reversed{});
  // expect: As<T>{} only where values are reduced
  unique_copy(exec, from, dest, As<long>{}, Total{count});
  // expect: equal must be callable as bool equal(a, b)
  unique_copy(exec, Kokkos::View<Bytes<4>*, Space>(), Kokkos::View<Bytes<4>*, Space>(), Total{count});
  // expect: flags must convert to bool
  copy_flagged(exec, from, Kokkos::View<Bytes<4>*, Space>(), dest, Total{count});
  // expect: out must be callable as out(i, position)
  KokkosScan::select(exec, 5, is_even, is_even, Total{count});
  // expect: load must be callable as load(i)
  KokkosScan::select(exec, 5, is_even, 3, [](int, int) {}, Total{count});
  // expect: store must be callable as store(position, what load returns)
  KokkosScan::select(exec, 5, is_even, [](int i) { return i; }, [](int) {}, Total{count});
  // expect: what load returns must be trivially copyable
  KokkosScan::select(exec, 5, is_even, [](int) {}, [](int, auto const&) {}, Total{count});
  // expect: what load returns must be trivially copyable
  KokkosScan::select(exec, 5, is_even, [](int) { return std::string(); }, [](int, std::string) {}, Total{count});
  // expect: by index no View says how many elements there may be: write Length{view, most}
  KokkosScan::select(exec, Length{Kokkos::View<long, Space>("length")}, is_even, [](int, int) {}, Total{count});
  // expect: lengths, offsets and indices must be integers
  run_length_encode(exec, from, dest, Kokkos::View<double*, Space>(), Total{count});
  // expect: lengths, offsets and indices must be integers
  run_offsets(exec, from, Kokkos::View<float*, Space>(), Total{count});
  // expect: lengths, offsets and indices must be integers
  where(exec, 5, is_even, Kokkos::View<bool*, Space>(), Total{count});
  // expect: op must be callable as T op(T, T)
  reduce_by_key(exec, from, from, dest, dest, Total{count}, 3.5);
  // expect: n must be an integer, or Length{view, most}
  KokkosScan::select(exec, 5.0, is_even, [](int, int) {}, Total{count});
  // expect: slots must be counted in integers
  count_then_fill(exec, 5, [](int) { return 1; }, [](int, int) {}, Total{fraction});
  // expect: fill must be callable as fill(i, begin)
  count_then_fill(exec, 5, [](int) { return 1; }, [](int) {});
  // expect: count must be callable as count(i) and return an integer
  count_then_fill(exec, 5, [](int) { return 1.5; }, [](int, int) {});
}
void wrong_sorts(Exec const& exec, Numbers const& from) {
  // expect: what is sorted must be Views of non-const values
  KokkosScan::sort(exec, Kokkos::View<float const*, Space>());
  // expect: less must be callable as bool less(a, b)
  KokkosScan::sort(exec, Kokkos::View<Bytes<4>*, Space>());
  // expect: order must be a View of integers
  sort_permutation(exec, from, Kokkos::View<double*, Space>());
  // expect: radix_sort takes integers of up to 64 bits
  radix_sort(exec, Kokkos::View<Bytes<8>*, Space>());
  // expect: behind the keys of radix_sort may stand Bits{begin, end}
  radix_sort(exec, Kokkos::View<short*, Space>(), 5);
}
#endif
