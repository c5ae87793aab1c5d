// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../host/trees/parents_first.hpp"
#include "../host/trees/subtrees.hpp"
#include "../host/trees/upwards.hpp"
#include "../host/tuning.hpp"
#include "../host/workers.hpp"
#include "euler_tour.hpp"

// Trees on hosts: few threads go upwards, which takes them fewer steps than a sort and a tour.
namespace KokkosScan::driver {

/// Each call says whether all nodes come to a root. If not, results are still to be found.
template <class ExecOrHandle, class Parents>
class TreesOnHost {
  using Array  = core::Strided<ValueIn<Parents> const>;
  using Node   = TourNode<ValueIn<Parents>>;
  using Forest = host::trees::Upwards<Array>;
  using Exec   = InstanceOf<ExecOrHandle>;

  struct One {
    Node operator()(std::size_t) const { return 1; }
  };

 public:
  TreesOnHost(std::string const& label, ExecOrHandle const& exec, Parents const& parents, std::size_t n)
      : label_(label), exec_(exec), forest_{strided<ValueIn<Parents> const>(parents), n} {}

  /// put(v, depth)
  template <class Put>
  bool find_depths(Put const& put) const {
    using Sums = host::trees::SumsUpwards<Node, Forest, One>;
    if (workers() <= most_for_one_of_depths &&
        by_one(First::bytes_of_depths(forest_.n), [&](First const& first) { return first.find_depths(put); }))
      return true;
    return with_workers(workers(), Sums::bytes(forest_.n), [&](auto const& workers, void* memory) {
      return Sums::run(workers, forest_, One{}, memory,
                       [&](std::size_t v, Node sum) { put(v, static_cast<std::size_t>(sum) - 1); });
    });
  }
  /// put(v, size)
  template <class Put>
  bool find_sizes(Put const& put) const {
    using Subtrees = host::trees::Subtrees<Forest>;
    if (workers() <= most_for_one &&
        by_one(First::bytes_of_sizes(forest_.n), [&](First const& first) { return first.find_sizes(put); }))
      return true;
    if (forest_.n > Subtrees::most_nodes) return false;
    return with_workers(workers(), Subtrees::bytes(forest_.n),
                        [&](auto const& workers, void* memory) { return Subtrees(forest_, memory).run(workers, put); });
  }
  /// put(v, number in preorder, depth, size)
  template <class Put>
  bool find_numbers(Put const& put) const {
    return workers() <= most_for_one &&
           by_one(First::bytes_of_numbers(forest_.n), [&](First const& first) { return first.find_numbers(put); });
  }

 private:
  using First = host::trees::ParentsFirst<Node, Forest>;

  /// One thread is as fast as so many others, or faster.
  static constexpr int most_for_one = 4, most_for_one_of_depths = 2;

  template <class F>
  bool by_one(std::size_t bytes, F const& f) const {
    if (!First(forest_, nullptr).seem_so()) return false;
    return with_workers(1, bytes, [&](auto const& workers, void* memory) {
      bool is_right = false;
      host::launch(workers, [&](int, host::Failure const&) { is_right = f(First(forest_, memory)); });
      return is_right;
    });
  }

  int workers() const { return host::workers_for_loop(driver::instance(exec_), forest_.n, forest_.n); }
  template <class F>
  bool with_workers(int count, std::size_t bytes, F const& f) const {
    auto const leases = driver::lease(exec_, core::Needs{.scratch = bytes});
    bool is_right     = false;
    driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
      is_right = f(host::KokkosWorkers<Exec>(driver::instance(exec_), shown, count), leases.memory().scratch);
    });
    return is_right;
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Forest forest_;
};

}  // namespace KokkosScan::driver
