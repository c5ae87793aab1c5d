// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <ostream>

#include "report.hpp"

namespace perf {
namespace {

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

char const* truth(bool value) { return value ? "true" : "false"; }

/// The members of one object, with commas between them.
class Members {
 public:
  explicit Members(std::ostream& out) : out_(out) {}
  void raw(char const* key, std::string const& value) {
    out_ << (first_ ? "" : ", ") << quoted(key) << ": " << value;
    first_ = false;
  }
  void text(char const* key, std::string const& value) { raw(key, quoted(value)); }

 private:
  std::ostream& out_;
  bool first_ = true;
};

void write_row(std::ostream& out, Row const& row, Weather const& weather) {
  out << "    {";
  Members members(out);
  members.text("name", row.name());
  members.text("operation", row.operation);
  members.text("type", row.type);
  members.raw("n", std::to_string(row.n));
  members.text("implementation", row.implementation);
  members.text("status", to_string(row.status));
  if (!row.detail.empty()) members.text("detail", row.detail);
  members.raw("bytes", number(row.bytes));
  if (row.status == Status::measured) {
    members.raw("median_seconds", number(row.median));
    members.raw("quartile_1_seconds", number(row.low));
    members.raw("quartile_3_seconds", number(row.high));
    members.raw("bytes_per_second", number(row.bytes_per_second()));
    if (!row.ratios.empty()) members.raw("copy_ratio", number(row.copy_ratio));
    members.raw("calls_per_sample", std::to_string(row.calls));
    std::string list;
    for (double const seconds : row.seconds) list += (list.empty() ? "" : ", ") + number(seconds);
    members.raw("seconds", "[" + list + "]");
    members.raw("unsteady", truth(row.unsteady));
    if (row.shared_rounds) members.raw("shared_rounds", std::to_string(*row.shared_rounds));
    members.raw("copy_drifts", truth(weather.copy_drifts));
    members.raw("others_at_work", truth(weather.others_at_work));
    if (weather.disturbance.system_counters_known) {
      members.raw("others_cpu_share", number(weather.disturbance.share_of_others()));
      members.raw("stolen_seconds", number(weather.disturbance.stolen_seconds));
    }
    members.raw("repeated_seconds", number(weather.repeated_seconds));
    members.raw("involuntary_switches", std::to_string(weather.disturbance.involuntary_switches));
  }
  out << "}";
}

}  // namespace

void write_json(std::ostream& out, Facts const& facts, std::vector<Outcome> const& outcomes) {
  out << "{\n  \"format\": 1,\n  \"machine\": {\n";
  for (std::size_t i = 0; i < facts.size(); ++i)
    out << "    " << quoted(facts[i].first) << ": " << quoted(facts[i].second) << (i + 1 < facts.size() ? ",\n" : "\n");
  out << "  },\n  \"rows\": [\n";
  bool first = true;
  for (Outcome const& outcome : outcomes)
    for (Row const& row : outcome.rows) {
      out << (first ? "" : ",\n");
      write_row(out, row, outcome.weather);
      first = false;
    }
  out << "\n  ]\n}\n";
}

}  // namespace perf
