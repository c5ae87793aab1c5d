// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "run_sort.hpp"
#include "scan_segments.hpp"

// Sums of weights whose order shows, as that of floats does: elements are sorted by their bins, in each of which they
// keep their order, and the weights of a bin are then a segment that is reduced.
namespace KokkosScan::driver {

/// The bin of each element as an array; of one in no bin, their number.
template <class Index, class From, class Bins>
struct BinsOfElements {
  From from;
  Bins bins;
  KOKKOSSCAN_FUNCTION Index operator[](std::size_t i) const {
    Index const bin = bins.template of<Index>(from[i]);
    return bin < bins.count ? bin : static_cast<Index>(bins.count);
  }
};

/// Elements of another type.
template <class To, class From>
struct Converted {
  From from;
  KOKKOSSCAN_FUNCTION To operator[](std::size_t i) const { return static_cast<To>(from[i]); }
};

/// Where the elements of bin k begin among those that are sorted.
template <class Index>
struct FindBegin {
  Index const* bins;
  std::size_t n;
  std::size_t* begins;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t first = 0, behind = n;
    while (first < behind) {
      std::size_t const middle = first + (behind - first) / 2;
      if (bins[middle] < k)
        first = middle + 1;
      else
        behind = middle;
    }
    begins[k] = first;
  }
};

/// sums(k) = the weights of the elements in bin k, in their order.
template <class Index, class ExecOrHandle, class From, class Bins, class Weights, class Sums>
void sum_weights_by(std::string const& label, ExecOrHandle const& exec, From const& from, Bins const& bins,
                    std::size_t n, Weights const& weights, Sums const& sums) {
  using Sum      = typename Sums::non_const_value_type;
  using Space    = typename InstanceOf<ExecOrHandle>::memory_space;
  using Keys     = SortedArray<BinsOfElements<Index, From, Bins>, true>;
  using Order    = core::RadixOrder<Index, false>;
  using Unmanged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Order const order{0, 0, 0, static_cast<int>(std::bit_width(bins.count))};
  std::optional<Keys> keys;
  std::size_t begins = 0;
  driver::sort_arrays(
      label, exec, ByDigits<Order>{order}, n,
      [&](Parts& parts) {
        keys.emplace(BinsOfElements<Index, From, Bins>{from, bins}, n, parts);
        return *keys;
      },
      [&](Parts& parts) {
        begins = parts.add<std::size_t>(bins.count + 1);
        return SortedArray<Converted<Sum, Weights>, true>({weights}, n, parts);
      },
      [&](auto const& values, core::Memory const& memory) {
        auto* const of_bins = Parts::at<std::size_t>(memory, begins);
        driver::for_each_index(label, exec, bins.count + 1, bins.count + 1,
                               FindBegin<Index>{keys->elements(memory), n, of_bins});
        driver::segments_arguments<
            core::Kind::inclusive,
            Roles{.op = 0, .unary = absent, .init = 1, .required = 0, .most = 2, .segments = true, .own_offsets = true},
            true>(label, exec, Kokkos::View<Sum const*, Space, Unmanged>(values.elements(memory), n),
                  Kokkos::View<std::size_t const*, Space, Unmanged>(of_bins, bins.count + 1), sums, std::tuple<>());
      });
}

template <class ExecOrHandle, class From, class Bins, class Weights, class Sums>
void sum_weights(std::string const& label, ExecOrHandle const& exec, From const& from, Bins const& bins, std::size_t n,
                 Weights const& weights, Sums const& sums) {
  if (bins.count < 0xffffffffU)
    driver::sum_weights_by<std::uint32_t>(label, exec, from, bins, n, weights, sums);
  else
    driver::sum_weights_by<std::uint64_t>(label, exec, from, bins, n, weights, sums);
}

}  // namespace KokkosScan::driver
