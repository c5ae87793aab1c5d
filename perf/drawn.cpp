// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drawn.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <random>
#include <stdexcept>

#include "text.hpp"

namespace perf {
namespace {

/// The distributions of the standard library differ from one to the other; its generators do not.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : generator_(seed) {}

  /// Below `end`.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(fraction() * static_cast<double>(end)); }
  /// From 1 to `most`, as many between 1 and 2 as between 2 and 4.
  std::size_t length(std::size_t most) {
    double const n = std::exp2(fraction() * std::log2(static_cast<double>(most) + 1));
    return std::clamp<std::size_t>(static_cast<std::size_t>(n), 1, most);
  }
  double fraction() { return std::ldexp(static_cast<double>(generator_() >> 11), -53); }

 private:
  std::mt19937_64 generator_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// Of one measurement.
struct Ratios {
  std::string peer;
  double to_peer = 0, to_copy = 0;

  explicit Ratios(Outcome const& outcome) {
    Row const *ours = nullptr, *best = nullptr;
    for (Row const& row : outcome.rows) {
      if (row.status != Status::measured || row.bytes == 0 || row.implementation == "copy") continue;
      if (row.implementation == "KokkosScan")
        ours = &row;
      else if (!best || row.median < best->median)
        best = &row;
    }
    if (!ours) return;
    to_copy = ours->copy_ratio;
    if (!best) return;
    peer    = best->implementation;
    to_peer = best->median / ours->median;
  }
};

struct Summary {
  std::size_t compared = 0, behind = 0, clearly_behind = 0;
  double geometric_mean = 0;

  template <class Counts>
  Summary(std::vector<Verdict> const& verdicts, Counts const& counts) {
    double logarithms = 0;
    for (Verdict const& verdict : verdicts) {
      if (verdict.to_peer <= 0 || !counts(verdict)) continue;
      ++compared;
      logarithms += std::log(verdict.to_peer);
      behind += verdict.is_behind();
      clearly_behind += verdict.is_behind(clearly);
    }
    if (compared > 0) geometric_mean = std::exp(logarithms / static_cast<double>(compared));
  }
};
constexpr auto all = [](Verdict const&) { return true; };

}  // namespace

std::string DrawnCase::name() const {
  std::string const dest = place.in_place ? "in place" : "dest+" + std::to_string(place.dest_offset);
  return family->operation + "/" + family->type + "/" + std::to_string(place.n) + "/from+" +
         std::to_string(place.from_offset) + "/" + dest;
}

std::vector<DrawnCase> draw(Draw const& of) {
  auto const& families = drawn_families();
  if (of.cases > 0 && families.empty())
    throw std::invalid_argument("--cases: this program draws none, as it is the one for --quick");
  // In an order that does not depend on which source was linked first.
  std::vector<DrawnFamily const*> sorted;
  for (DrawnFamily const& family : families) sorted.push_back(&family);
  std::sort(sorted.begin(), sorted.end(), [](auto const* a, auto const* b) {
    return std::pair(a->operation, a->type) < std::pair(b->operation, b->type);
  });
  Numbers numbers(of.seed);
  std::vector<DrawnCase> cases;
  for (int k = 0; k < of.cases; ++k) {
    DrawnCase one{.family = sorted[numbers.below(sorted.size())], .place = {.n = numbers.length(of.longest)}};
    one.place.from_offset = numbers.below(16);
    one.place.dest_offset = numbers.below(16);
    one.place.in_place    = numbers.below(10) == 0;
    one.place.warm        = numbers.below(2) == 0;
    if (one.place.in_place) one.place.from_offset = one.place.dest_offset;
    cases.push_back(one);
  }
  return cases;
}

Verdict judge(DrawnCase const& drawn, Timing const& timing) {
  auto const measure_once = [&] {
    Comparison const comparison = drawn.family->make(drawn.place);
    return measure(comparison, timing, too_large(comparison.memory));
  };
  Verdict verdict{.name = drawn.name(), .outcome = measure_once(), .peer = {}};
  Ratios const first(verdict.outcome);
  verdict.peer    = first.peer;
  verdict.to_peer = first.to_peer;
  verdict.to_copy = first.to_copy;
  if (!verdict.is_behind()) return verdict;
  std::vector<double> to_peer, to_copy;
  for (; verdict.repetitions < repetitions_if_behind; ++verdict.repetitions) {
    verdict.outcome = measure_once();
    Ratios const again(verdict.outcome);
    to_peer.push_back(again.to_peer);
    to_copy.push_back(again.to_copy);
  }
  verdict.to_peer = median(to_peer);
  verdict.to_copy = median(to_copy);
  return verdict;
}

void print_verdict(std::ostream& out, Verdict const& verdict, std::string const& count) {
  out << format("%-62s %-12s", (count + verdict.name).c_str(), verdict.outcome.caches.c_str());
  if (verdict.to_copy > 0) {
    auto const& rows = verdict.outcome.rows;
    auto const ours =
        std::find_if(rows.begin(), rows.end(), [](Row const& r) { return r.implementation == "KokkosScan"; });
    out << format("%12s%8.2f of copy", duration(ours->median).c_str(), verdict.to_copy);
  }
  if (verdict.to_peer > 0) out << format("%8.2f of %s", verdict.to_peer, verdict.peer.c_str());
  if (verdict.repetitions > 0) out << format(", median of %d", verdict.repetitions);
  out << "\n";
  for (Row const& row : verdict.outcome.rows)
    if (row.is_bad() || (row.status == Status::missing && row.implementation == "KokkosScan"))
      out << "  " << row.implementation << (row.is_bad() ? " IS NOT RIGHT: " : " is missing: ") << row.detail << "\n";
  out.flush();
}

void print_drawn(std::ostream& out, Draw const& draw, std::vector<Verdict> const& verdicts) {
  if (verdicts.empty()) return;
  out << "\nSeed " << draw.seed << ", " << draw.cases << " cases; the same again: --seed " << draw.seed << " --cases "
      << draw.cases << "\n";
  auto const print = [&](std::string const& which, Summary const& summary) {
    if (summary.compared == 0) return;
    out << format("  %-12s %4zu compared, %.3f times the speed of the best other (geometric mean); behind in %zu, ",
                  which.c_str(), summary.compared, summary.geometric_mean, summary.behind)
        << format("by more than %.0f %% in %zu\n", 100 * clearly, summary.clearly_behind);
  };
  print("all", Summary(verdicts, all));
  for (char const* caches : cache_states)
    print(caches, Summary(verdicts, [&](Verdict const& one) { return one.outcome.caches == caches; }));
  for (Verdict const& verdict : verdicts)
    if (verdict.is_behind())
      out << format("  behind: %-62s %-12s %6.3f of %s\n", verdict.name.c_str(), verdict.outcome.caches.c_str(),
                    verdict.to_peer, verdict.peer.c_str());
  out.flush();
}

void write_drawn(std::ostream& out, Draw const& draw, std::vector<Verdict> const& verdicts) {
  Summary const summary(verdicts, all);
  out << ",\n  \"drawn\": {\n    \"seed\": \"" << draw.seed << "\", \"cases\": " << draw.cases
      << ", \"longest\": " << draw.longest << ", \"compared\": " << summary.compared
      << ", \"geometric_mean\": " << summary.geometric_mean << ", \"behind\": " << summary.behind
      << ", \"clearly_behind\": " << summary.clearly_behind << ",\n    \"rows\": [";
  char const* comma = "\n";
  for (Verdict const& verdict : verdicts) {
    out << comma << "      {\"name\": " << quoted(verdict.name) << ", \"caches\": " << quoted(verdict.outcome.caches)
        << ", \"copy_ratio\": " << verdict.to_copy << ", \"peer\": " << quoted(verdict.peer)
        << ", \"peer_ratio\": " << verdict.to_peer << ", \"repetitions\": " << verdict.repetitions
        << ", \"seconds\": {";
    char const* inner = "";
    for (Row const& row : verdict.outcome.rows)
      if (row.status == Status::measured) {
        out << inner << quoted(row.implementation) << ": " << row.median;
        inner = ", ";
      }
    out << "}}";
    comma = ",\n";
  }
  out << "\n    ]\n  }";
}

}  // namespace perf
