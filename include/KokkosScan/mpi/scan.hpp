// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>
#include <KokkosScan/mpi/pending.hpp>
#include <KokkosScan/operators.hpp>
#include <Kokkos_Core.hpp>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "../../../src/ranks/function.hpp"
#include "../../../src/ranks/scan.hpp"
#include "../../../src/ranks/scan_axis.hpp"

// Scans of rank-1 Views that are distributed over the ranks of a communicator: the elements of rank 0 come first, then
// those of rank 1, and so on; a rank may have none. All ranks make the same call, with the same operator, init and
// types. Arguments are those of the scans of one rank (KokkosScan/scan.hpp), with the communicator before exec:
//
//   Total{x}      the total of all ranks, to every rank, with the bits of the last element; a variable waits for it, a
//                 View of rank 0 gets it on exec
//   Reversed{}    from the last element of the last rank to the first of rank 0
//   As<T>{}       the accumulator
//
// Calls across ranks, test(), wait() and the end of a Pending come from one host thread at a time, with whichever
// communicator: MPI_THREAD_FUNNELED if that is always the main one, MPI_THREAD_SERIALIZED else.
//
// Along an Axis{d} Views of rank 2, 3 and 4 are distributed in dimension d: the elements of rank 0 come first there, as
// many as it has. All other extents are the same on all ranks, as is the axis; else all ranks throw. init is then a
// value, or a View of one rank less that all ranks have. What crosses is a value for each line; it is combined on exec,
// which is fenced in each round. There is no Total then, and Axis{d}.reversed() in the place of Reversed{}.
//
// Operators are called as op(left, right), left being the earlier element, on exec and on the host: values of ranks are
// combined there. init enters once, before the first element of all. The bits are the same in every run with the same
// shares, whatever MPI does.
//
// A call waits for exec until this rank's own aggregate is found, and for those of all ranks: in each call every rank
// hears from all others. dest is written in order on exec afterwards, and nobody waits for that but whoever asks for a
// total. The elements of from are read twice, by the last rank, whose aggregate nobody needs, once.
//
// Errors: the rank that fails throws, and so do all ranks behind it in this call if its aggregate was not sent yet, and
// all ranks in their next call with the communicator, which no rank then does. Nobody hangs. A total fails on all ranks
// if the rank of the last element fails, or is behind one that does. Where an operator throws while aggregates are
// combined, ranks behind to which that rank's value had gone out already may return normally. With
// Options{.check = true} in a Handle, on all ranks, calls that differ in label, types or operator throw on all ranks.
namespace KokkosScan {

namespace ranks {

/// A scan, by what its arguments are.
template <core::Kind kind, driver::Roles roles>
struct ScanViews {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static void call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, From const& from,
                   Dest const& dest, Rest&&... rest) {
    if constexpr ((driver::is_axis<std::remove_cvref_t<Rest>> || ...)) {
      if constexpr (check_axis_call<roles, ExecOrHandle, From, Dest, Rest...>()) {
        Channel& channel = Channel::of(comm, label);
        check_scans_agree<kind, driver::AxisCall<roles, From, Dest, Rest...>>(channel, label, exec);
        ranks::scan_axis<kind, roles>(label, channel, exec, from, dest,
                                      std::forward_as_tuple(static_cast<Rest&&>(rest)...));
      }
    } else if constexpr (check_call<roles, ExecOrHandle, From, Dest, Rest...>()) {
      Channel& channel = Channel::of(comm, label);
      check_scans_agree<kind, driver::Call<roles, From, Dest, Rest...>>(channel, label, exec);
      Scan<kind, roles, false, ExecOrHandle, From, Dest, Rest&&...>(label, channel, exec, from, dest,
                                                                    std::forward_as_tuple(static_cast<Rest&&>(rest)...))
          .wait();
    }
  }
};

/// The same without waiting.
template <core::Kind kind, driver::Roles roles>
struct StartScanOfViews {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static auto call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, From const& from,
                   Dest const& dest, Rest&&... rest) {
    constexpr bool no_axis = !(driver::is_axis<std::remove_cvref_t<Rest>> || ...);
    static_assert(no_axis,
                  "KokkosScan: along an Axis there is no start_ of a scan across ranks; planes are waited for");
    if constexpr (no_axis && check_call<roles, ExecOrHandle, From, Dest, Rest...>()) {
      Channel& channel = Channel::of(comm, label);
      check_scans_agree<kind, driver::Call<roles, From, Dest, Rest...>>(channel, label, exec);
      return mpi::Pending(std::make_unique<StartedScan<kind, roles, ExecOrHandle, From, Dest, std::decay_t<Rest>...>>(
          label, channel, exec, from, dest, std::tuple<std::decay_t<Rest>...>(static_cast<Rest&&>(rest)...)));
    }
  }
};

inline constexpr driver::Roles inclusive_roles{.op = 0, .unary = driver::absent, .init = 1, .required = 0, .most = 2};
inline constexpr driver::Roles exclusive_roles{.op = 1, .unary = driver::absent, .init = 0, .required = 1, .most = 2};
inline constexpr driver::Roles transform_inclusive_roles{.op = 0, .unary = 1, .init = 2, .required = 2, .most = 3};
inline constexpr driver::Roles transform_exclusive_roles{.op = 1, .unary = 2, .init = 0, .required = 3, .most = 3};

}  // namespace ranks

namespace mpi {

/// dest(i) = all elements of the ranks before op from(0) op ... op from(i), behind init if there is one.
///
///   inclusive_scan(comm, exec, from, dest [, op [, init]])
inline constexpr ranks::Function<ranks::ScanViews<core::Kind::inclusive, ranks::inclusive_roles>,
                                 "KokkosScan::mpi::inclusive_scan">
    inclusive_scan{};

/// The same up to from(i - 1).
///
///   exclusive_scan(comm, exec, from, dest, init [, op])
inline constexpr ranks::Function<ranks::ScanViews<core::Kind::exclusive, ranks::exclusive_roles>,
                                 "KokkosScan::mpi::exclusive_scan">
    exclusive_scan{};

/// As inclusive_scan, over unary(from(i)).
///
///   transform_inclusive_scan(comm, exec, from, dest, op, unary [, init])
inline constexpr ranks::Function<ranks::ScanViews<core::Kind::inclusive, ranks::transform_inclusive_roles>,
                                 "KokkosScan::mpi::transform_inclusive_scan">
    transform_inclusive_scan{};

/// As exclusive_scan, over unary(from(i)).
///
///   transform_exclusive_scan(comm, exec, from, dest, init, op, unary)
inline constexpr ranks::Function<ranks::ScanViews<core::Kind::exclusive, ranks::transform_exclusive_roles>,
                                 "KokkosScan::mpi::transform_exclusive_scan">
    transform_exclusive_scan{};

/// The same, started: neither exec nor other ranks are waited for, and a Pending is returned, in whose test() and
/// wait() the call goes on. On a device the aggregate is found meanwhile; on hosts, before this returns. The first call
/// with a communicator waits for all ranks, and so do all with Options::check.
///
///   Pending pending = start_inclusive_scan(comm, exec, from, dest ...);
inline constexpr ranks::Function<ranks::StartScanOfViews<core::Kind::inclusive, ranks::inclusive_roles>,
                                 "KokkosScan::mpi::start_inclusive_scan">
    start_inclusive_scan{};
inline constexpr ranks::Function<ranks::StartScanOfViews<core::Kind::exclusive, ranks::exclusive_roles>,
                                 "KokkosScan::mpi::start_exclusive_scan">
    start_exclusive_scan{};
inline constexpr ranks::Function<ranks::StartScanOfViews<core::Kind::inclusive, ranks::transform_inclusive_roles>,
                                 "KokkosScan::mpi::start_transform_inclusive_scan">
    start_transform_inclusive_scan{};
inline constexpr ranks::Function<ranks::StartScanOfViews<core::Kind::exclusive, ranks::transform_exclusive_roles>,
                                 "KokkosScan::mpi::start_transform_exclusive_scan">
    start_transform_exclusive_scan{};

}  // namespace mpi
}  // namespace KokkosScan
