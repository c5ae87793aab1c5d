// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <algorithm>
#include <stdexcept>

namespace perf {
namespace {

int number(std::string const& option, std::string const& text, int least) {
  bool const digits = !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoi(text) < least)
    throw std::invalid_argument(option + " " + text + ": a number of at least " + std::to_string(least) + " is wanted");
  return std::stoi(text);
}

}  // namespace

RunOptions parse(int count, char** arguments) {
  RunOptions options;
  options.command = "perf/run";  // which takes the same options, and finds everything that this needs
  for (int i = 1; i < count; ++i) {
    std::string const option = arguments[i];
    auto const value         = [&]() -> std::string {
      if (i + 1 == count) throw std::invalid_argument(option + " needs a value");
      options.command += std::string(" ") + arguments[i + 1];
      return arguments[++i];
    };
    options.command += " " + option;
    if (option == "--quick") {
      options.extent = Extent::quick;
    } else if (option == "--smoke") {
      options.extent = Extent::smoke;
    } else if (option == "--list") {
      options.list = true;
    } else if (option == "--json") {
      options.json = value();
    } else if (option == "--filter") {
      options.filter = value();
    } else if (option == "--threads") {
      options.threads = number(option, value(), 1);
    } else if (option == "--rounds") {
      options.rounds = number(option, value(), 7);
    } else if (option == "--patience") {
      options.patience = number(option, value(), 0);
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  return options;
}

Timing RunOptions::timing() const {
  switch (extent) {
    case Extent::full:
      return {.rounds = rounds, .sample_seconds = 0.005, .patience = patience < 0 ? 2.0 : 1.0 * patience};
    case Extent::quick: return {.rounds = rounds, .sample_seconds = 0.003, .patience = std::max(0.0, 1.0 * patience)};
    // Nobody looks at these times: the path through the code is what is tried.
    case Extent::smoke: return {.rounds = 2, .sample_seconds = 0, .warm_seconds = 0, .pause_seconds = 0};
  }
  return {};
}

}  // namespace perf
