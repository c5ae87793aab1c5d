// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a build has time for: sanitizers take ten times as long for an element as a build without them, the execution
// model a thousand times. Inputs that are but longer than others, and go no way of their own, are for those that are
// fast, and for the host under tests/run --all.
namespace test {

inline constexpr bool is_sanitized = !KOKKOSSCAN_TEST_OTHER_TYPES;
inline constexpr bool has_time     = KOKKOSSCAN_TEST_EVERY_NTH_PAIR == 1;

}  // namespace test
