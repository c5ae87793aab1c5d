// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>

#include "shares.hpp"

// What goes wrong on one rank of a scan along an axis: who hears of it, and that the next call works.
namespace {

using KokkosScan::Axis;
using Exec = Kokkos::DefaultHostExecutionSpace;

using test::rank_of_this;
using test::ranks;

using Matrix = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// What a call throws here, or nothing.
std::string thrown(Matrix const& from, Matrix const& dest, int axis) {
  try {
    KokkosScan::mpi::inclusive_scan("label", MPI_COMM_WORLD, Exec(), from, dest, Axis{axis});
  } catch (std::invalid_argument const& error) {
    return std::string("invalid: ") + error.what();
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "";
}
void expect_works() {
  Matrix const from("from", 2, 3), dest("dest", 2, 3);
  Kokkos::deep_copy(from, 1);
  EXPECT_EQ(thrown(from, dest, 0), "");
  EXPECT_EQ(dest(1, 2), 2 * rank_of_this() + 2);
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(Axis, OtherExtentsAreAnErrorOnAllRanks) {
  int const odd = ranks() - 1;
  if (odd == 0) return;
  Matrix const from("from", 2, rank_of_this() == odd ? 4 : 3), dest("dest", 2, 4);
  std::string const text = thrown(from, dest, 0);
  EXPECT_TRUE(has(text, "invalid: label: beside the axis") &&
              has(text, "rank 0 has lines along axis 0 of Views of extents any x 3") &&
              has(text, "rank " + std::to_string(odd) + " has lines along axis 0 of Views of extents any x 4"))
      << text;
  EXPECT_EQ(dest(1, 2), 0);
  EXPECT_TRUE(has(thrown(from, dest, rank_of_this() == odd ? 1 : 0), "invalid: label: beside"));
  expect_works();
}

TEST(Axis, ErrorsOfOneRankAreKnownToAll) {
  int const odd  = ranks() / 2;
  bool const own = rank_of_this() == odd;
  Matrix const from("from", 2, 3), dest("dest", 2, own ? 2 : 3);
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::string const text = thrown(from, dest, 0);
    if (own) {
      EXPECT_TRUE(has(text, "invalid: label: ") && has(text, "dest")) << text;
    } else {
      EXPECT_TRUE(has(text, "label: rank " + std::to_string(odd) + " failed in this call")) << text;
    }
  }
  std::string const no_axis = thrown(from, from, own ? 2 : 0);
  EXPECT_TRUE(has(no_axis, own ? "invalid: label" : "failed in this call")) << no_axis;
  expect_works();
}

/// Throws where it combines values of ranks.
struct Refuses {
  int at;
  int operator()(int left, int right) const {
    if (right == at) throw std::domain_error("op");
    return left + right;
  }
};

TEST(Axis, WhatAnOperatorThrowsIsKnownToThoseBehindAndToAllAtTheNextCall) {
  int const rank = rank_of_this(), odd = ranks() / 2;
  Matrix const from("from", 2, 3), dest("dest", 2, 3);
  Kokkos::deep_copy(from, rank == odd ? 1000 : 1);
  std::string text;
  try {
    KokkosScan::mpi::inclusive_scan("label", MPI_COMM_WORLD, Exec(), from, dest, Axis{0}, Refuses{1000});
  } catch (std::exception const& error) {
    text = error.what();
  }
  if (rank < odd) {
    EXPECT_EQ(text, "");
    EXPECT_EQ(dest(1, 2), 2 * rank + 2);
  } else if (rank == odd) {
    EXPECT_EQ(text, "op");
  } else {
    EXPECT_TRUE(has(text, "failed in this call")) << text;
  }
  EXPECT_TRUE(has(thrown(from, dest, 0), "label: rank " + std::to_string(odd) + " failed in the call before"));
  expect_works();
}

}  // namespace
