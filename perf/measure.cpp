// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace perf {
namespace {

using Clock = std::chrono::steady_clock;
using Wall  = std::chrono::duration<double>;

/// The value below which a share p of the values lies, interpolated as numpy.percentile does.
double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double const position   = p * static_cast<double>(values.size() - 1);
  std::size_t const below = static_cast<std::size_t>(position);
  std::size_t const above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

double seconds_of(Contestant const& contestant, long calls) {
  if (contestant.time) return contestant.time(calls);
  auto const begin = Clock::now();
  for (long call = 0; call < calls; ++call) {
    contestant.run();
    clobber_memory();
  }
  return Wall(Clock::now() - begin).count();
}

/// A contestant that came through its check, and its row; of the copies, all have a row of their own here.
struct Runner {
  Contestant const* contestant;
  Row row;
  double one_call = 0;
};

/// Does it, and notes in the row what came of it; true if that is nothing bad.
template <class F>
bool succeeds(Row& row, F const& f) {
  try {
    row.detail = f();
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

/// What has come through its check may still be missing, as what cannot be captured into a graph.
std::string choose_calls(Runner& runner, Timing const& timing) {
  seconds_of(*runner.contestant, 1);  // takes scratch, wakes threads, warms caches
  for (long& calls = runner.row.calls;;) {
    double const took = seconds_of(*runner.contestant, calls);
    runner.one_call   = took / static_cast<double>(calls);
    if (took >= timing.sample_seconds) return {};
    double const factor = took > 0 ? 1.2 * timing.sample_seconds / took : 10;
    calls               = std::max(calls + 1, std::lround(static_cast<double>(calls) * std::min(factor, 10.0)));
  }
}

/// Takes the samples of a comparison, one after the other.
class Sampling {
 public:
  Sampling(Comparison const& comparison, Timing const& timing)
      : comparison_(comparison), timing_(timing), patience_(timing.patience) {}

  /// A sample for which others shared our cores is repeated while there is patience.
  void take(Runner& runner) {
    for (;;) {
      auto const begin     = Clock::now();
      bool const was_ours  = cores_are_ours();
      double const seconds = sample(runner);
      bool const is_shared = !(was_ours && cores_are_ours());
      if (is_shared && patience_ > 0) {
        pause();  // Those who are there mostly stay for a while.
        patience_ -= Wall(Clock::now() - begin).count();
        continue;
      }
      runner.row.seconds.push_back(seconds);
      if (comparison_.share_of_cores) runner.row.shared_rounds = runner.row.shared_rounds.value_or(0) + is_shared;
      return;
    }
  }

  double repeated_seconds() const { return timing_.patience - patience_; }

 private:
  void pause() const { std::this_thread::sleep_for(Wall(timing_.pause_seconds)); }

  /// Threads that have just been at work spin for some milliseconds before they sleep. They must not take a core from
  /// the threads of another library, nor speed from a core that is alone at work.
  void change_to(std::string const& workers) {
    if (workers == workers_) return;
    if (workers_ != one_thread) pause();
    workers_ = workers;
  }

  bool cores_are_ours() {
    if (!comparison_.share_of_cores) return true;
    change_to(comparison_.who_asks);
    return comparison_.share_of_cores() > alone;
  }

  double sample(Runner const& runner) {
    change_to(runner.contestant->workers);
    if (runner.one_call < timing_.warm_seconds)
      seconds_of(*runner.contestant, std::max(1L, std::lround(timing_.warm_seconds / runner.one_call)));
    return seconds_of(*runner.contestant, runner.row.calls) / static_cast<double>(runner.row.calls);
  }

  Comparison const& comparison_;
  Timing const& timing_;
  double patience_;
  std::string workers_;
};

/// `marks` are those of the whole comparison.
void evaluate(Row& row, std::vector<double> const& copy, std::string const& marks) {
  row.status = Status::measured;
  row.median = quantile(row.seconds, 0.5);
  row.low    = quantile(row.seconds, 0.25);
  row.high   = quantile(row.seconds, 0.75);
  // Round by round, so that a machine that becomes slower in the middle changes both or neither.
  std::vector<double> ratios;
  if (row.bytes > 0)
    for (std::size_t round = 0; round < copy.size(); ++round) ratios.push_back(copy[round] / row.seconds[round]);
  row.copy_ratio = quantile(ratios, 0.5);
  if (row.spread() > steady_spread) row.marks += '~';
  // In half of the rounds or more.
  if (row.shared_rounds && 2 * *row.shared_rounds >= static_cast<int>(row.seconds.size())) row.marks += '=';
  row.marks += marks;
}

}  // namespace

Outcome measure(Comparison const& comparison, Timing const& timing, std::string const& not_run) {
  auto const row_of = [&](std::string const& implementation, std::string const& detail) {
    return Row{.operation      = comparison.operation,
               .type           = comparison.type,
               .implementation = implementation,
               .n              = comparison.n,
               .bytes          = comparison.bytes,
               .detail         = detail};
  };
  Outcome outcome{.caches = comparison.caches};
  std::string trouble = not_run;
  if (trouble.empty()) try {
      comparison.allocate();
    } catch (std::exception const& error) {
      trouble = std::string("the memory cannot be had: ") + error.what();
    }

  // Everything is checked before anything is timed.
  std::vector<Runner> copies, runners;
  auto const check = [&](std::vector<Runner>& list, Contestant const& contestant, auto const& is_right) {
    list.push_back({&contestant, row_of(contestant.name, trouble.empty() ? contestant.missing : trouble)});
    if (!list.back().row.detail.empty()) return;
    succeeds(list.back().row, [&] {
      comparison.prepare();
      contestant.run();
      return contestant.is_floor ? "" : contestant.check ? contestant.check() : is_right();
    });
  };
  for (Contestant const& copy : comparison.copies) check(copies, copy, comparison.check_copy);
  for (Contestant const& contestant : comparison.contestants) check(runners, contestant, comparison.check);

  std::vector<Runner*> order;
  if (trouble.empty()) {
    comparison.prepare();
    comparison.settle();
  }
  for (auto* list : {&copies, &runners})
    for (Runner& runner : *list)
      if (runner.row.status == Status::checked && succeeds(runner.row, [&] { return choose_calls(runner, timing); }))
        order.push_back(&runner);

  Disturbance const before = read_disturbance();
  std::mt19937 random(1);  // the same order in every run
  Sampling sampling(comparison, timing);
  for (int round = 0; round < timing.rounds; ++round) {
    // In another order each time: nobody always comes behind the same other contestant.
    std::shuffle(order.begin(), order.end(), random);
    for (Runner* const runner : order) sampling.take(*runner);
  }
  outcome.repeated_seconds = sampling.repeated_seconds();
  outcome.disturbance      = read_disturbance() - before;

  // All copies end in one row, the first: the fastest, or the first that is not right.
  auto const key = [](Runner const& r) {
    return r.row.status == Status::checked ? quantile(r.row.seconds, 0.5) : r.row.status == Status::missing ? 1e30 : -1;
  };
  Runner const fastest =
      *std::min_element(copies.begin(), copies.end(), [&](auto const& a, auto const& b) { return key(a) < key(b); });
  auto const& copy     = fastest.row.seconds;
  Disturbance const& d = outcome.disturbance;
  std::string marks;
  if (!copy.empty() && std::ranges::max(copy) > steady_copy * std::ranges::min(copy)) marks += '^';
  if (d.share_of_others() > others_at_work || d.stolen_seconds > stolen_is_too_much * d.wall_seconds * d.cores)
    marks += '*';
  runners.insert(runners.begin(), fastest);
  for (Runner& runner : runners) {
    if (runner.contestant->is_floor) runner.row.bytes = 0;
    if (runner.row.status == Status::checked) evaluate(runner.row, copy, marks);
    outcome.rows.push_back(runner.row);
  }
  Row& copy_row           = outcome.rows.front();
  copy_row.implementation = "copy";
  if (copy_row.status == Status::measured) copy_row.detail = fastest.contestant->name;
  return outcome;
}

}  // namespace perf
