// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "support/arena.hpp"

// Sizes and distances that do not fit into 32 bits.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// In GiB; all that one may wish for where the system does not tell.
std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::size_t kilobytes = 0;
  while (file >> word)
    if (word == "MemAvailable:" && file >> kilobytes) return kilobytes >> 20;
  return 1024;
}

std::uint8_t value_at(std::size_t i) { return static_cast<std::uint8_t>((i * 0x9e3779b97f4a7c15U) >> 56); }

TEST(Large, more_than_two_to_the_31) {
#ifdef KOKKOSSCAN_TEST_ASAN
  GTEST_SKIP() << "takes too long with a sanitizer, which has the same code to look at in smaller sizes";
#endif
  if (available_memory() < 6)
    GTEST_SKIP() << "needs 6 GiB of free memory, and only " << available_memory() << " GiB are available";

  std::size_t const n = (std::size_t{1} << 31) + (std::size_t{1} << 20) + 3;
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> const values(Kokkos::view_alloc(Kokkos::WithoutInitializing, "values"),
                                                              n);
  using All = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("fill", All(0, static_cast<std::int64_t>(n)), [=](std::int64_t at) {
    auto const i = static_cast<std::size_t>(at);
    values(i)    = value_at(i);
  });
  Exec().fence();

  std::uint8_t total = 0;
  exclusive_scan(Exec(), values, values, std::uint8_t{17}, Total{total});

  std::uint8_t running = 17;
  std::size_t wrong = 0, first_wrong = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (values(i) != running && ++wrong == 1) first_wrong = i;
    running = static_cast<std::uint8_t>(running + value_at(i));
  }
  EXPECT_EQ(wrong, 0U) << "elements are wrong, the first is " << first_wrong;
  EXPECT_EQ(total, running);
}

/// A few elements, gigabytes apart. Only the pages that hold them come into being.
TEST(Large, strides_of_more_than_two_to_the_31) {
  std::size_t const stride = (std::size_t{1} << 31) + 9, n = 5, bytes = n * stride;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "the system gives no " << bytes << " bytes of address space";

  using View       = Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  auto* const data = static_cast<std::uint8_t*>(memory);
  View const values(data, Kokkos::LayoutStride(n, stride));
  for (std::size_t i = 0; i < n; ++i) data[i * stride] = static_cast<std::uint8_t>(i + 1);

  inclusive_scan(Exec(), values, values);
  Exec().fence();
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(data[i * stride], (i + 1) * (i + 2) / 2) << "element " << i;
  munmap(memory, bytes);
}

}  // namespace
