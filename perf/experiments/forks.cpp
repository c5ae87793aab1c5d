// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <parallel/numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

// When several threads pay: scans on the host's default space with 1, 4, 8, 16 threads, each result checked, beside a
// parallel memcpy, GNU parallel and Kokkos::parallel_scan with as many, in arrays that were scanned just before. The
// program starts itself for each number of threads. What is slower than with one thread is repeated five times, in
// turns with one thread, the medians counting.
//
//   experiment_forks [the largest exponent, 27 if there is none [threads ...]]
//
// Exit status: 0; 2 if a result was wrong, or something else.
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Team = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
using Row  = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

constexpr int first_exponent = 10, largest_exponent = 30, repetitions = 5;

enum Who { ours, copy, gnu, kokkos, contestants };
using Seconds                 = std::array<double, contestants>;
constexpr char const* kinds[] = {"sum", "max", "lambda"};
constexpr char const* types[] = {"f32", "f64", "i32", "u8"};

/// One type, operator and length.
struct Case {
  int type, kind, exponent;
  auto operator<=>(Case const&) const = default;

  std::size_t n() const { return std::size_t{1} << exponent; }
  double bytes() const {
    constexpr double of_type[] = {4, 8, 4, 1};
    return 2 * of_type[type] * static_cast<double>(n());
  }
  std::string name() const { return std::string(types[type]) + " " + kinds[kind] + " 2^" + std::to_string(exponent); }
  std::string code() const {
    return std::to_string(type) + "." + std::to_string(kind) + "." + std::to_string(exponent) + ",";
  }
};

// ---------------------------------------------------------------- one number of threads

/// Of so many calls that a sample takes 2 ms, the median of five samples.
template <class Call>
double time_of(Call const& call) {
  auto const sample = [&](int calls) {
    Kokkos::Timer const timer;
    for (int k = 0; k < calls; ++k) {
      call();
      asm volatile("" ::: "memory");
    }
    return timer.seconds() / calls;
  };
  sample(1);
  int const calls = static_cast<int>(std::clamp(2e-3 / std::max(sample(3), 1e-8), 1.0, 1e5)) + 1;
  std::array<double, 5> times;
  for (double& time : times) time = sample(calls);
  std::sort(times.begin(), times.end());
  return times[2];
}

/// Of whose sums all are exact, in any order: -1, 0 and 1.
template <class T>
T input(std::size_t i) {
  std::uint64_t const x = (i + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<T>(static_cast<int>((x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 40) % 3 - 1);
}

template <class T>
class Arrays {
 public:
  struct Plus {
    T operator()(T left, T right) const { return static_cast<T>(left + right); }
  };
  struct Larger {
    T operator()(T left, T right) const { return left < right ? right : left; }
  };

  explicit Arrays(std::size_t n)
      : from_(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), n),
        to_(Kokkos::view_alloc("to", Kokkos::WithoutInitializing), n) {
    auto const from = from_, to = to_;
    Kokkos::parallel_for("inputs", Row(0, n), [=](std::size_t i) {
      from(i) = input<T>(i);
      to(i)   = T(1);
    });
  }

  /// The operator, as KokkosScan and as the others have it.
  template <class Ours, class Op>
  Seconds measure(Case const& what, Ours const& op, Op const& theirs) const {
    auto const n    = what.n();
    auto const from = Kokkos::subview(from_, std::pair<std::size_t, std::size_t>(0, n));
    auto const to   = Kokkos::subview(to_, std::pair<std::size_t, std::size_t>(0, n));
    Exec const exec;
    T const* const begin = from.data();
    T* const dest        = to.data();

    std::array<double, contestants> seconds{};
    auto const add = [&](Who who, auto const& call) {
      std::fill_n(dest, n, static_cast<T>(77));
      call();
      T running{};
      for (std::size_t i = 0; i < n; ++i) {
        running = who == copy ? begin[i] : i == 0 ? begin[0] : theirs(running, begin[i]);
        if (dest[i] != running)
          throw std::runtime_error(what.name() + ": contestant " + std::to_string(who) + " is wrong at " +
                                   std::to_string(i));
      }
      seconds[who] = time_of(call);
    };
    add(ours, [&] { KokkosScan::inclusive_scan(exec, from, to, op); });
    add(copy, [&] { copy_in_parallel(begin, dest, n); });
    add(gnu, [&] { __gnu_parallel::partial_sum(begin, begin + n, dest, theirs); });
    add(kokkos, [&] { Kokkos::parallel_scan("parallel_scan", Row(exec, 0, n), Functor<Op>{begin, dest, theirs}); });
    return seconds;
  }

 private:
  template <class Op>
  struct Functor {
    using value_type = T;
    T const* from;
    T* to;
    Op op;
    void operator()(std::size_t i, T& update, bool is_final) const {
      update = op(update, from[i]);
      if (is_final) to[i] = update;
    }
    void init(T& update) const { update = std::is_same_v<Op, Larger> ? std::numeric_limits<T>::lowest() : T{}; }
    void join(T& update, T const& right) const { update = op(update, right); }
  };

  /// To each thread a part, in whole pages.
  static void copy_in_parallel(T const* from, T* to, std::size_t n) {
    std::size_t const bytes = n * sizeof(T), threads = static_cast<std::size_t>(Exec().concurrency());
    std::size_t const each = (bytes + threads * 4096 - 1) / (threads * 4096) * 4096;
    Kokkos::parallel_for("copy", Team(0, static_cast<int>(threads), Kokkos::ChunkSize(1)), [=](int thread) {
      std::size_t const begin = std::min(bytes, static_cast<std::size_t>(thread) * each);
      std::memcpy(reinterpret_cast<char*>(to) + begin, reinterpret_cast<char const*>(from) + begin,
                  std::min(bytes - begin, each));
    });
  }

  Kokkos::View<T*, Exec> from_, to_;
};

template <class T>
void measure_type(int type, std::vector<Case> const& cases) {
  int largest = 0;
  for (Case const& one : cases)
    if (one.type == type) largest = std::max(largest, one.exponent);
  if (largest == 0) return;
  Arrays<T> const arrays(std::size_t{1} << largest);
  typename Arrays<T>::Plus const plus{};
  typename Arrays<T>::Larger const larger{};
  for (Case const& one : cases) {
    if (one.type != type) continue;
    Seconds seconds{};
    if (one.kind == 0) seconds = arrays.measure(one, KokkosScan::Sum(), plus);
    if (one.kind == 1) seconds = arrays.measure(one, KokkosScan::Max(), larger);
    // The library knows nothing of an operator in a lambda.
    if (one.kind == 2) seconds = arrays.measure(one, [](T a, T b) { return static_cast<T>(a + b); }, plus);
    std::printf("%d %d %d", one.type, one.kind, one.exponent);
    for (double const of : seconds) std::printf(" %.9g", of);
    std::printf("\n");
    std::fflush(stdout);
  }
}

/// Prints what each case of the list takes with so many threads.
int measure(int threads, char const* list) {
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_num_threads(threads).set_disable_warnings(true));
  omp_set_num_threads(threads);
  if (Exec().concurrency() != threads) {
    std::fprintf(stderr, "experiment_forks: %d threads are wanted, %s has %d\n", threads, Exec::name(),
                 Exec().concurrency());
    return 2;
  }
  std::vector<Case> cases;
  Case one{};
  for (int length = 0; std::sscanf(list, "%d.%d.%d,%n", &one.type, &one.kind, &one.exponent, &length) == 3;
       list += length)
    cases.push_back(one);
  measure_type<float>(0, cases);
  measure_type<double>(1, cases);
  measure_type<int>(2, cases);
  measure_type<std::uint8_t>(3, cases);
  return 0;
}

// ---------------------------------------------------------------- all of them

using Results = std::map<std::tuple<int, Case>, std::vector<Seconds>>;  // threads and case

void run(int threads, std::vector<Case> const& cases, Results& results) {
  std::string list, program(4096, '\0');
  for (Case const& one : cases) list += one.code();
  auto const length = readlink("/proc/self/exe", program.data(), program.size());
  if (length < 0) throw std::runtime_error("where is this program?");
  std::fprintf(stderr, "%d threads, %zu cases\n", threads, cases.size());
  program.resize(static_cast<std::size_t>(length));
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  std::string const command = "'" + program + "' --measure " + std::to_string(threads) + " " + list;
  auto* const pipe          = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  Case one{};
  Seconds s{};
  std::size_t count = 0;
  while (std::fscanf(pipe, "%d %d %d %lf %lf %lf %lf", &one.type, &one.kind, &one.exponent, &s[ours], &s[copy], &s[gnu],
                     &s[kokkos]) == 7) {
    results[{threads, one}].push_back(s);
    ++count;
  }
  int const status = pclose(pipe);
  if (status != 0 || count != cases.size())
    throw std::runtime_error("with " + std::to_string(threads) + " threads " + std::to_string(count) + " of " +
                             std::to_string(cases.size()) + " cases came back");
}

double median(Results const& results, int threads, Case const& one, Who who) {
  std::vector<double> all;
  for (Seconds const& seconds : results.at({threads, one})) all.push_back(seconds[who]);
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

int number(char const* text, int least, int most) {
  int value            = 0;
  char const* const at = text + std::strlen(text);
  if (std::from_chars(text, at, value).ptr != at || value < least || value > most)
    throw std::invalid_argument(std::string(text) + ": a number from " + std::to_string(least) + " to " +
                                std::to_string(most) + " is wanted");
  return value;
}

int main_program(int count, char** arguments) {
  int const largest = count > 1 ? number(arguments[1], first_exponent, largest_exponent) : 27;
  std::vector<int> numbers{1};
  for (int i = 2; i < count; ++i) numbers.push_back(number(arguments[i], 2, 4096));
  if (count < 3) {
    for (int const threads : {4, 8, 16})
      if (threads <= omp_get_num_procs()) numbers.push_back(threads);
    if (numbers.size() == 1) numbers.push_back(omp_get_num_procs());
  }

  std::vector<Case> all;
  for (int type = 0; type < 4; ++type)
    for (int kind = 0; kind < 3; ++kind)
      for (int exponent = first_exponent; exponent <= largest; ++exponent) all.push_back({type, kind, exponent});
  Results results;
  for (int const threads : numbers) run(threads, all, results);
  std::vector<Case> again;
  for (Case const& one : all) {
    auto const is_slower = [&](int threads) {
      return median(results, threads, one, ours) > median(results, 1, one, ours);
    };
    if (std::any_of(numbers.begin() + 1, numbers.end(), is_slower)) again.push_back(one);
  }
  std::printf("%zu of %zu cases are repeated\n", again.size(), all.size());
  for (int turn = 0; turn < repetitions && !again.empty(); ++turn)
    for (int const threads : numbers) run(threads, again, results);

  std::printf("GB/s read and written: KokkosScan, parallel memcpy, GNU parallel, Kokkos::parallel_scan\n%-16s", "");
  for (int const threads : numbers) std::printf("  %-31s", (std::to_string(threads) + " threads").c_str());
  std::vector<std::string> slower, behind, short_of_copy;
  for (Case const& one : all) {
    std::printf("\n%-16s", one.name().c_str());
    for (int const threads : numbers) {
      auto const speed = [&](Who who, int of) { return one.bytes() * 1e-9 / median(results, of, one, who); };
      std::printf("  %7.2f %7.2f %7.2f %7.2f", speed(ours, threads), speed(copy, threads), speed(gnu, threads),
                  speed(kokkos, threads));
      auto const note = [&](std::vector<std::string>& list, double other) {
        char text[128];
        std::snprintf(text, sizeof text, "%-16s %2d threads: %7.2f, %7.2f, %5.3f", one.name().c_str(), threads,
                      speed(ours, threads), other, speed(ours, threads) / other);
        list.push_back(text);
      };
      if (double const alone = speed(ours, 1); speed(ours, threads) < alone) note(slower, alone);
      if (double const best = std::max(speed(gnu, threads), speed(kokkos, threads)); speed(ours, threads) < best)
        note(behind, best);
      if (one.exponent >= 18 && one.exponent <= 22 && threads > 1 && speed(ours, threads) < 0.45 * speed(copy, threads))
        note(short_of_copy, speed(copy, threads));
    }
  }
  auto const print = [](char const* title, std::vector<std::string> const& list) {
    std::printf("\n%s: %zu\n", title, list.size());
    for (std::string const& line : list) std::printf("  %s\n", line.c_str());
  };
  std::printf("\n");
  print("slower than with one thread (its speed, and the ratio)", slower);
  print("2^18 to 2^22, less than 0.45 of the parallel copy", short_of_copy);
  print("behind GNU parallel or Kokkos::parallel_scan", behind);
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count == 4 && std::strcmp(arguments[1], "--measure") == 0)
    return measure(number(arguments[2], 1, 4096), arguments[3]);
  return main_program(count, arguments);
} catch (std::exception const& error) {
  std::fprintf(stderr, "experiment_forks: %s\n", error.what());
  return 2;
}
