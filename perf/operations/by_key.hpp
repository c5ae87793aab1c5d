// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../family.hpp"

// Sums of runs of equal keys: int32 keys, and values of any type. The operation's name ends with the length of the
// runs.
namespace perf {

template <class T, Kind kind>
std::vector<Family> by_key(std::string const& operation) {
  using P                = ByKey<Problem<T, T, Plus<T>, around_zero, kind>>;
  auto const contestants = [](Contest<P>& contest) {
    contest.add_ours("KokkosScan", [](auto const& where, P const& p) {
      if constexpr (kind == Kind::inclusive)
        KokkosScan::inclusive_scan_by_key(where, p.keys, p.from, p.to);
      else
        KokkosScan::exclusive_scan_by_key(where, p.keys, p.from, p.to, T{});
    });
    backend::add_peers_by_key<P>(contest);
    contest.add_kokkos("Kokkos::parallel_scan", kokkos_scan_by_key<P>);
  };
  std::vector<Family> list;
  for (std::size_t const run : {4U, 32U, 1024U, 1U << 20})
    for (Family& family : families_of<P>(operation + "_" + std::to_string(run), "i32_" + type_name<T>(),
                                         {.n = 0, .run = run}, contestants)) {
      // A run without a filter has all lengths for one type.
      family.on_request = run != 32 && !std::is_same_v<T, std::int32_t>;
      list.push_back(family);
    }
  return list;
}

template <class T>
std::vector<Family> inclusive_by_key() {
  return by_key<T, Kind::inclusive>("inclusive_by_key");
}
template <class T>
std::vector<Family> exclusive_by_key() {
  return by_key<T, Kind::exclusive>("exclusive_by_key");
}

}  // namespace perf
