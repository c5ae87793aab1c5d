// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <model/machine.hpp>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

namespace KokkosScan::cuda {
namespace {

using model::Kind;
using model::Model;
using model::ModelError;
using model::Settings;

/// Under each of the first so many seeds.
inline void for_seeds(int seeds, std::function<void()> const& run, Settings settings = {}) {
  for (int seed = 0; seed < seeds; ++seed) {
    settings.seed = static_cast<std::uint64_t>(seed);
    Model const model(settings);
    run();
  }
}

/// How many of them answer yes.
inline int seeds_with(int seeds, std::function<bool()> const& run, Settings const& settings = {}) {
  int count = 0;
  for_seeds(seeds, [&] { count += run(); }, settings);
  return count;
}

template <class... Parameters>
std::function<void()> launching(Grid grid, void (*kernel)(Parameters...),
                                std::type_identity_t<Parameters>... arguments) {
  return [=] { launch(nullptr, grid, kernel, arguments...); };
}

/// On words that hold 0.
inline std::function<void()> launching_on_words(Grid grid, void (*kernel)(unsigned* words)) {
  return [=] {
    alignas(16) unsigned words[300] = {};
    launch(nullptr, grid, kernel, words);
  };
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

/// How many seeds find the fault; no other may be found.
inline int seeds_with_fault(Kind kind, std::function<void()> const& run, int seeds, Settings const& settings = {}) {
  return seeds_with(
      seeds,
      [&] {
        auto const fault = fault_of(run);
        if (fault && fault->kind() != kind) ADD_FAILURE() << fault->what();
        return fault.has_value();
      },
      settings);
}

/// Every seed finds the fault.
inline void expect_fault(Kind kind, std::function<void()> const& run, int seeds = 50, Settings const& settings = {}) {
  EXPECT_EQ(seeds_with_fault(kind, run, seeds, settings), seeds);
}

/// Which one depends on the seed.
inline void expect_any_fault(std::function<void()> const& run) {
  for_seeds(50, [&] { EXPECT_TRUE(fault_of(run)); });
}

/// No seed finds any.
inline void expect_no_fault(std::function<void()> const& run, int seeds = 200, Settings const& settings = {}) {
  for_seeds(
      seeds,
      [&] {
        if (auto const fault = fault_of(run)) ADD_FAILURE() << fault->what();
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
