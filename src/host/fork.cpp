// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace KokkosScan::host {
namespace {

/// The first launch is not counted: it wakes threads that sleep, or makes them. Where launches take long, few are made.
constexpr int fewest_samples = 3, most_samples = 9;
constexpr double patience = 1e-3;  // seconds

/// The shortest: what others do meanwhile, on the cores or on the instance, says nothing of a launch.
double measure(FunctionRef<void()> launch, Forks::Clock clock) {
  launch();
  double shortest    = std::numeric_limits<double>::max();
  double const begin = clock();
  double last        = begin;
  for (int sample = 0; sample < most_samples && (sample < fewest_samples || last - begin < patience); ++sample) {
    launch();
    double const now = clock();
    shortest         = std::min(shortest, now - last);
    last             = now;
  }
  return shortest;
}

std::optional<double>& assumed() {
  static std::optional<double> one;
  return one;
}

}  // namespace

double Forks::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Forks::One const* Forks::find(int threads) const {
  One const* const end  = all_ + count_.load(std::memory_order_acquire);
  One const* const that = std::find_if(all_, end, [&](One const& one) { return one.threads == threads; });
  return that == end ? nullptr : that;
}

double Forks::known(int threads) const {
  One const* const one = find(threads);
  return one ? one->seconds : 0;
}

double Forks::measured(int threads, FunctionRef<void()> launch, Clock clock) {
  if (One const* const one = find(threads)) return one->seconds;
  if (is_measuring_.exchange(true, std::memory_order_acquire)) return 0;
  struct Done {
    std::atomic<bool>& is_measuring;
    ~Done() { is_measuring.store(false, std::memory_order_release); }
  } const done{is_measuring_};
  std::size_t const count = count_.load(std::memory_order_relaxed);
  if (count < most && !find(threads)) {  // or it was measured just now
    all_[count] = {threads, measure(launch, clock)};
    count_.store(count + 1, std::memory_order_release);
  }
  return known(threads);
}

void assume_fork(std::optional<double> seconds) { assumed() = seconds; }
std::optional<double> assumed_fork() { return assumed(); }

}  // namespace KokkosScan::host
