// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drawn.hpp"

namespace perf {
static AddDrawn const drawn_sums{drawn_sum<std::uint8_t>(),       drawn_sum<std::int16_t>(),
                                 drawn_sum<std::int32_t>(),       drawn_sum<float>(),
                                 drawn_sum<std::int64_t>(),       drawn_sum<double>(),
                                 drawn_sum<ThreeFloats>("f32x3"), drawn_sum<Kokkos::complex<double>>("c128")};
}
