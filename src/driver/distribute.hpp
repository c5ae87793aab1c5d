// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../core/maybe.hpp"
#include "scan_views.hpp"
#include "several_instances.hpp"

//  Scans of what lies in the memory of several instances of one process, as of several GPUs
//  launches    those of a reduction on each instance that another one waits for, and of a scan on each
//  bytes       3 n on all instances but the last that has elements, which no other waits for
//  waits       the host, for the reductions, which run at the same time; and not for the scans
//
// The first instance might leave out the reduction, too: its scan has the same total. All others would wait for that,
// for 2 n bytes instead of n.
namespace KokkosScan::driver {

template <core::Kind kind, Roles roles, class Instances, class Froms, class Dests, class... Rest>
class DistributedScan {
  using ExecOrHandle = OneOf<Instances>;
  using C            = Call<roles, OneOf<Froms>, OneOf<Dests>, Rest...>;
  using Order        = typename C::Order;
  using Value        = typename C::Value;

 public:
  DistributedScan(std::string const& label, Instances const& instances, Froms const& froms, Dests const& dests,
                  std::tuple<Rest...> const& rest)
      : label_(label), instances_(instances), froms_(froms), dests_(dests), rest_(rest), shares_(froms) {
    check_instances(label, instances);
    check_as_many(label, instances, "from", froms);
    check_as_many(label, instances, "dest", dests);
    for (std::size_t i = 0; i < instances.size(); ++i)
      check_scan(of_instance(label, i), froms[i], dests[i], froms[i].extent(0), init(), total());
    refuse_in_captures(label, instances);
    check_apart_from_others(label, froms, dests);
    if constexpr (is_total<typename C::TotalArgument>) {
      check_total_of_nothing<typename C::Op, typename C::Init, Value>(label, "from is empty on all instances",
                                                                      shares_.elements(), total());
      if constexpr (Kokkos::is_view_v<typename C::Init>)
        if (shares_.first() != shares_.last()) check_total_apart(label, "init", footprint(init()), total());
    }
  }

  void run() const {
    if (shares_.first() == shares_.last()) {  // one has all, or none has any: it is a scan as others are
      std::size_t const i = shares_.first();
      for_instance(label_, i,
                   [&] { driver::scan_views<kind, roles>(label_, instances_[i], froms_[i], dests_[i], rest_); });
      return;
    }
    ValuesOfInstances<Value, Instances> aggregates(label_, instances_);
    shares_.for_each_waited_for(
        [&](std::size_t i) { for_instance(label_, i, [&] { reduce(i, aggregates.place(i)); }); });
    core::Maybe<Value> before;
    shares_.for_each_waited_for([&](std::size_t i) {
      Value const& own = aggregates.wait(i);
      for_instance(label_, i, [&] {
        if (i == shares_.first())
          scan(i, init(), Nothing{});
        else
          scan(i, before, Nothing{});
        before.put(before ? static_cast<Value>(op()(*before, own)) : own);
      });
    });
    aggregates.done();
    for_instance(label_, shares_.last(), [&] { scan(shares_.last(), before, total()); });
  }

 private:
  decltype(auto) op() const { return argument_or<Order::index(roles.op), Sum>(rest_); }
  decltype(auto) init() const { return argument_or<Order::index(roles.init), Nothing>(rest_); }
  decltype(auto) total() const { return argument_or<Order::first(Order::totals), Nothing>(rest_); }

  /// What the elements of one instance combine to, behind init if they are the first of all.
  void reduce(std::size_t i, Value* to) const {
    if (i == shares_.first())
      reduce_behind(i, init(), to);
    else
      reduce_behind(i, Nothing{}, to);
  }
  template <class Init>
  void reduce_behind(std::size_t i, Init const& start, Value* to) const {
    std::size_t const n = froms_[i].extent(0);
    driver::with_elements(froms_[i], [&](auto const& elements) {
      driver::run_scan(label_, instances_[i],
                       driver::make_reduction<Value, ExecOrHandle>(in_direction<Order::reversed>(elements, n), n, op(),
                                                                   Unchanged{}, start, to));
    });
  }

  template <class Start, class TotalArgument>
  void scan(std::size_t i, Start const& start, TotalArgument const& to) const {
    std::size_t const n = froms_[i].extent(0);
    driver::with_elements(froms_[i], [&](auto const& elements) {
      driver::with_elements(dests_[i], [&](auto const& outputs) {
        driver::run_with_total(label_, instances_[i],
                               driver::make_scan<kind, Value, ExecOrHandle>(in_direction<Order::reversed>(elements, n),
                                                                            in_direction<Order::reversed>(outputs, n),
                                                                            n, op(), Unchanged{}, start),
                               to);
      });
    });
  }

  std::string const& label_;
  Instances const& instances_;
  Froms const& froms_;
  Dests const& dests_;
  std::tuple<Rest...> const& rest_;
  SharesInOrder<Order::reversed, Froms> shares_;
};

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles>
struct Distribute {
  using Result = void;

  template <class Instances, class Froms, class Dests, class... Rest>
  static void call(std::string const& label, Instances const& instances, Froms const& froms, Dests const& dests,
                   Rest&&... rest) {
    constexpr bool no_length = check_no_length<Rest...>();
    constexpr bool no_axis   = !(is_axis<std::remove_cvref_t<Rest>> || ...);
    static_assert(no_axis, "KokkosScan: distribute is for Views of rank 1, and has no Axis");
    if constexpr (no_length && no_axis && check_several<Instances, Froms, Dests>())
      if constexpr (check_call<roles, OneOf<Instances>, OneOf<Froms>, OneOf<Dests>, Rest...>())
        DistributedScan<kind, roles, Instances, Froms, Dests, Rest&&...>(
            label, instances, froms, dests, std::forward_as_tuple(static_cast<Rest&&>(rest)...))
            .run();
  }
};

}  // namespace KokkosScan::driver
