// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <KokkosScan/compare.hpp>
#include <KokkosScan/lexicographical_ranks.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Comparisons and ranks of strings on the default space, each result checked: beside a reduction that only reads both
// arrays, a copy that moves as many bytes, and on hosts what the C and C++ libraries do serially.
//
//   experiment_strings [by how much sizes are divided, 1 on a device and 64 on a host if there is none]
namespace {

using Exec                   = Kokkos::DefaultExecutionSpace;
using Space                  = Exec::memory_space;
using Bytes                  = Kokkos::View<char*, Space>;
using Indices                = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
using Place                  = Kokkos::View<std::int64_t, Space>;
constexpr bool is_on_host    = std::is_same_v<Space, Kokkos::HostSpace>;
constexpr std::size_t sample = 7;

/// The median of some samples, each of at least 20 ms, in microseconds a call.
template <class Call>
double time_of(Call const& call) {
  call();
  Kokkos::fence();
  long calls = 1;
  for (;; calls *= 2) {
    Kokkos::Timer const timer;
    for (long k = 0; k < calls; ++k) call();
    Kokkos::fence();
    if (timer.seconds() > 0.02) break;
  }
  std::array<double, sample> samples{};
  for (double& one : samples) {
    Kokkos::Timer const timer;
    for (long k = 0; k < calls; ++k) call();
    Kokkos::fence();
    one = timer.seconds() * 1e6 / static_cast<double>(calls);
  }
  std::sort(samples.begin(), samples.end());
  return samples[sample / 2];
}

/// Called each time, whatever compilers know of std::memcmp.
int (*volatile compare_bytes)(void const*, void const*, std::size_t) = std::memcmp;
template <class T>
std::size_t mismatch(T const* a, T const* b, std::size_t n) {
  return static_cast<std::size_t>(std::mismatch(a, a + n, b).first - a);
}

void require(bool right, std::string const& what) {
  if (right) return;
  std::printf("WRONG: %s\n", what.c_str());
  std::exit(1);
}
void print(std::string const& what, double time) {
  std::printf("%-66s %12.2f us\n", what.c_str(), time);
  std::fflush(stdout);
}
void print(std::string const& what, double time, char const* peer, double of_peer) {
  std::printf("%-66s %12.2f us, %s %12.2f us: %.3f times as fast\n", what.c_str(), time, peer, of_peer, of_peer / time);
  std::fflush(stdout);
}

struct alignas(16) Words {
  std::uint64_t low, high;
};
struct Fill {
  Bytes bytes;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::uint64_t const mixed = (i + 1) * 0x9e3779b97f4a7c15ULL;
    bytes(i)                  = static_cast<char>(mixed >> 56);
  }
};
/// Only reads both.
struct Read {
  Words const *a, *b;
  KOKKOS_FUNCTION void operator()(std::size_t i, unsigned long& differing) const {
    Words const x = a[i], y = b[i];
    differing += ((x.low ^ y.low) | (x.high ^ y.high)) != 0 ? 1 : 0;
  }
};

struct Pair {
  Bytes a, whole_b, b;  // b begins `on` bytes after whole_b
};
Pair make_pair(std::size_t n, std::size_t on) {
  Bytes const a("a", n), whole("b", n + 16);
  Kokkos::parallel_for(Indices(0, n), Fill{a});
  Bytes const b = Kokkos::subview(whole, Kokkos::make_pair(on, on + n));
  Kokkos::deep_copy(b, a);
  return {a, whole, b};
}
void set(Bytes const& bytes, std::size_t i, char value) { Kokkos::deep_copy(Kokkos::subview(bytes, i), value); }
char get(Bytes const& bytes, std::size_t i) {
  char value = 0;
  Kokkos::deep_copy(value, Kokkos::subview(bytes, i));
  return value;
}

void check(Bytes const& a, Bytes const& b, std::int64_t order, std::int64_t place, std::string const& what) {
  std::int64_t found = 77, first = 77;
  KokkosScan::compare(Exec(), a, b, KokkosScan::Total{found});
  KokkosScan::first_difference(Exec(), a, b, KokkosScan::Total{first});
  require(found == order && first == place,
          what + ": order " + std::to_string(found) + ", place " + std::to_string(first));
}

double time_of_reading(void const* a, void const* b, std::size_t bytes) {
  Read const read{static_cast<Words const*>(a), static_cast<Words const*>(b)};
  Kokkos::View<unsigned long, Space> const differing("differing");
  return time_of([&] { Kokkos::parallel_reduce(Indices(Exec(), 0, bytes / sizeof(Words)), read, differing); });
}

void equal_strings(std::size_t n) {
  Exec const exec;
  Place const result("result");
  for (std::size_t const on : {std::size_t{0}, std::size_t{1}}) {
    Pair const pair        = make_pair(n, on);
    std::string const what = std::to_string(n) + " bytes" + (on > 0 ? ", one string a byte on" : "");
    check(pair.a, pair.b, 0, static_cast<std::int64_t>(n), what);
    double const order   = time_of([&] { KokkosScan::compare(exec, pair.a, pair.b, KokkosScan::Total{result}); });
    double const reading = time_of_reading(pair.a.data(), pair.whole_b.data(), n);
    double const copy    = time_of([&] { Kokkos::deep_copy(exec, pair.b, pair.a); });
    print("compare, equal, " + what, order, "a reduction that reads both", reading);
    print("compare, equal, " + what, order, "a copy of one", copy);
    double const place =
        time_of([&] { KokkosScan::first_difference(exec, pair.a, pair.b, KokkosScan::Total{result}); });
    print("first_difference, equal, " + what, place, "a reduction that reads both", reading);
    if constexpr (is_on_host) {
      int found = 0;
      print("compare, equal, " + what, order, "std::memcmp",
            time_of([&] { found |= compare_bytes(pair.a.data(), pair.b.data(), n); }));
      require(found == 0, "std::memcmp");
      std::size_t at                                                               = 0;
      std::size_t (*volatile find_mismatch)(char const*, char const*, std::size_t) = mismatch<char>;
      print("first_difference, equal, " + what, place, "std::mismatch",
            time_of([&] { at = find_mismatch(pair.a.data(), pair.b.data(), n); }));
      require(at == n, "std::mismatch");
    }
  }
}

void early_differences(std::size_t n) {
  Exec const exec;
  Place const result("result");
  Pair const pair = make_pair(n, 0);
  for (std::size_t const place : {std::size_t{500}, std::size_t{100'000}, std::size_t{1} << 20, n / 2}) {
    if (place >= n) continue;
    std::string const what = std::to_string(n) + " bytes, a difference at " + std::to_string(place);
    char const old         = get(pair.a, place);
    auto const less        = static_cast<unsigned char>(old) > 0;
    set(pair.b, place, static_cast<char>(less ? static_cast<unsigned char>(old) - 1 : 1));
    check(pair.a, pair.b, less ? 1 : -1, static_cast<std::int64_t>(place), what);
    double const order = time_of([&] { KokkosScan::compare(exec, pair.a, pair.b, KokkosScan::Total{result}); });
    print("compare, " + what, order);
    if constexpr (is_on_host) {
      int sum = 0;
      print("compare, " + what, order, "std::memcmp",
            time_of([&] { sum |= compare_bytes(pair.a.data(), pair.b.data(), n); }));
      require(sum != 0, "std::memcmp");
    }
    set(pair.b, place, old);
  }
}

/// Floats, which are compared one by one.
void equal_floats(std::size_t n) {
  Exec const exec;
  Place const result("result");
  Kokkos::View<float*, Space> const a("a", n), b("b", n);
  Kokkos::deep_copy(a, 1.5F);
  Kokkos::deep_copy(b, 1.5F);
  double const copy  = time_of([&] { Kokkos::deep_copy(exec, b, a); });
  double const place = time_of([&] { KokkosScan::first_difference(exec, a, b, KokkosScan::Total{result}); });
  print("first_difference, equal, " + std::to_string(n) + " floats", place, "a copy of one", copy);
  print("first_difference, equal, " + std::to_string(n) + " floats", place, "a reduction that reads both",
        time_of_reading(a.data(), b.data(), n * sizeof(float)));
  if constexpr (is_on_host) {
    std::size_t at                                                                 = 0;
    std::size_t (*volatile find_mismatch)(float const*, float const*, std::size_t) = mismatch<float>;
    print("first_difference, equal, " + std::to_string(n) + " floats", place, "std::mismatch",
          time_of([&] { at = find_mismatch(a.data(), b.data(), n); }));
    require(at == n, "std::mismatch");
  }
}

struct Strings {
  std::string text;
  std::vector<std::int64_t> offsets{0};

  std::string_view at(std::size_t i) const {
    return std::string_view(text).substr(static_cast<std::size_t>(offsets[i]),
                                         static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};
/// Many words, of which some are equal, and begin alike.
Strings make_strings(std::size_t n, int shortest, int longest, bool with_a_long_one) {
  Strings strings;
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < n; ++i) {
    auto const length = static_cast<int>(random() % static_cast<unsigned>(longest - shortest + 1)) + shortest;
    for (int k = 0; k < length; ++k) strings.text += static_cast<char>('a' + random() % (k < 4 ? 3 : 26));
    if (with_a_long_one && i == n / 2) strings.text.append(n * 4, 'a');
    strings.offsets.push_back(static_cast<std::int64_t>(strings.text.size()));
  }
  return strings;
}

void ranks(std::size_t n, int shortest, int longest, bool with_a_long_one) {
  Exec const exec;
  Strings const strings  = make_strings(n, shortest, longest, with_a_long_one);
  std::string const what = std::to_string(n) + " strings of " + std::to_string(shortest) + " to " +
                           std::to_string(longest) +
                           (with_a_long_one ? " and one of " + std::to_string(4 * n) : std::string());
  std::vector<std::uint32_t> expected(n);
  std::uint32_t distinct    = 0;
  double const time_of_sort = time_of([&] {
    std::vector<std::string_view> views(n);
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) views[i] = strings.at(i);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return views[a] < views[b]; });
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0 && views[order[i]] != views[order[i - 1]]) ++rank;
      expected[order[i]] = rank;
    }
    distinct = rank + 1;
  });
  Bytes const text("text", strings.text.size());
  Kokkos::View<std::int64_t*, Space> const offsets("offsets", n + 1);
  Kokkos::View<std::uint32_t*, Space> const ranks("ranks", n);
  using OnHost = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(text, Kokkos::View<char const*, Kokkos::HostSpace, OnHost>(strings.text.data(), text.extent(0)));
  Kokkos::deep_copy(offsets,
                    Kokkos::View<std::int64_t const*, Kokkos::HostSpace, OnHost>(strings.offsets.data(), n + 1));
  Place const count("count");
  auto const check_ranks = [&] {
    std::vector<std::uint32_t> found(n);
    Kokkos::deep_copy(Kokkos::View<std::uint32_t*, Kokkos::HostSpace, OnHost>(found.data(), n), ranks);
    std::int64_t of_distinct = 0;
    Kokkos::deep_copy(of_distinct, count);
    require(found == expected && of_distinct == distinct, "ranks of " + what);
    Kokkos::deep_copy(ranks, 77U);
  };
  auto const all = [&] { KokkosScan::lexicographical_ranks(exec, text, offsets, ranks, KokkosScan::Total{count}); };
  all();
  check_ranks();
  print("ranks of " + what, time_of(all), "std::sort", time_of_sort);
  check_ranks();
  if (with_a_long_one) return;
  auto const bounded = [&] {
    KokkosScan::lexicographical_ranks(exec, text, offsets, ranks, KokkosScan::Total{count},
                                      KokkosScan::Longest{longest});
  };
  bounded();
  check_ranks();
  print("ranks of " + what + ", Longest", time_of(bounded), "std::sort", time_of_sort);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::size_t const divisor = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : is_on_host ? 64 : 1;
  std::printf("%s, %d threads\n", Exec::name(), Exec().concurrency());
  std::size_t const n = (std::size_t{1} << 30) / divisor;
  equal_strings(n);
  early_differences(n);
  for (std::size_t const fewer :
       {std::size_t{1} << 22, std::size_t{1} << 18, std::size_t{1} << 16, std::size_t{1} << 10})
    equal_strings(fewer);
  early_differences(std::size_t{1} << 22);
  equal_floats(n / 4);
  equal_floats(std::size_t{1} << 20);
  equal_floats(std::size_t{1} << 14);
  std::size_t const strings = (std::size_t{1} << 24) / divisor;
  ranks(strings, 2, 7, false);
  ranks(strings, 4, 20, false);
  ranks(strings / 16, 100, 300, false);
  ranks(strings / 16, 2, 12, true);
}
