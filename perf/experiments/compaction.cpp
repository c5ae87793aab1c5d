// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// experiment_compaction [elements]    copy_if, partition_copy, unique_copy and run_length_encode on the default host
// space beside the serial functions of std: milliseconds of the best of 5, every result compared with theirs, for 10^3,
// 10^5 and as many elements as asked for (2^26). Returns 1 if one is wrong.
// docs/decisions/compaction.md
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Ints = Kokkos::View<int*, Kokkos::HostSpace>;
using KokkosScan::Total;

template <class F>
double best_milliseconds(std::size_t calls, F const& f) {
  double best = 1e30;
  for (int attempt = 0; attempt < 6; ++attempt) {  // the first one warms up
    auto const begin = std::chrono::steady_clock::now();
    for (std::size_t call = 0; call < calls; ++call) f();
    std::chrono::duration<double, std::milli> const took = std::chrono::steady_clock::now() - begin;
    if (attempt > 0) best = std::min(best, took.count() / static_cast<double>(calls));
  }
  return best;
}

class Bench {
 public:
  explicit Bench(std::size_t n)
      : n_(n),
        from_("from", n),
        dest_("dest", n),
        rest_("rest", n),
        lengths_("lengths", n),
        expected_("expected", n),
        expected_rest_("expected rest", n) {
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < n; ++i) {
      random   = random * 1664525U + 1013904223U;
      from_(i) = static_cast<int>((random >> 8) % 1000);
    }
  }

  bool run() {
    int const *const begin = from_.data(), *const end = begin + n_;
    int *const to = expected_.data(), *const to_rest = expected_rest_.data();
    for (int const share : {0, 10, 500, 990, 1000}) {
      auto const below = [share](int value) { return value < share; };
      time(
          "copy_if", share / 1000., [&] { KokkosScan::copy_if(exec_, from_, dest_, below, Total{count_}); },
          [&] { expected_count_ = static_cast<std::size_t>(std::copy_if(begin, end, to, below) - to); });
      time(
          "partition_copy", share / 1000.,
          [&] { KokkosScan::partition_copy(exec_, from_, dest_, rest_, below, Total{count_}); },
          [&] {
            expected_count_ = static_cast<std::size_t>(std::partition_copy(begin, end, to, to_rest, below).first - to);
          });
      check(rest_, expected_rest_, n_ - expected_count_, "the rest of partition_copy");
    }
    time(
        "unique_copy", 0.999, [&] { KokkosScan::unique_copy(exec_, from_, dest_, Total{count_}); },
        [&] { expected_count_ = static_cast<std::size_t>(std::unique_copy(begin, end, to) - to); });
    time(
        "run_length_encode", 0.999,
        [&] { KokkosScan::run_length_encode(exec_, from_, dest_, lengths_, Total{count_}); },
        [&] { expected_count_ = encode(begin, end, to, to_rest); });
    check(lengths_, expected_rest_, expected_count_, "lengths");
    return is_right_;
  }

 private:
  static std::size_t encode(int const* begin, int const* end, int* values, int* lengths) {
    std::size_t runs = 0;
    for (int const* i = begin; i != end; ++i) {
      if (i != begin && *i == i[-1]) {
        ++lengths[runs - 1];
      } else {
        values[runs]    = *i;
        lengths[runs++] = 1;
      }
    }
    return runs;
  }
  template <class Own, class Std>
  void time(char const* name, double share, Own const& own, Std const& by_std) {
    std::size_t const calls = n_ < 1'000'000 ? 1'000'000 / n_ : 1;
    double const here = best_milliseconds(calls, own), there = best_milliseconds(calls, by_std);
    std::printf("n %zu, %s, %g: %.5f ms, serial %.5f ms, %.2f times as fast\n", n_, name, share, here, there,
                there / here);
    std::fflush(stdout);
    if (count_ != expected_count_) check(dest_, from_, n_ + 1, name);  // says so
    check(dest_, expected_, std::min(count_, expected_count_), name);
  }
  void check(Ints const& found, Ints const& expected, std::size_t n, char const* name) {
    if (n <= n_ && std::equal(found.data(), found.data() + n, expected.data())) return;
    std::printf("%s is wrong\n", name);
    is_right_ = false;
  }

  Exec exec_;
  std::size_t n_;
  Ints from_, dest_, rest_, lengths_, expected_, expected_rest_;
  std::size_t count_ = 0, expected_count_ = 0;
  bool is_right_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::size_t const most = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 26;
  bool is_right          = true;
  for (std::size_t const n : {std::size_t{1'000}, std::size_t{100'000}, most})
    if (n > 0 && n <= most) is_right = Bench(n).run() && is_right;
  return is_right ? 0 : 1;
}
