// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan/handle.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "src/portable/backend.hpp"

namespace test::oracles {

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using View = Kokkos::View<T*, Exec>;
/// What a test asks: the backend of the default space, and the portable one.
template <class Backend>
using Where    = KokkosScan::Handle<Exec, Backend>;
using Backends = testing::Types<KokkosScan::driver::Backend<Exec>, KokkosScan::portable::Backend>;

template <class T>
View<T> to_view(std::vector<T> const& values) {
  View<T> const view("values", values.size());
  Kokkos::deep_copy(view,
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
  return view;
}
template <class T>
std::vector<T> to_vector(View<T> const& view) {
  std::vector<T> values(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()), view);
  return values;
}

template <class T>
void expect_same(std::vector<T> const& expected, std::vector<T> const& found, std::string const& what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(expected[i], found[i]) << what << ": element " << i << " of " << expected.size();
}

}  // namespace test::oracles
