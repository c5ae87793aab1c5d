// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>

#include "../../src/driver/lexicographical_ranks.hpp"

namespace KokkosScan {

/// ranks(i) = how many distinct strings come before string i, so equal ones share a rank and none is left out. String i
/// are the characters of the text from offsets(i) on, up to offsets(i + 1): integers in the order of their type, but of
/// char as if it had no sign. A string that another one begins with comes before it. `exec` is an execution space
/// instance or a Handle; the form with a leading label is for Kokkos Tools.
///
///   lexicographical_ranks(exec, text, offsets, ranks)
///
/// Behind the ranks may stand Total{distinct}, which gets how many distinct strings there are, and Longest{n}, n being
/// how long strings are at most; of longer ones only the first n characters count. Nothing is waited for, but for a
/// variable of the host that distinct is.
///
/// It takes rounds of a sort and a scan, the first by words of 7 bytes, each other one by parts that are twice as wide,
/// until these are as wide as the longest string. On hosts that is looked for; elsewhere it would have to be waited
/// for, and there are as many rounds as for one string that is the whole text, unless Longest says that none is as
/// long. All rounds together sort twice as many parts as the text has words, and one more for each string and round.
/// Scratch is 28 bytes for each word and each string. There are fewer than 2^32 words and strings, in all.
inline constexpr driver::Function<driver::LexicographicalRanks, "KokkosScan::lexicographical_ranks">
    lexicographical_ranks{};

}  // namespace KokkosScan
