// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <functional>
#include <latch>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Workers for the host's grid algorithms, friendly and hostile ones, made of plain threads.
namespace concurrency {

/// Workers of any kind, so that each algorithm is compiled once for all of them.
class Workers {
 public:
  using Work = std::function<void(int)>;

  Workers(std::string name, int size, std::function<void(Work const&)> run)
      : name_(std::move(name)), size_(size), run_(std::move(run)) {}

  std::string const& name() const { return name_; }
  int size() const { return size_; }
  template <class F>
  void run(F const& f) const {
    run_([&](int worker) { f(worker); });
  }

 private:
  std::string name_;
  int size_;
  std::function<void(Work const&)> run_;
};

template <class Each>
void run_on_threads(int size, Each const& each) {
  std::vector<std::thread> threads;
  for (int worker = 0; worker < size; ++worker) threads.emplace_back([&, worker] { each(worker); });
  for (std::thread& thread : threads) thread.join();
}

/// One thread to a worker; all start at once.
inline Workers threads(int size) {
  return {std::to_string(size) + " threads", size, [=](Workers::Work const& work) {
            std::latch all_here(size);
            run_on_threads(size, [&](int worker) {
              all_here.arrive_and_wait();
              work(worker);
            });
          }};
}

/// One thread to a worker; each starts at a time of its own.
inline Workers late_threads(int size, unsigned seed) {
  return {std::to_string(size) + " threads that start late, seed " + std::to_string(seed), size,
          [=](Workers::Work const& work) {
            run_on_threads(size, [&](int worker) {
              std::mt19937 random(seed + static_cast<unsigned>(worker));
              std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
              work(worker);
            });
          }};
}

/// No threads at all: the workers one after the other.
inline Workers in_turn(std::vector<int> order) {
  std::string name = "workers in the order";
  for (int const worker : order) name += " " + std::to_string(worker);
  int const size = static_cast<int>(order.size());
  return {name, size, [order = std::move(order)](Workers::Work const& work) {
            for (int const worker : order) work(worker);
          }};
}

}  // namespace concurrency
