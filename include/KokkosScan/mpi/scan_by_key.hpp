// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <KokkosScan/scan_by_key.hpp>
#include <string>
#include <tuple>

#include "../../../src/ranks/function.hpp"
#include "../../../src/ranks/scan_keys.hpp"

namespace KokkosScan {
namespace ranks {

template <core::Kind kind, driver::Roles roles>
struct ScanByKey {
  template <class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
  static void call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, Keys const& keys,
                   From const& from, Dest const& dest, Rest&&... rest) {
    key_arguments<kind, roles>(label, comm, exec, keys, from, dest,
                               std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};
template <core::Kind kind, driver::Roles roles, driver::Name name>
using ScanByKeyFunction = Function<ScanByKey<kind, roles>, name>;

}  // namespace ranks

namespace mpi {

/// KokkosScan::inclusive_scan_by_key of the elements of all ranks, one rank behind the other: a run may begin on one
/// rank and end on another one, and ranks may have no elements. All ranks call it, with functions and types alike; op
/// and key_equal are called on the host as well.
///
///   inclusive_scan_by_key(comm, exec, keys, from, dest [, op [, key_equal]] [, Reversed{}] [, As<T>{}])
///
/// A rank behind which others stand reads again from its end, at least 4096 elements, or all, and up to about twice its
/// last run, in pieces that double, each a reduction and a wait for exec. All else is read once. The call waits for all
/// ranks, and dest is written in order on exec afterwards.
inline constexpr ranks::ScanByKeyFunction<core::Kind::inclusive, driver::inclusive_by_key,
                                          "KokkosScan::mpi::inclusive_scan_by_key">
    inclusive_scan_by_key{};

/// The same of an exclusive scan, in which init stands before the first element of each run.
///
///   exclusive_scan_by_key(comm, exec, keys, from, dest, init [, op [, key_equal]] [, Reversed{}] [, As<T>{}])
inline constexpr ranks::ScanByKeyFunction<core::Kind::exclusive, driver::exclusive_by_key,
                                          "KokkosScan::mpi::exclusive_scan_by_key">
    exclusive_scan_by_key{};

}  // namespace mpi
}  // namespace KokkosScan
