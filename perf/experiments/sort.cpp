// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// experiment_sort [most elements, 2^26 [least, 16]]    radix sort of the host backend on the default host space, beside
// what else there is: nanoseconds an element, the best of some runs, every result compared, and how many times as long
// others take. Short arrays are many, one behind the other, so that no branch is foretold by what was sorted before.
// Pairs are sorted by their first number and keep their order, so they stand beside stable sorts, but for TBB's, which
// is none. Returns 1 if a result is wrong. docs/decisions/host-sort.md
#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>
#ifdef _OPENMP
#include <parallel/algorithm>
#endif
#ifdef KOKKOSSCAN_PERF_TBB
#include <tbb/parallel_sort.h>
#endif

#include "src/host/backend.hpp"

namespace {

namespace core = KokkosScan::core;
using Exec     = Kokkos::DefaultHostExecutionSpace;
using Backend  = KokkosScan::host::Backend;

struct Pair {
  std::uint32_t key, value;
  friend bool operator<(Pair const& left, Pair const& right) { return left.key < right.key; }
  friend bool operator==(Pair const&, Pair const&) = default;
};

std::uint64_t random_number() {
  static std::uint64_t state = 0;
  std::uint64_t z            = (state += 0x9e3779b97f4a7c15U);
  z                          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z                          = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

template <class T>
T random_element(std::size_t i) {
  std::uint64_t const number = random_number();
  if constexpr (std::is_same_v<T, Pair>)
    return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i)};
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(static_cast<double>(number) / 0x1p64 - 0.5);
  else
    return static_cast<T>(number);
}

/// The backend's own sort of arrays of n elements; pairs are taken apart before the time is taken.
template <class T>
class Radix {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4 || std::is_same_v<T, Pair>, std::uint32_t, std::uint64_t>;
  using Sort = core::RadixSort<core::RadixOrder<Bits, std::is_same_v<T, float>>,
                               std::conditional_t<std::is_same_v<T, Pair>, std::uint32_t, core::NoValues>>;

  explicit Radix(std::vector<T> const& arrays, std::size_t n)
      : n_(n), keys_(arrays.size()), other_keys_(arrays.size()), values_(Sort::has_values ? arrays.size() : 0) {
    other_values_.resize(values_.size());
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if constexpr (Sort::has_values) {
        keys_[i]   = arrays[i].key;
        values_[i] = arrays[i].value;
      } else {
        keys_[i] = std::bit_cast<Bits>(arrays[i]);
      }
    scratch_.resize(Backend::needs_of_sort(exec_, sort(0)).scratch);
  }
  void operator()(std::size_t begin) { Backend::sort(exec_, label_, sort(begin), {scratch_.data(), nullptr, 0}); }
  T result(std::size_t i) const {
    if constexpr (Sort::has_values)
      return {keys_[i], values_[i]};
    else
      return std::bit_cast<T>(keys_[i]);
  }

 private:
  Sort sort(std::size_t begin) {
    Sort of{{0, 0x7f800000U, 0, static_cast<int>(8 * sizeof(Bits))},
            &keys_[begin],
            &other_keys_[begin],
            nullptr,
            nullptr,
            n_};
    if constexpr (Sort::has_values) {
      of.values       = &values_[begin];
      of.other_values = &other_values_[begin];
    }
    return of;
  }

  Exec exec_;
  std::string label_ = "experiment";
  std::size_t n_;
  std::vector<Bits> keys_, other_keys_;
  std::vector<std::uint32_t> values_, other_values_;
  std::vector<std::byte> scratch_;
};

template <class T>
class Bench {
 public:
  Bench(char const* name, std::size_t n) : name_(name), n_(n), arrays_(std::max<std::size_t>(1, 200'000 / n)) {
    input_.resize(n * arrays_);
    for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = random_element<T>(i);
    expected_ = input_;
    for (std::size_t k = 0; k < arrays_; ++k)
      std::stable_sort(expected_.begin() + offset(k), expected_.begin() + offset(k + 1));
  }

  bool run() {
    constexpr bool is_pair = std::is_same_v<T, Pair>;
    double own             = 1e30;
    for (int attempt = 0; attempt < attempts(); ++attempt) {
      Radix<T> radix(input_, n_);
      own = std::min(own, time([&](std::size_t k) { radix(k * n_); }));
      for (std::size_t i = 0; i < input_.size(); ++i) is_right_ = is_right_ && radix.result(i) == expected_[i];
    }
    std::printf("%-8s n %9zu: %8.2f ns", name_, n_, own);
    other(is_pair ? "std::stable_sort" : "std::sort", own, [&](T* begin, T* end) {
      if constexpr (is_pair)
        std::stable_sort(begin, end);
      else
        std::sort(begin, end);
    });
#ifdef KOKKOSSCAN_PERF_TBB
    other("TBB", own, [](T* begin, T* end) { tbb::parallel_sort(begin, end); }, !is_pair);
#endif
#ifdef _OPENMP
    other("GNU parallel", own, [](T* begin, T* end) {
      if constexpr (is_pair)
        __gnu_parallel::stable_sort(begin, end);
      else
        __gnu_parallel::sort(begin, end);
    });
#endif
    if constexpr (!is_pair)
      other("Kokkos::sort", own, [](T* begin, T* end) {
        using View = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
        Kokkos::sort(Exec(), View(begin, static_cast<std::size_t>(end - begin)));
        Exec().fence();
      });
    std::printf("%s\n", is_right_ ? "" : " WRONG");
    std::fflush(stdout);
    return is_right_;
  }

 private:
  static std::ptrdiff_t signed_of(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  std::ptrdiff_t offset(std::size_t k) const { return signed_of(k * n_); }
  int attempts() const { return n_ > 10'000'000 ? 2 : n_ > 1'000'000 ? 4 : 7; }

  template <class F>
  double time(F const& f) const {
    auto const begin = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < arrays_; ++k) f(k);
    std::chrono::duration<double, std::nano> const took = std::chrono::steady_clock::now() - begin;
    return took.count() / static_cast<double>(input_.size());
  }
  template <class F>
  void other(char const* name, double own, F const& sort, bool is_stable = true) {
    double best = 1e30;
    for (int attempt = 0; attempt < attempts(); ++attempt) {
      std::vector<T> sorted = input_;
      best                  = std::min(best, time([&](std::size_t k) { sort(&sorted[k * n_], &sorted[k * n_] + n_); }));
      if (is_stable) is_right_ = is_right_ && sorted == expected_;
    }
    std::printf(", %s x %.2f", name, best / own);
  }

  char const* name_;
  std::size_t n_, arrays_;
  std::vector<T> input_, expected_;
  bool is_right_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::size_t const most  = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 26;
  std::size_t const least = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 16;
  bool is_right           = true;
  for (std::size_t n = 16; n <= most; n *= n < 1024 ? 2 : 4) {
    if (n < least) continue;
    is_right = Bench<std::uint32_t>("u32", n).run() && is_right;
    is_right = Bench<std::uint64_t>("u64", n).run() && is_right;
    is_right = Bench<float>("f32", n).run() && is_right;
    is_right = Bench<Pair>("u32+u32", n).run() && is_right;
  }
  return is_right ? 0 : 1;
}
