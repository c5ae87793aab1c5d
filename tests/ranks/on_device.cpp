// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <mpi.h>

#include <KokkosScan/mpi.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "device_messages.hpp"
#include "shares.hpp"

// With an MPI that is said to read memory of devices planes and elements are handed to it where they are.
namespace test {
namespace {

namespace mpi = KokkosScan::mpi;
using Exec    = Kokkos::DefaultExecutionSpace;
using Number  = std::uint64_t;

/// Asked for once, by the first call.
[[maybe_unused]] int const said = setenv("KOKKOSSCAN_GPU_AWARE_MPI", "1", 1);

KOKKOS_INLINE_FUNCTION Number drawn(std::size_t i, std::size_t line) { return (i * 2654435761U + line * 40503U) >> 7; }

std::size_t rows_of(int rank) { return rank % 3 == 2 ? 0 : 2 + static_cast<std::size_t>(rank); }

template <class Layout>
struct Slab {
  Kokkos::View<Number**, Layout, Exec> from, dest;
  std::size_t first = 0, rows;

  explicit Slab(std::size_t lines) : rows(rows_of(rank_of(MPI_COMM_WORLD))) {
    for (int rank = 0; rank < rank_of(MPI_COMM_WORLD); ++rank) first += rows_of(rank);
    from            = decltype(from)("from", rows, lines);
    dest            = decltype(dest)("dest", rows, lines);
    auto const host = Kokkos::create_mirror_view(from);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t line = 0; line < lines; ++line) host(i, line) = drawn(first + i, line);
    Kokkos::deep_copy(from, host);
  }
  /// Of elements that are not the sums of all before, from whichever rank.
  std::size_t wrong() const {
    auto const found  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dest);
    std::size_t wrong = 0;
    for (std::size_t line = 0; line < dest.extent(1); ++line) {
      Number sum = 0;
      for (std::size_t i = 0; i < first + rows; ++i) {
        sum += drawn(i, line);
        if (i >= first) wrong += found(i - first, line) != sum;
      }
    }
    return wrong;
  }
};

template <class Layout>
void expect_planes(std::size_t lines) {
  Slab<Layout> const slab(lines);
  int const before = messages_to_devices();
  for (int repeat = 0; repeat < 3; ++repeat) {
    Kokkos::deep_copy(slab.dest, Number{0});
    mpi::inclusive_scan(MPI_COMM_WORLD, Exec(), slab.from, slab.dest, KokkosScan::Axis{0});
    EXPECT_EQ(slab.wrong(), 0U) << lines << " lines";
  }
  if (rank_of(MPI_COMM_WORLD) > 0) {
    EXPECT_GT(messages_to_devices(), before);
  }
}

TEST(OnDevice, PlanesCrossWhereTheyAre) {
  expect_planes<Kokkos::LayoutLeft>(1500);
  expect_planes<Kokkos::LayoutRight>(1500);
  expect_planes<Kokkos::LayoutLeft>(300'000);
}

void expect_rebalanced(bool strided) {
  auto const rank         = static_cast<std::size_t>(rank_of(MPI_COMM_WORLD));
  std::size_t const n     = rank % 2 == 0 ? 10'000 : 3;
  std::size_t const first = rank / 2 * 10'003 + (rank % 2 == 0 ? 0 : 10'000);
  mpi::Share const share  = mpi::balanced_share(MPI_COMM_WORLD, n);
  std::size_t const step  = strided ? 2 : 1;
  using All               = Kokkos::View<Number**, Kokkos::LayoutRight, Exec>;
  All const from("from", n, step), dest("dest", share.count, step);
  auto const host = Kokkos::create_mirror_view(from);
  for (std::size_t i = 0; i < n; ++i) host(i, 0) = drawn(first + i, 0);
  Kokkos::deep_copy(from, host);
  int const before = messages_to_devices();
  mpi::rebalance(MPI_COMM_WORLD, Exec(), Kokkos::subview(from, Kokkos::ALL, 0), Kokkos::subview(dest, Kokkos::ALL, 0));
  Kokkos::fence();
  auto const found  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dest);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < share.count; ++i) wrong += found(i, 0) != drawn(share.before + i, 0);
  EXPECT_EQ(wrong, 0U) << (strided ? "strided" : "side by side");
  if (rank == 1) {  // which had next to nothing
    EXPECT_EQ(messages_to_devices() > before, !strided);
  }
}

TEST(OnDevice, ElementsMoveFromViewsAndStridedOnesByWayOfTheHost) {
  expect_rebalanced(false);
  expect_rebalanced(true);
}

}  // namespace
}  // namespace test
