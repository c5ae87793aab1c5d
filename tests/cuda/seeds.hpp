// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <model/machine.hpp>

namespace test {

/// Calls f under so many seeds of the execution model, until one fails. KOKKOSSCAN_SEED=N runs that one alone.
template <class F>
void for_each_seed(std::uint64_t seeds, F const& f) {
  char const* const one     = std::getenv("KOKKOSSCAN_SEED");
  std::uint64_t const first = one ? std::strtoull(one, nullptr, 0) : 0;
  for (std::uint64_t seed = first; seed < (one ? first + 1 : seeds); ++seed) {
    SCOPED_TRACE(testing::Message() << "replay with KOKKOSSCAN_SEED=" << seed);
    model::Model const model(model::Settings{.seed = seed});
    f();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace test
