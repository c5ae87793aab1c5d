// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "chosen.hpp"
#include "src/host/machine.hpp"
#include "src/host/simd/instruction_set.hpp"
#include "support/spaces.hpp"

// Calls that the kernels of compaction serve, on hosts: the same results for every instruction set, in one tile and in
// several, past the caches and not, whatever they begin at; and nothing behind them.
namespace test {
namespace {

namespace simd = KokkosScan::host::simd;
using KokkosScan::Total;

template <class T>
class CompactionAlike : public testing::Test {
 protected:
  using Exec  = Kokkos::DefaultHostExecutionSpace;
  using View  = Kokkos::View<T*, Kokkos::HostSpace>;
  using Flags = Kokkos::View<std::uint8_t*, Kokkos::HostSpace>;

  static constexpr T untouched = static_cast<T>(-7);

  /// So many of a hundred are chosen, and as many begin a run.
  void expect_alike(std::size_t n, unsigned percent, std::size_t offset) {
    Random random(n + percent);
    std::vector<T> values(n);
    std::vector<std::uint8_t> flags(n);
    for (std::size_t i = 0; i < n; ++i) {
      flags[i]  = random.below(100) < percent ? 1 : 0;
      values[i] = static_cast<T>((i > 0 ? values[i - 1] : T{3}) + (flags[i] ? 2 : 0));
    }
    std::vector<T> chosen, others, places, begins, lengths, sums, unique;
    auto const chooses = [](T value) { return static_cast<std::uint64_t>(value) % 7 < 3; };
    std::vector<T> flagged;
    for (std::size_t i = 0; i < n; ++i) {
      (chooses(values[i]) ? chosen : others).push_back(values[i]);
      if (flags[i]) flagged.push_back(values[i]);
      if (flags[i]) places.push_back(static_cast<T>(i));
      if (i == 0 || values[i] != values[i - 1]) {
        begins.push_back(static_cast<T>(i));
        unique.push_back(values[i]);
        lengths.push_back(T{0});
        sums.push_back(T{0});
      }
      lengths.back() = static_cast<T>(lengths.back() + T{1});
      sums.back()    = static_cast<T>(sums.back() + static_cast<T>(i % 5));
    }
    begins.push_back(static_cast<T>(n));
    std::vector<T> addends(n);
    for (std::size_t i = 0; i < n; ++i) addends[i] = static_cast<T>(i % 5);

    View const from = to_view<View>(values), more = to_view<View>(addends);
    Flags const set = to_view<Flags>(flags);
    View const first("first", offset + n + 2), second("second", offset + n + 2);
    std::string what;
    auto const behind = [&](View const& view) {
      return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(offset, offset + n + 1));
    };
    auto const dest = behind(first), rest = behind(second);
    std::size_t count = 0;
    auto const expect = [&](char const* call, std::size_t found, std::vector<T> const& in_first,
                            std::vector<T> const& in_second = {}) {
      EXPECT_EQ(count, found) << call << what;
      for (auto const& [view, expected] : {std::pair{first, in_first}, std::pair{second, in_second}}) {
        std::vector<T> whole(view.extent(0), untouched);
        std::copy(expected.begin(), expected.end(), whole.begin() + static_cast<std::ptrdiff_t>(offset));
        EXPECT_TRUE(std::equal(whole.begin(), whole.end(), view.data())) << call << what;
        Kokkos::deep_copy(view, untouched);
      }
      count = ~std::size_t{0};
    };
    Kokkos::deep_copy(first, untouched);
    Kokkos::deep_copy(second, untouched);
    simd::InstructionSet const before = simd::instruction_set();
    for (auto const one : simd::available_instruction_sets()) {
      simd::use(one);
      what = ", " + std::string(simd::to_string(one)) + ", n = " + std::to_string(n) + ", " + std::to_string(percent) +
             " %, offset " + std::to_string(offset);
      KokkosScan::copy_if(exec, from, dest, chooses, Total{count});
      expect("copy_if", chosen.size(), chosen);
      KokkosScan::copy_flagged(exec, from, set, dest, Total{count});
      expect("copy_flagged", flagged.size(), flagged);
      KokkosScan::partition_copy(exec, from, dest, rest, chooses, Total{count});
      expect("partition_copy", chosen.size(), chosen, others);
      auto all = others;
      KokkosScan::unique_copy(exec, from, dest, Total{count});
      expect("unique_copy", unique.size(), unique);
      auto const in_place = Kokkos::subview(dest, std::pair<std::size_t, std::size_t>(0, n));
      Kokkos::deep_copy(in_place, from);
      KokkosScan::stable_partition(exec, in_place, chooses, Total{count});
      all = chosen;
      all.insert(all.end(), others.begin(), others.end());
      expect("stable_partition", chosen.size(), all);
      Kokkos::deep_copy(in_place, from);
      KokkosScan::remove_if(exec, in_place, chooses, Total{count});
      all = values;
      std::copy(others.begin(), others.end(), all.begin());
      expect("remove_if", others.size(), all);
      if constexpr (std::is_integral_v<T>) {
        KokkosScan::where(exec, set, dest, Total{count});
        expect("where", places.size(), places);
        KokkosScan::run_offsets(exec, from, dest, Total{count});
        expect("run_offsets", unique.size(), begins);
        KokkosScan::run_length_encode(exec, from, dest, rest, Total{count});
        expect("run_length_encode", unique.size(), unique, lengths);
      }
      KokkosScan::reduce_by_key(exec, from, more, dest, rest, Total{count});
      expect("reduce_by_key", unique.size(), unique, sums);
    }
    simd::use(before);
  }

  Exec const exec{};
};
/// The last one goes by no kernel, and must do as those that do.
using AlikeTypes = testing::Types<std::int32_t, std::uint64_t, float, double, std::int16_t>;
TYPED_TEST_SUITE(CompactionAlike, AlikeTypes);

TYPED_TEST(CompactionAlike, short_ones) {
  for (std::size_t n = 1; n <= 200; ++n)
    for (unsigned const percent : {0U, 50U, 97U, 100U}) {
      this->expect_alike(n, percent, n % 16);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(CompactionAlike, of_several_tiles) {
  ::test::Assume const small_caches(
      {.last_level_bytes = 64 << 10, .sharers = 1, .reading = KokkosScan::host::Reading::straight});
  for (std::size_t const n : {std::size_t{5'000}, std::size_t{16'384}, std::size_t{16'385}, std::size_t{31'000}})
    for (unsigned const percent : {0U, 1U, 50U, 98U, 100U}) {
      this->expect_alike(n, percent, percent % 16);
      if (this->HasFailure()) return;
    }
}

}  // namespace
}  // namespace test
