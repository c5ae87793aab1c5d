// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>

#include "report.hpp"

namespace perf {
namespace {

enum class Extent { full, quick, smoke };

struct RunOptions {
  Extent extent       = Extent::full;
  bool list           = false;
  std::string json    = {};
  std::string filter  = {};
  int threads         = 0;           ///< as many as Kokkos takes
  int rounds          = 7;           ///< and not fewer
  int patience        = -1;          ///< seconds for each comparison; if negative 2, or none where it is to be quick
  std::string command = "perf/run";  ///< which takes the same options, for the record

  Timing timing() const {
    // Nobody looks at the times of a smoke test: the path through the code is what is tried.
    if (extent == Extent::smoke) return {.rounds = 2, .sample_seconds = 0, .warm_seconds = 0, .pause_seconds = 0};
    bool const quick = extent == Extent::quick;
    return {.rounds         = rounds,
            .sample_seconds = quick ? 0.003 : 0.005,
            .patience       = patience >= 0 ? patience
                              : quick       ? 0.0
                                            : 2.0};
  }
};

RunOptions parse(int count, char** arguments) {
  RunOptions options;
  for (int i = 1; i < count; ++i) {
    std::string const option = arguments[i];
    options.command += " " + option;
    auto const text = [&]() -> std::string {
      if (i + 1 == count) throw std::invalid_argument(option + " needs a value");
      options.command += std::string(" ") + arguments[i + 1];
      return arguments[++i];
    };
    auto const number = [&](int least) {
      std::string const digits = text();
      if (!std::regex_match(digits, std::regex("[0-9]{1,5}")) || std::stoi(digits) < least)
        throw std::invalid_argument(option + " " + digits + ": a number of at least " + std::to_string(least) +
                                    " is wanted");
      return std::stoi(digits);
    };
    if (option == "--quick")
      options.extent = Extent::quick;
    else if (option == "--smoke")
      options.extent = Extent::smoke;
    else if (option == "--list")
      options.list = true;
    else if (option == "--json")
      options.json = text();
    else if (option == "--filter")
      options.filter = text();
    else if (option == "--threads")
      options.threads = number(1);
    else if (option == "--rounds")
      options.rounds = number(7);
    else if (option == "--patience")
      options.patience = number(0);
    else
      throw std::invalid_argument("unknown option " + option);
  }
  return options;
}

/// Exponents of 2: which n to run. With a filter there is more to choose from than a run without one has time for.
std::vector<int> exponents(Family const& family, RunOptions const& options) {
  // inclusive_sum@graph and the like: other ways to time the same, of which a few will do.
  bool const once_more = family.operation.find('@') != std::string::npos;
  if (!options.filter.empty() && options.extent == Extent::full) {
    std::vector<int> all(31);
    for (int k = 0; k <= 30; ++k) all[static_cast<std::size_t>(k)] = k;
    return all;
  }
  if (once_more && options.filter.empty() && (family.operation.rfind("inclusive_sum@", 0) != 0 || family.type != "f32"))
    return {};
  if (options.extent == Extent::quick) return {10, 16, 24};
  // Past the caches once more for what most people scan.
  bool const often = family.operation == "inclusive_sum" && (family.type == "i32" || family.type == "f32");
  return {8, 12, 16, 20, often ? 28 : 26};
}

std::vector<std::size_t> sizes(Family const& family, RunOptions const& options) {
  if (options.extent == Extent::smoke) return {1, 256, 5000, 1000003};
  std::vector<std::size_t> list;
  for (int const exponent : exponents(family, options)) list.push_back(std::size_t(1) << exponent);
  std::erase_if(list, [&](std::size_t n) { return n > family.largest; });
  return list;
}

struct Entry {
  Comparison comparison;
  std::size_t memory;
};

std::vector<Entry> select(RunOptions const& options) try {
  std::regex const filter(options.filter, std::regex::ECMAScript | std::regex::optimize);
  // Single algorithms take part only where the filter speaks of them: there are dozens.
  bool const single = options.filter.find("KokkosScan/") != std::string::npos || options.extent == Extent::smoke;
  std::vector<Entry> entries;
  for (Family const& family : all_families())
    for (std::size_t const n : sizes(family, options)) {
      Comparison comparison   = family.make(n);
      auto const is_asked_for = [&](std::string const& name) {
        return (single || name.rfind("KokkosScan/", 0) != 0) && std::regex_search(comparison.path() + name, filter);
      };
      std::erase_if(comparison.contestants, [&](Contestant const& one) { return !is_asked_for(one.name); });
      if (!comparison.contestants.empty() || is_asked_for("copy"))
        entries.push_back({std::move(comparison), family.memory(n)});
    }
  return entries;
} catch (std::regex_error const& error) {
  throw std::invalid_argument("--filter '" + options.filter + "' is no regular expression: " + error.what());
}

std::string too_large(std::size_t needs) {
  std::size_t const available = available_memory();
  if (available == 0 || needs <= available / 10 * 8) return {};
  return "needs " + std::to_string(needs >> 20) + " MiB of memory, " + std::to_string(available >> 20) +
         " MiB are free";
}

/// What is being measured now, on one line of a terminal that the next text overwrites.
void show_progress(std::string const& text) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

int run(RunOptions const& options) {
  std::vector<Entry> entries = select(options);
  if (entries.empty()) {
    std::cerr << "kokkosscan_perf: no benchmark matches --filter '" << options.filter
              << "'; --list shows the names, operation/type/n/implementation\n";
    return 2;
  }
  if (options.list) {
    for (auto const& [comparison, memory] : entries) {
      std::cout << comparison.path() << "copy\n";  // the yardstick is always there
      for (Contestant const& one : comparison.contestants) std::cout << comparison.path() << one.name << "\n";
    }
    return 0;
  }
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }

  Facts facts = machine_facts();
  for (auto const& fact : backend_facts()) facts.push_back(fact);
  facts.emplace_back("command", options.command);
  print_facts(std::cout, facts);
  std::vector<Outcome> outcomes;
  bool all_right = true;
  for (Entry& entry : entries) {
    std::string const count = "[" + std::to_string(outcomes.size() + 1) + "/" + std::to_string(entries.size()) + "] ";
    show_progress(count + entry.comparison.path());
    outcomes.push_back(measure(entry.comparison, options.timing(), too_large(entry.memory)));
    entry.comparison = {};  // frees the memory
    show_progress("");
    print_comparison(std::cout, outcomes.back(), count);
    for (Row const& row : outcomes.back().rows)
      all_right = all_right && row.status != Status::wrong && row.status != Status::failed;
  }
  print_summary(std::cout, outcomes);
  if (json.is_open()) {
    write_json(json, facts, outcomes);
    json.close();
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace perf

int main(int count, char** arguments) try {
  perf::RunOptions const options = perf::parse(count, arguments);
  Kokkos::InitializationSettings settings;
  if (options.threads > 0) settings.set_num_threads(options.threads);
  settings.set_disable_warnings(true);
  Kokkos::ScopeGuard const kokkos(settings);
  return perf::run(options);
} catch (std::exception const& error) {
  std::fprintf(stderr, "kokkosscan_perf: %s\n", error.what());
  return 2;
}
