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
  using Own   = Setup<Exec, KokkosScan::driver::Backend<Exec>, Value>;
  using Types = testing::Types<Own<First, Interval>, Own<Rest, Interval>..., Own<First, Record>>;
};

INSTANTIATE_TYPED_TEST_SUITE_P(OwnBackend, Choices, Setups<Spaces>::Types);

}  // namespace
}  // namespace test
