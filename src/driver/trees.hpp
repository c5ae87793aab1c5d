// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <type_traits>

#include "euler_tour.hpp"
#include "function.hpp"
#include "tree_checks.hpp"
#include "trees_on_host.hpp"

// The calls for trees: each is one scan of the Euler tour, with weights of its own, and takes its results where the
// tour enters nodes or leaves them.
namespace KokkosScan::driver {

template <class Exec, class Parents, class... Results>
consteval bool check_tree() {
  if constexpr (check_arrays<Exec, Parents, Results...>()) {
    constexpr bool are_integers =
        CountType<ValueIn<Parents>> && sizeof(ValueIn<Parents>) <= 8 && (CountType<ValueIn<Results>> && ...);
    static_assert(are_integers, "KokkosScan: parents and what is found of trees must be Views of integers");
    return are_integers && (check_written<Results, std::uint64_t>() && ...);
  } else {
    return false;
  }
}

/// Calls put(tour, sums) behind a scan of the tour of n nodes, unless find_on_host(trees) has found all results.
template <class ExecOrHandle, class Parents, class FindOnHost, class MakeWeights, class Put>
void find_in_trees(std::string const& label, ExecOrHandle const& exec, Parents const& parents, std::size_t n,
                   FindOnHost const& find_on_host, MakeWeights const& make_weights, Put const& put) {
  if (n == 0) return;
  using Tour = EulerTour<ExecOrHandle, Parents>;
  driver::check_tour_nodes<Parents>(label, n);
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>)
    if (!driver::asks_to_check(exec) && find_on_host(TreesOnHost<ExecOrHandle, Parents>(label, exec, parents, n)))
      return;
  auto const array  = strided<ValueIn<Parents> const>(parents);
  bool const checks = driver::asks_to_check(exec);
  if (checks) driver::check_parents(label, exec, array, n);
  Tour const tour(label, exec, parents, n);
  auto const leases = driver::lease(exec, tour.needs());
  auto const sums   = tour.scan(leases.memory(), make_weights(core::TourWeights<typename Tour::Node>{}));
  if (checks) driver::check_reached(label, exec, array, n, sums);
  put(tour, sums);
}

template <class Results>
struct PutNumber {
  Results results;
  void operator()(std::size_t v, std::size_t number) const {
    core::put(results[v], static_cast<core::ElementOf<Results>>(number));
  }
};

struct OfDepths {
  static constexpr char const* name = "depths";
  static constexpr std::size_t more = 0;  // of the largest result than n - 1
  template <class Weights>
  static constexpr Weights weights() {
    return Weights::of_depths();
  }
  template <class Node, class Results>
  using Put = core::PutEntering<Node, Results>;
  template <class Trees, class Results>
  static bool find_on_host(Trees const& trees, Results const& results) {
    return trees.find_depths(PutNumber<Results>{results});
  }
};
struct OfSizes {
  static constexpr char const* name = "sizes";
  static constexpr std::size_t more = 1;
  template <class Weights>
  static constexpr Weights weights() {
    return Weights::of_sizes();
  }
  template <class Node, class Results>
  using Put = core::PutBetween<Node, Results>;
  template <class Trees, class Results>
  static bool find_on_host(Trees const& trees, Results const& results) {
    return trees.find_sizes(PutNumber<Results>{results});
  }
};
struct OfPreorder {
  static constexpr char const* name = "numbers";
  static constexpr std::size_t more = 0;
  template <class Weights>
  static constexpr Weights weights() {
    return Weights::of_preorder();
  }
  template <class Node, class Results>
  using Put = core::PutEntering<Node, Results>;
  template <class Trees, class Results>
  static bool find_on_host(Trees const& trees, Results const& results) {
    PutNumber<Results> const put{results};
    return trees.find_numbers([&](std::size_t v, std::size_t number, std::size_t, std::size_t) { put(v, number); });
  }
};
struct OfPostorder {
  static constexpr char const* name = "numbers";
  static constexpr std::size_t more = 0;
  template <class Weights>
  static constexpr Weights weights() {
    return Weights::of_postorder();
  }
  template <class Node, class Results>
  using Put = core::PutLeaving<Node, Results>;
  /// Behind a node all are left that are entered before it, but for its ancestors, and all of its subtree.
  template <class Trees, class Results>
  static bool find_on_host(Trees const& trees, Results const& results) {
    PutNumber<Results> const put{results};
    return trees.find_numbers([&](std::size_t v, std::size_t number, std::size_t depth, std::size_t size) {
      put(v, number + size - 1 - depth);
    });
  }
};

/// Throws unless a type holds results up to that one; and beside them, if it is unsigned, its largest number, which
/// says that there is none.
template <class Result>
void check_holds_results(std::string const& label, char const* name, std::size_t largest) {
  check_holds<Result>(label, name, largest + (std::is_unsigned_v<Result> ? 1 : 0));
}

/// One result for each node.
template <class Of>
struct TreeFunction {
  template <class ExecOrHandle, class Parents, class Results>
  static void call(std::string const& label, ExecOrHandle const& exec, Parents const& parents, Results const& results) {
    if constexpr (check_tree<InstanceOf<ExecOrHandle>, Parents, Results>()) {
      std::size_t const n = parents.extent(0);
      check_extents(label, "parents", n, Of::name, results.extent(0));
      if (n > 0) check_holds_results<ValueIn<Results>>(label, Of::name, n - 1 + Of::more);
      Regions(label).reads("parents", parents, n).writes(Of::name, results, n);
      auto const places = strided<typename Results::value_type>(results);
      driver::find_in_trees(
          label, exec, parents, n, [&](auto const& trees) { return Of::find_on_host(trees, places); },
          []<class Weights>(Weights) { return Of::template weights<Weights>(); },
          [&]<class Tour>(Tour const& tour, typename Tour::Sums const& sums) {
            using Put = typename Of::template Put<typename Tour::Node, std::remove_const_t<decltype(places)>>;
            tour.for_each_node(Put{sums, places});
          });
    }
  }
};

/// Where the tour enters nodes, and where it leaves them.
struct PlacesInTour {
  template <class ExecOrHandle, class Parents, class Enter, class Leave>
  static void call(std::string const& label, ExecOrHandle const& exec, Parents const& parents, Enter const& enter,
                   Leave const& leave) {
    if constexpr (check_tree<InstanceOf<ExecOrHandle>, Parents, Enter, Leave>()) {
      std::size_t const n = parents.extent(0);
      check_extents(label, "parents", n, "enter", enter.extent(0));
      check_extents(label, "parents", n, "leave", leave.extent(0));
      if (n > 0) {
        check_holds_results<ValueIn<Enter>>(label, "enter", 2 * n - 1);
        check_holds_results<ValueIn<Leave>>(label, "leave", 2 * n - 1);
      }
      Regions(label).reads("parents", parents, n).writes("enter", enter, n).writes("leave", leave, n);
      auto const entering = strided<typename Enter::value_type>(enter);
      auto const leaving  = strided<typename Leave::value_type>(leave);
      driver::find_in_trees(
          label, exec, parents, n,
          [&](auto const& trees) {
            PutNumber<std::remove_const_t<decltype(entering)>> const put_entering{entering};
            PutNumber<std::remove_const_t<decltype(leaving)>> const put_leaving{leaving};
            return trees.find_numbers([&](std::size_t v, std::size_t number, std::size_t depth, std::size_t size) {
              put_entering(v, 2 * number - depth);  // of what is entered before, all but its ancestors is left
              put_leaving(v, 2 * number - depth + 2 * size - 1);
            });
          },
          []<class Weights>(Weights) { return Weights::of_steps(); },
          [&]<class Tour>(Tour const& tour, typename Tour::Sums const& sums) {
            using Node = typename Tour::Node;
            tour.for_each_node(core::PutEntering<Node, std::remove_const_t<decltype(entering)>>{sums, entering});
            tour.for_each_node(core::PutLeaving<Node, std::remove_const_t<decltype(leaving)>>{sums, leaving});
          });
    }
  }
};

template <class View>
inline constexpr bool is_row = false;
template <class View>
  requires Kokkos::is_view_v<View>
inline constexpr bool is_row<View> = View::rank() == 1;

/// Whether one node is an ancestor of another, by the places of the tour.
struct IsAncestor {
  template <class Enter, class Leave, class A, class B>
  KOKKOS_FUNCTION bool operator()(Enter const& enter, Leave const& leave, A a, B b) const {
    constexpr bool are_rows = is_row<Enter> && is_row<Leave>;
    static_assert(are_rows,
                  "KokkosScan: enter and leave of is_ancestor are Views of rank 1 that euler_tour has filled");
    if constexpr (are_rows)
      return enter(a) <= enter(b) && leave(b) <= leave(a);
    else
      return false;
  }
};

}  // namespace KokkosScan::driver
