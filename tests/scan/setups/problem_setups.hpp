// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>

#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/each_second.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"
#include "support/time.hpp"

#define KOKKOSSCAN_TEST_ON_MODEL 0

namespace test {

inline constexpr bool takes_short_inputs = is_sanitized;

/// Each space's own backend and the portable one with Affine, the default space with all other values; for sanitizers
/// the default space alone, with the narrowest of them.
template <class Spaces, class... Values>
struct Setups;
template <class First, class... Rest, class Narrowest, class... Others>
struct Setups<SpaceList<First, Rest...>, Narrowest, Others...> {
  template <class Exec, class Value>
  using Own      = Setup<Exec, KokkosScan::driver::Backend<Exec>, Value>;
  using Portable = Setup<First, KokkosScan::portable::Backend, Affine>;
#if KOKKOSSCAN_TEST_OTHER_TYPES
  using Types =
      testing::Types<Own<First, Affine>, Own<Rest, Affine>..., Portable, Own<First, Narrowest>, Own<First, Others>...>;
#else
  using Types = testing::Types<Own<First, Affine>, Portable, Own<First, Narrowest> >;
#endif
};

/// The default space's own backend with the first value and each second of the others (with --all or CUDA all of
/// them), the other spaces' and the portable one with the first; for sanitizers the default space's and the portable
/// one with the first.
template <class Spaces, class... Values>
struct PlainSetups;
template <class First, class... Rest, class Value, class... Values>
struct PlainSetups<SpaceList<First, Rest...>, Value, Values...> {
  template <class Exec, class Scanned>
  using Own      = Setup<Exec, KokkosScan::driver::Backend<Exec>, Scanned>;
  using Portable = Setup<First, KokkosScan::portable::Backend, Value>;
#if KOKKOSSCAN_TEST_FIRST_TYPES && KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = testing::Types<Portable, Own<Rest, Value>..., Own<First, Value>, Own<First, Values>...>;
#elif KOKKOSSCAN_TEST_OTHER_TYPES
  using Types = typename EachSecond<testing::Types<Portable, Own<Rest, Value>..., Own<First, Value> >,
                                    Own<First, Values>...>::type;
#else
  using Types = testing::Types<Portable, Own<First, Value> >;
#endif
};

}  // namespace test
