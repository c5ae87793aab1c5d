// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <stdexcept>

#include "src/ranks/channel.hpp"

// All ranks run all tests in the same order. A test uses EXPECT and no ASSERT: a rank that leaves a test early lets the
// others wait.
namespace {

/// Only what failed is told of ranks other than the first.
class RankPrinter : public testing::EmptyTestEventListener {
 public:
  explicit RankPrinter(int rank) : rank_(rank) {}

 private:
  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (result.failed())
      std::printf("rank %d: %s:%d\n%s\n", rank_, result.file_name() ? result.file_name() : "?", result.line_number(),
                  result.message());
  }
  int rank_;
};

bool is_refused(char const* when) {
  try {
    KokkosScan::ranks::Channel::of(MPI_COMM_WORLD, "late");
  } catch (std::runtime_error const&) {
    return true;
  }
  std::printf("a call %s MPI_Finalize is not refused\n", when);
  return false;
}

/// What a program has MPI_Finalize call first, which goes behind what the library has it call if it was set before.
bool is_refused_at_the_end = false;
int call_at_the_end(MPI_Comm, int, void*, void*) {
  is_refused_at_the_end = is_refused("within");
  return MPI_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new RankPrinter(rank));
  }
  int of_end = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_at_the_end, &of_end, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, of_end, nullptr);
  int failed = 0;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    failed = RUN_ALL_TESTS();
  }
  int any_failed = 0;
  MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any_failed || !is_refused_at_the_end || !is_refused("behind");
}
