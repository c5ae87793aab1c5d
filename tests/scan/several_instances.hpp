// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

// Elements that several instances of a host share.
namespace test {

using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using View = Kokkos::View<T*, Kokkos::HostSpace>;
template <class T>
using Views = std::vector<View<T>>;

/// How many elements each of so many instances has, in several ways; some more than one tile of a scan.
inline std::vector<std::vector<std::size_t>> all_shares(std::size_t instances) {
  std::vector<std::vector<std::size_t>> all(7, std::vector<std::size_t>(instances));
  for (std::size_t i = 0; i < instances; ++i) {
    all[0][i] = 1;
    all[1][i] = 1 + i * i % 7 * 30'011;
    all[2][i] = i < (instances + 1) / 2 ? 0 : 5;
    all[3][i] = i == 0 || i + 1 == instances ? 3 : 0;
    all[4][i] = i < (instances + 1) / 2 ? 4 : 0;
    all[5][i] = i == instances / 2 ? 100 : 0;
    all[6][i] = 0;
  }
  return all;
}

inline std::vector<Host> instances_of(std::size_t count) {
  if (count == 2 && Host().concurrency() >= 2) return Kokkos::Experimental::partition_space(Host(), std::vector{1, 1});
  return std::vector<Host>(count);
}

template <class T>
Views<T> views(std::vector<std::size_t> const& shares) {
  Views<T> all;
  for (std::size_t const n : shares) all.emplace_back("share", n);
  return all;
}
template <class T, class F>
void for_each(Views<T> const& all, bool reversed, F const& f) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto const& own = all[reversed ? all.size() - 1 - k : k];
    for (std::size_t i = 0; i < own.extent(0); ++i) f(own(reversed ? own.extent(0) - 1 - i : i));
  }
}

template <class F>
void for_all_shares(F const& f) {
  for (std::size_t const instances : std::vector<std::size_t>{1, 2, 3, 8})
    for (auto const& shares : all_shares(instances)) f(shares);
}

/// Throws where a value of another instance comes in.
struct Refuses {
  KOKKOS_FUNCTION int operator()(int left, int right) const {
    KOKKOS_IF_ON_HOST(if (right == 1000) throw std::domain_error("op");)
    return left + right;
  }
};

/// Throws at one right operand what the library itself throws, too.
struct Fails {
  std::int64_t at;
  template <class T>
  T operator()(T left, T right) const {
    if (right == at) throw std::runtime_error("op");
    return left + right;
  }
};

}  // namespace test
