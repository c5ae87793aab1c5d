// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "../core/maybe.hpp"
#include "pinned_memory.hpp"
#include "scan_views.hpp"

//  Scans of what lies in the memory of several instances of one process, as of several GPUs
//  launches    those of a reduction on each instance that another one waits for, and of a scan on each
//  bytes       3 n on all instances but the last that has elements, which no other waits for
//  waits       the host, for the reductions, which run at the same time; and not for the scans
//
// The first instance might leave out the reduction, too: its scan has the same total. All others would wait for that,
// for 2 n bytes instead of n.
namespace KokkosScan::driver {

/// A container of things, by index.
template <class C>
concept Several = !Kokkos::is_view_v<C> && requires(C const& all) {
  { all.size() } -> std::convertible_to<std::size_t>;
  all[std::size_t{0}];
};
template <class C>
struct OneOfSeveral {
  using type = C;
};
template <Several C>
struct OneOfSeveral<C> {
  using type = std::remove_cvref_t<decltype(std::declval<C const&>()[std::size_t{0}])>;
};
template <class C>
using OneOf = typename OneOfSeveral<C>::type;

/// What the arguments are, in words. Whether they are as they must be.
template <class Instances, class... Views>
consteval bool check_several() {
  constexpr bool has_instances = Several<Instances>;
  static_assert(has_instances,
                "KokkosScan: instances must be a container (size() and [i]) of execution space instances or Handles");
  constexpr bool are_instances = is_exec_or_handle<OneOf<Instances>>;
  static_assert(!has_instances || are_instances,
                "KokkosScan: instances must be Kokkos execution space instances or KokkosScan::Handles");
  constexpr bool has_views = (Several<Views> && ...);
  static_assert(has_views,
                "KokkosScan: from and dest must be containers (size() and [i]) of Views, one for each instance");
  return has_instances && are_instances && has_views;
}

inline std::string of_instance(std::string const& what, std::size_t i) {
  return what + " (instance " + std::to_string(i) + ")";
}

/// Calls f, which works for one of the instances. What CUDA or an allocation says does not name it.
template <class F>
void for_instance(std::string const& label, std::size_t i, F const& f) {
  try {
    f();
  } catch (std::runtime_error const& error) {
    if (typeid(error) != typeid(std::runtime_error)) throw;
    throw std::runtime_error(of_instance(label, i) + ": " + error.what());
  }
}

template <class Instances, class Views>
void check_as_many(std::string const& label, Instances const& instances, char const* name, Views const& views) {
  if (views.size() != instances.size())
    throw std::invalid_argument(label + ": there are " + std::to_string(instances.size()) + " instances and " +
                                std::to_string(views.size()) + " Views in " + name + "; each instance has one");
}

/// What one instance writes no other may read or write: they do not wait for each other.
template <class Froms, class Dests>
void check_apart_from_others(std::string const& label, Froms const& froms, Dests const& dests) {
  auto const written = [&](std::size_t i) {
    std::size_t const from = froms[i].extent(0), dest = dests[i].extent(0);
    return footprint(dests[i], from < dest ? from : dest);
  };
  auto const refuse = [&](std::size_t i, char const* name, std::size_t j, Footprint const& other) {
    if (overlap(written(i), other))
      check_apart(label, of_instance("dest", i).c_str(), written(i), of_instance(name, j).c_str(), other);
  };
  for (std::size_t i = 0; i < froms.size(); ++i)
    for (std::size_t j = 0; j < froms.size(); ++j) {
      if (i == j) continue;
      refuse(i, "from", j, footprint(froms[j]));
      if (j < i) refuse(i, "dest", j, written(j));
    }
}

/// Values of instances, each found on its own and then read by the host. However that ends: the memory stays until no
/// instance writes there.
template <class Value, class Instances>
class ValuesOfInstances {
  using Exec = InstanceOf<OneOf<Instances>>;

 public:
  ValuesOfInstances(std::string const& label, Instances const& instances)
      : label_(label),
        instances_(instances),
        lease_(driver::lease_pinned(driver::instance(instances[0]), instances.size() * sizeof(Value))) {}
  ValuesOfInstances(ValuesOfInstances const&)            = delete;
  ValuesOfInstances& operator=(ValuesOfInstances const&) = delete;
  ~ValuesOfInstances() {
    if (done_) return;
    for (std::size_t i = 0; i < instances_.size(); ++i) try {
        driver::wait_for(label_, instances_[i]);
      } catch (std::exception const&) {
        // What was thrown before says more.
      }
  }

  Value* place(std::size_t i) const { return static_cast<Value*>(lease_.data()) + i; }
  /// When the instance has found it.
  Value const& wait(std::size_t i) const {
    for_instance(label_, i, [&] { driver::wait_for(label_, instances_[i]); });
    return *place(i);
  }
  /// All that were begun were waited for.
  void done() { done_ = true; }

 private:
  std::string const& label_;
  Instances const& instances_;
  PinnedLease<Exec> lease_;
  bool done_ = false;
};

template <core::Kind kind, Roles roles, class Instances, class Froms, class Dests, class... Rest>
class DistributedScan {
  using ExecOrHandle = OneOf<Instances>;
  using C            = Call<roles, OneOf<Froms>, OneOf<Dests>, Rest...>;
  using Order        = typename C::Order;
  using Value        = typename C::Value;

 public:
  DistributedScan(std::string const& label, Instances const& instances, Froms const& froms, Dests const& dests,
                  std::tuple<Rest...> const& rest)
      : label_(label), instances_(instances), froms_(froms), dests_(dests), rest_(rest), count_(instances.size()) {
    if (count_ == 0) throw std::invalid_argument(label + ": there are no instances");
    check_as_many(label, instances, "from", froms);
    check_as_many(label, instances, "dest", dests);
    std::size_t all = 0;
    first_ = last_ = count_;
    for (std::size_t k = 0; k < count_; ++k) {
      std::size_t const i = instance_at(k), n = froms[i].extent(0);
      check_scan(of_instance(label, i), froms[i], dests[i], n, init(), total());
      refuse_in_capture(of_instance(label, i), driver::instance(instances[i]),
                        ": while exec is captured into a graph there is no scan of several instances, for which the "
                        "host waits in between");
      all += n;
      if (n == 0) continue;
      if (first_ == count_) first_ = k;
      last_ = k;
    }
    check_apart_from_others(label, froms, dests);
    if constexpr (is_total<typename C::TotalArgument>) {
      check_total_of_nothing<typename C::Op, typename C::Init, Value>(label, "from is empty on all instances", all,
                                                                      total());
      if constexpr (Kokkos::is_view_v<typename C::Init>)
        if (first_ != last_) check_total_apart(label, "init", footprint(init()), total());
    }
  }

  void run() const {
    if (first_ == last_) {  // one has all, or none has any: it is a scan as others are
      std::size_t const i = instance_at(first_ < count_ ? first_ : 0);
      for_instance(label_, i,
                   [&] { driver::scan_views<kind, roles>(label_, instances_[i], froms_[i], dests_[i], rest_); });
      return;
    }
    ValuesOfInstances<Value, Instances> aggregates(label_, instances_);
    for_each_with_elements([&](std::size_t k, std::size_t i) {
      if (k < last_) for_instance(label_, i, [&] { reduce(k, i, aggregates.place(i)); });
    });
    core::Maybe<Value> before;
    for_each_with_elements([&](std::size_t k, std::size_t i) {
      if (k == last_) {
        aggregates.done();
        for_instance(label_, i, [&] { scan(i, before, total()); });
        return;
      }
      Value const& own = aggregates.wait(i);
      for_instance(label_, i, [&] {
        if (k == first_)
          scan(i, init(), Nothing{});
        else
          scan(i, before, Nothing{});
      });
      before.put(before ? static_cast<Value>(op()(*before, own)) : own);
    });
  }

 private:
  decltype(auto) op() const { return argument_or<Order::index(roles.op), Sum>(rest_); }
  decltype(auto) init() const { return argument_or<Order::index(roles.init), Nothing>(rest_); }
  decltype(auto) total() const { return argument_or<Order::first(Order::totals), Nothing>(rest_); }

  std::size_t instance_at(std::size_t k) const { return Order::reversed ? count_ - 1 - k : k; }
  template <class F>
  void for_each_with_elements(F const& f) const {
    for (std::size_t k = first_; k <= last_; ++k)
      if (std::size_t const i = instance_at(k); froms_[i].extent(0) > 0) f(k, i);
  }

  /// What the elements of one instance combine to, behind init if they are the first of all.
  void reduce(std::size_t k, std::size_t i, Value* to) const {
    if (k == first_)
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
  std::size_t count_, first_, last_;  // positions of those that have elements
};

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles>
struct Distribute {
  template <class Instances, class Froms, class Dests, class... Rest>
  static void call(std::string const& label, Instances const& instances, Froms const& froms, Dests const& dests,
                   Rest&&... rest) {
    constexpr bool no_length = !(is_length<std::remove_cvref_t<Rest>> || ...);
    static_assert(no_length, "KokkosScan: of several instances there is no Length; subviews have other extents");
    constexpr bool no_axis = !(is_axis<std::remove_cvref_t<Rest>> || ...);
    static_assert(no_axis, "KokkosScan: distribute is for Views of rank 1, and has no Axis");
    if constexpr (no_length && no_axis && check_several<Instances, Froms, Dests>())
      if constexpr (check_call<roles, OneOf<Instances>, OneOf<Froms>, OneOf<Dests>, Rest...>())
        DistributedScan<kind, roles, Instances, Froms, Dests, Rest&&...>(
            label, instances, froms, dests, std::forward_as_tuple(static_cast<Rest&&>(rest)...))
            .run();
  }
};

}  // namespace KokkosScan::driver
