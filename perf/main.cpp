// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>

#include "backend.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "report.hpp"
#include "rounds.hpp"

// Google Benchmark holds the names, runs what is registered, repeats, keeps the compiler from dropping work and feeds
// the reporter. It does not take the times: it would finish one contestant before the next begins, and its random
// interleaving mixes all benchmarks of the program, so that contestants of one comparison would meet minutes apart and
// the memory of all would be held at once. So measure() in rounds.cpp runs the rounds of a comparison when the first of
// its benchmarks starts, and each repetition of a benchmark is told the time of its round (UseManualTime).
namespace perf {
namespace {

constexpr std::size_t two_to(int exponent) { return std::size_t(1) << exponent; }

/// Which n to run. With a filter there is more to choose from than a run without one has time for.
std::vector<std::size_t> sizes(Family const& family, RunOptions const& options) {
  std::vector<std::size_t> list;
  // inclusive_sum@graph and the like: other ways to time the same, of which a few will do.
  bool const once_more = family.operation.find('@') != std::string::npos;
  if (once_more && options.filter.empty() && options.extent != Extent::smoke &&
      (family.operation.rfind("inclusive_sum@", 0) != 0 || family.type != "f32"))
    return {};
  if (options.extent == Extent::smoke) return {1, 256, 5000, 1000003};
  if (options.extent == Extent::quick) {
    bool const few = family.type == "f32" || family.type == "i32_i64" ||
                     (family.operation == "inclusive_sum" && (family.type == "i32" || family.type == "f64"));
    if (few || !options.filter.empty()) list = {two_to(10), two_to(16), two_to(24)};
  } else if (!options.filter.empty()) {
    for (int exponent = 0; exponent <= 30; ++exponent) list.push_back(two_to(exponent));
  } else {
    // Past the caches once more for what most people scan.
    bool const often = family.operation == "inclusive_sum" && (family.type == "i32" || family.type == "f32");
    list             = {two_to(8), two_to(12), two_to(16), two_to(20), two_to(26)};
    if (often) list.back() = two_to(28);
  }
  std::erase_if(list, [&](std::size_t n) { return n > family.largest; });
  return list;
}

/// A comparison, and which of its rows were asked for.
struct Entry {
  Family const* family;
  std::size_t n;
  std::vector<std::string> implementations;
  std::string not_run = {};  ///< why, if so
};

std::regex compile(std::string const& filter) {
  try {
    return std::regex(filter, std::regex::ECMAScript | std::regex::optimize);
  } catch (std::regex_error const& error) {
    throw std::invalid_argument("--filter '" + filter + "' is no regular expression: " + error.what());
  }
}

std::vector<Entry> select(std::vector<Family> const& families, RunOptions const& options) {
  std::regex const filter = compile(options.filter);
  std::vector<Entry> entries;
  for (Family const& family : families)
    for (std::size_t const n : sizes(family, options)) {
      Comparison const comparison = family.make(n);
      auto const asked_for        = [&](std::string const& name) {
        return std::regex_search(comparison.path() + name, filter);
      };
      Entry entry{&family, n, {}};
      for (Contestant const& contestant : comparison.contestants) {
        // Single algorithms take part only where the filter speaks of them: there are dozens.
        bool const single = contestant.name.rfind("KokkosScan/", 0) == 0;
        if (single && options.filter.find("KokkosScan/") == std::string::npos && options.extent != Extent::smoke)
          continue;
        if (asked_for(contestant.name)) entry.implementations.push_back(contestant.name);
      }
      if (entry.implementations.empty() && !asked_for("copy")) continue;
      entry.implementations.insert(entry.implementations.begin(), "copy");  // the yardstick is always there
      std::size_t const needs = family.memory(n), available = available_memory();
      if (available != 0 && needs > available / 10 * 8)
        entry.not_run = "needs " + std::to_string(needs >> 20) + " MiB of memory, " + std::to_string(available >> 20) +
                        " MiB are free";
      entries.push_back(std::move(entry));
    }
  return entries;
}

Outcome run(Entry const& entry, Timing const& timing) {
  Comparison comparison = entry.family->make(entry.n);
  if (!entry.not_run.empty()) {
    Outcome outcome;
    for (std::string const& name : entry.implementations) {
      outcome.rows.push_back({.operation      = comparison.operation,
                              .type           = comparison.type,
                              .implementation = name,
                              .n              = comparison.n,
                              .bytes          = comparison.bytes,
                              .detail         = entry.not_run});
    }
    return outcome;
  }
  std::erase_if(comparison.contestants, [&](Contestant const& contestant) {
    return std::find(entry.implementations.begin(), entry.implementations.end(), contestant.name) ==
           entry.implementations.end();
  });
  return measure(comparison, timing);
}

/// What is being measured now, on one line of a terminal that the next text overwrites.
void show_progress(std::string const& text) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

/// Runs each entry once, when the first of its benchmarks asks for a time.
class Session {
 public:
  Session(std::vector<Entry> entries, Timing const& timing)
      : entries_(std::move(entries)), timing_(timing), outcomes_(entries_.size()) {}

  void register_benchmarks() {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      for (std::string const& implementation : entries_[i].implementations) {
        std::string const name = entries_[i].family->make(entries_[i].n).path() + implementation;
        benchmark::RegisterBenchmark(
            name.c_str(), [this, i, implementation](benchmark::State& state) { play(state, i, implementation); })
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(timing_.rounds);
      }
  }

  std::vector<Outcome> outcomes() const {
    std::vector<Outcome> list;
    for (auto const& outcome : outcomes_)
      if (outcome) list.push_back(*outcome);
    return list;
  }

  bool all_right() const {
    for (auto const& outcome : outcomes_)
      for (Row const& row : outcome ? outcome->rows : std::vector<Row>())
        if (row.status == Status::wrong || row.status == Status::failed) return false;
    return true;
  }

 private:
  void play(benchmark::State& state, std::size_t i, std::string const& implementation) {
    if (!outcomes_[i]) {
      std::string const count = "[" + std::to_string(i + 1) + "/" + std::to_string(entries_.size()) + "] ";
      show_progress(count + entries_[i].family->make(entries_[i].n).path());
      outcomes_[i] = run(entries_[i], timing_);
      round_.clear();
      show_progress("");
      print_comparison(std::cout, *outcomes_[i], count);
    }
    auto const row = std::find_if(outcomes_[i]->rows.begin(), outcomes_[i]->rows.end(),
                                  [&](Row const& r) { return r.implementation == implementation; });
    if (row->status != Status::measured) return state.SkipWithError(to_string(row->status));
    std::size_t& round = round_[implementation];
    for (auto _ : state) state.SetIterationTime(row->seconds[round++ % row->seconds.size()]);
    state.SetBytesProcessed(static_cast<std::int64_t>(row->bytes));
    state.counters["of_copy"] = row->copy_ratio;
  }

  std::vector<Entry> entries_;
  Timing timing_;
  std::vector<std::optional<Outcome>> outcomes_;
  std::map<std::string, std::size_t> round_;
};

/// The table is printed comparison by comparison (print_comparison); Google Benchmark's own lines are not wanted.
class Quiet : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const&) override {}
};

int run(RunOptions const& options) {
  std::vector<Family> const families = backend_families();
  std::vector<Entry> entries         = select(families, options);
  if (entries.empty()) {
    std::cerr << "kokkosscan_perf: no benchmark matches --filter '" << options.filter
              << "'; --list shows the names, operation/type/n/implementation\n";
    return 2;
  }
  if (options.list) {
    for (Entry const& entry : entries)
      for (std::string const& implementation : entry.implementations)
        std::cout << entry.family->make(entry.n).path() << implementation << "\n";
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
  Session session(std::move(entries), options.timing());
  session.register_benchmarks();
  Quiet reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  std::vector<Outcome> const outcomes = session.outcomes();
  print_summary(std::cout, outcomes);
  if (json.is_open()) {
    write_json(json, facts, outcomes);
    json.close();
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }
  return session.all_right() ? 0 : 1;
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
