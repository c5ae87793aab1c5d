// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>

#include "../../src/driver/histogram.hpp"

// Histograms. `exec` is an execution space instance or a Handle; every form also takes a leading label for Kokkos
// Tools. Nothing is waited for, and the result is the same in every run and for any number of threads.
//
// counts(k) becomes how many elements fall into bin k, whatever stood there; elements that fall into none, and what is
// no number, are not counted. Counts are integers of 1 to 8 bytes, and those that exceed their type wrap as unsigned
// ones do. Anywhere behind the elements may stand Weights{view}, which has a number for each of them: counts(k) is then
// the sum of those in bin k. Integers are added to counts that are integers; floats, and other values with a sum, to
// counts of their kind, bin by bin in the order of their elements, as segmented_reduce does: for that they are sorted,
// in scratch of two to three times their size.
namespace KokkosScan {

/// Even bins, as many as counts, from lower on and below upper. Of integers bin k has the values x with
/// floor((x - lower) * bins / (upper - lower)) == k, exactly; of floats, the whole part of (x - lower) * (bins / (upper
/// - lower)) as doubles round it, which for the last bin may be bins. Or between edges, one more than counts, that
/// ascend: bin k has the values from edges(k) on and below edges(k + 1).
///
///   histogram(exec, from, counts, lower, upper [, Weights{view}])
///   histogram(exec, from, edges, counts [, Weights{view}])
inline constexpr driver::Function<driver::CountValues, "KokkosScan::histogram"> histogram{};

/// Keys are the numbers of their bins, from 0 on; negative ones are in none.
///
///   count_keys(exec, keys, counts [, Weights{view}])
inline constexpr driver::Function<driver::CountKeys, "KokkosScan::count_keys"> count_keys{};

}  // namespace KokkosScan
