// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bytes.hpp"
#include "few_bins.hpp"
#include "many_bins.hpp"

// Histograms: how many bins there are, and elements, decides who counts.
namespace KokkosScan::cuda::histogram {

/// Enqueues a histogram of at least one bin.
template <class Histogram>
void run(Stream stream, Histogram const& histogram, Device const& device) {
  if (histogram.n == 0) return clear(stream, histogram.counts, histogram.bins.count, device);
  if constexpr (sizeof(typename Histogram::Value) == 1 && !Histogram::has_weights &&
                has_vectors<typename Histogram::From>)
    if (histogram.n >= histogram_bytes_pay && device.shared_bytes >= ByteCounters::bytes)
      return count_bytes<BytesShape>(stream, histogram, device);
  FewBinsPlan const plan = plan_few_bins<FewBinsShape>(histogram, device);
  if (plan.blocks > 0)
    count_few_bins<FewBinsShape>(stream, histogram, plan, device);
  else
    count_many_bins<ManyBinsShape>(stream, histogram, device);
}

}  // namespace KokkosScan::cuda::histogram
