// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <unistd.h>

#include <KokkosScan.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "support/spaces.hpp"

// What the host backend does for the sake of a processor's caches and memory: it changes no bit.
namespace {

using namespace KokkosScan;
using host::Machine;
using host::Reading;
using test::Assume;
using Exec = Kokkos::DefaultHostExecutionSpace;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(Machines, stream_results_that_leave_their_caches) {
  auto const expect_from = [](std::size_t mebibytes, Machine const& machine, int threads) {
    Assume const assumed(machine);
    EXPECT_EQ(mebibytes * mebibyte, host::streaming_from(threads)) << threads << " threads";
  };
  Machine const two_to_a_cache{32 * mebibyte, 2, Reading::straight};
  expect_from(12, two_to_a_cache, 1);
  expect_from(12, two_to_a_cache, 2);
  expect_from(24, two_to_a_cache, 3);
  expect_from(64, two_to_a_cache, 64);
  expect_from(64, {480 * mebibyte, 112, Reading::straight}, 1);  // one large cache
  expect_from(64, {0, 1, Reading::straight}, 1);                 // unknown
}

/// A folder as Linux keeps one for a processor.
class Processor {
 public:
  Processor() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Processor() { std::filesystem::remove_all(folder_); }
  void add(char const* level, char const* type, char const* size, char const* sharers) {
    auto const cache = folder_ / "cache" / ("index" + std::to_string(caches_++));
    std::filesystem::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "type") << type << '\n';
    std::ofstream(cache / "size") << size << '\n';
    std::ofstream(cache / "shared_cpu_map") << sharers << '\n';
  }
  Machine found() const { return host::find_machine(folder_.string()); }

 private:
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("cpu" + std::to_string(getpid()));
  int caches_                   = 0;
};

TEST(Machines, are_found_out) {
  Processor processor;
  auto const expect_found = [&](std::size_t bytes, int sharers) {
    EXPECT_EQ(bytes, processor.found().last_level_bytes);
    EXPECT_EQ(sharers, processor.found().sharers);
  };
  expect_found(0, 1);
  processor.add("1", "Data", "48K", "1");
  processor.add("1", "Instruction", "32K", "1");
  processor.add("2", "Unified", "1024K", "00000001,00000001");
  EXPECT_EQ(0U, processor.found().last_level_bytes);  // a core's own
  processor.add("3", "Unified", "32768K", "0000000f,0000000f");
  expect_found(32 * mebibyte, 8);
  processor.add("4", "Unified", "1M", "3,ff000000");
  expect_found(mebibyte, 10);
}

struct Added {
  template <class T>
  T operator()(T left, T right) const {
    return left + right;
  }
};
struct Half {
  template <class T>
  T operator()(T value) const {
    return value / 2;
  }
};

/// The results of scans by vectors and by chains, of plain, strided, transformed and converted inputs.
template <class T>
std::vector<std::vector<T>> all_scans(std::size_t n) {
  using Strided = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  Kokkos::View<T*, Kokkos::HostSpace> const from("from", n), dest("dest", n);
  Kokkos::LayoutStride const apart(n, 2);
  Strided const strided_from("from", apart), strided_dest("dest", apart);
  for (std::size_t i = 0; i < n; ++i) strided_from(i) = from(i) = static_cast<T>((i * 2654435761U >> 7) % 1000) / 7;

  std::vector<std::vector<T>> results;
  auto const keep = [&](auto const& view) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = view(i);
    results.push_back(values);
  };
  inclusive_scan(Exec(), from, dest), keep(dest);
  exclusive_scan(Exec(), from, dest, T(3)), keep(dest);
  inclusive_scan(Exec(), from, dest, Max{}), keep(dest);
  inclusive_scan(Exec(), from, dest, Added{}), keep(dest);
  transform_exclusive_scan(Exec(), from, dest, T(1), Sum{}, Half{}), keep(dest);
  inclusive_scan(Exec(), strided_from, strided_dest), keep(strided_dest);
  inclusive_scan(Exec(), strided_from, strided_dest, Added{}), keep(strided_dest);
  if constexpr (std::is_same_v<T, double>) {
    Kokkos::View<float*, Kokkos::HostSpace> const narrow("narrow", n);
    for (std::size_t i = 0; i < n; ++i) narrow(i) = static_cast<float>(from(i));
    inclusive_scan(Exec(), narrow, dest), keep(dest);
  }
  Kokkos::deep_copy(dest, from);
  inclusive_scan(Exec(), dest, dest), keep(dest);
  return results;
}

template <class T>
class MachinesBits : public testing::Test {};
using Types = testing::Types<float, double, std::int16_t>;
TYPED_TEST_SUITE(MachinesBits, Types);

TYPED_TEST(MachinesBits, do_not_depend_on_it) {
  // So many that pages take turns, tiles are read ahead, and the last tile ends anywhere in a page.
  std::size_t const page = 4096 / sizeof(TypeParam);
  for (std::size_t const n :
       {3 * mebibyte / sizeof(TypeParam) + 12345, (3 * mebibyte + 8192) / sizeof(TypeParam),
        (3 * mebibyte + 4096) / sizeof(TypeParam) + page / 2 + 1, 3 * mebibyte / sizeof(TypeParam) + 5}) {
    std::vector<std::vector<TypeParam>> expected;
    for (std::size_t const cache : {std::size_t{0}, mebibyte})  // cached, and past the caches
      for (Reading const reading : {Reading::straight, Reading::in_turns}) {
        Assume const machine({cache, 1, reading});
        auto const results = all_scans<TypeParam>(n);
        if (expected.empty()) expected = results;
        for (std::size_t k = 0; k < results.size(); ++k)
          ASSERT_EQ(0, std::memcmp(expected[k].data(), results[k].data(), n * sizeof(TypeParam)))
              << "scan " << k << " of " << n << ", cache of " << cache
              << (reading == Reading::in_turns ? ", pages in turns" : "");
      }
  }
}

}  // namespace
