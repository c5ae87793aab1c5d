// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "team.hpp"

namespace perf::ranks {

/// Which elements of all are this rank's, and how many the rank with the most has.
struct Part {
  std::size_t first, n, most;
};

struct Contestant {
  std::string name;
  double bytes;                        ///< read and written by the rank with the most
  int message_bytes;                   ///< of each message across ranks, where the model speaks of it
  std::function<void()> run;           ///< and waits until all is written
  std::function<std::string()> check;  ///< what is wrong on this rank after a run; all ranks call it
};

struct Operation {
  std::string name, type;
  std::size_t bytes_each;  ///< of memory, for each element
  std::function<std::vector<Contestant>(Team const&, Part const&)> make;
};

inline constexpr char const* ours    = "KokkosScan::mpi";
inline constexpr char const* copy    = "copy";
inline constexpr char const* alone   = "KokkosScan alone";
inline constexpr char const* by_hand = "by hand";
inline constexpr char const* exscan  = "MPI_Exscan";

/// Scans of many elements, and of one element for each rank.
std::vector<Operation> operations_of_many();
Operation operation_of_one();

}  // namespace perf::ranks
