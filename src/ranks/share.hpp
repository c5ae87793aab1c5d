// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "../core/share.hpp"

namespace KokkosScan::mpi {
using KokkosScan::Share;
}  // namespace KokkosScan::mpi

namespace KokkosScan::ranks {

/// The first element of a rank where all have equal shares, which differ by one at most: floor(rank * total / ranks),
/// of which the product need not fit.
constexpr std::size_t begin_of_equal_share(std::size_t total, int ranks, int rank) {
  auto const p = static_cast<std::size_t>(ranks), r = static_cast<std::size_t>(rank);
  return r * (total / p) + r * (total % p) / p;
}
constexpr mpi::Share equal_share(std::size_t total, int ranks, int rank) {
  std::size_t const before = begin_of_equal_share(total, ranks, rank);
  return {begin_of_equal_share(total, ranks, rank + 1) - before, before, total};
}
/// The rank whose equal share element i is in.
constexpr int owner_of_equal_share(std::size_t total, int ranks, std::size_t i) {
  int first = 0, behind = ranks;  // the begin of the first is i or less, that of the other is more
  while (behind - first > 1) {
    int const middle                                                   = first + (behind - first) / 2;
    (begin_of_equal_share(total, ranks, middle) <= i ? first : behind) = middle;
  }
  return first;
}

}  // namespace KokkosScan::ranks
