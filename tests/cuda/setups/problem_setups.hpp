// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "cuda/model_backend.hpp"
#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"

namespace test {

/// The kernels in the execution model, whatever the spaces.
template <class Spaces, class... Values>
struct Setups {
  using Exec  = Kokkos::DefaultHostExecutionSpace;
  using Types = testing::Types<Setup<Exec, ModelBackend, Affine>, Setup<Exec, ModelBackend, Values>...>;
};

}  // namespace test
