// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "cuda/model_backend.hpp"
#include "support/backend_choices.hpp"
#include "support/each_second.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"
#include "support/time.hpp"

/// What has no setup of the model is for the programs of the spaces.
#define KOKKOSSCAN_TEST_ON_MODEL 1

namespace test {

inline constexpr bool takes_short_inputs = !has_time;

template <class Value>
using OnModel = Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, Value>;

/// The kernels in the execution model, whatever the spaces: Affine with every choice, and each second of the others;
/// for sanitizers the narrowest values and each second of the others, from the second on.
template <class Spaces, class Narrowest, class... Others>
struct Setups {
#if KOKKOSSCAN_TEST_FIRST_TYPES && KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = testing::Types<OnModel<Affine>, OnModel<Narrowest>, OnModel<Others>...>;
#elif KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = typename EachSecond<testing::Types<OnModel<Affine> >, OnModel<Others>...>::type;
#else
  using Types = typename EachSecond<testing::Types<>, OnModel<Narrowest>, OnModel<Others>...>::type;
#endif
};

/// For sanitizers the first value; else each second, from the second on.
template <class Spaces, class Value, class... Values>
struct PlainSetups {
#if KOKKOSSCAN_TEST_FIRST_TYPES && KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = testing::Types<OnModel<Value>, OnModel<Values>...>;
#elif KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = typename EachSecond<testing::Types<>, OnModel<Values>...>::type;
#else
  using Types = testing::Types<OnModel<Value> >;
#endif
};

}  // namespace test
