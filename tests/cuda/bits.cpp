// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "model_backend.hpp"
#include "seeds.hpp"
#include "support/backend_choices.hpp"
#include "support/record_bits.hpp"

// Sums of floats that round: their bits depend on the choice of algorithms alone, under any schedule.
namespace test {
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;
using View = Kokkos::View<float*, Kokkos::HostSpace>;

View rounding(std::size_t n) {
  View const values("values", n);
  Random random(n);
  for (std::size_t i = 0; i < n; ++i) values(i) = static_cast<float>(random.fraction() - 0.25);
  return values;
}

/// The last value is the total.
std::vector<float> sums(Options const& options, View const& from) {
  Handle<Exec, ModelBackend, Options> const handle(Exec(), options);
  View const dest("dest", from.extent(0));
  float total = 0;
  inclusive_scan(handle, from, dest, Sum{}, 0.1F, Total{total});
  std::vector<float> values(dest.data(), dest.data() + dest.extent(0));
  EXPECT_EQ(values.back(), total);
  return values;
}

TEST(CudaBits, of_every_choice_do_not_depend_on_the_schedule) {
  for (Options const& options : all_choices<ModelBackend, float>()) {
    SCOPED_TRACE("grid " + to_string(options.grid) + ", block " + to_string(options.block));
    for (std::size_t const n : {std::size_t{100}, 2 * ModelBackend::tile_length<float>(options) + 7}) {
      View const from = rounding(n);
      std::vector<float> expected;
      for_each_seed(2, [&] {
        std::vector<float> const got = sums(options, from);
        if (expected.empty()) {
          expected = got;
          record_bits(got.data(), got.size() * sizeof(float));
        }
        ASSERT_EQ(got, expected) << "n = " << n;
      });
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace test
