// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace test {

/// Enters results into the report of the test that runs (--gtest_output=xml:FILE), as "bits" of all of them together.
/// Reports of two builds that differ there tell that a change touched the grouping of some algorithm.
inline void record_bits(void const* results, std::size_t bytes) {
  static std::string of_test;
  static std::uint64_t bits = 0;
  auto const& info          = *testing::UnitTest::GetInstance()->current_test_info();
  std::string const test    = std::string(info.test_suite_name()) + "." + info.name();
  if (test != of_test) {
    of_test = test;
    bits    = 0;
  }
  auto const* const first = static_cast<unsigned char const*>(results);
  for (std::size_t at = 0; at < bytes; at += sizeof(bits)) {
    std::uint64_t word = 0;
    std::memcpy(&word, first + at, bytes - at < sizeof(word) ? bytes - at : sizeof(word));
    bits = (bits ^ word) * 0x9e3779b97f4a7c15U;
    bits ^= bits >> 29;
  }
  testing::Test::RecordProperty("bits", std::to_string(bits));
}

}  // namespace test
