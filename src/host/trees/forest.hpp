// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "../../core/euler_tour.hpp"
#include "../launch.hpp"

// What the algorithms for trees have in common.
namespace KokkosScan::host::trees {

/// Calls f(begin, end) for a share of n of each worker.
template <class Workers, class F>
void share(Workers const& workers, std::size_t n, F const& f) {
  std::size_t const size = static_cast<std::size_t>(workers.size()), each = (n + size - 1) / size;
  host::launch(workers, [&](int worker, Failure const&) {
    std::size_t const begin = std::min(n, static_cast<std::size_t>(worker) * each);
    f(begin, std::min(n, begin + each));
  });
}

/// A forest as walks see it: key(v) is 0 for a root, 1 and the parent, or more than there are nodes.
template <class Parents>
struct Upwards {
  Parents parents;
  std::size_t n;
  std::size_t key(std::size_t v) const { return core::sibling_key<std::size_t>(parents[v], n); }
};

}  // namespace KokkosScan::host::trees
