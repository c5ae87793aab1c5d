// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <string>

#include "sums.hpp"

// What is chosen on a device: within a graph, where each count is the next length, and of more than 2^32 elements.
namespace {

using namespace device;
using KokkosScan::Handle;
using KokkosScan::Length;
using KokkosScan::Total;
using Ints  = View<std::int32_t>;
using Count = Kokkos::View<std::int32_t, Kokkos::CudaSpace>;
using All   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

struct IsNoMultiple {
  std::int32_t of;
  KOKKOS_FUNCTION bool operator()(std::int32_t value) const { return value % of != 0; }
};

class Compaction : public testing::Test, protected Instance {};

/// The elements up to n that are multiples of neither 3 nor 5, and then each 7th of them away.
TEST_F(Compaction, is_replayed_with_other_lengths) {
  constexpr int most = 3'000'000;
  Ints const from("from", most), dest("dest", most), offsets("offsets", most + 1);
  Count const length("length"), count("count");
  Handle const handle(exec);
  handle.reserve_compaction<std::int32_t>(most);
  Kokkos::parallel_for(
      "fill", All(exec, 0, most),
      KOKKOS_LAMBDA(std::int64_t i) { from(static_cast<std::size_t>(i)) = static_cast<std::int32_t>(i); });
  Graph const graph(exec, [&] {
    KokkosScan::copy_if(handle, from, dest, IsNoMultiple{3}, Total{count}, Length{length});
    KokkosScan::remove_if(
        handle, dest, KOKKOS_LAMBDA(std::int32_t value) { return value % 5 == 0; }, Total{count}, Length{count});
    KokkosScan::run_offsets(
        handle, dest, offsets, KOKKOS_LAMBDA(std::int32_t a, std::int32_t b) { return a / 10 == b / 10; },
        Length{count}, Total{count});
  });
  for (int const n : {most, 0, 1, 100'000, 12'345, most - 1}) {
    Kokkos::deep_copy(exec, length, n);
    graph.launch();
    std::int32_t runs = 0, wrong = 0, expected = 0, last = 0;
    for (std::int32_t i = 0; i < n; ++i)
      if (i % 3 != 0 && i % 5 != 0) ++last;
    for (std::int32_t i = 0; i < n; i += 10) {
      bool any = false;
      for (std::int32_t k = i; k < std::min(i + 10, n); ++k) any = any || (k % 3 != 0 && k % 5 != 0);
      expected += any ? 1 : 0;
    }
    runs = on_host(exec, count);
    ASSERT_EQ(runs, expected) << n;
    ASSERT_EQ(on_host(exec, Kokkos::subview(offsets, runs)), last) << n;
    Kokkos::parallel_reduce(
        "compare", All(exec, 0, last),
        KOKKOS_LAMBDA(std::int64_t at, std::int32_t& sum) {
          auto const i              = static_cast<std::int32_t>(at);
          std::int32_t const rest[] = {1, 2, 4, 7, 8, 11, 13, 14};
          sum += dest(static_cast<std::size_t>(i)) != i / 8 * 15 + rest[i % 8];
        },
        wrong);
    ASSERT_EQ(wrong, 0) << n;
  }
}

TEST_F(Compaction, of_more_than_two_to_the_32) {
  std::size_t free = 0, all = 0;
  cudaMemGetInfo(&free, &all);
  if ((free >> 30) < 12) GTEST_SKIP() << "needs 12 GiB of free memory";
  std::size_t const n = (std::size_t{1} << 32) + 12'345;
  View<std::uint8_t> const from(Kokkos::view_alloc(Kokkos::WithoutInitializing, "from"), n),
      dest(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dest"), n);
  View<std::uint64_t> const indices("indices", 5'000);
  std::size_t const each = std::size_t{1} << 20;
  Kokkos::parallel_for(
      "fill", All(exec, 0, static_cast<std::int64_t>(n)),
      KOKKOS_LAMBDA(std::int64_t i) { from(static_cast<std::size_t>(i)) = static_cast<std::uint8_t>(i % 251); });
  std::size_t count = 0;
  KokkosScan::where(exec, n, KOKKOS_LAMBDA(std::size_t i) { return i % each == each - 1; }, indices, Total{count});
  ASSERT_EQ(count, n / each);
  ASSERT_EQ(on_host(exec, Kokkos::subview(indices, count - 1)), n / each * each - 1);
  KokkosScan::copy_if(exec, from, dest, KOKKOS_LAMBDA(std::uint8_t value) { return value != 7; }, Total{count});
  std::size_t const left = n % 251 > 7 ? 1 : 0;
  ASSERT_EQ(count, n - n / 251 - left);
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, static_cast<std::int64_t>(count)),
      KOKKOS_LAMBDA(std::int64_t i, std::size_t& sum) {
        auto const k = static_cast<std::uint8_t>(i % 250);
        sum += dest(static_cast<std::size_t>(i)) != (k < 7 ? k : k + 1);
      },
      wrong);
  ASSERT_EQ(wrong, 0U);
}

}  // namespace
