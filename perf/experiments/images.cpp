// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <KokkosScan/summed_area_table.hpp>
#include <KokkosScan/window_scan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

// Summed area tables and windows on the default space, each result checked, beside a copy of the bytes that must move;
// on hosts beside what one thread does:
//
//   experiment_images [divisor of the number of elements, 1 if there is none]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Floats  = Kokkos::View<float*, Exec>;
using Images  = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

constexpr bool on_host = std::is_same_v<Exec::memory_space, Kokkos::HostSpace>;

/// The medians of nine samples of each call, in microseconds. The samples take turns, so that all meet the same
/// machine.
template <class... Calls>
std::array<double, sizeof...(Calls)> times_of(Calls const&... calls) {
  constexpr int samples = 9;
  std::array<std::vector<double>, sizeof...(Calls)> times;
  std::array<int, sizeof...(Calls)> repetitions{};
  auto const timed = [](auto const& call, int count) {
    Kokkos::fence();
    Kokkos::Timer const timer;
    for (int k = 0; k < count; ++k) call();
    Kokkos::fence();
    return timer.seconds() * 1e6 / count;
  };
  std::size_t at    = 0;
  auto const warmed = [&](auto const& call) {
    timed(call, 1);
    repetitions[at++] = static_cast<int>(std::clamp(25'000 / timed(call, 1), 1.0, 10'000.0));
  };
  (warmed(calls), ...);
  for (int sample = 0; sample < samples; ++sample) {
    at                 = 0;
    auto const sampled = [&](auto const& call) {
      times[at].push_back(timed(call, repetitions[at]));
      ++at;
    };
    (sampled(calls), ...);
  }
  std::array<double, sizeof...(Calls)> medians{};
  for (std::size_t c = 0; c < medians.size(); ++c) {
    std::sort(times[c].begin(), times[c].end());
    medians[c] = times[c][samples / 2];
  }
  return medians;
}

void expect(bool right, char const* what) {
  if (right) return;
  std::printf("%s: WRONG\n", what);
  std::exit(1);
}

KOKKOS_INLINE_FUNCTION std::uint32_t scrambled(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ULL;
  x               = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::uint32_t>(x >> 33);
}

/// Elements are products of one number for the row and one for the column, so entries are products of their sums; these
/// are small integers, and exact.
struct Products {
  Kokkos::View<int*, Exec> rows, columns;
  Images image;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    std::size_t const i = k / image.extent(1), j = k % image.extent(1);
    image(i, j) = static_cast<float>(rows(i) * columns(j));
  }
};
struct CountWrong {
  Products sums;
  Images table;
  KOKKOS_FUNCTION void operator()(std::size_t k, long& wrong) const {
    std::size_t const i = k / table.extent(1), j = k % table.extent(1);
    wrong += table(i, j) != static_cast<float>(sums.rows(i) * sums.columns(j)) ? 1 : 0;
  }
};
/// The numbers of rows or of columns, and what they sum up to.
std::array<Kokkos::View<int*, Exec>, 2> numbers(std::size_t n, std::size_t seed) {
  Kokkos::View<int*, Exec> const each("each", n), sums("sums", n);
  auto const host = Kokkos::create_mirror(each), host_sums = Kokkos::create_mirror(sums);
  int sum = 0;
  for (std::size_t i = 0; i < n; ++i) host_sums(i) = sum += host(i) = static_cast<int>(scrambled(i + seed) % 3) - 1;
  Kokkos::deep_copy(each, host);
  Kokkos::deep_copy(sums, host_sums);
  return {each, sums};
}

void serial_table(float const* from, float* dest, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows; ++i) {
    float row = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      row += from[i * columns + j];
      dest[i * columns + j] = i > 0 ? dest[(i - 1) * columns + j] + row : row;
    }
  }
}

void tables(std::size_t rows, std::size_t columns) {
  Images const from("from", rows, columns), table("table", rows, columns), copied("copied", rows, columns);
  auto const of_rows = numbers(rows, 1), of_columns = numbers(columns, 1 << 20);
  Indices const all(Exec(), 0, rows * columns);
  Kokkos::parallel_for(all, Products{of_rows[0], of_columns[0], from});
  Exec const exec;
  auto const ours  = [&] { KokkosScan::summed_area_table(exec, from, table); };
  auto const copy  = [&] { Kokkos::deep_copy(exec, copied, from); };
  auto const check = [&] {
    long wrong = 0;
    Kokkos::parallel_reduce(all, CountWrong{{of_rows[1], of_columns[1], table}, table}, wrong);
    expect(wrong == 0, "summed_area_table");
  };
  ours();
  check();
  std::printf("summed_area_table %zu x %zu f32: ", rows, columns);
  if constexpr (on_host) {
    auto const peer  = [&] { serial_table(from.data(), table.data(), rows, columns); };
    auto const times = times_of(ours, copy, peer);
    std::printf("%.1f us, two copies %.1f us, %.3f of two copies; serial %.1f us, %.2f times\n", times[0], 2 * times[1],
                2 * times[1] / times[0], times[2], times[2] / times[0]);
  } else {
    auto const times = times_of(ours, copy);
    std::printf("%.1f us, two copies %.1f us, %.3f of two copies\n", times[0], 2 * times[1], 2 * times[1] / times[0]);
  }
  ours();
  check();
  std::fflush(stdout);
}

struct Scramble {
  Floats values;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { values(i) = static_cast<float>(scrambled(i) >> 7); }
};
/// Of some windows, those at the ends among them, each by itself.
struct CountWrongWindows {
  Floats from, dest;
  std::size_t before, after, samples;
  KOKKOS_FUNCTION void operator()(std::size_t k, long& wrong) const {
    std::size_t const n = from.extent(0), step = n / samples > 0 ? n / samples : 1;
    std::size_t const place = k + 1 == samples ? n - 1 : k * step + (k > 0 && step > 1 ? scrambled(k) % step : 0);
    std::size_t const i     = place < n ? place : n - 1;
    std::size_t const end   = n - 1 - i > after ? i + after + 1 : n;
    float most              = from(i);
    for (std::size_t j = i > before ? i - before : 0; j < end; ++j) most = from(j) > most ? from(j) : most;
    wrong += dest(i) != most ? 1 : 0;
  }
};

/// The running maximum of one thread, by a queue of candidates.
void serial_deque(float const* from, float* dest, std::size_t n, std::size_t before, std::size_t after) {
  std::deque<std::size_t> candidates;
  std::size_t end = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (; end < n && end <= i + after; ++end) {
      while (!candidates.empty() && from[candidates.back()] <= from[end]) candidates.pop_back();
      candidates.push_back(end);
    }
    while (candidates.front() + before < i) candidates.pop_front();
    dest[i] = from[candidates.front()];
  }
}
/// That of van Herk, Gil and Werman: prefixes and suffixes of the whole array by blocks of the window's width.
void serial_blocks(float const* from, float* dest, std::size_t n, std::size_t before, std::size_t after,
                   std::vector<float>& prefixes, std::vector<float>& suffixes) {
  std::size_t const width = before + after + 1;
  for (std::size_t begin = 0; begin < n; begin += width) {
    std::size_t const end = std::min(n, begin + width);
    float most            = from[begin];
    for (std::size_t i = begin; i < end; ++i) prefixes[i] = most = std::max(most, from[i]);
    most = from[end - 1];
    for (std::size_t i = end; i-- > begin;) suffixes[i] = most = std::max(most, from[i]);
  }
  auto const at_an_end = [&](std::size_t i) {
    std::size_t const first = i > before ? i - before : 0, last = std::min(n - 1, i + after);
    // Of a window that is clipped, both ends may be in one block.
    if (last / width != first / width) return std::max(suffixes[first], prefixes[last]);
    return first % width == 0 ? prefixes[last] : suffixes[first];
  };
  std::size_t const first = std::min(n, before), last = n > after ? std::max(first, n - after) : first;
  for (std::size_t i = 0; i < first; ++i) dest[i] = at_an_end(i);
  for (std::size_t i = first; i < last; ++i) dest[i] = std::max(suffixes[i - before], prefixes[i + after]);
  for (std::size_t i = last; i < n; ++i) dest[i] = at_an_end(i);
}

void windows(std::size_t n, std::size_t width) {
  Floats const from("from", n), dest("dest", n), copied("copied", n);
  Kokkos::parallel_for(Indices(Exec(), 0, n), Scramble{from});
  Exec const exec;
  std::size_t const before = width / 3, after = width - 1 - before;
  std::size_t const compared = (std::size_t{1} << (on_host ? 26 : 32)) / std::min(n, width) + 2;
  std::size_t const samples  = std::min(n, compared);
  auto const ours            = [&] {
    KokkosScan::window_scan(exec, from, dest, KokkosScan::Window{before, after}, KokkosScan::Max{});
  };
  auto const copy  = [&] { Kokkos::deep_copy(exec, copied, from); };
  auto const check = [&](char const* what) {
    long wrong = 0;
    Kokkos::parallel_reduce(Indices(Exec(), 0, samples), CountWrongWindows{from, dest, before, after, samples}, wrong);
    expect(wrong == 0, what);
  };
  ours();
  check("window_scan");
  std::printf("window_scan of %zu f32, width %zu, Max (%zu windows checked): ", n, width, samples);
  if constexpr (on_host) {
    std::vector<float> prefixes(n), suffixes(n);
    auto const deque  = [&] { serial_deque(from.data(), dest.data(), n, before, after); };
    auto const blocks = [&] { serial_blocks(from.data(), dest.data(), n, before, after, prefixes, suffixes); };
    deque();
    check("the queue of one thread");
    blocks();
    check("the blocks of one thread");
    auto const times = times_of(ours, copy, deque, blocks);
    std::printf(
        "%.1f us, copy %.1f us, %.3f of a copy; serial queue %.1f us, %.2f times; serial blocks %.1f us, %.2f "
        "times\n",
        times[0], times[1], times[1] / times[0], times[2], times[2] / times[0], times[3], times[3] / times[0]);
  } else {
    auto const times = times_of(ours, copy);
    std::printf("%.1f us, copy %.1f us, %.3f of a copy\n", times[0], times[1], times[1] / times[0]);
  }
  ours();
  check("window_scan");
  std::fflush(stdout);
}

/// Along an axis, where neighbours in memory are neighbouring lines, or not.
void columns(std::size_t rows, std::size_t width, int axis) {
  Images const from("from", rows, rows), dest("dest", rows, rows), copied("copied", rows, rows);
  Floats const values(from.data(), rows * rows);
  Kokkos::parallel_for(Indices(Exec(), 0, rows * rows), Scramble{values});
  Exec const exec;
  auto const ours = [&] {
    KokkosScan::window_scan(exec, from, dest, KokkosScan::Window{width / 2, width - 1 - width / 2}, KokkosScan::Min{},
                            KokkosScan::Axis{axis});
  };
  auto const copy  = [&] { Kokkos::deep_copy(exec, copied, from); };
  auto const times = times_of(ours, copy);
  std::printf(
      "window_scan of %zu x %zu f32 along axis %d, width %zu, Min (not checked here): %.1f us, copy %.1f us, "
      "%.3f of a copy\n",
      rows, rows, axis, width, times[0], times[1], times[1] / times[0]);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::size_t const divisor = count > 1 ? static_cast<std::size_t>(std::max(1, std::atoi(arguments[1]))) : 1;
  if constexpr (on_host) {
    for (std::size_t const n : {std::size_t{1} << 16, (std::size_t{1} << 22) / divisor})
      for (std::size_t const width : {std::size_t{3}, std::size_t{10}, std::size_t{100}, std::size_t{1'000},
                                      std::size_t{100'000}, std::size_t{1'000'000}})
        windows(n, std::min(n, width));
    tables(256, 256);
    tables(2048, 2048 / divisor);
    columns(2048, 15, 0);
    columns(2048, 15, 1);
    columns(2048, 300, 0);
  } else {
    std::size_t const n = (std::size_t{1} << 28) / divisor;
    tables(16'384, 16'384 / divisor);
    for (std::size_t const width :
         {std::size_t{3}, std::size_t{10}, std::size_t{100}, std::size_t{1'000}, std::size_t{5'000},
          std::size_t{100'000}, std::size_t{1'000'000}, std::size_t{100'000'000}})
      windows(n, std::min(n, width));
    windows(1 << 20, 10);
    for (int const axis : {0, 1}) {
      columns(8'192, 15, axis);
      columns(8'192, 300, axis);
    }
  }
}
