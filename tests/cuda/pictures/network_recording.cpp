// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "network.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace pictures {

NetworkRecording::NetworkRecording(int n, int threads, ScratchUse scratch_use)
    : network_{n, threads, scratch_use, false, {}, {}, {}}, epochs_(threads) {
  auto const size = n;
  network_.spots.reserve(64 * size);
  network_.result.resize(size + 1);
  for (auto& content : contents_) content.assign(size, -1);
  for (int i = 0; i < n; ++i) add({.what = Spot::What::input, .first = i, .last = i, .column = i, .epoch = 0});
}

int NetworkRecording::add(Spot spot) {
  network_.spots.push_back(spot);
  return static_cast<int>(network_.spots.size()) - 1;
}

Traced NetworkRecording::combine(Traced const& left, Traced const& right) {
  if (left.last + 1 != right.first) throw std::logic_error("the operator was handed values that are no neighbours");
  int const made = add({.what   = Spot::What::combined,
                        .first  = left.first,
                        .last   = right.last,
                        .column = right.last,
                        .epoch  = epochs_[threadIdx.x],
                        .thread = threadIdx.x,
                        .from   = {left.spot, right.spot}});
  return {left.first, right.last, made};
}

/// Returns what is to be stored.
Traced NetworkRecording::store(Buffer buffer, int index, Traced const& value) {
  Spot& source = spot(value.spot);
  Spot copy{.what   = Spot::What::copied,
            .first  = value.first,
            .last   = value.last,
            .column = index,
            .epoch  = epochs_[threadIdx.x],
            .thread = threadIdx.x,
            .from   = {value.spot, -1},
            .stored = true,
            .buffer = buffer};
  if (buffer == Buffer::scratch && network_.scratch_use != ScratchUse::buffer) {
    if (network_.scratch_use == ScratchUse::aggregates) {
      source.handed_on = true;
      return value;
    }
    copy.column = network_.n;
    return {value.first, value.last, add(copy)};
  }

  int& there = contents_[static_cast<int>(buffer)].at(index);
  if (there >= 0 && spot(there).first == value.first && spot(there).last == value.last)
    return {value.first, value.last, there};
  if (source.stored) {
    there = add(copy);
  } else {
    source.stored = true;
    source.buffer = buffer;
    source.column = index;
    there         = value.spot;
  }
  return {value.first, value.last, there};
}

void NetworkRecording::find_rows() {
  std::vector<int> latest(epochs_.size());  // row of each thread
  unsigned epoch = 0;
  int before     = 0;  // the rows of earlier epochs
  auto& rows     = network_.rows;
  for (Spot& s : network_.spots) {
    if (s.what == Spot::What::input) continue;
    if (s.epoch < epoch) throw std::logic_error("a thread is behind a barrier that it has not passed");
    if (s.epoch > epoch) before = static_cast<int>(rows.size());
    epoch = s.epoch;
    s.row = before;
    for (int const from : s.from)
      if (from >= 0) s.row = std::max(s.row, spot(from).row);
    if (s.what == Spot::What::combined) s.row = std::max(s.row, latest[s.thread]);
    ++s.row;
    if (s.what == Spot::What::combined) latest[s.thread] = s.row;
    if (static_cast<int>(rows.size()) < s.row) rows.push_back({epoch});
    if (s.what == Spot::What::combined) ++rows[s.row - 1].operations;
  }
}

void NetworkRecording::check(bool exclusive) const {
  for (int i = 0; i <= network_.n; ++i) {
    if (exclusive ? i == 0 : i == network_.n) continue;
    Traced const& value = network_.result[i];
    if (value.first != 0 || value.last != (exclusive ? i - 1 : i))
      throw std::logic_error("index " + std::to_string(i) + " of the result covers " + std::to_string(value.first) +
                             " to " + std::to_string(value.last));
  }
}

Network NetworkRecording::finish(bool exclusive) {
  check(exclusive);
  find_rows();
  // The barrier behind the input is not the algorithm's.
  for (Row& row : network_.rows) --row.epoch;
  network_.barriers  = epochs_[0] - 1;
  network_.exclusive = exclusive;
  return std::move(network_);
}

}  // namespace pictures
