// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>

namespace perf {
namespace {

template <class... Values>
std::string format(char const* pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string power(std::size_t n) {
  return std::has_single_bit(n) ? "2^" + std::to_string(std::bit_width(n) - 1) : std::to_string(n);
}

std::string duration(double seconds) {
  if (seconds < 1e-6) return format("%.1f ns", seconds * 1e9);
  if (seconds < 1e-3) return format("%.2f us", seconds * 1e6);
  if (seconds < 1) return format("%.2f ms", seconds * 1e3);
  return format("%.2f s ", seconds);
}

/// Whether half of the rounds were shared, or more.
bool has_shared(Row const& row) {
  return row.shared_rounds && 2 * *row.shared_rounds >= static_cast<int>(row.seconds.size());
}

std::string marks(Row const& row, Weather const& weather) {
  return std::string(row.unsteady ? "~" : "") + (has_shared(row) ? "=" : "") + (weather.copy_drifts ? "^" : "") +
         (weather.others_at_work ? "*" : "");
}

/// Short names for the columns of the summary.
std::string column(std::string const& implementation) {
  static std::map<std::string, std::string> const short_names{
      {"serial loop", "serial"},           {"std::execution::par", "std par"}, {"GNU parallel", "GNU par"},
      {"Kokkos::parallel_scan", "Kokkos"}, {"Kokkos::Experimental", "K::Exp"},
  };
  auto const found = short_names.find(implementation);
  return found == short_names.end() ? implementation : found->second;
}

bool is_ours(Row const& row) { return row.implementation.rfind("KokkosScan", 0) == 0; }

}  // namespace

void print_facts(std::ostream& out, Facts const& facts) {
  for (auto const& [name, value] : facts)
    if (!value.empty()) out << format("%-16s %s\n", name.c_str(), value.c_str());
  out << "\nGB/s counts what the operation must read and write; \"of copy\" is the speed over that of a copy of as "
         "many "
         "bytes,\nmeasured in the same rounds. Medians; the spread is between the quartiles. Every result was checked "
         "first.\n";
  out.flush();
}

void print_comparison(std::ostream& out, Outcome const& outcome, std::string const& count) {
  if (outcome.rows.empty()) return;
  Row const& one = outcome.rows.front();
  std::string const title =
      count + one.operation + "/" + one.type + "/" + std::to_string(one.n) + "  (" + power(one.n) + ")";
  std::string missing;
  out << format("\n%-50s%12s%9s%9s%9s\n", title.c_str(), "time", "GB/s", "of copy", "spread");
  for (Row const& row : outcome.rows) {
    std::string const name = "  " + row.implementation;
    switch (row.status) {
      case Status::measured:
        if (row.bytes == 0) {  // a floor
          out << format("%-50s%12s\n", name.c_str(), duration(row.median).c_str());
          break;
        }
        out << format("%-50s%12s%9.2f%9.2f%7.0f %% %s%s\n", name.c_str(), duration(row.median).c_str(),
                      row.bytes_per_second() * 1e-9, row.copy_ratio, 100 * row.spread(),
                      marks(row, outcome.weather).c_str(), row.detail.empty() ? "" : (" " + row.detail).c_str());
        break;
      case Status::checked: out << format("%-50s%12s\n", name.c_str(), "right"); break;
      case Status::missing: missing += (missing.empty() ? "" : ", ") + row.implementation; break;
      case Status::wrong:
      case Status::failed:
        out << name << ": " << (row.status == Status::wrong ? "WRONG, not timed: " : "FAILED, not timed: ")
            << row.detail << "\n";
        break;
    }
  }
  if (!missing.empty()) out << "  missing: " << missing << "\n";
  out.flush();
}

namespace {

void print_matrix(std::ostream& out, std::vector<Outcome> const& outcomes) {
  std::vector<std::string> columns;  // in the order of first appearance
  for (Outcome const& outcome : outcomes)
    for (Row const& row : outcome.rows)
      if (row.status == Status::measured && row.bytes > 0 &&
          std::find(columns.begin(), columns.end(), row.implementation) == columns.end())
        columns.push_back(row.implementation);
  if (columns.empty() || columns.size() > 12) return;  // single algorithms side by side: the long form alone

  out << "\n\nGB/s" << format("%26s", "");
  for (std::string const& name : columns)
    out << format("%*s", std::max(8, int(column(name).size()) + 2), column(name).c_str());
  out << "  | KokkosScan: of copy, of best other\n";
  std::string group;
  for (Outcome const& outcome : outcomes) {
    Row const *ours = nullptr, *best = nullptr;
    std::string line;
    for (std::string const& name : columns) {
      auto const row    = std::find_if(outcome.rows.begin(), outcome.rows.end(), [&](Row const& r) {
        return r.implementation == name && r.status == Status::measured;
      });
      int const width   = std::max(8, int(column(name).size()) + 2);
      bool const absent = row == outcome.rows.end();
      line += absent ? format("%*s", width, "-") : format("%*.1f", width, row->bytes_per_second() * 1e-9);
      if (absent || name == "copy") continue;
      if (is_ours(*row))
        ours = &*row;
      else if (!best || row->median < best->median)
        best = &*row;
    }
    if (outcome.rows.empty()) continue;
    Row const& one          = outcome.rows.front();
    std::string const title = one.operation + " " + one.type;
    if (title != group && !group.empty()) out << "\n";
    group = title;
    out << format("%-24s%6s", title.c_str(), power(one.n).c_str()) << line << "  |";
    if (ours) out << format("%6.2f", ours->copy_ratio) << (best ? format("%8.2f", best->median / ours->median) : "");
    if (ours && !marks(*ours, outcome.weather).empty()) out << "  " << marks(*ours, outcome.weather);
    out << "\n";
  }
}

void print_marks(std::ostream& out, std::vector<Outcome> const& outcomes) {
  int rows = 0, unsteady = 0, shared = 0, untold = 0, drifting = 0, disturbed = 0;
  double others = 0, stolen = 0, repeated = 0;
  long switches = 0;
  for (Outcome const& outcome : outcomes) {
    Disturbance const& d = outcome.weather.disturbance;
    drifting += outcome.weather.copy_drifts;
    disturbed += outcome.weather.others_at_work;
    others = std::max(others, d.share_of_others());
    stolen += d.stolen_seconds;
    repeated += outcome.weather.repeated_seconds;
    switches += d.involuntary_switches;
    for (Row const& row : outcome.rows) {
      rows += row.status == Status::measured;
      unsteady += row.unsteady;
      shared += row.status == Status::measured && has_shared(row);
      untold += row.status == Status::measured && !row.shared_rounds;
    }
  }
  if (rows == 0) return;
  out << "\n";
  if (unsteady)
    out << format("~  %d of %d figures: more than %.0f %% between the quartiles\n", unsteady, rows,
                  100 * steady_spread);
  if (shared)
    out << format(
        "=  %d of %d figures: others used the second hardware threads of our cores in half of the rounds or more\n",
        shared, rows);
  if (drifting)
    out << format("^  %d of %zu comparisons: the copy's slowest round took more than %.2f times its fastest\n",
                  drifting, outcomes.size(), steady_copy);
  if (disturbed)
    out << format(
        "*  %d of %zu comparisons: others had more than %.0f %% of the processor time, or a hypervisor took "
        "some (at most %.0f %% to others)\n",
        disturbed, outcomes.size(), 100 * others_at_work, 100 * others);
  out << format(
      "Interference: %.2f s of processor time stolen by a hypervisor, %ld involuntary context switches, %.1f s of "
      "samples repeated since others shared our cores.\n",
      stolen, switches, repeated);
  if (untold) out << format("Of %d of %d figures it is not known whether others shared our cores.\n", untold, rows);
}

void print_absences(std::ostream& out, std::vector<Outcome> const& outcomes) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> missing;
  std::vector<std::string> bad;
  for (Outcome const& outcome : outcomes)
    for (Row const& row : outcome.rows) {
      if (row.status == Status::missing) missing[{row.implementation, row.detail}].insert(row.operation);
      if (row.status == Status::wrong) bad.push_back(row.name() + ": WRONG: " + row.detail);
      if (row.status == Status::failed) bad.push_back(row.name() + ": FAILED: " + row.detail);
    }
  if (!missing.empty()) out << "\nMissing:\n";
  for (auto const& [who, operations] : missing) {
    std::string list;
    for (std::string const& operation : operations) list += (list.empty() ? "" : ", ") + operation;
    out << "  " << who.first << " (" << list << "): " << who.second << "\n";
  }
  if (!bad.empty()) out << "\nNOT RIGHT, therefore not timed:\n";
  for (std::string const& line : bad) out << "  " << line << "\n";
}

}  // namespace

void print_summary(std::ostream& out, std::vector<Outcome> const& outcomes) {
  if (outcomes.size() > 1) print_matrix(out, outcomes);
  print_marks(out, outcomes);
  print_absences(out, outcomes);
  out.flush();
}

}  // namespace perf
