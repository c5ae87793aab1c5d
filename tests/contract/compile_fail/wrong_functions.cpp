// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "given.hpp"

// op, unary and init, missing arguments, and names of choices.
namespace wrong_calls {

void no_operator(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_op_not_callable
  // expect: op must be callable as T op(T, T) with the accumulator's type
  KokkosScan::inclusive_scan(exec, from, dest, [](int left) { return left; });
#else
  KokkosScan::inclusive_scan(exec, from, dest, [](int left, int right) { return left + right; });
#endif
}

void counting_operator(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_op_not_const
  // expect: op must be callable as T op(T, T) with the accumulator's type
  KokkosScan::exclusive_scan(exec, from, dest, 0, [calls = 0](int left, int) mutable { return left + ++calls; });
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0, [calls = 0](int left, int) { return left + calls; });
#endif
}

void no_transform(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_unary_not_callable
  // expect: unary must be callable with the value type of from, and a const unary must be
  KokkosScan::transform_inclusive_scan(exec, from, dest, Sum{}, [](int left, int right) { return left + right; });
#else
  KokkosScan::transform_inclusive_scan(exec, from, dest, Sum{}, [](int value) { return value; });
#endif
}

void strange_transform(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_transformed_does_not_convert
  // expect: the values of from, transformed if so asked, must convert to the accumulator's type
  KokkosScan::transform_exclusive_scan(exec, from, dest, 0, Sum{}, [](int) { return std::string(); });
#else
  KokkosScan::transform_exclusive_scan(exec, from, dest, 0, Sum{}, [](int value) { return 0.5 * value; });
#endif
}

void strange_init(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_init_does_not_convert
  // expect: init, a value or a View of rank 0, must convert to the accumulator's type
  KokkosScan::exclusive_scan(exec, from, dest, std::string("0"));
#else
  KokkosScan::exclusive_scan(exec, from, dest, short{0});
#endif
}

void no_init(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_too_few_for_exclusive_scan
  // expect: too few arguments
  KokkosScan::exclusive_scan(exec, from, dest);
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0);
#endif
}

void too_few(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_too_few_for_transform
  // expect: too few arguments
  KokkosScan::transform_inclusive_scan(exec, from, dest, Sum{});
#else
  KokkosScan::transform_inclusive_scan(exec, from, dest, Sum{}, KokkosScan::Unchanged{});
#endif
}

void too_many(Exec const& exec, Numbers const& from, Numbers const& dest) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_too_many
  // expect: too many arguments
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, 0, 0, KokkosScan::Total{total});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, 0, KokkosScan::Total{total});
#endif
}

void too_many_for_offsets(Exec const& exec, Numbers const& counts, Numbers const& offsets) {
  int total = 0;
#ifdef KOKKOSSCAN_CASE_too_many_for_offsets
  // expect: behind offsets may stand a Total and nothing else
  KokkosScan::offsets_from_counts(exec, counts, offsets, KokkosScan::Total{total}, KokkosScan::Total{total});
#else
  KokkosScan::offsets_from_counts(exec, counts, offsets, KokkosScan::Total{total});
#endif
}

void swapped_for_inclusive(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_init_before_op
  // expect: op and init are swapped
  KokkosScan::inclusive_scan(exec, from, dest, 0, Sum{});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, 0);
#endif
}

void swapped_for_exclusive(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_op_before_init
  // expect: op and init are swapped
  KokkosScan::exclusive_scan(exec, from, dest, Sum{}, 0);
#else
  KokkosScan::exclusive_scan(exec, from, dest, 0, Sum{});
#endif
}

void accumulator(Exec const& exec, Numbers const& from, Numbers const& dest) {
#ifdef KOKKOSSCAN_CASE_accumulator_does_not_convert
  // expect: must convert to the accumulator's type
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, KokkosScan::As<Bytes<4>>{});
#else
  KokkosScan::inclusive_scan(exec, from, dest, Sum{}, KokkosScan::As<double>{});
#endif
}

void choices_of_a_handle_without(Exec const& exec) {
#ifdef KOKKOSSCAN_CASE_handle_without_choices
  // expect: the type of this Handle leaves no choice; write Handle handle(exec, Options{...})
  KokkosScan::Handle<Exec> const handle(exec, KokkosScan::Options{});
#else
  KokkosScan::Handle const handle(exec, KokkosScan::Options{});
#endif
  static_cast<void>(handle);
}

void unknown_choice() {
#ifdef KOKKOSSCAN_CASE_from_string_of_another_type
  // expect: from_string reads a BlockScan or a GridScan
  static_cast<void>(KokkosScan::from_string<int>("chained"));
#else
  static_cast<void>(KokkosScan::from_string<KokkosScan::GridScan>("chained"));
#endif
}

}  // namespace wrong_calls
