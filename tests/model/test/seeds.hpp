// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <model/machine.hpp>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

namespace KokkosScan::cuda {
namespace {

using model::Kind;
using model::Model;
using model::ModelError;
using model::Settings;

/// How many of the first so many seeds answer yes.
inline int seeds_with(int seeds, std::function<bool()> const& run, Settings settings = {}) {
  int count = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    settings.seed = static_cast<std::uint64_t>(seed);
    Model const model(settings);
    if (run()) ++count;
  }
  return count;
}

/// What a launch complains of, if it does.
inline std::optional<ModelError> fault_of(std::function<void()> const& run) {
  try {
    run();
  } catch (ModelError const& error) {
    return error;
  }
  return std::nullopt;
}

inline bool fails(Kind kind, std::function<void()> const& run) {
  auto const fault = fault_of(run);
  if (fault && fault->kind() != kind) ADD_FAILURE() << fault->what();
  return fault.has_value();
}

/// Every seed finds the fault.
inline void expect_fault(Kind kind, std::function<void()> const& run, int seeds = 50, Settings settings = {}) {
  EXPECT_EQ(seeds_with(seeds, [&] { return fails(kind, run); }, settings), seeds);
}

/// No seed finds any.
inline void expect_no_fault(std::function<void()> const& run, int seeds = 200, Settings settings = {}) {
  seeds_with(
      seeds,
      [&] {
        auto const fault = fault_of(run);
        if (fault) ADD_FAILURE() << fault->what();
        return fault.has_value();
      },
      settings);
}

/// Whether the text of a fault says all this.
inline void expect_words(std::optional<ModelError> const& fault, std::initializer_list<std::string> words) {
  ASSERT_TRUE(fault);
  std::string const text = fault->what();
  for (std::string const& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
}

}  // namespace
}  // namespace KokkosScan::cuda
