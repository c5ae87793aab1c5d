// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Which operators an integer type is tested with. Every pair of both is compiled for each backend, which takes minutes;
// so by default each type has Sum and every fifth of the others, and each of these has one or two types. For sanitizers
// it is every eighth: each operator has one type. With the CMake option KOKKOSSCAN_TEST_EVERY_PAIR (tests/run --all)
// they are crossed in full.
namespace test {

template <class... Types>
struct List {
  template <template <class...> class Other>
  using To = Other<Types...>;

  /// How many of them stand before T.
  template <class T>
  static consteval std::size_t index_of() {
    static_assert((std::is_same_v<T, Types> || ...), "T is not in the list");
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<T, Types> || (++index, false)) || ...));
    return index;
  }
  template <class F>
  static void for_each(F const& f) {
    (f.template operator()<Types>(), ...);
  }
};

using Integers = List<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                      std::uint64_t>;
using OperatorsBesidesSum = List<KokkosScan::Product, KokkosScan::Min, KokkosScan::Max, KokkosScan::BitAnd,
                                 KokkosScan::BitOr, KokkosScan::BitXor, KokkosScan::LogicalAnd, KokkosScan::LogicalOr>;

/// f.operator()<Op>() for each operator that the type is tested with, Sum first.
template <class T, class F>
void for_each_operator(F const& f) {
  f.template operator()<KokkosScan::Sum>();
  OperatorsBesidesSum::for_each([&]<class Op>() {
    constexpr std::size_t pair = Integers::index_of<T>() + OperatorsBesidesSum::index_of<Op>();
    if constexpr (pair % KOKKOSSCAN_TEST_EVERY_NTH_PAIR == 0) f.template operator()<Op>();
  });
}

}  // namespace test
