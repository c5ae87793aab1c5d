// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "sums.hpp"
#include "support/random.hpp"

// Scans on many streams at once: none may wait for a multiprocessor that another one holds.
namespace {

using namespace device;
using KokkosScan::GridScan;

TEST(SeveralScans, at_once_on_as_many_streams_end_and_are_right) {
  int const repetitions = test::repetitions_up_to(20);
  for (GridScan const grid : single_pass_grids())
    for (std::size_t const n : {(1U << 19) + 3, (1U << 22) + 12345})
      for (std::size_t const count : {2U, 8U, 32U}) {
        SCOPED_TRACE(std::to_string(n) + " values on " + std::to_string(count) + " streams, " + to_string(grid));
        auto const instances = Kokkos::Experimental::partition_space(Exec(), std::vector<int>(count, 1));
        std::vector<decltype(handle_for(Exec(), grid))> handles;
        std::vector<View<float>> inputs, results;
        View<float> const expected("expected", n);
        for (Exec const& exec : instances) {
          handles.emplace_back(exec, KokkosScan::Options{.grid = grid});
          handles.back().reserve<float>(n);
          inputs.emplace_back("input", n);
          results.emplace_back("result", n);
          fill(exec, inputs.back(), 3);
          poison(exec, results.back());
        }
        KokkosScan::inclusive_scan(handles[0], inputs[0], expected);
        Kokkos::fence();
        for (int repetition = 0; repetition < repetitions; ++repetition)
          for (std::size_t k = 0; k < count; ++k) KokkosScan::inclusive_scan(handles[k], inputs[k], results[k]);
        Kokkos::fence();
        for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(differences(instances[k], results[k], expected), 0U) << k;
      }
}

}  // namespace
