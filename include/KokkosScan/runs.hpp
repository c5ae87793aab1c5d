// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/compaction.hpp>

#include "../../src/driver/reduce_runs.hpp"

// What is found of each run of equal neighbours: count says how many runs there are, as it does in compaction.hpp,
// whose other rules hold here, too. equal(a, b) is an equivalence; without it, ==.
namespace KokkosScan {

/// The value of each run, and its length.
///
///   run_length_encode(exec, from, values, lengths, count [, equal])
inline constexpr driver::Function<driver::RunLengthEncode, "KokkosScan::run_length_encode"> run_length_encode{};

/// Where each run begins, and behind the last one how many elements there are: row offsets, one more than runs.
///
///   run_offsets(exec, from, offsets, count [, equal])
inline constexpr driver::Function<driver::RunOffsets, "KokkosScan::run_offsets"> run_offsets{};

/// The values of each run of equal keys, combined in their order: the key goes to unique_keys, the result to dest. The
/// accumulator is the value type of dest, or T with As<T>{}.
///
///   reduce_by_key(exec, keys, from, unique_keys, dest, count [, op [, equal]])
inline constexpr driver::Function<driver::ReduceByKey, "KokkosScan::reduce_by_key"> reduce_by_key{};

}  // namespace KokkosScan
