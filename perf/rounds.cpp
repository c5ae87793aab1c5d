// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rounds.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "statistics.hpp"

namespace perf {
namespace {

double seconds_of(Contestant const& contestant, long calls) {
  if (contestant.time) return contestant.time(calls);
  auto const begin = std::chrono::steady_clock::now();
  for (long call = 0; call < calls; ++call) {
    contestant.run();
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A contestant that came through its check, and what was measured of it.
struct Runner {
  Contestant const* contestant;
  std::size_t row;
  long calls                       = 1;
  double one_call                  = 0;
  std::vector<double> seconds      = {};
  std::optional<int> shared_rounds = {};
};

/// Fills in the status; true if the contestant may be timed.
bool runs_right(Comparison const& comparison, Contestant const& contestant, std::function<std::string()> const& check,
                Row& row) {
  try {
    comparison.prepare();
    contestant.run();
    row.detail = contestant.is_floor ? "" : check();
    row.status = row.detail.empty() ? Status::checked : Status::wrong;
  } catch (CannotRun const& reason) {
    row.status = Status::missing;
    row.detail = reason.what();
  } catch (std::exception const& error) {
    row.status = Status::failed;
    row.detail = error.what();
  }
  return row.status == Status::checked;
}

void choose_calls(Runner& runner, Timing const& timing) {
  seconds_of(*runner.contestant, 1);  // takes scratch, wakes threads, warms caches
  runner.calls = 1;
  for (;;) {
    double const took = seconds_of(*runner.contestant, runner.calls);
    runner.one_call   = took / static_cast<double>(runner.calls);
    if (took >= timing.sample_seconds) return;
    double const factor = took > 0 ? 1.2 * timing.sample_seconds / took : 10;
    runner.calls = std::max(runner.calls + 1, std::lround(static_cast<double>(runner.calls) * std::min(factor, 10.0)));
  }
}

/// False if it has come through its check but cannot be timed, as what cannot be captured into a graph.
bool gets_going(Runner& runner, Timing const& timing, Row& row) {
  try {
    choose_calls(runner, timing);
    return true;
  } catch (CannotRun const& reason) {
    row.status = Status::missing;
    row.detail = reason.what();
  } catch (std::exception const& error) {
    row.status = Status::failed;
    row.detail = error.what();
  }
  return false;
}

/// Takes the samples of a comparison, one after the other.
class Sampling {
 public:
  Sampling(Comparison const& comparison, Timing const& timing)
      : comparison_(comparison), timing_(timing), patience_(timing.patience) {}

  /// A sample for which others shared our cores is repeated while there is patience.
  void take(Runner& runner) {
    for (;;) {
      auto const begin     = std::chrono::steady_clock::now();
      bool const was_ours  = cores_are_ours();
      double const seconds = sample(runner);
      bool const is_shared = !(was_ours && cores_are_ours());
      if (is_shared && patience_ > 0) {
        // Those who are there mostly stay for a while.
        std::this_thread::sleep_for(std::chrono::duration<double>(timing_.pause_seconds));
        patience_ -= std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        continue;
      }
      runner.seconds.push_back(seconds);
      if (comparison_.share_of_cores) runner.shared_rounds = runner.shared_rounds.value_or(0) + is_shared;
      return;
    }
  }

  double repeated_seconds() const { return timing_.patience - patience_; }

 private:
  /// Threads that have just been at work spin for some milliseconds before they sleep. They must not take a core from
  /// the threads of another library, nor speed from a core that is alone at work.
  void change_to(std::string const& workers) {
    if (workers == workers_) return;
    if (workers_ != one_thread) std::this_thread::sleep_for(std::chrono::duration<double>(timing_.pause_seconds));
    workers_ = workers;
  }

  bool cores_are_ours() {
    if (!comparison_.share_of_cores) return true;
    change_to(comparison_.who_asks);
    return comparison_.share_of_cores() > alone;
  }

  double sample(Runner& runner) {
    change_to(runner.contestant->workers);
    if (runner.one_call < timing_.warm_seconds)
      seconds_of(*runner.contestant, std::max(1L, std::lround(timing_.warm_seconds / runner.one_call)));
    return seconds_of(*runner.contestant, runner.calls) / static_cast<double>(runner.calls);
  }

  Comparison const& comparison_;
  Timing const& timing_;
  double patience_;
  std::string workers_;
};

/// Returns how long samples were repeated.
double run_rounds(std::vector<Runner>& runners, Comparison const& comparison, Timing const& timing) {
  std::vector<std::size_t> order(runners.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::mt19937 random(1);  // the same order in every run
  Sampling sampling(comparison, timing);
  for (int round = 0; round < timing.rounds; ++round) {
    // In another order each time: nobody always comes behind the same other contestant.
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t const i : order) sampling.take(runners[i]);
  }
  return sampling.repeated_seconds();
}

void evaluate(Row& row, Runner const& runner, std::vector<double> const& copy) {
  if (runner.contestant->is_floor) row.bytes = 0;
  row.status  = Status::measured;
  row.calls   = runner.calls;
  row.seconds = runner.seconds;
  row.median  = quantile(row.seconds, 0.5);
  row.low     = quantile(row.seconds, 0.25);
  row.high    = quantile(row.seconds, 0.75);
  // Round by round, so that a machine that becomes slower in the middle changes both or neither.
  if (row.bytes > 0)
    for (std::size_t round = 0; round < copy.size(); ++round) row.ratios.push_back(copy[round] / row.seconds[round]);
  row.copy_ratio    = median(row.ratios);
  row.unsteady      = row.spread() > steady_spread;
  row.shared_rounds = runner.shared_rounds;
}

void judge(Weather& weather, std::vector<double> const& copy) {
  Disturbance const& d = weather.disturbance;
  if (!copy.empty())
    weather.copy_drifts =
        *std::max_element(copy.begin(), copy.end()) > steady_copy * *std::min_element(copy.begin(), copy.end());
  weather.others_at_work =
      d.share_of_others() > others_at_work || d.stolen_seconds > stolen_is_too_much * d.wall_seconds * d.cores;
}

}  // namespace

char const* to_string(Status status) {
  switch (status) {
    case Status::measured: return "measured";
    case Status::checked: return "checked";
    case Status::wrong: return "wrong";
    case Status::failed: return "failed";
    case Status::missing: return "missing";
  }
  return "unknown";
}

Outcome measure(Comparison const& comparison, Timing const& timing) {
  Outcome outcome;
  auto const add_row = [&](std::string const& implementation) -> std::size_t {
    outcome.rows.push_back({.operation      = comparison.operation,
                            .type           = comparison.type,
                            .implementation = implementation,
                            .n              = comparison.n,
                            .bytes          = comparison.bytes});
    return outcome.rows.size() - 1;
  };
  std::string no_memory;
  try {
    comparison.allocate();
  } catch (std::exception const& error) {
    no_memory = std::string("the memory cannot be had: ") + error.what();
  }

  // Everything is checked before anything is timed. All copies end in one row, the first.
  std::vector<Runner> copies, runners;
  std::size_t const copy_row = add_row("copy");
  for (Contestant const& copy : comparison.copies) {
    Row& row = outcome.rows[copy_row];
    if (!no_memory.empty())
      row.detail = no_memory;
    else if (row.status != Status::wrong && runs_right(comparison, copy, comparison.check_copy, row))
      copies.push_back({&copy, copy_row});
  }
  for (Contestant const& contestant : comparison.contestants) {
    std::size_t const index = add_row(contestant.name);
    Row& row                = outcome.rows[index];
    if (!contestant.missing.empty() || !no_memory.empty())
      row.detail = contestant.missing.empty() ? no_memory : contestant.missing;
    else if (runs_right(comparison, contestant, comparison.check, row))
      runners.push_back({&contestant, index});
  }
  if (!no_memory.empty()) return outcome;

  runners.insert(runners.begin(), copies.begin(), copies.end());
  comparison.prepare();
  comparison.settle();
  std::erase_if(runners, [&](Runner& runner) { return !gets_going(runner, timing, outcome.rows[runner.row]); });
  Disturbance const before         = read_disturbance();
  outcome.weather.repeated_seconds = run_rounds(runners, comparison, timing);
  outcome.weather.disturbance      = read_disturbance() - before;

  auto const behind_copies =
      std::find_if(runners.begin(), runners.end(), [=](Runner const& runner) { return runner.row != copy_row; });
  auto const fastest  = std::min_element(runners.begin(), behind_copies, [](Runner const& a, Runner const& b) {
    return median(a.seconds) < median(b.seconds);
  });
  bool const any_copy = fastest != behind_copies;
  std::vector<double> const copy = any_copy ? fastest->seconds : std::vector<double>();
  if (any_copy && outcome.rows[copy_row].status == Status::checked) {
    evaluate(outcome.rows[copy_row], *fastest, copy);
    outcome.rows[copy_row].detail = fastest->contestant->name;
  }
  for (auto runner = behind_copies; runner != runners.end(); ++runner)
    evaluate(outcome.rows[runner->row], *runner, copy);
  judge(outcome.weather, copy);
  return outcome;
}

}  // namespace perf
