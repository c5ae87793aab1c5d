// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// experiment_compaction [elements [call]]    compaction and runs on the default host space beside the serial functions
// of std, or a serial loop where std has none, and run_offsets beside the kernel that ArborX has for it: milliseconds
// of the best attempt, every result compared with theirs, for 10^3, 10^4, 10^5, 10^6 and as many elements as asked for
// (2^26), of all calls or of one. Returns 1 if one is wrong.
// docs/decisions/compaction.md
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Ints = Kokkos::View<int*, Kokkos::HostSpace>;
using KokkosScan::Total;

struct Nothing {};

/// Milliseconds of f, of the best attempt among many, for others may use the machine, too. Where `prepare` is something
/// it runs before each call, and takes no part.
template <class Prepare, class F>
double best_milliseconds(std::size_t calls, Prepare const& prepare, F const& f) {
  using Clock    = std::chrono::steady_clock;
  using Duration = std::chrono::duration<double, std::milli>;
  Duration best(1e30), all{};
  for (int attempt = 0; attempt < 6 || (attempt < 200 && all < Duration(60)); ++attempt) {
    Duration took{};
    if constexpr (std::is_same_v<Prepare, Nothing>) {
      auto const begin = Clock::now();
      for (std::size_t call = 0; call < calls; ++call) f();
      took = Clock::now() - begin;
    } else {
      for (std::size_t call = 0; call < calls; ++call) {
        prepare();
        auto const begin = Clock::now();
        f();
        took += Clock::now() - begin;
      }
    }
    if (attempt > 0) best = std::min(best, took / static_cast<double>(calls));  // the first one warms up
    all += took;
  }
  return best.count();
}

class Bench {
 public:
  Bench(std::size_t n, std::string_view call)
      : n_(n),
        call_(call),
        from_("from", n),
        keys_("keys", n),
        dest_("dest", n + 1),
        rest_("rest", n + 1),
        expected_("expected", n + 1),
        expected_rest_("expected rest", n + 1),
        flags_("flags", n) {
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < n; ++i) {
      random   = random * 1664525U + 1013904223U;
      from_(i) = static_cast<int>((random >> 8) % 1000);
    }
  }

  bool run() {
    for (int const share : {0, 10, 500, 990, 1000}) {
      char text[32];
      std::snprintf(text, sizeof(text), "chosen %g", share / 1000.);
      case_ = text;
      choose([share](int value) { return value < share; });
    }
    for (std::size_t const length : {1U, 4U, 1000U}) {
      case_ = "runs of " + std::to_string(length);
      for (std::size_t i = 0; i < n_; ++i) keys_(i) = static_cast<int>(i / length);
      find_runs();
    }
    return is_right_;
  }

  bool run_arborx() {
    for (std::size_t const length : {1U, 4U, 1000U}) {
      case_ = "runs of " + std::to_string(length);
      for (std::size_t i = 0; i < n_; ++i) keys_(i) = static_cast<int>(i / length);
      auto const without = Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing);
      time(
          "run_offsets beside ArborX's kernel",
          [&] {
            Kokkos::realloc(without, dest_, n_ + 1);
            KokkosScan::run_offsets(exec_, keys_, dest_, Total{count_});
            Kokkos::resize(without, dest_, count_ + 1);
          },
          [&] {
            Kokkos::realloc(without, expected_, n_ + 1);
            expected_count_ = offsets_in_ordered_view();
            Kokkos::resize(without, expected_, expected_count_ + 1);
          },
          1);
    }
    return is_right_;
  }

 private:
  template <class Below>
  void choose(Below const& below) {
    int const *const begin = from_.data(), *const end = begin + n_;
    int *const to = expected_.data(), *const to_rest = expected_rest_.data();
    for (std::size_t i = 0; i < n_; ++i) flags_(i) = below(from_(i)) ? 1 : 0;
    time(
        "copy_if", [&] { KokkosScan::copy_if(exec_, from_, dest_, below, Total{count_}); },
        [&] { counted(std::copy_if(begin, end, to, below)); });
    time(
        "copy_flagged", [&] { KokkosScan::copy_flagged(exec_, from_, flags_, dest_, Total{count_}); },
        [&] {
          int* next = to;
          for (std::size_t i = 0; i < n_; ++i)
            if (flags_.data()[i]) *next++ = begin[i];
          counted(next);
        });
    time(
        "where", [&] { KokkosScan::where(exec_, flags_, dest_, Total{count_}); },
        [&] {
          int* next = to;
          for (std::size_t i = 0; i < n_; ++i)
            if (flags_.data()[i]) *next++ = static_cast<int>(i);
          counted(next);
        });
    time(
        "partition_copy", [&] { KokkosScan::partition_copy(exec_, from_, dest_, rest_, below, Total{count_}); },
        [&] { counted(std::partition_copy(begin, end, to, to_rest, below).first); });
    check_rest("partition_copy", n_ - expected_count_);
    auto const restore = [begin, end](int* view) { std::copy(begin, end, view); };
    auto const view    = Kokkos::subview(dest_, std::pair<std::size_t, std::size_t>(0, n_));
    time(
        "remove_if", [&] { KokkosScan::remove_if(exec_, view, below, Total{count_}); },
        [&] { counted(std::remove_if(to, to + n_, below)); }, 0, restore);
    time(
        "stable_partition", [&] { KokkosScan::stable_partition(exec_, view, below, Total{count_}); },
        [&] {
          std::stable_partition(to, to + n_, below);
          expected_count_ = n_;  // all of them are compared
        },
        0, restore);
  }

  void find_runs() {
    int const *const begin = keys_.data(), *const end = begin + n_, *const values = from_.data();
    int *const to = expected_.data(), *const to_rest = expected_rest_.data();
    time(
        "unique_copy", [&] { KokkosScan::unique_copy(exec_, keys_, dest_, Total{count_}); },
        [&] { counted(std::unique_copy(begin, end, to)); });
    time(
        "run_length_encode", [&] { KokkosScan::run_length_encode(exec_, keys_, dest_, rest_, Total{count_}); },
        [&] {
          std::size_t runs = 0;
          for (int const* i = begin; i != end; ++i) {
            if (i != begin && *i == i[-1]) {
              ++to_rest[runs - 1];
            } else {
              to[runs]        = *i;
              to_rest[runs++] = 1;
            }
          }
          expected_count_ = runs;
        });
    check_rest("run_length_encode", expected_count_);
    time(
        "run_offsets", [&] { KokkosScan::run_offsets(exec_, keys_, dest_, Total{count_}); },
        [&] {
          int* next = to;
          for (std::size_t i = 0; i < n_; ++i)
            if (i == 0 || begin[i] != begin[i - 1]) *next++ = static_cast<int>(i);
          *next = static_cast<int>(n_);
          counted(next);
        },
        1);
    time(
        "reduce_by_key", [&] { KokkosScan::reduce_by_key(exec_, keys_, from_, dest_, rest_, Total{count_}); },
        [&] {
          std::size_t runs = 0;
          for (std::size_t i = 0; i < n_; ++i) {
            if (i != 0 && begin[i] == begin[i - 1]) {
              to_rest[runs - 1] += values[i];
            } else {
              to[runs]        = begin[i];
              to_rest[runs++] = values[i];
            }
          }
          expected_count_ = runs;
        });
    check_rest("reduce_by_key", expected_count_);
  }

  /// What ArborX does to find where runs begin: a scan by Kokkos that counts them, and writes where they do.
  std::size_t offsets_in_ordered_view() const {
    int const n = static_cast<int>(n_);
    int found   = 0;
    Kokkos::parallel_scan(
        "offsets in an ordered view", Kokkos::RangePolicy<Exec>(exec_, 0, n + 1),
        [keys = keys_, offsets = expected_, n](int i, int& before, bool is_final) {
          if (i == 0 || i == n || keys(i) != keys(i - 1)) {
            if (is_final) offsets(before) = i;
            ++before;
          }
        },
        found);
    return static_cast<std::size_t>(found) - 1;
  }

  void counted(int const* end) { expected_count_ = static_cast<std::size_t>(end - expected_.data()); }

  /// `more`: so many results stand behind those that are counted; `restore` makes the input of what works in place.
  template <class Own, class Std, class Restore = Nothing>
  void time(char const* name, Own const& own, Std const& by_std, std::size_t more = 0, Restore const& restore = {}) {
    if (!call_.empty() && call_ != name) return;
    std::size_t const calls = n_ < 200'000 ? 200'000 / n_ : 1;
    auto const best_of      = [&](auto const& f, Ints const& view) {
      if constexpr (std::is_same_v<Restore, Nothing>)
        return best_milliseconds(calls, restore, f);
      else
        return best_milliseconds(calls, [&] { restore(view.data()); }, f);
    };
    double const here = best_of(own, dest_), there = best_of(by_std, expected_);
    std::printf("n %zu, %s, %s: %.5f ms, serial %.5f ms, %.2f times as fast\n", n_, name, case_.c_str(), here, there,
                there / here);
    std::fflush(stdout);
    bool const is_whole = std::string_view(name) == "stable_partition";
    check(name, dest_, expected_, expected_count_ + more, is_whole || count_ == expected_count_);
  }
  void check_rest(char const* name, std::size_t n) {
    if (call_.empty() || call_ == name) check(name, rest_, expected_rest_, n, true);
  }
  void check(char const* name, Ints const& found, Ints const& expected, std::size_t n, bool is_counted) {
    if (is_counted && std::equal(found.data(), found.data() + n, expected.data())) return;
    std::printf("%s is wrong\n", name);
    is_right_ = false;
  }

  Exec exec_;
  std::size_t n_;
  std::string_view call_;
  std::string case_;
  Ints from_, keys_, dest_, rest_, expected_, expected_rest_;
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> flags_;
  std::size_t count_ = 0, expected_count_ = 0;
  bool is_right_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::size_t const most      = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 26;
  std::string_view const call = count > 2 ? arguments[2] : "";
  bool is_right               = true;
  for (std::size_t const n :
       {std::size_t{1'000}, std::size_t{10'000}, std::size_t{100'000}, std::size_t{1'000'000}, most})
    if (n > 0 && n <= most) is_right = Bench(n, call).run() && is_right;
  for (std::size_t n = 1'000; n <= std::min(most, std::size_t{10'000'000}); n *= 10)
    is_right = Bench(n, call).run_arborx() && is_right;
  return is_right ? 0 : 1;
}
