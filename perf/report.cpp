// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>
#include <set>

#include "text.hpp"

namespace perf {
namespace {

char const* loud(Row const& row) { return row.status == Status::wrong ? "WRONG" : "FAILED"; }

/// For each comparison: how KokkosScan stands to the copy and to the best of the others.
void print_standings(std::ostream& out, std::vector<Outcome> const& outcomes) {
  out << format("\n\n%-33s%6s%12s%9s%15s\n", "KokkosScan", "n", "GB/s", "of copy", "of best other");
  for (Outcome const& outcome : outcomes) {
    Row const *ours = nullptr, *best = nullptr;
    for (Row const& row : outcome.rows) {
      if (row.status != Status::measured || row.bytes == 0 || row.implementation == "copy") continue;
      if (row.implementation == "KokkosScan")
        ours = &row;
      else if (row.implementation.rfind("KokkosScan/", 0) != 0 && (!best || row.median < best->median))
        best = &row;
    }
    if (!ours) continue;
    out << format("%-33s%6s%12.2f%9.2f", (ours->operation + " " + ours->type).c_str(), power(ours->n).c_str(),
                  ours->bytes_per_second() * 1e-9, ours->copy_ratio);
    if (best) out << format("%8.2f  %s", best->median / ours->median, best->implementation.c_str());
    out << "  " << ours->marks << "\n";
  }
}

void print_marks(std::ostream& out, std::vector<Outcome> const& outcomes) {
  std::size_t rows = 0, untold = 0;
  double others = 0, repeated = 0;
  Disturbance all;
  std::map<char, long> figures, comparisons;
  for (Outcome const& outcome : outcomes) {
    others = std::max(others, outcome.disturbance.share_of_others());
    all.stolen_seconds += outcome.disturbance.stolen_seconds;
    all.involuntary_switches += outcome.disturbance.involuntary_switches;
    repeated += outcome.repeated_seconds;
    std::set<char> marks;
    for (Row const& row : outcome.rows) {
      rows += row.status == Status::measured;
      untold += row.status == Status::measured && !row.shared_rounds;
      for (char const mark : row.marks) ++figures[mark];
      marks.insert(row.marks.begin(), row.marks.end());
    }
    for (char const mark : marks) ++comparisons[mark];
  }
  if (rows == 0) return;
  out << "\n";
  auto const line = [&](char mark, long count, std::size_t of, char const* what, std::string const& why) {
    if (count) out << mark << format("  %ld of %zu %s: ", count, of, what) << why << "\n";
  };
  line('~', figures['~'], rows, "figures", format("more than %.0f %% between the quartiles", 100 * steady_spread));
  line('=', figures['='], rows, "figures",
       "others used the second hardware threads of our cores in half of the rounds or more");
  line('^', comparisons['^'], outcomes.size(), "comparisons",
       format("the copy's slowest round took more than %.2f times its fastest", steady_copy));
  line('*', comparisons['*'], outcomes.size(), "comparisons",
       format(
           "others had more than %.0f %% of the processor time, or a hypervisor took some (at most %.0f %% to others)",
           100 * others_at_work, 100 * others));
  out << format(
      "Interference: %.2f s of processor time stolen by a hypervisor, %ld involuntary context switches, %.1f s of "
      "samples repeated since others shared our cores.\n",
      all.stolen_seconds, all.involuntary_switches, repeated);
  if (untold) out << format("Of %zu of %zu figures it is not known whether others shared our cores.\n", untold, rows);
}

void print_absences(std::ostream& out, std::vector<Outcome> const& outcomes) {
  std::map<std::string, std::set<std::string>> missing;
  std::string bad;
  for (Outcome const& outcome : outcomes)
    for (Row const& row : outcome.rows)
      if (row.status == Status::missing)
        missing[row.implementation + ": " + row.detail].insert(row.operation);
      else if (row.is_bad())
        bad += "  " + row.name() + ": " + loud(row) + ": " + row.detail + "\n";
  if (!missing.empty()) out << "\nMissing:\n";
  for (auto const& [who, operations] : missing) {
    std::string list;
    for (auto const& operation : operations) list += (list.empty() ? "" : ", ") + operation;
    out << "  " << who << " (" << list << ")\n";
  }
  if (!bad.empty()) out << "\nNOT RIGHT, therefore not timed:\n" << bad;
}

void write_row(std::ostream& out, Row const& row, Outcome const& outcome) {
  char const* comma = "    {";
  auto const member = [&](char const* key, auto const& value) {
    out << comma << '"' << key << "\": ";
    if constexpr (requires { std::string(value); })
      out << quoted(value);
    else
      out << value;
    comma = ", ";
  };
  member("name", row.name());
  member("operation", row.operation);
  member("type", row.type);
  member("n", row.n);
  member("implementation", row.implementation);
  if (!outcome.caches.empty()) member("caches", outcome.caches);
  member("status", status_names[static_cast<int>(row.status)]);
  if (!row.detail.empty()) member("detail", row.detail);
  member("bytes", row.bytes);
  if (row.status == Status::measured) {
    Disturbance const& d = outcome.disturbance;
    member("median_seconds", row.median);
    member("quartile_1_seconds", row.low);
    member("quartile_3_seconds", row.high);
    member("bytes_per_second", row.bytes_per_second());
    if (row.copy_ratio > 0) member("copy_ratio", row.copy_ratio);
    member("calls_per_sample", row.calls);
    out << ", \"seconds\": ";
    for (double const& seconds : row.seconds) out << (&seconds == row.seconds.data() ? "[" : ", ") << seconds;
    out << "]";
    member("unsteady", row.has('~'));
    if (row.shared_rounds) member("shared_rounds", *row.shared_rounds);
    member("copy_drifts", row.has('^'));
    member("others_at_work", row.has('*'));
    if (d.system_counters_known) member("others_cpu_share", d.share_of_others());
    if (d.system_counters_known) member("stolen_seconds", d.stolen_seconds);
    member("repeated_seconds", outcome.repeated_seconds);
    member("involuntary_switches", d.involuntary_switches);
  }
  out << "}";
}

}  // namespace

void print_facts(std::ostream& out, Facts const& facts) {
  for (auto const& [name, value] : facts)
    if (!value.empty()) out << format("%-16s ", name.c_str()) << value << "\n";
  out << "\nGB/s counts what the operation must read and write; \"of copy\" is the speed over that of a copy of as "
         "many bytes,\nmeasured in the same rounds. Medians; the spread is between the quartiles. Every result was "
         "checked first.\n";
  out.flush();
}

void print_comparison(std::ostream& out, Outcome const& outcome, std::string const& count) {
  Row const& one          = outcome.rows.front();
  std::string const title = count + one.operation + "/" + one.type + "/" + std::to_string(one.n);
  std::string missing;
  out << format("\n%-54s%12s%9s%9s%9s\n",
                (title + "  (" + power(one.n) + (outcome.caches.empty() ? "" : ", " + outcome.caches) + ")").c_str(),
                "time", "GB/s", "of copy", "spread");
  for (Row const& row : outcome.rows)
    if (row.status == Status::missing) {
      missing += (missing.empty() ? "  missing: " : ", ") + row.implementation;
    } else if (row.is_bad()) {
      out << "  " << row.implementation << ": " << loud(row) << ", not timed: " << row.detail << "\n";
    } else {
      out << format("%-54s%12s", ("  " + row.implementation).c_str(), duration(row.median).c_str());
      if (row.bytes > 0)  // or it is a floor
        out << format("%9.2f%9.2f%7.0f %% ", row.bytes_per_second() * 1e-9, row.copy_ratio, 100 * row.spread())
            << row.marks << (row.detail.empty() ? "" : " ") << row.detail;
      out << "\n";
    }
  if (!missing.empty()) out << missing << "\n";
  out.flush();
}

void print_summary(std::ostream& out, std::vector<Outcome> const& outcomes) {
  if (outcomes.size() > 1) print_standings(out, outcomes);
  print_marks(out, outcomes);
  print_absences(out, outcomes);
  out.flush();
}

void write_json(std::ostream& out, Facts const& facts, std::vector<Outcome> const& outcomes,
                std::function<void(std::ostream&)> const& write_more) {
  out << std::boolalpha << "{\n  \"format\": 1,\n  \"machine\": {";
  for (auto const& fact : facts)
    out << (&fact == facts.data() ? "\n" : ",\n") << "    " << quoted(fact.first) << ": " << quoted(fact.second);
  out << "\n  },\n  \"rows\": [";
  char const* comma = "\n";
  for (Outcome const& outcome : outcomes)
    for (Row const& row : outcome.rows) {
      out << comma;
      write_row(out, row, outcome);
      comma = ",\n";
    }
  out << "\n  ]";
  if (write_more) write_more(out);
  out << "\n}\n";
}

}  // namespace perf
