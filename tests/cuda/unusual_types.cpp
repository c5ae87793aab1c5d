// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "model_backend.hpp"
#include "seeds.hpp"
#include "support/backend_choices.hpp"
#include "support/wide.hpp"

namespace test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

/// A value that can be made but never assigned.
struct Constant {
  int const value;
};
struct AddConstants {
  Constant operator()(Constant const& left, Constant const& right) const { return {left.value + right.value}; }
};

TEST(UnusualTypes, a_value_without_assignment) {
  using View = Kokkos::View<Constant*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  for_each_choice<ModelBackend>(Exec(), [](auto const& handle) {
    std::size_t const n = 3 * ModelBackend::tile_length<Constant>(handle.options()) + 5;
    std::vector<Constant> numbers(n, Constant{3}), sums(n, Constant{-1});
    KokkosScan::inclusive_scan(handle, View(numbers.data(), n), View(sums.data(), n), AddConstants{});
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sums[i].value, 3 * (static_cast<int>(i) + 1)) << i;
    Constant total{-1};
    KokkosScan::exclusive_scan(handle, View(numbers.data(), n), View(sums.data(), n), Constant{5}, AddConstants{},
                               KokkosScan::Total{total});
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sums[i].value, 3 * static_cast<int>(i) + 5) << i;
    ASSERT_EQ(total.value, 3 * static_cast<int>(n) + 5);
  });
}

TEST(UnusualTypes, a_value_of_wide_alignment) { expect_scans_of_wide_values<Exec, ModelBackend>(); }

}  // namespace
}  // namespace test
