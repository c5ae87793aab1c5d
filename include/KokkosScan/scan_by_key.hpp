// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <string>
#include <tuple>

#include "../../src/driver/scan_keys.hpp"

namespace KokkosScan {
namespace driver {

template <core::Kind kind, Roles roles>
struct ScanByKey {
  template <class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Keys const& keys, From const& from,
                   Dest const& dest, Rest&&... rest) {
    key_arguments<kind, roles>(label, exec, keys, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};
template <core::Kind kind, Roles roles, Name name>
using ScanByKeyFunction = Function<ScanByKey<kind, roles>, name>;

}  // namespace driver

/// An inclusive scan of each run of equal neighbouring keys. keys and dest are as long as from, or longer; dest may be
/// from, and must be apart from keys. key_equal(a, b) is an equivalence.
///
///   inclusive_scan_by_key(exec, keys, from, dest)
///   inclusive_scan_by_key(exec, keys, from, dest, op)
///   inclusive_scan_by_key(exec, keys, from, dest, op, key_equal)
inline constexpr driver::ScanByKeyFunction<core::Kind::inclusive, driver::inclusive_by_key,
                                           "KokkosScan::inclusive_scan_by_key">
    inclusive_scan_by_key{};

/// An exclusive scan of each run, which begins with init.
///
///   exclusive_scan_by_key(exec, keys, from, dest, init)
///   exclusive_scan_by_key(exec, keys, from, dest, init, op)
///   exclusive_scan_by_key(exec, keys, from, dest, init, op, key_equal)
inline constexpr driver::ScanByKeyFunction<core::Kind::exclusive, driver::exclusive_by_key,
                                           "KokkosScan::exclusive_scan_by_key">
    exclusive_scan_by_key{};

}  // namespace KokkosScan
