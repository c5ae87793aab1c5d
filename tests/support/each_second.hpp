// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

// Which of a list of types are compiled where not all of them are.
namespace test {

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

}  // namespace test
