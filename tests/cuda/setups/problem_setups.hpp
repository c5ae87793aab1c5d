// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "cuda/model_backend.hpp"
#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"

namespace test {

/// The kernels in the execution model, whatever the spaces. Sanitizers are handed a struct and the narrowest values.
template <class Spaces, class Narrowest, class... Others>
struct Setups {
  template <class... Values>
  using Of = testing::Types<Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, Values>...>;
#ifdef KOKKOSSCAN_TEST_FEW_TYPES
  using Types = Of<Affine, Narrowest>;
#else
  using Types = Of<Affine, Narrowest, Others...>;
#endif
};

template <class Spaces, class Value, class... Values>
struct PlainSetups {
#ifdef KOKKOSSCAN_TEST_FEW_TYPES
  using Types = testing::Types<Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, Value>>;
#else
  using Types = testing::Types<Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, Value>,
                               Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, Values>...>;
#endif
};

}  // namespace test
