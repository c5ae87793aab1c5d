// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <unistd.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include "support/arena.hpp"

// A scan on the host takes less than 1 MiB beside its input and its output, whatever their size: the most memory that
// the process ever had, as Linux counts it, against what it has when both are there.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// What the kernel says of this process, in KiB; 0 if it says nothing.
std::size_t memory(std::string const& what) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::size_t kib = 0; word == what + ":" && status >> kib) return kib;
  return 0;
}

/// From now on the peak is counted anew. False where the system does not offer that.
bool forget_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5" << std::flush;
  return clear.good();
}

constexpr std::size_t n = std::size_t(1) << 22;
template <class T>
using View = Kokkos::View<T*, Kokkos::HostSpace>;

template <class F>
void expect_little(char const* what, F const& scan) {
  ASSERT_TRUE(forget_peak());
  std::size_t const before = memory("VmHWM"), program_before = memory("RssFile");
  scan();
  Exec().fence("test");
  std::size_t const peak = memory("VmHWM"), program = memory("RssFile");
  // What runs for the first time comes into memory, too, and no scan has taken that.
  std::size_t const allowed = before + 1024 + (program > program_before ? program - program_before : 0);
  EXPECT_LT(peak, allowed) << what << " took " << peak - before << " KiB";
}

class PeakMemory : public testing::Test {
 protected:
  void SetUp() override {
#ifdef KOKKOSSCAN_TEST_ASAN
    GTEST_SKIP() << "what a sanitizer keeps about memory is memory, too";
#endif
    if (memory("VmHWM") == 0 || !forget_peak()) GTEST_SKIP() << "the system does not count the peak";
    // The threads and their stacks.
    Kokkos::parallel_for("test", Kokkos::RangePolicy<Exec>(0, 1000), [](int) {});
    Exec().fence("test");
  }
};

/// Without this the others could not fail.
TEST_F(PeakMemory, shows_a_copy_of_the_input) {
  ASSERT_TRUE(forget_peak());
  std::size_t const before = memory("VmHWM");
  {
    View<double> const copy("copy", n);
  }
  EXPECT_GT(memory("VmHWM"), before + n * sizeof(double) / 1024 / 2);
}

TEST_F(PeakMemory, of_any_scan_is_less_than_1_MiB_beside_input_and_output) {
  View<double> const from("from", n), dest("dest", n);
  auto const plus = [](double left, double right) { return left + right; };
  auto const half = [](double x) { return 0.5 * x; };
  expect_little("a sum", [&] { inclusive_scan(Exec(), from, dest); });
  expect_little("a sum in place", [&] { inclusive_scan(Exec(), dest, dest); });
  expect_little("a user's operator", [&] { inclusive_scan(Exec(), from, dest, plus); });
  expect_little("a transform", [&] { transform_exclusive_scan(Exec(), from, dest, 0.0, Sum{}, half); });
  double total = 0;
  expect_little("a total", [&] { exclusive_scan(Exec(), from, dest, 1.0, Sum{}, Total{total}); });

  Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> const thirds(dest.data(),
                                                                              Kokkos::LayoutStride(n / 3, 3));
  expect_little("a strided result", [&] {
    inclusive_scan(Exec(), Kokkos::subview(from, std::pair<std::size_t, std::size_t>(0, n / 3)), thirds);
  });
  for (GridScan const grid : {GridScan::chained, GridScan::lookback, GridScan::hierarchical})
    expect_little(to_string(grid).c_str(),
                  [&] { inclusive_scan(Handle(Exec(), Options{.grid = grid}), from, dest, plus); });
}

TEST_F(PeakMemory, of_a_result_that_streams_past_the_caches_is_no_larger) {
  View<std::int32_t> const counts("counts", 2 * n);
  View<std::int64_t> const offsets("offsets", 2 * n + 1);
  expect_little("offsets", [&] { offsets_from_counts(Exec(), counts, offsets); });
  View<double> const from("from", 2 * n), dest("dest", 2 * n);
  expect_little("a user's operator",
                [&] { inclusive_scan(Exec(), from, dest, [](double left, double right) { return left + right; }); });
}

}  // namespace
