// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "../core/maybe.hpp"
#include "../core/share.hpp"
#include "compact.hpp"
#include "several_instances.hpp"

namespace KokkosScan::driver {

/// Compaction on each instance by itself, at the same time; the host waits for the counts.
struct DistributeCopyIf {
  using Result = std::vector<Share>;

  template <class Instances, class Froms, class Dests, class Predicate>
  static Result call(std::string const& label, Instances const& instances, Froms const& froms, Dests const& dests,
                     Predicate const& predicate) {
    Result shares;
    if constexpr (check_several<Instances, Froms, Dests>()) {
      using Exec  = InstanceOf<OneOf<Instances>>;
      using Count = Kokkos::View<std::size_t, SharedSpace<Exec>, Kokkos::MemoryUnmanaged>;
      if (instances.size() == 0) return shares;
      check_as_many(label, instances, "from", froms);
      check_as_many(label, instances, "dest", dests);
      check_apart_from_others(label, froms, dests);
      for (std::size_t i = 0; i < instances.size(); ++i)
        refuse_in_capture(of_instance(label, i), driver::instance(instances[i]));
      ValuesOfInstances<std::size_t, Instances> counts(label, instances);
      for (std::size_t i = 0; i < instances.size(); ++i)
        for_instance(label, i, [&] {
          CopyIf::call(of_instance(label, i), instances[i], froms[i], dests[i], predicate,
                       Total{Count(counts.place(i))});
        });
      std::size_t before = 0;
      for (std::size_t i = 0; i < instances.size(); ++i) {
        std::size_t const count = counts.wait(i);
        shares.push_back({count, before, 0});
        before += count;
      }
      for (Share& share : shares) share.total = before;
      counts.done();
    }
    return shares;
  }
};

}  // namespace KokkosScan::driver
