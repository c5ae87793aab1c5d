// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/run_state.hpp"
#include "last_run.hpp"
#include "scan_keys.hpp"
#include "several_instances.hpp"

//  Scans by key of what lies in the memory of several instances of one process, as of several GPUs
//  launches    one for each piece of an instance that is read from its end, two where it is longer than one wave; one
//              that fetches the first key of the last instance; and a scan on each
//  bytes       those of one instance's scan; and again 4096 elements of all instances but the last that has any, or, of
//              a longer last run, up to three times that, and twice where it is far longer
//  waits       the host, once for each of those pieces, which are read on all instances at the same time; and not for
//              the scans
//
// What stands before an instance touches no more than its first run, so that nobody needs the aggregate of all its
// elements.
namespace KokkosScan::driver {

template <core::Kind kind, Roles roles, class Instances, class AllKeys, class Froms, class Dests, class... Rest>
class DistributedKeyedScan {
  using C     = KeyedCall<roles, OneOf<AllKeys>, OneOf<Froms>, OneOf<Dests>, Rest...>;
  using Order = typename C::Order;
  using Value = typename C::Value;
  using Key   = typename C::Key;
  using Run   = LastRun<Key, Value>;
  using Runs  = ValuesOfInstances<Run, Instances>;

 public:
  DistributedKeyedScan(std::string const& label, Instances const& instances, AllKeys const& keys, Froms const& froms,
                       Dests const& dests, std::tuple<Rest...> const& rest)
      : label_(label), instances_(instances), keys_(keys), froms_(froms), dests_(dests), rest_(rest), shares_(froms) {
    check_instances(label, instances);
    check_as_many(label, instances, "keys", keys);
    check_as_many(label, instances, "from", froms);
    check_as_many(label, instances, "dest", dests);
    for (std::size_t i = 0; i < instances.size(); ++i)
      check_keyed_views(of_instance(label, i), keys[i], froms[i], dests[i], init(), froms[i].extent(0), Nothing{});
    refuse_in_captures(label, instances);
    check_apart_from_inputs(label, froms, dests, "keys", keys);
    check_apart_from_others(label, froms, dests);
  }

  void run() const {
    if (shares_.first() == shares_.last()) {  // one has all, or none has any: it is a scan as others are
      std::size_t const i = shares_.first();
      for_instance(label_, i, [&] {
        driver::scan_keys<kind, roles>(label_, instances_[i], keys_[i], froms_[i], dests_[i], rest_);
      });
      return;
    }
    Runs runs(label_, instances_);
    find_last_runs(runs);
    if constexpr (kind == core::Kind::exclusive)
      // All begin their runs with it, and it may lie in memory that the first alone reaches.
      scan_all(runs, for_instance(label_, shares_.first(), [&] {
                 return driver::read_init<Value>(label_, instances_[shares_.first()], init());
               }));
    else
      scan_all(runs, Nothing{});
  }

 private:
  decltype(auto) op() const { return argument_or<Order::index(roles.op), Sum>(rest_); }
  decltype(auto) equal() const { return argument_or<Order::index(roles.equal), core::EqualTo>(rest_); }
  decltype(auto) init() const { return argument_or<Order::index(roles.init), Nothing>(rest_); }

  /// Each piece on all instances that need it, and then one wait for each. Nothing is written before all are found:
  /// dest may be from.
  void find_last_runs(Runs& runs) const {
    shares_.for_each([&](std::size_t i) {
      ::new (static_cast<void*>(runs.place(i))) Run(froms_[i].extent(0));
      for_instance(label_, i, [&] {
        if (i == shares_.last())
          runs.place(i)->enqueue_first(label_, instances_[i], array(keys_, i));
        else
          read_piece(i, *runs.place(i));
      });
    });
    for (bool are_found = false; !are_found;) {
      are_found = true;
      shares_.for_each_waited_for([&](std::size_t i) {
        Run& run = *runs.place(i);
        if (run.is_found()) return;
        runs.wait(i);
        for_instance(label_, i, [&] {
          if (run.take(op(), equal())) return;
          read_piece(i, run);
          are_found = false;
        });
      });
    }
    runs.wait(shares_.last());
    runs.done();
  }
  void read_piece(std::size_t i, Run& run) const {
    run.enqueue(label_, instances_[i], array(keys_, i), array(froms_, i), for_exec<OneOf<Instances>>(op()),
                for_exec<OneOf<Instances>>(equal()));
  }

  template <class Init>
  void scan_all(Runs const& runs, Init const& init) const {
    using State = core::RunState<Key, Value>;
    core::JoinRunStates<Key, Value, typename C::Op, typename C::Equal> const join{op(), equal()};
    auto const scan = [&](std::size_t i, core::Maybe<core::Keyed<Value>> const& carry) {
      driver::scan_keys_behind<kind, Order::reversed>(carry, label_, instances_[i], keys_[i], froms_[i], dests_[i],
                                                      op(), equal(), init);
    };
    State before = for_instance(label_, shares_.first(), [&] {
      scan(shares_.first(), {});
      return runs.place(shares_.first())->state();
    });
    shares_.for_each([&](std::size_t i) {
      if (i == shares_.first()) return;
      Run const& run = *runs.place(i);
      for_instance(label_, i, [&] {
        scan(i, core::carry_into_run<kind>(core::Maybe<State>(before), core::Maybe<Key>(run.first()), op(), equal(),
                                           [&] { return init; }));
        if (i != shares_.last()) core::put(before, join(before, run.state()));
      });
    });
  }

  template <class Views>
  auto array(Views const& views, std::size_t i) const {
    return driver::array_of<Order::reversed>(views[i], froms_[i].extent(0));
  }

  std::string const& label_;
  Instances const& instances_;
  AllKeys const& keys_;
  Froms const& froms_;
  Dests const& dests_;
  std::tuple<Rest...> const& rest_;
  SharesInOrder<Order::reversed, Froms> shares_;
};

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles>
struct DistributeByKey {
  using Result = void;

  template <class Instances, class AllKeys, class Froms, class Dests, class... Rest>
  static void call(std::string const& label, Instances const& instances, AllKeys const& keys, Froms const& froms,
                   Dests const& dests, Rest&&... rest) {
    constexpr bool has_keys = Several<AllKeys>;
    static_assert(has_keys, "KokkosScan: keys must be a container (size() and [i]) of Views, one for each instance");
    constexpr bool no_length = check_no_length<Rest...>();
    if constexpr (has_keys && no_length && check_several<Instances, Froms, Dests>())
      if constexpr (check_keyed_call<roles, InstanceOf<OneOf<Instances>>, OneOf<AllKeys>, OneOf<Froms>, OneOf<Dests>,
                                     Rest...>())
        DistributedKeyedScan<kind, roles, Instances, AllKeys, Froms, Dests, Rest&&...>(
            label, instances, keys, froms, dests, std::forward_as_tuple(static_cast<Rest&&>(rest)...))
            .run();
  }
};

}  // namespace KokkosScan::driver
