// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drawn.hpp"

namespace perf {
static AddDrawn const drawn_maxima_and_lambdas{
    drawn_max<std::uint8_t>(), drawn_max<std::int16_t>(),    drawn_max<float>(),
    drawn_max<std::int64_t>(), drawn_lambda<std::uint8_t>(), drawn_lambda<std::int32_t>(),
    drawn_lambda<float>(),     drawn_lambda<double>(),       drawn_lambda<Kokkos::complex<double>>("c128")};
}
