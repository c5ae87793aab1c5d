// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "sums.hpp"

// Sums of bytes, which are added four at a time wherever a lane has many of them, against a serial loop.
namespace {

using namespace device;

template <class T>
void expect_sums_of_bytes() {
  Exec const exec;
  // In one block, in one wave and in the pipeline, with a last unit, part and tile that are not full.
  for (std::size_t const n : {1'000, 20'011, 1'000'003, 8'388'608, 9'000'001, 30'000'003}) {
    View<T> const from_room("from", n + 3), dest_room("dest", n + 3);
    Kokkos::View<T*, Kokkos::HostSpace> const input("input", n), result("result", n);
    std::uint32_t bits = 7;
    for (std::size_t i = 0; i < n; ++i) input(i) = static_cast<T>((bits = bits * 1664525 + 1013904223) >> 24);
    for (auto const& [first_in, first_out] : {std::pair<std::size_t, std::size_t>(0, 0), {0, 1}, {3, 2}}) {
      SCOPED_TRACE(std::to_string(n) + " from " + std::to_string(first_in) + " to " + std::to_string(first_out));
      View<T> const from = part(from_room, first_in, n);
      View<T> const dest = part(dest_room, first_out, n);
      Kokkos::deep_copy(exec, from, input);
      auto const expect = [&](bool inclusive, T running) {
        Kokkos::deep_copy(exec, result, dest);
        exec.fence();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
          T const next = static_cast<T>(running + input(i));
          wrong += result(i) != (inclusive ? next : running);
          running = next;
        }
        ASSERT_EQ(wrong, 0U) << (inclusive ? "inclusive" : "exclusive");
      };
      Kokkos::View<T, Kokkos::CudaSpace> const total("total");
      poison(exec, dest);
      KokkosScan::inclusive_scan(exec, from, dest);
      expect(true, T{});
      poison(exec, dest);
      KokkosScan::exclusive_scan(exec, from, dest, T(100), KokkosScan::Sum{}, KokkosScan::Total{total});
      expect(false, T(100));
      T const last = on_host(exec, Kokkos::subview(dest, n - 1));
      EXPECT_EQ(on_host(exec, total), static_cast<T>(last + input(n - 1)));
    }
  }
}

TEST(Bytes, sums_of_signed_ones) { expect_sums_of_bytes<std::int8_t>(); }
TEST(Bytes, sums_of_unsigned_ones) { expect_sums_of_bytes<std::uint8_t>(); }

}  // namespace
