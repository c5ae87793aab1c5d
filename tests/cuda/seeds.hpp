// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <model/machine.hpp>

#include "support/random.hpp"
#include "support/time.hpp"

namespace test {

/// So many seeds with tests/run --all, else fewer: what a schedule needs to show has up to 100 in cuda/omissions.
constexpr std::uint64_t seeds_of(std::uint64_t all, std::uint64_t few) { return has_time ? all : few; }

/// Calls f under so many seeds of the execution model, until one fails. KOKKOSSCAN_SEED=N runs that one alone,
/// KOKKOSSCAN_SEEDS=N no more than N, for slow builds, and KOKKOSSCAN_TIMES_SEEDS=N so many times as many.
template <class F>
void for_each_seed(std::uint64_t seeds, F const& f) {
  constexpr std::uint64_t any = ~std::uint64_t{0};
  std::uint64_t const one     = number_from_environment("KOKKOSSCAN_SEED", any);
  std::uint64_t const first   = one == any ? 0 : one;
  std::uint64_t const all     = seeds * number_from_environment("KOKKOSSCAN_TIMES_SEEDS", 1);
  std::uint64_t const end     = one == any ? std::min(all, number_from_environment("KOKKOSSCAN_SEEDS", any)) : one + 1;
  for (std::uint64_t seed = first; seed < end; ++seed) {
    SCOPED_TRACE(testing::Message() << "replay with KOKKOSSCAN_SEED=" << seed);
    model::Model const model(model::Settings{.seed = seed});
    f();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace test
