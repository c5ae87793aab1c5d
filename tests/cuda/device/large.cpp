// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "sums.hpp"
#include "support/backend_choices.hpp"

// Sizes and distances that do not fit into 32 bits, on the device.
namespace {

using namespace device;
using Bytes = View<std::uint8_t>;
using All   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

KOKKOS_FUNCTION std::uint8_t value_at(std::size_t i) {
  return static_cast<std::uint8_t>((i * 0x9e3779b97f4a7c15U) >> 56);
}

std::size_t free_gibibytes() {
  std::size_t free = 0, all = 0;
  cudaMemGetInfo(&free, &all);
  return free >> 30;
}

Bytes bytes(std::string const& label, std::size_t n) {
  return Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
}

void fill_all(Exec const& exec, Bytes const& values) {
  Kokkos::parallel_for(
      "fill", All(exec, 0, static_cast<std::int64_t>(values.size())),
      KOKKOS_LAMBDA(std::int64_t i) { values(static_cast<std::size_t>(i)) = value_at(static_cast<std::size_t>(i)); });
}

/// How many results do not follow from the one before them.
std::size_t wrong_steps(Exec const& exec, Bytes const& sums) {
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, static_cast<std::int64_t>(sums.size())),
      KOKKOS_LAMBDA(std::int64_t at, std::size_t& sum) {
        auto const i      = static_cast<std::size_t>(at);
        auto const before = i == 0 ? std::uint8_t{0} : sums(i - 1);
        sum += sums(i) != static_cast<std::uint8_t>(before + value_at(i));
      },
      count);
  return count;
}

TEST(Large, more_than_two_to_the_32) {
  if (free_gibibytes() < 16) GTEST_SKIP() << "needs 16 GiB of free memory, and has " << free_gibibytes();
  Exec const exec;
  std::size_t const n = (std::size_t{1} << 32) + (std::size_t{1} << 20) + 3;
  Bytes const from = bytes("from", n), dest = bytes("dest", n);
  Kokkos::View<std::uint8_t, Kokkos::CudaSpace> const total("total");
  fill_all(exec, from);
  for (KokkosScan::Options const& options : test::all_choices<KokkosScan::cuda::Backend>()) {
    if (options.block != KokkosScan::BlockScan::automatic) continue;
    SCOPED_TRACE(to_string(options.grid));
    KokkosScan::Handle const handle(exec, options);
    poison(exec, dest);
    KokkosScan::inclusive_scan(handle, from, dest, KokkosScan::Sum{}, KokkosScan::Total{total});
    EXPECT_EQ(wrong_steps(exec, dest), 0U);
    EXPECT_EQ(on_host(exec, total), on_host(exec, Kokkos::subview(dest, n - 1)));
  }
  KokkosScan::inclusive_scan(exec, from, from);
  EXPECT_EQ(wrong_steps(exec, from), 0U) << "in place";
}

/// More of one value than a counter of 32 bits holds.
TEST(Large, histograms_of_more_than_two_to_the_32) {
  if (free_gibibytes() < 10) GTEST_SKIP() << "needs 10 GiB of free memory, and has " << free_gibibytes();
  Exec const exec;
  std::size_t const n = (std::size_t{1} << 32) + (std::size_t{1} << 20) + 3;
  Bytes const from    = bytes("from", n);
  View<std::uint64_t> const counts("counts", 256);
  Kokkos::deep_copy(exec, from, std::uint8_t{0});
  Kokkos::deep_copy(exec, Kokkos::subview(from, n - 1), std::uint8_t{200});
  KokkosScan::count_keys(exec, from, counts);
  EXPECT_EQ(on_host(exec, Kokkos::subview(counts, 0)), n - 1);
  EXPECT_EQ(on_host(exec, Kokkos::subview(counts, 200)), 1U);
  Kokkos::View<std::uint8_t const*, Kokkos::LayoutStride, Kokkos::CudaSpace> const strided(from.data(),
                                                                                           Kokkos::LayoutStride(n, 1));
  View<std::uint64_t> const weighed("weighed", 100'000'000);
  KokkosScan::count_keys(exec, strided, weighed, KokkosScan::Weights{from});
  EXPECT_EQ(on_host(exec, Kokkos::subview(weighed, 0)), 0U);
  EXPECT_EQ(on_host(exec, Kokkos::subview(weighed, 200)), 200U);
}

TEST(Large, strides_of_more_than_two_to_the_31) {
  std::size_t const stride = (std::size_t{1} << 31) + 9, n = 4;
  if (free_gibibytes() < 10) GTEST_SKIP() << "needs 10 GiB of free memory, and has " << free_gibibytes();
  Exec const exec;
  Bytes const memory = bytes("memory", (n - 1) * stride + 1);
  Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, Kokkos::CudaSpace> const values(memory.data(),
                                                                                    Kokkos::LayoutStride(n, stride));
  for (std::size_t i = 0; i < n; ++i)
    Kokkos::deep_copy(exec, Kokkos::subview(memory, i * stride), static_cast<std::uint8_t>(i + 1));
  KokkosScan::inclusive_scan(exec, values, values);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_EQ(on_host(exec, Kokkos::subview(memory, i * stride)), (i + 1) * (i + 2) / 2) << "element " << i;
}

}  // namespace
