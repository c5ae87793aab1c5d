// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "../machine.hpp"

namespace perf::ranks {
namespace {

double seconds_of(MPI_Comm comm, Contestant const& contestant, long calls) {
  MPI_Barrier(comm);
  double const begin = MPI_Wtime();
  for (long call = 0; call < calls; ++call) contestant.run();
  return max_of(comm, (MPI_Wtime() - begin) / static_cast<double>(calls));
}

double quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  double const position   = p * static_cast<double>(values.size() - 1);
  std::size_t const below = static_cast<std::size_t>(position);
  std::size_t const above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Why there is no room for the arrays, or nothing. The same on all ranks.
std::string no_room(Team const& team, Task const& task) {
  std::size_t const needs = task.operation.bytes_each * task.part(team.rank(), team.size()).most;
  std::size_t const here  = needs * static_cast<std::size_t>(ranks_on_this_node(team.comm()));
  if (is_so_everywhere(team.comm(), too_large(here).empty())) return "";
  return "needs " + std::to_string(needs >> 20) + " MiB of memory on each rank, and a rank has less";
}

/// The contestants, or why they cannot be made. What one rank lacks, all do without.
std::vector<Contestant> make(Team const& team, Task const& task, std::string& problem) {
  problem = no_room(team, task);
  if (!problem.empty()) return {};
  std::vector<Contestant> made;
  try {
    made = task.operation.make(team, task.part(team.rank(), team.size()));
  } catch (std::exception const& error) {
    problem = error.what();
  }
  if (is_so_everywhere(team.comm(), problem.empty())) return made;
  if (problem.empty()) problem = "another rank cannot make it";
  return {};
}

}  // namespace

Part Task::part(int rank, int ranks) const {
  auto const r = static_cast<std::size_t>(rank), p = static_cast<std::size_t>(ranks);
  if (scaling != Scaling::strong) return {r * n, n, n};
  std::size_t const begin = n / p * r + std::min(n % p, r);
  return {begin, n / p + (r < n % p ? 1 : 0), n / p + (n % p > 0 ? 1 : 0)};
}

std::string Task::path() const {
  return std::string(scaling_names[static_cast<int>(scaling)]) + "/" + operation.name + "/" + operation.type + "/" +
         std::to_string(n);
}

bool Row::is_of(Task const& task) const {
  return scaling == scaling_names[static_cast<int>(task.scaling)] && operation == task.operation.name &&
         type == task.operation.type && n == task.n;
}

std::vector<Row> measure(Team const& team, Task const& task, Timing const& timing,
                         std::function<bool(std::string const&)> const& is_wanted) {
  MPI_Comm const comm = team.comm();
  std::string problem;
  std::vector<Contestant> contestants = make(team, task, problem);
  Row const empty{.scaling   = scaling_names[static_cast<int>(task.scaling)],
                  .operation = task.operation.name,
                  .type      = task.operation.type,
                  .n         = task.n,
                  .ranks     = team.size()};
  std::vector<Row> rows;
  if (!problem.empty()) {
    rows.push_back(empty);
    rows.back().implementation = ours;
    rows.back().detail         = problem;
    return rows;
  }
  std::erase_if(contestants, [&](Contestant const& one) {
    return one.name != copy && !is_wanted(task.path() + "/" + std::to_string(team.size()) + "/" + one.name);
  });

  std::vector<Contestant const*> right;
  for (Contestant const& contestant : contestants) {
    rows.push_back(empty);
    Row& row           = rows.back();
    row.implementation = contestant.name;
    row.bytes          = contestant.bytes;
    row.message_bytes  = contestant.message_bytes;
    contestant.run();
    std::string const wrong = contestant.check();
    if (!wrong.empty()) std::fprintf(stderr, "rank %d: %s: %s\n", team.rank(), contestant.name.c_str(), wrong.c_str());
    bool const is_right = is_so_everywhere(comm, wrong.empty());
    row.status          = is_right ? "measured" : "wrong";
    row.detail          = is_right || !wrong.empty() ? wrong : "another rank has a wrong result";
    if (!is_right) continue;
    double const one_call = std::max(seconds_of(comm, contestant, 1), 1e-7);
    row.calls             = std::clamp(static_cast<long>(timing.sample_seconds / one_call), 1L, 100000L);
    right.push_back(&contestant);
  }
  for (int round = 0; round < timing.rounds; ++round) {
    std::size_t k = 0;
    for (Row& row : rows)
      if (row.is_measured()) row.seconds.push_back(seconds_of(comm, *right[k++], row.calls));
  }
  for (Row& row : rows) {
    if (!row.is_measured()) continue;
    row.median = quantile(row.seconds, 0.5);
    row.low    = quantile(row.seconds, 0.25);
    row.high   = quantile(row.seconds, 0.75);
  }
  return rows;
}

}  // namespace perf::ranks
