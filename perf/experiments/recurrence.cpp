// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <KokkosScan/polynomial.hpp>
#include <KokkosScan/recurrence.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

// Linear recurrences and polynomials on the default space, each result checked, beside a copy of as many bytes, a sum
// of the same array, what Kokkos has for it, and on a host the plain loop:
//
//   experiment_recurrence [a divisor of the sizes, 1 on a device and 16 on a host if there is none]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Doubles = Kokkos::View<double*, Exec>;
using Table   = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

constexpr bool on_host = std::is_same_v<Exec::memory_space, Kokkos::HostSpace>;
int failures           = 0;

/// The median of nine samples, in microseconds, each of so many calls that it takes 3 ms or more.
template <class Call>
double time_of(Call const& call) {
  auto const sample = [&](int calls) {
    Kokkos::fence();
    Kokkos::Timer const timer;
    for (int k = 0; k < calls; ++k) call();
    Kokkos::fence();
    return timer.seconds() * 1e6 / calls;
  };
  sample(1);
  int const calls = static_cast<int>(std::clamp(3000 / std::max(sample(2), 1.0), 1.0, 1000.0)) + 1;
  std::vector<double> times;
  for (int k = 0; k < 9; ++k) times.push_back(sample(calls));
  std::sort(times.begin(), times.end());
  return times[4];
}

double time_of_copy(std::size_t bytes_read_and_written) {
  std::size_t const n = std::max<std::size_t>(1, bytes_read_and_written / 16);
  Doubles const from("from", n), to("to", n);
  return time_of([&] { Kokkos::deep_copy(Exec(), to, from); });
}

void check(bool good, std::string const& what) {
  if (good) return;
  ++failures;
  std::printf("WRONG: %s\n", what.c_str());
}

void print(std::string const& what, double ours, double copy, std::string const& peer_name, double peer) {
  std::printf("%-52s %10.1f us, %5.3f of a copy (%.1f us), %6.2f times %s (%.1f us)\n", what.c_str(), ours, copy / ours,
              copy, peer / ours, peer_name.c_str(), peer);
  std::fflush(stdout);
}

/// Numbers between -1 and 1, of their index.
struct Fill {
  Doubles to;
  double scale, base;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x               = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x               = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    to(i)           = base + scale * (static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1);
  }
};
Doubles filled(std::size_t n, double scale, double base = 0) {
  Doubles const view("view", n);
  Kokkos::parallel_for(Indices(Exec(), 0, n), Fill{view, scale, base});
  return view;
}

/// Whether each result is what the recurrence makes of the one before, but for some roundings.
struct Residual {
  Doubles a, b, x;
  double constant, start;
  std::size_t order;  // of constants: x(i) = constant x(i-1) - x(i-2) / 4 + b(i) where it is 2
  KOKKOS_FUNCTION void operator()(std::size_t i, long& wrong) const {
    double const before = i > 0 ? x(i - 1) : start, earlier = i > 1 ? x(i - 2) : start;
    double const first = (a.extent(0) > 0 ? a(i) : constant) * before, second = order == 2 ? -0.25 * earlier : 0;
    double const size = Kokkos::abs(first) + Kokkos::abs(second) + Kokkos::abs(b(i));
    wrong += Kokkos::abs(first + second + b(i) - x(i)) <= 1e-12 * (size + 1) ? 0 : 1;
  }
};
void check_recurrence(Residual const& residual, std::string const& what) {
  long wrong = 0;
  Kokkos::parallel_reduce(Indices(Exec(), 0, residual.b.extent(0)), residual, wrong);
  check(wrong == 0, what + ": " + std::to_string(wrong));
}

struct Map {
  double scale, offset;
};
/// What Kokkos has.
struct KokkosRecurrence {
  using value_type = Map;
  Doubles a, b, x;
  double start;
  KOKKOS_FUNCTION void init(Map& map) const { map = {1, 0}; }
  KOKKOS_FUNCTION void join(Map& left, Map const& right) const {
    left = {left.scale * right.scale, right.scale * left.offset + right.offset};
  }
  KOKKOS_FUNCTION void operator()(std::size_t i, Map& map, bool final) const {
    join(map, {a(i), b(i)});
    if (final) x(i) = map.scale * start + map.offset;
  }
};

/// On a host, by one thread.
[[gnu::noinline]] void loop(double const* a, double const* b, double* x, std::size_t n, double before) {
  for (std::size_t i = 0; i < n; ++i) x[i] = before = a[i] * before + b[i];
}
[[gnu::noinline]] double horner(double const* c, std::size_t n, double x) {
  double y = 0;
  for (std::size_t i = n; i-- > 0;) y = y * x + c[i];
  return y;
}

void recurrences(std::size_t n) {
  Doubles const a = filled(n, 1.1), b = filled(n, 1, 0.1), x("x", n);
  double const start     = 0.7;
  std::string const name = "of order 1, " + std::to_string(n);
  double const ours      = time_of([&] { KokkosScan::linear_recurrence(Exec(), a, b, x, start); });
  check_recurrence({a, b, x, 0, start, 1}, name);
  double const copy = time_of_copy(24 * n);
  print(name, ours, copy, "Kokkos::parallel_scan",
        time_of([&] { Kokkos::parallel_scan(Indices(Exec(), 0, n), KokkosRecurrence{a, b, x, start}); }));
  if constexpr (on_host)
    print(name, ours, copy, "the loop", time_of([&] { loop(a.data(), b.data(), x.data(), n, start); }));

  Kokkos::deep_copy(x, 0.0);
  double const filter = time_of([&] { KokkosScan::linear_recurrence(Exec(), 0.9, b, x, start); });
  check_recurrence({Doubles(), b, x, 0.9, start, 1}, "with a constant");
  print("with a constant, " + std::to_string(n), filter, time_of_copy(16 * n), "of order 1", ours);

  Kokkos::deep_copy(x, 0.0);
  Kokkos::Array<double, 2> const two{1.0, -0.25}, before{start, start};
  double const second = time_of([&] { KokkosScan::linear_recurrence(Exec(), two, b, x, before); });
  check_recurrence({Doubles(), b, x, 1.0, start, 2}, "of order 2");
  print("of order 2 with constants, " + std::to_string(n), second, time_of_copy(16 * n), "of order 1", ours);

  Kokkos::deep_copy(x, 0.0);
  double const blocks =
      time_of([&] { KokkosScan::linear_recurrence(Exec(), a, b, x, start, KokkosScan::RestartEvery{256}); });
  check_recurrence({a, b, x, 0, start, 1}, "in blocks");
  print("of order 1, restarted every 256, " + std::to_string(n), blocks, copy, "of order 1", ours);
}

struct ColumnResidual {
  Table from, to;
  KOKKOS_FUNCTION void operator()(std::size_t k, long& wrong) const {
    std::size_t const i = k / from.extent(1), j = k % from.extent(1);
    double const expected = 0.2 * from(i, j) + 0.8 * (i > 0 ? to(i - 1, j) : 0);
    wrong += Kokkos::abs(expected - to(i, j)) <= 1e-12 ? 0 : 1;
  }
};
struct FillTable {
  Table to;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    to(k / to.extent(1), k % to.extent(1)) = static_cast<double>(k * 2654435761u % 1024) / 1024;
  }
};
void smoothed_columns(std::size_t rows, std::size_t columns) {
  Table const from("from", rows, columns), to("to", rows, columns);
  Kokkos::parallel_for(Indices(Exec(), 0, rows * columns), FillTable{from});
  double const ours =
      time_of([&] { KokkosScan::exponential_smoothing(Exec(), 0.2, from, to, 0.0, KokkosScan::Axis{0}); });
  long wrong = 0;
  Kokkos::parallel_reduce(Indices(Exec(), 0, rows * columns), ColumnResidual{from, to}, wrong);
  check(wrong == 0, "smoothed columns");
  double const sums = time_of([&] { KokkosScan::inclusive_scan(Exec(), from, to, KokkosScan::Axis{0}); });
  print("smoothed columns, " + std::to_string(rows) + " x " + std::to_string(columns), ours,
        time_of_copy(16 * rows * columns), "sums of them", sums);
}

/// Horner's rule with its errors found and added (Graillat, Langlois, Louvet 2005).
double compensated_horner(std::vector<double> const& c, double x) {
  double y = 0, error = 0;
  for (std::size_t i = c.size(); i-- > 0;) {
    double const product = y * x, of_product = std::fma(y, x, -product);
    double const sum = product + c[i], part = sum - product;
    double const of_sum = (product - (sum - part)) + (c[i] - part);
    error               = error * x + (of_product + of_sum);
    y                   = sum;
  }
  return y + error;
}

struct Add {
  Doubles from;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& sum) const { sum += from(i); }
};
struct AddProducts {
  Doubles from, by;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& sum) const { sum += from(i) * by(i); }
};
struct PowerOf {
  double x;
  KOKKOS_FUNCTION double operator()(std::size_t) const { return x; }
};
struct Store {
  Doubles to;
  KOKKOS_FUNCTION void operator()(std::size_t i, double value) const { to(i) = value; }
};

void polynomials(std::size_t n, bool with_errors) {
  Doubles const c = filled(n, 1, 0.3);
  Kokkos::View<double, Exec> const y("y"), sum("sum");
  std::string const name = "a polynomial of " + std::to_string(n);
  double const x         = 1 - 20.0 / static_cast<double>(n);
  double const ours      = time_of([&] { KokkosScan::evaluate_polynomial(Exec(), c, x, KokkosScan::Total{y}); });
  double const reading   = time_of([&] { Kokkos::parallel_reduce(Indices(Exec(), 0, n), Add{c}, sum); });
  print(name, ours, time_of_copy(8 * n), "a sum", reading);

  std::vector<double> values(n);
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), n), c);
  if constexpr (on_host) {
    double last       = 0;
    double const loop = time_of([&] { last += horner(values.data(), n, x); });
    print(name, ours, time_of_copy(8 * n), "the loop", loop);
    check(last != 0.5, "the loop");
  }
  Doubles const powers("powers", n);
  double by_powers     = 0;
  double const scanned = time_of([&] {
    KokkosScan::exclusive_scan(Exec(), n, PowerOf{x}, Store{powers}, 1.0, KokkosScan::Product{});
    Kokkos::parallel_reduce(Indices(Exec(), 0, n), AddProducts{c, powers}, by_powers);
  });
  print(name, ours, time_of_copy(8 * n), "by scanned powers", scanned);
  for (double const at : {x, -x, 0.5, 1.0}) {
    double found = 0;
    KokkosScan::evaluate_polynomial(Exec(), c, at, KokkosScan::Total{found});
    double const exact = compensated_horner(values, at), plain = horner(values.data(), n, at);
    double most = 0;
    for (std::size_t i = n; i-- > 0;) most = most * std::abs(at) + std::abs(values[i]);
    check(std::abs(found - exact) <= 1e-12 * most, name + " at " + std::to_string(at));
    if (with_errors)
      std::printf(
          "  at %.8f, of compensated Horner, in units of 2^-53 times the sum of absolute terms: ours %.2e, Horner "
          "%.2e%s\n",
          at, std::abs(found - exact) / most * 0x1p53, std::abs(plain - exact) / most * 0x1p53,
          at == x ? (", scanned powers " + std::to_string(std::abs(by_powers - exact) / most * 0x1p53)).c_str() : "");
  }
}

struct HornerAt {
  Doubles c, x, y;
  KOKKOS_FUNCTION void operator()(std::size_t p) const {
    double value = 0;
    for (std::size_t i = c.extent(0); i-- > 0;) value = value * x(p) + c(i);
    y(p) = value;
  }
};
struct Difference {
  Doubles a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& wrong) const {
    wrong += Kokkos::abs(a(i) - b(i)) <= 1e-11 * (1 + Kokkos::abs(b(i))) ? 0 : 1;
  }
};
void at_points(std::size_t n, std::size_t points) {
  Doubles const c = filled(n, 1), x = filled(points, 0.95), y("y", points), expected("expected", points);
  double const ours = time_of([&] { KokkosScan::evaluate_polynomial(Exec(), c, x, y); });
  double const loop = time_of([&] { Kokkos::parallel_for(Indices(Exec(), 0, points), HornerAt{c, x, expected}); });
  long wrong        = 0;
  Kokkos::parallel_reduce(Indices(Exec(), 0, points), Difference{y, expected}, wrong);
  check(wrong == 0, std::to_string(points) + " points");
  print(std::to_string(n) + " coefficients at " + std::to_string(points) + " points", ours,
        time_of_copy(8 * n + 16 * points), "a loop for each", loop);
}

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  int const given = count > 1 ? std::atoi(arguments[1]) : on_host ? 16 : 1;
  if (given < 1) {
    std::fprintf(stderr, "experiment_recurrence: the divisor must be 1 or more\n");
    return 1;
  }
  auto const divisor = static_cast<std::size_t>(given);
  recurrences((std::size_t{1} << 27) / divisor);
  if (on_host) recurrences(std::size_t{1} << 22);
  recurrences(std::size_t{1} << 16);
  smoothed_columns(8192 / divisor + 1, 8192);
  polynomials(100'000'000 / divisor, true);
  if (on_host) polynomials(std::size_t{1} << 22, false);
  polynomials(std::size_t{1} << 16, false);
  at_points(1000, 1'000'000 / divisor + 1);
  at_points(1'000'000 / divisor + 1, 100);
  at_points(10'000'000 / divisor + 1, 4);
  std::printf(failures > 0 ? "%d wrong\n" : "all right\n", failures);
  return failures > 0 ? 1 : 0;
}
