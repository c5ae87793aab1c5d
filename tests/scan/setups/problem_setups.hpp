// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>

#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"

namespace test {

/// Each space's own backend and the portable one with Affine, the default space with all other values.
template <class Spaces, class... Values>
struct Setups;
template <class First, class... Rest, class... Values>
struct Setups<SpaceList<First, Rest...>, Values...> {
  template <class Exec, class Value>
  using Own   = Setup<Exec, KokkosScan::driver::Backend<Exec>, Value>;
  using Types = testing::Types<Own<First, Affine>, Own<Rest, Affine>...,
                               Setup<First, KokkosScan::portable::Backend, Affine>, Own<First, Values>...>;
};

}  // namespace test
