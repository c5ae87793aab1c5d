// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>

#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"

namespace test {

/// Each space's own backend and the portable one with Affine, the default space with all other values; for sanitizers
/// with the narrowest of them.
template <class Spaces, class... Values>
struct Setups;
template <class First, class... Rest, class Narrowest, class... Others>
struct Setups<SpaceList<First, Rest...>, Narrowest, Others...> {
  template <class Exec, class Value>
  using Own = Setup<Exec, KokkosScan::driver::Backend<Exec>, Value>;
  template <class... Values>
  using Of = testing::Types<Own<First, Affine>, Own<Rest, Affine>...,
                            Setup<First, KokkosScan::portable::Backend, Affine>, Own<First, Values>...>;
#ifdef KOKKOSSCAN_TEST_FEW_TYPES
  using Types = Of<Narrowest>;
#else
  using Types = Of<Narrowest, Others...>;
#endif
};

/// The default space's own backend with all values; the others and the portable one with the first of them.
template <class Spaces, class... Values>
struct PlainSetups;
template <class First, class... Rest, class Value, class... Values>
struct PlainSetups<SpaceList<First, Rest...>, Value, Values...> {
  template <class Exec, class Scanned>
  using Own = Setup<Exec, KokkosScan::driver::Backend<Exec>, Scanned>;
#ifdef KOKKOSSCAN_TEST_FEW_TYPES
  using Types =
      testing::Types<Setup<First, KokkosScan::portable::Backend, Value>, Own<Rest, Value>..., Own<First, Value>>;
#else
  using Types = testing::Types<Setup<First, KokkosScan::portable::Backend, Value>, Own<Rest, Value>...,
                               Own<First, Value>, Own<First, Values>...>;
#endif
};

}  // namespace test
