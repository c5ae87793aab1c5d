// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>
#include <KokkosScan/operators.hpp>
#include <Kokkos_Core.hpp>
#include <string>

#include "../../src/driver/distribute.hpp"
#include "../../src/driver/distribute_copy.hpp"
#include "../../src/driver/distribute_keys.hpp"
#include "../../src/driver/function.hpp"

// Scans over several instances of one process, as of several GPUs: those of instances[0] have the first elements, and
// so on. instances, from and dest are containers with size() and [i], as std::vector and std::array: of execution space
// instances or Handles, of one type, and of Views of rank 1, one for each instance, in memory that it reaches. Each may
// have any number of elements, and none.
//
// op is called on the instances, and on the host, which combines what they have found; so it must be callable there.
// The host waits for one pass over all instances but the last, on all at once, and enqueues the scans, which nobody
// waits for: dest is written in order on its instance. Of one that has all elements it is the scan of that instance.
// The same shares have the same bits in every run.
namespace KokkosScan {
namespace driver {

/// As Function, of calls whose first argument are several instances. What they return is named: of one that is deduced
/// Clang says what is wrong with a call, and not where the call is.
template <class Algorithm, Name name>
struct FunctionOfSeveral {
  using Result = typename Algorithm::Result;

  template <class Instances, class... Arguments>
  Result operator()(std::string const& label, Instances const& instances, Arguments&&... arguments) const {
    constexpr bool are_enough = TakenBy<Algorithm, Instances const&, Arguments...>;
    static_assert(are_enough, "KokkosScan: too few arguments, or too many");
    if constexpr (are_enough) {
      [[maybe_unused]] CurrentDevice<InstanceOf<OneOf<Instances>>> const before{};
      return Algorithm::call(label, instances, static_cast<Arguments&&>(arguments)...);
    } else {
      return Result();
    }
  }
  template <NoLabel Instances, class... Arguments>
  Result operator()(Instances const& instances, Arguments&&... arguments) const {
    static std::string const label = name.text;
    return (*this)(label, instances, static_cast<Arguments&&>(arguments)...);
  }
};

}  // namespace driver

/// dest(i) = all elements of the instances before op from(0) op ... op from(i), behind init if there is one.
///
///   distribute(instances, from, dest [, op [, init]])
///
/// Behind dest may stand Total{x}, the total of all instances: x is a variable, or a View of rank 0 that the last
/// instance with elements writes (the first one of a Reversed scan), in the order of that instance alone; Reversed{},
/// from the last element of the last instance on; and As<T>{}, the accumulator. init is a value, or a View of rank 0
/// that the first instance with elements reads.
inline constexpr driver::FunctionOfSeveral<
    driver::Distribute<core::Kind::inclusive,
                       driver::Roles{.op = 0, .unary = driver::absent, .init = 1, .required = 0, .most = 2}>,
    "KokkosScan::distribute">
    distribute{};

/// The same up to from(i - 1).
///
///   distribute_exclusive(instances, from, dest, init [, op])
inline constexpr driver::FunctionOfSeveral<
    driver::Distribute<core::Kind::exclusive,
                       driver::Roles{.op = 1, .unary = driver::absent, .init = 0, .required = 1, .most = 2}>,
    "KokkosScan::distribute_exclusive">
    distribute_exclusive{};

/// inclusive_scan_by_key of the elements of all instances, one instance behind the other: a run of equal neighbouring
/// keys may begin on one, fill others, and end on another one. keys is such a container, too; key_equal is called on
/// the instances and on the host.
///
///   distribute_by_key(instances, keys, from, dest [, op [, key_equal]])
///
/// Behind dest may stand Reversed{} and As<T>{}. What stands before an instance touches its first run alone, so that
/// elements are read once; but from the end of each instance behind which others have elements at least 4096 again, or
/// all, and two to three times a longer last run, in pieces that double. The host waits once for each of these pieces.
inline constexpr driver::FunctionOfSeveral<driver::DistributeByKey<core::Kind::inclusive, driver::inclusive_by_key>,
                                           "KokkosScan::distribute_by_key">
    distribute_by_key{};

/// The same of an exclusive scan, in which init stands before the first element of each run: a value, or a View of rank
/// 0 that the first instance with elements reads, for which the host waits, too.
///
///   distribute_exclusive_by_key(instances, keys, from, dest, init [, op [, key_equal]])
inline constexpr driver::FunctionOfSeveral<driver::DistributeByKey<core::Kind::exclusive, driver::exclusive_by_key>,
                                           "KokkosScan::distribute_exclusive_by_key">
    distribute_exclusive_by_key{};

/// What predicate(from(i)) chooses goes to dest, on each instance to its own. Waits for all; returns a Share for each:
/// how many it chose, how many those before it did, and how many all did. Where dest is shorter than its count says,
/// the rest is not written.
///
///   distribute_copy_if(instances, from, dest, predicate)    a std::vector<Share>
inline constexpr driver::FunctionOfSeveral<driver::DistributeCopyIf, "KokkosScan::distribute_copy_if">
    distribute_copy_if{};

}  // namespace KokkosScan
