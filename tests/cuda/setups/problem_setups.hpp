// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <type_traits>

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

/// The first, the third, ...
template <class Chosen, class... Values>
struct EachSecond {
  using type = Chosen;
};
template <class... Chosen, class Value>
struct EachSecond<testing::Types<Chosen...>, Value> {
  using type = testing::Types<Chosen..., Value>;
};
template <class... Chosen, class Value, class Left, class... Rest>
struct EachSecond<testing::Types<Chosen...>, Value, Left, Rest...>
    : EachSecond<testing::Types<Chosen..., Value>, Rest...> {};

/// Of long lists each second, unless all is crossed: the kernels have tests of their own for each size of a type.
template <class Spaces, class Value, class... Values>
struct PlainSetups {
  template <class T>
  using Of = Setup<Kokkos::DefaultHostExecutionSpace, ModelBackend, T>;
#ifdef KOKKOSSCAN_TEST_FEW_TYPES
  using Types = testing::Types<Of<Value>>;
#else
  static constexpr bool takes_all = KOKKOSSCAN_TEST_EVERY_NTH_PAIR == 1 || sizeof...(Values) < 3;
  using All                       = std::type_identity<testing::Types<Of<Value>, Of<Values>...>>;
  using Some                      = EachSecond<testing::Types<>, Of<Value>, Of<Values>...>;
  using Types                     = typename std::conditional_t<takes_all, All, Some>::type;
#endif
};

}  // namespace test
