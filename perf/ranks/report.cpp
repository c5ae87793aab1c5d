// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <ostream>

#include "../text.hpp"

namespace perf::ranks {
namespace {

Row const* find(std::vector<Row> const& rows, Row const& like, std::string const& implementation, int ranks) {
  auto const found = std::ranges::find_if(rows, [&](Row const& row) {
    return row.scaling == like.scaling && row.operation == like.operation && row.type == like.type && row.n == like.n &&
           row.implementation == implementation && row.ranks == ranks && row.is_measured();
  });
  return found == rows.end() ? nullptr : &*found;
}

double copied_per_second(std::vector<Row> const& rows, Row const& beside) {
  Row const* const copied = find(rows, beside, copy, beside.ranks);
  return copied ? copied->bytes / copied->median : 0;
}

/// The line of a task for one number of ranks.
void print_line(std::ostream& out, Task const& task, std::vector<Row> const& rows, Row const& row) {
  out << format("%8d%16s%14s", row.ranks, duration(row.median).c_str(), duration(row.predicted).c_str());
  Row const* const one = find(rows, row, ours, 1);
  if (one && task.scaling != Scaling::latency) {
    double const shares = task.scaling == Scaling::strong ? row.ranks : 1;
    out << format("%12.2f", one->median / (row.median * shares));
  } else {
    out << format("%12s", "");
  }
  for (char const* name : {copy, alone, by_hand, exscan})
    if (Row const* const other = find(rows, row, name, row.ranks))
      out << "   " << name << " " << duration(other->median) << format(" (%.2f)", other->median / row.median);
  out << "\n";
}

class Object {
 public:
  explicit Object(std::ostream& out) : out_(out) { out_ << "{"; }
  Object(Object const&)            = delete;
  Object& operator=(Object const&) = delete;
  ~Object() { out_ << "}"; }
  template <class Value>
  void member(char const* key, Value const& value) {
    out_ << comma_ << '"' << key << "\": ";
    comma_ = ", ";
    if constexpr (requires { std::string(value); })
      out_ << quoted(value);
    else if constexpr (requires { value.begin(); })
      write_list(value);
    else
      out_ << value;
  }

 private:
  void write_list(std::vector<double> const& values) {
    out_ << "[";
    for (std::size_t k = 0; k < values.size(); ++k) out_ << (k == 0 ? "" : ", ") << values[k];
    out_ << "]";
  }
  std::ostream& out_;
  char const* comma_ = "";
};

template <class Each, class Write>
void write_all(std::ostream& out, char const* name, std::vector<Each> const& list, Write const& write) {
  out << ",\n  \"" << name << "\": [";
  for (std::size_t k = 0; k < list.size(); ++k) {
    out << (k == 0 ? "\n    " : ",\n    ");
    Object object(out);
    write(object, list[k]);
  }
  out << "\n  ]";
}

}  // namespace

void predict_rows(std::vector<Row>& rows, Constants const& constants) {
  for (Row& row : rows)
    if (row.implementation == ours && row.is_measured())
      row.predicted = predict(constants, row.ranks, row.bytes, copied_per_second(rows, row), row.message_bytes);
}

std::vector<Prediction> predict_beyond(std::vector<Row> const& rows, Constants const& constants,
                                       std::vector<Task> const& tasks) {
  std::vector<Prediction> predictions;
  for (Task const& task : tasks) {
    Row const* largest = nullptr;
    for (Row const& row : rows)
      if (row.is_of(task) && row.implementation == ours && row.is_measured() &&
          (!largest || row.ranks > largest->ranks))
        largest = &row;
    if (!largest || largest->ranks == 1) continue;  // of messages nothing is known then
    double const speed = copied_per_second(rows, *largest);
    double const bytes = largest->bytes * (task.scaling == Scaling::strong ? largest->ranks : 1);
    for (int ranks = 2; ranks <= largest_prediction; ranks *= 2) {
      double const local = bytes / (task.scaling == Scaling::strong ? ranks : 1);
      predictions.push_back({largest->scaling, largest->operation, largest->type, task.n, ranks,
                             predict(constants, ranks, local, speed, largest->message_bytes)});
    }
  }
  return predictions;
}

void print_constants(std::ostream& out, Constants const& constants) {
  out << "\nThe model: " << duration(constants.call_seconds)
      << " a call + local bytes / the copy's rate + ceil(log2 ranks) * (" << duration(constants.latency_seconds)
      << " + message bytes / " << format("%.2f GB/s", constants.message_bytes_per_second * 1e-9) << ")\n"
      << "efficiency: the time of one rank (weak), or its share (strong), over that of all. In brackets: the other's "
         "time\n"
         "over ours.\n";
}

void print_task(std::ostream& out, Task const& task, std::vector<Row> const& rows,
                std::vector<Prediction> const& predictions) {
  char const* const what[] = {" on each rank", " in all", " on each rank"};
  out << "\n"
      << scaling_names[static_cast<int>(task.scaling)] << ": " << task.operation.name << " " << task.operation.type
      << ", " << power(task.n) << what[static_cast<int>(task.scaling)] << "\n"
      << format("%8s%16s%14s%12s\n", "ranks", ours, "model", "efficiency");
  for (Row const& row : rows) {
    if (!row.is_of(task)) continue;
    if (!row.is_measured())
      out << format("%8d  %s %s: ", row.ranks, row.implementation.c_str(), row.status.c_str()) << row.detail << "\n";
    else if (row.implementation == ours)
      print_line(out, task, rows, row);
  }
  for (Prediction const& one : predictions)
    if (one.ranks == largest_prediction && one.scaling == scaling_names[static_cast<int>(task.scaling)] &&
        one.operation == task.operation.name && one.type == task.operation.type && one.n == task.n)
      out << format("%8d%16s%14s\n", one.ranks, "", duration(one.seconds).c_str());
  out.flush();
}

void write_json(std::ostream& out, Facts const& facts, Constants const& constants, std::vector<Row> const& rows,
                std::vector<Prediction> const& predictions) {
  out << "{\n  \"format\": 1,\n  \"machine\": {";
  for (auto const& fact : facts)
    out << (&fact == facts.data() ? "\n" : ",\n") << "    " << quoted(fact.first) << ": " << quoted(fact.second);
  out << "\n  },\n  \"model\": ";
  {
    Object object(out);
    object.member("call_seconds", constants.call_seconds);
    object.member("latency_seconds", constants.latency_seconds);
    object.member("message_bytes_per_second", constants.message_bytes_per_second);
  }
  write_all(out, "rows", rows, [](Object& object, Row const& row) {
    object.member("scaling", row.scaling);
    object.member("operation", row.operation);
    object.member("type", row.type);
    object.member("n", row.n);
    object.member("ranks", row.ranks);
    object.member("implementation", row.implementation);
    object.member("status", row.status);
    if (!row.detail.empty()) object.member("detail", row.detail);
    object.member("bytes", row.bytes);
    if (!row.is_measured()) return;
    object.member("calls", row.calls);
    object.member("seconds", row.seconds);
    object.member("median_seconds", row.median);
    object.member("quartile_1_seconds", row.low);
    object.member("quartile_3_seconds", row.high);
    if (row.implementation == ours) object.member("predicted_seconds", row.predicted);
  });
  write_all(out, "predictions", predictions, [](Object& object, Prediction const& one) {
    object.member("scaling", one.scaling);
    object.member("operation", one.operation);
    object.member("type", one.type);
    object.member("n", one.n);
    object.member("ranks", one.ranks);
    object.member("seconds", one.seconds);
  });
  out << "\n}\n";
}

}  // namespace perf::ranks
