// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "measure.hpp"

// Scans as users have them, beside powers of two in aligned arrays: operations, types, lengths and addresses that a
// seed draws.
namespace perf {

/// Where a case lies, in elements behind an aligned address. In place, dest is from.
struct Place {
  std::size_t n           = 1;
  std::size_t from_offset = 0, dest_offset = 0;
  bool in_place = false;
  bool warm     = false;  ///< one array over and over, where a device would have several in turns
};

/// An operation and a type, of which cases are drawn.
struct DrawnFamily {
  std::string operation, type;
  std::function<Comparison(Place const& place)> make;
};
inline std::vector<DrawnFamily>& drawn_families() {
  static std::vector<DrawnFamily> all;
  return all;
}
struct AddDrawn {
  AddDrawn(std::initializer_list<DrawnFamily> list) {
    drawn_families().insert(drawn_families().end(), list.begin(), list.end());
  }
};

/// Cases that a seed gives: the same for all machines whose programs have the same families.
struct Draw {
  std::uint64_t seed  = 0;
  int cases           = 0;
  std::size_t longest = 500'000'000;
};

struct DrawnCase {
  DrawnFamily const* family;
  Place place;
  std::string name() const;  ///< operation/type/n/from+offset/dest+offset
};
std::vector<DrawnCase> draw(Draw const& of);

/// What came of a case. Ratios are speeds of KokkosScan over those of others, 0 where there is none.
struct Verdict {
  std::string name;
  Outcome outcome;
  std::string peer;  ///< the fastest of the others
  double to_peer = 0, to_copy = 0;
  int repetitions = 0;  ///< whose medians the ratios are, where the first measurement was behind

  bool is_behind(double by = 0) const { return to_peer > 0 && to_peer < 1 - by; }
};
inline constexpr int repetitions_if_behind = 5;
inline constexpr double clearly            = 0.03;  ///< behind

/// Measures a case; once more, so many times, if it is behind.
Verdict judge(DrawnCase const& drawn, Timing const& timing);

void print_verdict(std::ostream& out, Verdict const& verdict, std::string const& count);
void print_drawn(std::ostream& out, Draw const& draw, std::vector<Verdict> const& verdicts);
/// A member of the result, a comma before it.
void write_drawn(std::ostream& out, Draw const& draw, std::vector<Verdict> const& verdicts);

}  // namespace perf
