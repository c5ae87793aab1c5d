// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choices.hpp"

// The backend that uses Kokkos alone, on every execution space.
namespace test {
namespace {

template <class Spaces>
struct PortableSetups;
template <class First, class... Rest>
struct PortableSetups<SpaceList<First, Rest...>> {
  template <class Exec, class Value>
  using Portable = Setup<Exec, KokkosScan::portable::Backend, Value>;
#if KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = testing::Types<Portable<First, Interval>, Portable<Rest, Interval>..., Portable<First, Record>>;
#else  // sanitizers look at accesses, of which records make every kind
  using Types = testing::Types<Portable<First, Record>>;
#endif
};

INSTANTIATE_TYPED_TEST_SUITE_P(PortableBackend, Choices, PortableSetups<Spaces>::Types);

}  // namespace
}  // namespace test
