// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "measure.hpp"

namespace perf {

void print_facts(std::ostream& out, Facts const& facts);

/// The rows of one comparison, when they are there, under a title that begins with `count`.
void print_comparison(std::ostream& out, Outcome const& outcome, std::string const& count);

/// One line per comparison, what the marks mean, who is missing and who was wrong.
void print_summary(std::ostream& out, std::vector<Outcome> const& outcomes);

/// What plot.py and readme_table.py read: a line for each row. `write_more` writes further members, a comma before
/// each.
void write_json(std::ostream& out, Facts const& facts, std::vector<Outcome> const& outcomes,
                std::function<void(std::ostream&)> const& write_more = {});

}  // namespace perf
