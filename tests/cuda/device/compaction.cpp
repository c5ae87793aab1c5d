// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
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
using Bytes = View<std::uint8_t>;
using All   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

struct IsNoMultiple {
  std::int32_t of;
  KOKKOS_FUNCTION bool operator()(std::int32_t value) const { return value % of != 0; }
};
struct IsMultiple {
  std::int32_t of;
  KOKKOS_FUNCTION bool operator()(std::int32_t value) const { return value % of == 0; }
};
struct SameTen {
  KOKKOS_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const { return a / 10 == b / 10; }
};
struct EndsBlock {
  std::size_t of;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % of == of - 1; }
};
struct IsNot {
  std::uint8_t what;
  KOKKOS_FUNCTION bool operator()(std::uint8_t value) const { return value != what; }
};

template <class Value>
void count_up(Exec const& exec, View<Value> const& values, std::int64_t period) {
  Kokkos::parallel_for(
      "fill", All(exec, 0, static_cast<std::int64_t>(values.size())),
      KOKKOS_LAMBDA(std::int64_t i) { values(static_cast<std::size_t>(i)) = static_cast<Value>(i % period); });
}
/// How many of the first n are not the numbers, in order, that are multiples of neither 3 nor 5.
std::int32_t wrong_numbers(Exec const& exec, Ints const& values, std::int32_t n) {
  std::int32_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, n),
      KOKKOS_LAMBDA(std::int64_t at, std::int32_t& sum) {
        std::int32_t const rests[] = {1, 2, 4, 7, 8, 11, 13, 14}, i = static_cast<std::int32_t>(at);
        sum += values(static_cast<std::size_t>(at)) != i / 8 * 15 + rests[i % 8];
      },
      wrong);
  return wrong;
}
/// How many of the first n do not count up from 0 to 250 again and again, leaving out 7.
std::size_t wrong_bytes(Exec const& exec, Bytes const& values, std::size_t n) {
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", All(exec, 0, static_cast<std::int64_t>(n)),
      KOKKOS_LAMBDA(std::int64_t i, std::size_t& sum) {
        auto const k = static_cast<std::uint8_t>(i % 250);
        sum += values(static_cast<std::size_t>(i)) != (k < 7 ? k : k + 1);
      },
      wrong);
  return wrong;
}

class Compaction : public testing::Test, protected Instance {};

TEST_F(Compaction, is_replayed_with_other_lengths) {
  constexpr int most = 3'000'000;
  Ints const from("from", most), dest("dest", most), offsets("offsets", most + 1);
  Kokkos::View<std::int32_t, Kokkos::CudaSpace> const length("length"), kept("kept"), count("count");
  Handle const handle(exec);
  handle.reserve_compaction<std::int32_t>(most);
  count_up(exec, from, most);
  Graph const graph(exec, [&] {
    KokkosScan::copy_if(handle, from, dest, IsNoMultiple{3}, Total{kept}, Length{length});
    KokkosScan::remove_if(handle, dest, IsMultiple{5}, Total{kept}, Length{kept});
    KokkosScan::run_offsets(handle, dest, offsets, SameTen{}, Length{kept}, Total{count});
  });
  for (int const n : {most, 0, 1, 100'000, 12'345, most - 1}) {
    Kokkos::deep_copy(exec, length, n);
    graph.launch();
    std::int32_t left = 0, runs = 0;
    for (std::int32_t i = 0, last = -1; i < n; ++i)
      if (i % 3 != 0 && i % 5 != 0) {
        ++left;
        runs += i / 10 != last ? 1 : 0;
        last = i / 10;
      }
    ASSERT_EQ(on_host(exec, kept), left) << n;
    ASSERT_EQ(on_host(exec, count), runs) << n;
    ASSERT_EQ(on_host(exec, Kokkos::subview(offsets, runs)), left) << n;
    ASSERT_EQ(wrong_numbers(exec, dest, left), 0) << n;
  }
}

TEST_F(Compaction, of_more_than_two_to_the_32) {
  std::size_t free = 0, all = 0;
  cudaMemGetInfo(&free, &all);
  if ((free >> 30) < 12) GTEST_SKIP() << "needs 12 GiB of free memory";
  std::size_t const n = (std::size_t{1} << 32) + 12'345, each = std::size_t{1} << 20;
  Bytes const from(Kokkos::view_alloc(Kokkos::WithoutInitializing, "from"), n),
      dest(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dest"), n);
  View<std::uint64_t> const indices("indices", 5'000);
  count_up(exec, from, 251);
  std::size_t count = 0;
  KokkosScan::where(exec, n, EndsBlock{each}, indices, Total{count});
  ASSERT_EQ(count, n / each);
  ASSERT_EQ(on_host(exec, Kokkos::subview(indices, count - 1)), n / each * each - 1);
  KokkosScan::copy_if(exec, from, dest, IsNot{7}, Total{count});
  ASSERT_EQ(count, n - n / 251 - (n % 251 > 7 ? 1 : 0));
  ASSERT_EQ(wrong_bytes(exec, dest, count), 0U);
}

}  // namespace
