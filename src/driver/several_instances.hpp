// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "pinned_memory.hpp"
#include "run_scan.hpp"
#include "views.hpp"

// What calls for several instances of one process have in common.
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

template <class... Rest>
consteval bool check_no_length() {
  constexpr bool no_length = !(is_length<std::remove_cvref_t<Rest>> || ...);
  static_assert(no_length, "KokkosScan: of several instances there is no Length; subviews have other extents");
  return no_length;
}

inline std::string of_instance(std::string const& what, std::size_t i) {
  return what + " (instance " + std::to_string(i) + ")";
}

/// Calls f, which works for one of the instances, on it or on the host. What CUDA or an allocation says does not name
/// it. Nobody can tell that from a std::runtime_error of the user's, which is named in the same way, wherever it comes
/// from.
template <class F>
auto for_instance(std::string const& label, std::size_t i, F const& f) {
  try {
    return f();
  } catch (std::runtime_error const& error) {
    std::string const named = of_instance(label, i);
    if (typeid(error) != typeid(std::runtime_error) || std::string_view(error.what()).starts_with(named)) throw;
    throw std::runtime_error(named + ": " + error.what());
  }
}

template <class Instances, class Views>
void check_as_many(std::string const& label, Instances const& instances, char const* name, Views const& views) {
  if (views.size() != instances.size())
    throw std::invalid_argument(label + ": there are " + std::to_string(instances.size()) + " instances and " +
                                std::to_string(views.size()) + " Views in " + name + "; each instance has one");
}

template <class Instances>
void check_instances(std::string const& label, Instances const& instances) {
  if (instances.size() == 0) throw std::invalid_argument(label + ": there are no instances");
}
template <class Instances>
void refuse_in_captures(std::string const& label, Instances const& instances) {
  for (std::size_t i = 0; i < instances.size(); ++i)
    refuse_in_capture(of_instance(label, i), driver::instance(instances[i]),
                      ": while exec is captured into a graph there is no scan of several instances, for which the "
                      "host waits in between");
}

template <class Froms, class Dests>
Footprint written_by(std::size_t i, Froms const& froms, Dests const& dests) {
  std::size_t const from = froms[i].extent(0), dest = dests[i].extent(0);
  return footprint(dests[i], from < dest ? from : dest);
}
inline void refuse_overlap(std::string const& label, std::size_t i, Footprint const& written, char const* name,
                           std::size_t j, Footprint const& other) {
  if (overlap(written, other))
    check_apart(label, of_instance("dest", i).c_str(), written, of_instance(name, j).c_str(), other);
}

/// What one instance writes no other may read: they do not wait for each other. As many inputs are read as from has.
template <class Froms, class Dests, class Inputs>
void check_apart_from_inputs(std::string const& label, Froms const& froms, Dests const& dests, char const* name,
                             Inputs const& inputs) {
  for (std::size_t i = 0; i < froms.size(); ++i)
    for (std::size_t j = 0; j < froms.size(); ++j)
      if (i != j)
        refuse_overlap(label, i, written_by(i, froms, dests), name, j, footprint(inputs[j], froms[j].extent(0)));
}
/// Nor write.
template <class Froms, class Dests>
void check_apart_from_others(std::string const& label, Froms const& froms, Dests const& dests) {
  check_apart_from_inputs(label, froms, dests, "from", froms);
  for (std::size_t i = 0; i < froms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      refuse_overlap(label, i, written_by(i, froms, dests), "dest", j, written_by(j, froms, dests));
}

/// Instances in the direction of a scan, of which those count that have elements.
template <bool reversed, class Froms>
class SharesInOrder {
 public:
  explicit SharesInOrder(Froms const& froms) : froms_(froms), first_(at(0)), last_(at(0)) {
    for_each([&](std::size_t i) {
      if (elements_ == 0) first_ = i;
      last_ = i;
      elements_ += froms[i].extent(0);
    });
  }

  std::size_t elements() const { return elements_; }  // of all
  /// Where there are none: the same instance.
  std::size_t first() const { return first_; }
  std::size_t last() const { return last_; }

  /// f(instance) for those.
  template <class F>
  void for_each(F const& f) const {
    for (std::size_t k = 0; k < froms_.size(); ++k)
      if (std::size_t const i = at(k); froms_[i].extent(0) > 0) f(i);
  }
  /// And without the last one.
  template <class F>
  void for_each_waited_for(F const& f) const {
    for_each([&](std::size_t i) {
      if (i != last_) f(i);
    });
  }

 private:
  std::size_t at(std::size_t k) const { return reversed ? froms_.size() - 1 - k : k; }

  Froms const& froms_;
  std::size_t first_, last_, elements_ = 0;
};

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
    for (std::size_t i = 0; i < instances_.size(); ++i) driver::wait_behind_failure(label_, instances_[i]);
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

}  // namespace KokkosScan::driver
