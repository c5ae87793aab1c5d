// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../driver/reduce_lines.hpp"
#include "../driver/scan_axis.hpp"
#include "agreed_lines.hpp"
#include "calls.hpp"
#include "carried_plane.hpp"
#include "channel.hpp"
#include "outcome.hpp"
#include "rounds.hpp"

//  Scans along an axis that is distributed over ranks, each of which has a slab
//  launches    those of the aggregates, of a combination for each round, and of the scan along the axis
//  bytes       3 n; 2 n on the last rank that has elements, and where no other has any
//  messages    one reduction of a few numbers; then log2(P) rounds, each of one plane out and one in
//
// The first rank knows the last plane of its slab after a scan, and might leave out the pass that finds its aggregates.
// It does not: all others wait for it, and would wait for 2 n bytes instead of n. On a device it scans while the planes
// cross.
namespace KokkosScan::ranks {

/// Combines the start of each line with what stands at its place in a plane, where start is left.
template <class LineScan>
struct PutStartInFront {
  LineScan scan;

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    auto* const value = scan.dest.line(scan.shape, k);
    if (auto const start = scan.start_of(k)) core::put(*value, scan.combine(*start, *value));
  }
};

/// A View of one rank less, of what is carried: in the layout of dest where all ranks have that.
template <class Value, class Dest, class Space>
class PlaneLike {
  template <std::size_t rank, class Pointers>
  struct PointersTo : PointersTo<rank - 1, Pointers*> {};
  template <class Pointers>
  struct PointersTo<0, Pointers> {
    using type = Pointers;
  };
  using Layout = std::conditional_t<std::is_same_v<typename Dest::array_layout, Kokkos::LayoutLeft>, Kokkos::LayoutLeft,
                                    Kokkos::LayoutRight>;

 public:
  using View = Kokkos::View<typename PointersTo<Dest::rank() - 1, Value>::type, Layout, Space, Kokkos::MemoryUnmanaged>;

  template <class From>
  static View at(Value* data, From const& from, std::size_t axis) {
    Layout layout;
    for (std::size_t d = 0, beside = 0; d < From::rank(); ++d)
      if (d != axis) layout.dimension[beside++] = from.extent(d);
    return View(data, layout);
  }
};

/// A call: everything that can be wrong with it on this rank is found when it is made, the others having to be told.
template <core::Kind kind, driver::Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
class AxisScan {
  using C     = driver::AxisCall<roles, From, Dest, Rest...>;
  using Order = typename C::Order;
  using Value = typename C::Value;
  using Init  = typename C::Init;
  using Exec  = driver::InstanceOf<ExecOrHandle>;
  using Given = std::tuple<Rest...>;
  using Plane = PlaneLike<Value, Dest, typename Exec::memory_space>;

  static constexpr bool reversed =
      std::is_same_v<driver::ArgumentOr<Order::first(Order::axes), driver::Nothing, Rest...>, ReversedAxis>;

  static auto op_of(Given const& rest) {
    return driver::for_exec<ExecOrHandle>(driver::argument_or<Order::index(roles.op), Sum>(rest));
  }
  static auto unary_of(Given const& rest) {
    return driver::for_exec<ExecOrHandle>(driver::argument_or<Order::index(roles.unary), Unchanged>(rest));
  }
  using Op    = decltype(op_of(std::declval<Given const&>()));
  using Unary = decltype(unary_of(std::declval<Given const&>()));

 public:
  AxisScan(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest, Given const& rest,
           PlaneMessages const& messages)
      : label_(label), exec_(exec), from_(from), dest_(dest), rest_(rest) {
    int const axis = driver::argument_or<Order::first(Order::axes), driver::Nothing>(rest).dimension;
    if (axis < 0 || axis >= static_cast<int>(From::rank()))
      driver::throw_no_such_axis(label, axis, "from", From::rank());
    ranks::refuse_in_capture(label, exec);
    axis_ = static_cast<std::size_t>(axis);
    driver::check_lines(label, from, dest, init(), axis_);
    std::size_t lines = 1;
    for (std::size_t d = 0; d < From::rank(); ++d)
      if (d != axis_) lines *= from.extent(d);
    if (lines == 0) return;
    carried_.emplace(label, exec, lines, op_of(rest), messages);
    dimensions_ = driver::check_lines(label, from, dest, plane(carried_->before()), axis_, "from", "the plane");
    shape_      = {from.extent(axis_), {dimensions_[0].extent, dimensions_[1].extent, dimensions_[2].extent}};
  }

  OwnLines own() const {
    OwnLines lines{static_cast<std::int64_t>(From::rank()),
                   static_cast<std::int64_t>(axis_),
                   reversed,
                   sizeof(Value),
                   {1, 1, 1, 1},
                   static_cast<std::int64_t>(from_.extent(axis_))};
    for (std::size_t d = 0; d < From::rank(); ++d)
      if (d != axis_) lines.extents[d] = static_cast<std::int64_t>(from_.extent(d));
    return lines;
  }
  /// What the rank has when it has no call.
  static OwnLines none() { return {0, 0, reversed, 0, {1, 1, 1, 1}, 0}; }

  void run(Channel& channel, LinesOfAll const& all) {
    int const position  = channel.position(reversed);
    bool const is_first = position == all.first, is_alone = all.first == all.last;
    if (is_alone) {
      if (is_first) finish(channel, [&] { scan_first(); });
      return;
    }
    std::exception_ptr error;
    if (shape_.length > 0 && position < all.last) try {
        aggregate(is_first);
        carried_->has_own();
      } catch (...) {
        error = std::current_exception();
        driver::wait_behind_failure(label_, exec_);  // exec may be at work on planes that go back with carried_
      }
    Rounds rounds(channel, reversed, carried_->bodies(), *carried_);
    rounds.begin(error ? channel.rank() : no_rank);
    // A host's scan would hold up the messages that others wait for.
    if (!exec::is_on_host<Exec> && is_first && !error) try {
        scan_first();
      } catch (...) {
        error = std::current_exception();
        channel.fail(channel.rank());
      }
    rounds.wait();
    if (rounds.failed() != no_rank) channel.fail(rounds.failed());
    if (error) std::rethrow_exception(error);
    if (rounds.error()) std::rethrow_exception(rounds.error());
    if (rounds.failed() != no_rank) throw_failed(channel, label_, rounds.failed());
    if (shape_.length == 0) return;
    if (!is_first)
      finish(channel, [&] { scan_behind(); });
    else if (exec::is_on_host<Exec>)
      finish(channel, [&] { scan_first(); });
  }

 private:
  decltype(auto) init() const { return driver::argument_or<Order::index(roles.init), driver::Nothing>(rest_); }
  auto plane(Value* data) const { return Plane::at(data, from_, axis_); }

  /// What fails when the others are not needed any more they learn at their next call.
  template <class F>
  static void finish(Channel& channel, F const& f) {
    try {
      f();
    } catch (...) {
      channel.fail(channel.rank());
      throw;
    }
  }

  template <class Start, class Element>
  auto lines(Element* dest, Start const& start) const {
    auto const from = driver::lines_of<reversed>(from_, axis_, shape_.length, dimensions_, 0);
    return core::LineScan<core::Kind::inclusive, reversed, Value, typename From::value_type, Element, Op, Unary, Start>{
        shape_, from, driver::lines_of<false>(plane(dest), 0, 1, dimensions_, 2), op_of(rest_), unary_of(rest_), start};
  }

  /// What the elements of each line combine to, behind init where there is one and they are the first.
  void aggregate(bool is_first) {
    driver::reduce_lines(label_, exec_, lines(carried_->through(), core::NoInit{}));
    if constexpr (!std::is_same_v<Init, driver::Nothing>)
      if (is_first) put_init_in_front();
  }

  void put_init_in_front() const {
    auto const put = [&](auto const& start, driver::Dimensions const& dimensions) {
      auto scan = lines(carried_->through(), start);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        scan.shape.extents[d] = dimensions[d].extent;
        scan.dest.strides[d]  = dimensions[d].strides[0];
        if constexpr (driver::is_init_of_lines<Init>) scan.start.strides[d] = dimensions[d].strides[2];
      }
      driver::for_each_index(label_, exec_, scan.shape.count(), scan.shape.count(),
                             PutStartInFront<decltype(scan)>{scan});
    };
    // A plane is read as init is: each has its dimensions, which together may not be those of from and dest.
    driver::Dimensions dimensions;
    dimensions.fill({1, {0, 0, 0}});
    auto const view = plane(nullptr);
    for (std::size_t d = 0; d < view.rank(); ++d) {
      dimensions[d] = {view.extent(d), {static_cast<std::ptrdiff_t>(view.stride(d)), 0, 0}};
      if constexpr (driver::is_init_of_lines<Init>)
        dimensions[d].strides[2] = static_cast<std::ptrdiff_t>(init().stride(d));
    }
    if constexpr (driver::is_init_of_lines<Init>)
      put(driver::lines_of<false>(init(), 0, 1, dimensions, 2), dimensions);
    else
      put(driver::start_of<typename driver::BackendFor<ExecOrHandle>::type, Value>(init()), dimensions);
  }

  /// As if there were no other ranks.
  void scan_first() const { driver::scan_axis<kind, roles>(label_, exec_, from_, dest_, rest_); }

  void scan_behind() const {
    using Start   = core::Lines<Value>;
    using Element = typename Dest::value_type;
    Start const start{driver::lines_of<false>(plane(carried_->before()), 0, 1, dimensions_, 2)};
    driver::run_lines(label_, exec_,
                      core::LineScan<kind, reversed, Value, typename From::value_type, Element, Op, Unary, Start>{
                          shape_, driver::lines_of<reversed>(from_, axis_, shape_.length, dimensions_, 0),
                          driver::lines_of<reversed>(dest_, axis_, shape_.length, dimensions_, 1), op_of(rest_),
                          unary_of(rest_), start});
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  From const& from_;
  Dest const& dest_;
  Given const& rest_;
  std::size_t axis_ = 0;
  core::LineShape shape_;
  driver::Dimensions dimensions_;
  std::optional<CarriedPlane<ExecOrHandle, Value, Op>> carried_;
};

template <core::Kind kind, driver::Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
void scan_axis(std::string const& label, Channel& channel, ExecOrHandle const& exec, From const& from, Dest const& dest,
               std::tuple<Rest...> const& rest, PlaneMessages const& messages = ranks::plane_messages<ExecOrHandle>()) {
  using Scan = AxisScan<kind, roles, ExecOrHandle, From, Dest, Rest...>;
  std::optional<Scan> scan;
  std::exception_ptr error;
  try {
    scan.emplace(label, exec, from, dest, rest, messages);
  } catch (...) {
    error = std::current_exception();
  }
  LinesOfAll const all =
      ranks::agree_on_lines(channel, label, error ? Scan::none() : scan->own(), static_cast<bool>(error));
  if (error) std::rethrow_exception(error);
  if (!all.is_empty()) scan->run(channel, all);
}

/// What the arguments of a call are, in words. Whether they are as they must be.
template <driver::Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
consteval bool check_axis_call() {
  using Exec = driver::InstanceOf<ExecOrHandle>;
  if constexpr (driver::check_view_of_lines<From, Exec>() && driver::check_view_of_lines<Dest, Exec>())
    if constexpr (driver::check_dest<Dest>() && driver::check_arguments<roles, Rest...>())
      return driver::AxisCall<roles, From, Dest, Rest...>::template check<Exec>();
  return false;
}

}  // namespace KokkosScan::ranks
