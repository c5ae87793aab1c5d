// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choices.hpp"

// The backend that serves an execution space by itself, on every space.
namespace test {
namespace {

template <class Spaces>
struct Setups;
template <class First, class... Rest>
struct Setups<SpaceList<First, Rest...>> {
  template <class Exec, class Value>
  using Own = Setup<Exec, KokkosScan::driver::Backend<Exec>, Value>;
#if KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = testing::Types<Own<First, Interval>, Own<Rest, Interval>..., Own<First, Record>>;
#else  // sanitizers look at accesses, of which records make every kind
  using Types = testing::Types<Own<First, Record>>;
#endif
};

INSTANTIATE_TYPED_TEST_SUITE_P(OwnBackend, Choices, Setups<Spaces>::Types);

}  // namespace
}  // namespace test
