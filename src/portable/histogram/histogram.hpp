// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../../core/histogram.hpp"
#include "../../exec/kernel_event.hpp"

//  Histograms by atomic additions to the counters of all
//  paper       none
//  launches    2
//  bytes       n, and an atomic addition for each element
//  operations  n
//  steps       as many as elements are in one bin
//  progress    none
namespace KokkosScan::portable::histogram {

template <class Word>
struct Clear {
  core::Strided<Word> counts;
  KOKKOS_FUNCTION void operator()(std::size_t k) const { counts[k] = 0; }
};

template <class Histogram>
struct AddElement {
  Histogram histogram;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::size_t const bin = histogram.bins.template of<std::size_t>(histogram.from[i]);
    if (bin < histogram.bins.count) Kokkos::atomic_add(&histogram.counts[bin], histogram.weight(i));
  }
};

template <class Exec, class Histogram>
void run(Exec const& exec, std::string const& label, Histogram const& histogram) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  exec::dispatch(label, exec, Policy(exec, 0, histogram.bins.count), Clear<typename Histogram::Word>{histogram.counts});
  if (histogram.n > 0) exec::dispatch(label, exec, Policy(exec, 0, histogram.n), AddElement<Histogram>{histogram});
}

}  // namespace KokkosScan::portable::histogram
