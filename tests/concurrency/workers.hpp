// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <latch>
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

/// One thread to a worker; all start at once.
inline Workers threads(int size) {
  return {std::to_string(size) + " threads", size, [=](Workers::Work const& work) {
            std::latch all_here(size);
            std::vector<std::thread> threads;
            for (int worker = 0; worker < size; ++worker)
              threads.emplace_back([&, worker] {
                all_here.arrive_and_wait();
                work(worker);
              });
            for (std::thread& thread : threads) thread.join();
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
