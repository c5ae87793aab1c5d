// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/euler_tour.hpp"
#include "segmented_sort.hpp"

// Sums along the Euler tour of a forest, in the steps of src/core/euler_tour.hpp.
namespace KokkosScan::driver {

/// The type of the numbers of steps.
template <class Parent>
using TourNode = std::conditional_t<(sizeof(Parent) > 4), std::uint64_t, std::uint32_t>;

/// The largest forest whose steps a type numbers, and what stands behind the last one.
template <class Node>
inline constexpr std::size_t most_tour_nodes = static_cast<std::size_t>(static_cast<Node>(-1)) / 2 - 1;

template <class Parents>
void check_tour_nodes(std::string const& label, std::size_t n) {
  using Node = TourNode<ValueIn<Parents>>;
  if (n > most_tour_nodes<Node>)
    throw std::invalid_argument(label + ": there are " + std::to_string(n) + " nodes, and parents of " +
                                std::to_string(sizeof(ValueIn<Parents>)) + " bytes may be at most " +
                                std::to_string(most_tour_nodes<Node>) + "; take parents of 8 bytes");
}

/// The tour of n nodes, of which there is at least one.
template <class ExecOrHandle, class Parents>
class EulerTour {
 public:
  using Array = core::Strided<ValueIn<Parents> const>;
  using Node  = TourNode<ValueIn<Parents>>;
  using Walk  = core::TourWalk<Node>;
  using Sums  = core::TourSums<Node>;

  EulerTour(std::string const& label, ExecOrHandle const& exec, Parents const& parents, std::size_t n)
      : label_(label),
        exec_(exec),
        parents_(strided<ValueIn<Parents> const>(parents)),
        n_(n),
        shape_{static_cast<Node>(n), block_bits(n)},
        parts_(keys_of_siblings().template needs<Node, Node>(exec, n)) {
    for (std::size_t* const of_sort : {&keys_, &other_keys_, &order_, &other_order_}) *of_sort = parts_.add<Node>(n);
    links_ = parts_.add<Node>(2 * n);
    for (std::size_t& starts : starts_) starts = parts_.add<Walk>(shape_.starts());
  }

  /// Where more is to be kept.
  Parts& parts() { return parts_; }
  core::Needs const& needs() const { return parts_.needs(); }

  /// Sums of weights, where the sort has put keys and nodes aside.
  Sums scan(core::Memory const& memory, core::TourWeights<Node> const& weights) const {
    Sums const sums{weights.keeps_entering ? Parts::at<Node>(memory, other_keys_) : nullptr,
                    weights.keeps_leaving ? Parts::at<Node>(memory, other_order_) : nullptr};
    Walk* const starts = Parts::at<Walk>(memory, starts_[0]);
    sort_siblings(memory);
    for_each_node(core::LinkTour<Node>{shape_, Parts::at<Node>(memory, keys_), Parts::at<Node>(memory, order_),
                                       Parts::at<Node>(memory, links_), sums});
    walk(memory, weights, core::SumWalks<Node>{shape_, starts});
    walk(memory, weights, core::KeepSums<Node>{shape_, scan_starts(starts, Parts::at<Walk>(memory, starts_[1])), sums});
    return sums;
  }

  template <class F>
  void for_each_node(F const& f) const {
    driver::for_each_index(label_, exec_, n_, n_, f);
  }

 private:
  static constexpr bool by_few = runs_at_once<typename BackendFor<ExecOrHandle>::type>;

  /// On a device more walks than it has threads under way, so that its memory is busy up to the end, and the longest
  /// one is short; one thread of a host has some walks by turns, and starts cost it more than they bring.
  static constexpr std::size_t together = by_few ? 16 : 1;
  static constexpr std::size_t each     = by_few ? 256 : 1;
  static int block_bits(std::size_t n) {
    return by_few ? 8 : std::clamp(static_cast<int>(std::bit_width(2 * n >> 21)), 4, 7);
  }

  /// Their keys are up to n + 1.
  auto keys_of_siblings() const {
    return ByDigits<RadixOrderOf<Node>>{driver::radix_order<Node>(false, 0, std::bit_width(n_ + 1))};
  }

  void sort_siblings(core::Memory const& memory) const {
    Node *const keys = Parts::at<Node>(memory, keys_), *const order = Parts::at<Node>(memory, order_);
    for_each_node(core::BeginTour<Node, Array>{parents_, shape_, keys, order, Parts::at<Node>(memory, links_)});
    if (n_ > 1)
      keys_of_siblings().run(label_, exec_, n_, keys, Parts::at<Node>(memory, other_keys_), order,
                             Parts::at<Node>(memory, other_order_), memory);
  }
  template <class Visitor>
  void walk(core::Memory const& memory, core::TourWeights<Node> const& weights, Visitor const& visitor) const {
    driver::for_each_index(label_, exec_, (shape_.starts() + each - 1) / each, 2 * n_,
                           core::WalkTour<Node, together, Visitor>{
                               shape_, weights, Parts::at<Node>(memory, keys_), Parts::at<Node>(memory, order_),
                               Parts::at<Node>(memory, links_), Node{each}, visitor});
  }
  /// Doubles walks until each that comes to the end is there.
  Walk const* scan_starts(Walk* from, Walk* to) const {
    for (int rounds = static_cast<int>(std::bit_width(shape_.starts())); rounds > 0; --rounds) {
      driver::for_each_index(label_, exec_, shape_.starts(), shape_.starts(),
                             core::DoubleWalks<Node>{shape_.starts(), from, to});
      std::swap(from, to);
    }
    return from;
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Array parents_;
  std::size_t n_;
  core::TourShape<Node> shape_;
  Parts parts_;
  std::size_t keys_ = 0, other_keys_ = 0, order_ = 0, other_order_ = 0, links_ = 0, starts_[2] = {};
};

}  // namespace KokkosScan::driver
