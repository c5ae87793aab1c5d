// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

// The ranks that measure together: the first so many of the job, while the others sleep.
namespace perf::ranks {

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
inline double max_of(MPI_Comm comm, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm);
  return value;
}
inline bool is_so_everywhere(MPI_Comm comm, bool here) {
  int everywhere = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm);
  return everywhere != 0;
}

/// How many of the ranks share the memory of this one.
inline int ranks_on_this_node(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int const count = size_of(node);
  MPI_Comm_free(&node);
  return count;
}

/// 1, 2, 4, ... and all.
inline std::vector<int> team_sizes() {
  int const all = size_of(MPI_COMM_WORLD);
  std::vector<int> sizes;
  for (int size = 1; size < all; size *= 2) sizes.push_back(size);
  sizes.push_back(all);
  return sizes;
}

class Team {
 public:
  explicit Team(int size) {
    bool const measures = rank_of(MPI_COMM_WORLD) < size;
    MPI_Comm_split(MPI_COMM_WORLD, measures ? 0 : MPI_UNDEFINED, 0, &comm_);
  }
  Team(Team const&)            = delete;
  Team& operator=(Team const&) = delete;
  ~Team() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  bool has_this_rank() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_of(comm_); }
  int size() const { return size_of(comm_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Until all ranks of the job are here. MPI's own barrier would keep the core of who waits busy, and share its power
/// and its caches with those that measure.
inline void meet_all() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int all_here = 0; !all_here;) {
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    if (!all_here) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace perf::ranks
