// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>

#include "../machine.hpp"
#include "measure.hpp"
#include "model.hpp"

namespace perf::ranks {

/// What the model says of KokkosScan::mpi in a task on more ranks than there are.
struct Prediction {
  std::string scaling, operation, type;
  std::size_t n;
  int ranks;
  double seconds;
};

/// Gives each row of KokkosScan::mpi its prediction, by the copy beside it.
void predict_rows(std::vector<Row>& rows, Constants const& constants);

/// For 2, 4, 8, ... largest_prediction ranks, where the ranks of all tasks copy as those of the largest team did.
std::vector<Prediction> predict_beyond(std::vector<Row> const& rows, Constants const& constants,
                                       std::vector<Task> const& tasks);

void print_constants(std::ostream& out, Constants const& constants);
/// A line for each number of ranks.
void print_task(std::ostream& out, Task const& task, std::vector<Row> const& rows,
                std::vector<Prediction> const& predictions);

/// What plot.py reads.
void write_json(std::ostream& out, Facts const& facts, Constants const& constants, std::vector<Row> const& rows,
                std::vector<Prediction> const& predictions);

}  // namespace perf::ranks
