// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "drawn.hpp"
#include "lengths.hpp"
#include "report.hpp"

namespace perf {
namespace {

enum class Extent { full, quick, smoke };

struct RunOptions {
  Extent extent                    = Extent::full;
  bool list                        = false;
  std::vector<std::size_t> lengths = {};  ///< instead of the usual
  std::string json                 = {};
  std::string filter               = {};
  int threads                      = 0;  ///< as many as Kokkos takes
  int rounds                       = 7;  ///< and not fewer
  std::uint64_t seed               = 0;
  bool seed_is_given               = false;
  int cases                        = -1;  ///< as many as are usual
  int patience        = -1;          ///< seconds for each comparison; if negative 2, or none where it is to be quick
  std::string command = "perf/run";  ///< which takes the same options, for the record

  /// What is drawn is all, where it was asked for.
  bool draws_alone() const { return seed_is_given || cases >= 0; }
  Draw draw() const {
    Draw all{.seed = seed};
    if (extent == Extent::smoke) all.longest = 100'000;
    bool const is_usual =
        extent == Extent::full && filter.empty() && lengths.empty() && !list && !drawn_families().empty();
    all.cases = cases >= 0 ? cases : draws_alone() ? 100 : is_usual ? 24 : 0;
    return all;
  }
  /// Fewer rounds: what is behind is measured again.
  Timing timing_of_drawn() const {
    Timing few = timing();
    if (extent == Extent::full) few.rounds = 3, few.sample_seconds = 0.002, few.patience = 0;
    return few;
  }

  Timing timing() const {
    // Nobody looks at the times of a smoke test: the path through the code is what is tried.
    if (extent == Extent::smoke) return {.rounds = 2, .sample_seconds = 0, .warm_seconds = 0, .pause_seconds = 0};
    if (extent == Extent::quick)
      return {.rounds = rounds, .sample_seconds = 0.003, .patience = 1.0 * std::max(patience, 0)};
    return {.rounds = rounds, .patience = patience < 0 ? 2.0 : patience};
  }
};

RunOptions parse(int count, char** arguments) {
  RunOptions options;
  // Numbers, and the least of each.
  std::map<std::string, std::pair<int*, int>> const numbers{{"--threads", {&options.threads, 1}},
                                                            {"--rounds", {&options.rounds, 7}},
                                                            {"--patience", {&options.patience, 0}},
                                                            {"--cases", {&options.cases, 0}}};
  std::string lengths, seed;
  std::map<std::string, std::string*> const texts{
      {"--json", &options.json}, {"--filter", &options.filter}, {"--n", &lengths}, {"--seed", &seed}};
  for (int i = 1; i < count; ++i) {
    std::string const option = arguments[i];
    options.command += " " + option;
    auto const number = numbers.find(option);
    auto const text   = texts.find(option);
    if (number != numbers.end() || text != texts.end()) {
      if (++i == count) throw std::invalid_argument(option + " needs a value");
      std::string const value = arguments[i];
      options.command += " " + value;
      if (text != texts.end())
        *text->second = value;
      else if (std::regex_match(value, std::regex("[0-9]{1,5}")) && std::stoi(value) >= number->second.second)
        *number->second.first = std::stoi(value);
      else
        throw std::invalid_argument(option + " " + value + ": a number of at least " +
                                    std::to_string(number->second.second) + " is wanted");
    } else if (option == "--list") {
      options.list = true;
    } else if (option == "--quick" || option == "--smoke") {
      options.extent = option == "--quick" ? Extent::quick : Extent::smoke;
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  options.lengths = parse_lengths(lengths);
  if (!seed.empty() && !std::regex_match(seed, std::regex("[0-9]{1,19}")))
    throw std::invalid_argument("--seed " + seed + ": a number of up to 19 digits is wanted");
  options.seed_is_given = !seed.empty();
  options.seed          = seed.empty() ? std::random_device{}() : std::stoull(seed);
  if (options.draws_alone() && (!options.filter.empty() || !options.lengths.empty()))
    throw std::invalid_argument("--seed and --cases draw what runs: --filter and --n have no say in it");
  return options;
}

/// Which n to run. With a filter there is more to choose from than a run without one has time for.
std::vector<std::size_t> sizes(Family const& family, RunOptions const& options) {
  if (options.extent == Extent::smoke) return {1, 256, 5000, 50003};
  // inclusive_sum@graph and the like: other ways to time the same, of which a few will do.
  bool const once_more = family.operation.find('@') != std::string::npos;
  if (once_more && options.filter.empty() && (family.operation.rfind("inclusive_sum@", 0) != 0 || family.type != "f32"))
    return {};
  if (family.on_request && options.filter.empty()) return {};
  std::vector<std::size_t> list;
  if (!options.lengths.empty()) {
    std::ranges::copy_if(options.lengths, std::back_inserter(list), [&](std::size_t n) { return n <= family.largest; });
    return list;
  }
  // Past the caches once more for what most people scan.
  bool const often = family.operation == "inclusive_sum" && (family.type == "i32" || family.type == "f32");
  std::vector<std::size_t> exponents{8, 12, 16, 20, often ? 28U : 26U};
  if (options.extent == Extent::quick) {
    exponents = {10, 16, 24};
  } else if (!options.filter.empty()) {
    exponents.resize(31);
    std::iota(exponents.begin(), exponents.end(), 0U);
  }
  for (std::size_t const exponent : exponents)
    if (std::size_t const n = std::size_t(1) << exponent; n <= family.largest) list.push_back(n);
  return list;
}

std::vector<Comparison> select(RunOptions const& options) try {
  std::regex const filter(options.filter, std::regex::ECMAScript | std::regex::optimize);
  // Single algorithms take part only where the filter speaks of them: there are dozens.
  bool const single = options.filter.find("KokkosScan/") != std::string::npos || options.extent == Extent::smoke;
  std::vector<Comparison> chosen;
  for (Family const& family : all_families())
    for (std::size_t const n : sizes(family, options)) {
      Comparison comparison   = family.make(n);
      auto const is_asked_for = [&](std::string const& name) {
        return (single || name.rfind("KokkosScan/", 0) != 0) && std::regex_search(comparison.path() + name, filter);
      };
      std::erase_if(comparison.contestants, [&](Contestant const& one) { return !is_asked_for(one.name); });
      if (!comparison.contestants.empty() || is_asked_for("copy")) chosen.push_back(std::move(comparison));
    }
  return chosen;
} catch (std::regex_error const& error) {
  throw std::invalid_argument("--filter '" + options.filter + "' is no regular expression: " + error.what());
}

/// What is being measured now, on one line of a terminal that the next text overwrites.
void show_progress(std::string const& text) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

std::string count_of(std::size_t k, std::size_t all) {
  return "[" + std::to_string(k + 1) + "/" + std::to_string(all) + "] ";
}

std::vector<Outcome> measure_all(std::vector<Comparison>& comparisons, Timing const& timing) {
  std::vector<Outcome> outcomes;
  for (Comparison& comparison : comparisons) {
    std::string const count = count_of(outcomes.size(), comparisons.size());
    show_progress(count + comparison.path());
    outcomes.push_back(measure(comparison, timing, too_large(comparison.memory)));
    comparison = {};  // frees the memory
    show_progress("");
    print_comparison(std::cout, outcomes.back(), count);
  }
  print_summary(std::cout, outcomes);
  return outcomes;
}

std::vector<Verdict> judge_all(std::vector<DrawnCase> const& cases, Draw const& draw, Timing const& timing) {
  if (!cases.empty()) std::cout << "\nCases drawn from seed " << draw.seed << "\n";
  std::vector<Verdict> verdicts;
  for (DrawnCase const& one : cases) {
    std::string const count = count_of(verdicts.size(), cases.size());
    show_progress(count + one.name());
    verdicts.push_back(judge(one, timing));
    show_progress("");
    print_verdict(std::cout, verdicts.back(), count);
  }
  print_drawn(std::cout, draw, verdicts);
  return verdicts;
}

bool is_right(Outcome const& outcome) {
  return std::ranges::none_of(outcome.rows, [](Row const& row) { return row.is_bad(); });
}

int run(RunOptions const& options) {
  std::vector<Comparison> comparisons;
  if (!options.draws_alone()) comparisons = select(options);
  Draw const draw                    = options.draw();
  std::vector<DrawnCase> const cases = perf::draw(draw);
  if (comparisons.empty() && !options.draws_alone()) {
    std::cerr << "kokkosscan_perf: no benchmark matches --filter '" << options.filter
              << "'; --list shows the names, operation/type/n/implementation\n";
    return 2;
  }
  if (options.list) {
    for (Comparison const& comparison : comparisons) {
      std::cout << comparison.path() << "copy\n";  // the yardstick is always there
      for (Contestant const& one : comparison.contestants) std::cout << comparison.path() << one.name << "\n";
    }
    for (DrawnCase const& one : cases) std::cout << one.name() << "\n";
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
  std::vector<Outcome> const outcomes = measure_all(comparisons, options.timing());
  std::vector<Verdict> const verdicts = judge_all(cases, draw, options.timing_of_drawn());
  for (auto const& fact : facts_at_the_end()) {
    std::cout << fact.first << ": " << fact.second << "\n";
    facts.push_back(fact);
  }
  if (json.is_open()) {
    write_json(json, facts, outcomes, [&](std::ostream& out) {
      if (!verdicts.empty()) write_drawn(out, draw, verdicts);
    });
    json.close();
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }
  bool const all_right = std::ranges::all_of(outcomes, is_right) &&
                         std::ranges::all_of(verdicts, [](Verdict const& one) { return is_right(one.outcome); });
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
