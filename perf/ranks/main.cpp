// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>

#include "../lengths.hpp"
#include "report.hpp"

// perf/run --ranks: scans across the ranks of MPI, by the first 1, 2, 4, ... of all ranks in turns.
namespace perf::ranks {
namespace {

struct RunOptions {
  bool quick = false, smoke = false, list = false;
  std::vector<std::size_t> lengths = {};  ///< of each rank, and of all
  std::string json = {}, filter = {};
  int rounds          = 7;
  std::string command = "perf/run --ranks " + std::to_string(size_of(MPI_COMM_WORLD));

  Timing timing() const {
    if (smoke) return {.rounds = 2, .sample_seconds = 0};
    return {.rounds = rounds, .sample_seconds = quick ? 0.005 : 0.02};
  }
};

RunOptions parse(int count, char** arguments) {
  RunOptions options;
  for (int i = 1; i < count; ++i) {
    std::string const option = arguments[i];
    options.command += " " + option;
    auto const value = [&] {
      if (++i == count) throw std::invalid_argument(option + " needs a value");
      options.command += std::string(" ") + arguments[i];
      return std::string(arguments[i]);
    };
    if (option == "--json") {
      options.json = value();
    } else if (option == "--filter") {
      options.filter = value();
    } else if (option == "--n") {
      options.lengths = parse_lengths(value());
    } else if (option == "--rounds") {
      std::string const rounds = value();
      if (!std::regex_match(rounds, std::regex("[1-9][0-9]{0,4}")) || std::stoi(rounds) < 7)
        throw std::invalid_argument("--rounds " + rounds + ": a number of at least 7 is wanted");
      options.rounds = std::stoi(rounds);
    } else if (option == "--quick" || option == "--smoke" || option == "--list") {
      (option == "--quick" ? options.quick : option == "--smoke" ? options.smoke : options.list) = true;
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  return options;
}

std::vector<Task> tasks_of(RunOptions const& options) {
  auto const power = [](int exponent) { return std::size_t{1} << exponent; };
  std::vector<std::size_t> each{power(24), power(25), power(26), power(27)}, all{power(27)};
  if (options.quick) each = {power(22)}, all = {power(24)};
  if (options.smoke) each = {1, 5000}, all = {5003};
  if (!options.lengths.empty()) each = all = options.lengths;
  std::vector<Task> tasks{{Scaling::latency, operation_of_one(), 1}};
  for (Operation const& operation : operations_of_many()) {
    for (std::size_t const n : each) tasks.push_back({Scaling::weak, operation, n});
    for (std::size_t const n : all) tasks.push_back({Scaling::strong, operation, n});
  }
  return tasks;
}

Facts facts_of(RunOptions const& options) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length                                   = 0;
  MPI_Get_library_version(library, &length);
  std::string const text(library, static_cast<std::size_t>(length));
  Facts facts = machine_facts();
  for (auto const& fact : backend_facts()) facts.push_back(fact);
  facts.emplace_back("MPI", text.substr(0, text.find_first_of("\n,")));
  facts.emplace_back("ranks", std::to_string(size_of(MPI_COMM_WORLD)));
  facts.emplace_back("ranks on a node", std::to_string(ranks_on_this_node(MPI_COMM_WORLD)));
  facts.emplace_back("command", options.command);
  return facts;
}

/// Which names are wanted, of the form weak/inclusive_sum/f64/16777216/4/KokkosScan::mpi.
class Filter {
 public:
  explicit Filter(std::string const& text) try : expression_(text) {
  } catch (std::regex_error const& error) {
    throw std::invalid_argument("--filter '" + text + "' is no regular expression: " + error.what());
  }
  bool operator()(std::string const& name) const { return std::regex_search(name, expression_); }
  /// Whether any contestant of a task may be.
  bool takes(Task const& task, int ranks) const {
    for (char const* name : {ours, alone, by_hand, exscan})
      if ((*this)(task.path() + "/" + std::to_string(ranks) + "/" + name)) return true;
    return false;
  }

 private:
  std::regex expression_;
};

/// Measures all; the first rank has all rows in the end.
std::vector<Row> measure_all(std::vector<Task> const& tasks, RunOptions const& options, Filter const& filter) {
  bool const tells = rank_of(MPI_COMM_WORLD) == 0 && isatty(STDERR_FILENO);
  std::vector<Row> rows;
  for (Task const& task : tasks)
    for (int const ranks : team_sizes()) {
      if (!filter.takes(task, ranks)) continue;
      if (tells) std::fprintf(stderr, "\r\033[K%s, %d ranks", task.path().c_str(), ranks);
      Team const team(ranks);
      if (team.has_this_rank())
        for (Row& row : measure(team, task, options.timing(), filter)) rows.push_back(std::move(row));
      meet_all();
    }
  if (tells) std::fprintf(stderr, "\r\033[K");
  return rows;
}

/// Of one element, on one rank: the model starts from it, whatever the filter takes.
double seconds_of_a_call(Timing const& timing) {
  Team const team(1);
  double seconds = 0;
  if (team.has_this_rank()) {
    auto const is_ours = [](std::string const& name) { return name.ends_with(ours); };
    for (Row const& row : measure(team, {Scaling::latency, operation_of_one(), 1}, timing, is_ours))
      seconds = row.median;
  }
  meet_all();
  return seconds;
}

int run(RunOptions const& options) {
  bool const tells              = rank_of(MPI_COMM_WORLD) == 0;
  std::vector<Task> const tasks = tasks_of(options);
  Filter const filter(options.filter);
  if (options.list) {
    for (Task const& task : tasks)
      if (tells && filter.takes(task, size_of(MPI_COMM_WORLD))) std::cout << task.path() << "\n";
    return 0;
  }
  std::ofstream json;
  if (tells && !options.json.empty()) {
    json.open(options.json);
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }

  Facts const facts      = facts_of(options);  // collective, as what follows
  Constants constants    = measure_messages(options.quick || options.smoke);
  constants.call_seconds = seconds_of_a_call(options.timing());
  std::vector<Row> rows  = measure_all(tasks, options, filter);
  if (!tells) return 0;
  predict_rows(rows, constants);
  std::vector<Prediction> const predictions = predict_beyond(rows, constants, tasks);
  for (auto const& fact : facts) std::cout << fact.first << ": " << fact.second << "\n";
  print_constants(std::cout, constants);
  bool is_right = true;
  for (Task const& task : tasks)
    if (std::ranges::any_of(rows, [&](Row const& row) { return row.is_of(task); }))
      print_task(std::cout, task, rows, predictions);
  for (Row const& row : rows) is_right = is_right && row.status != "wrong";
  if (rows.empty())
    throw std::invalid_argument("no benchmark matches --filter '" + options.filter + "'; --list shows names");
  if (json.is_open()) {
    write_json(json, facts, constants, rows, predictions);
    json.close();
    if (!json) throw std::runtime_error("cannot write " + options.json);
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace perf::ranks

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int status = 0;
  try {
    Kokkos::InitializationSettings settings;
    settings.set_disable_warnings(true);
    Kokkos::ScopeGuard const kokkos(settings);
    status = perf::ranks::run(perf::ranks::parse(count, arguments));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "kokkosscan_perf_ranks: rank %d: %s\n", perf::ranks::rank_of(MPI_COMM_WORLD), error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);  // the others may wait for this rank
  }
  MPI_Finalize();
  return status;
}
