// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <vector>

#include "backend.hpp"

namespace perf::host {
namespace {

/// The cores of each of Kokkos' threads, by the thread's number.
std::vector<cpu_set_t> cores_of_threads() {
  std::vector<cpu_set_t> cores(static_cast<std::size_t>(threads()));
  for_each_block(cores.size() * 4096, [&](std::size_t begin, std::size_t) {
    sched_getaffinity(0, sizeof(cpu_set_t), &cores[begin / 4096]);
  });
  return cores;
}

/// A thread inherits the cores of the one that creates it. Where OpenMP has bound the main thread to one core, all of
/// TBB's would crowd there; so each takes the cores of the OpenMP thread of its number.
class Binding : public tbb::task_scheduler_observer {
 public:
  explicit Binding(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena), cores_(cores_of_threads()) {
    observe(true);
  }
  void on_scheduler_entry(bool is_worker) override {
    auto const slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    if (is_worker && slot < cores_.size()) sched_setaffinity(0, sizeof(cpu_set_t), &cores_[slot]);
  }

 private:
  std::vector<cpu_set_t> cores_;
};

}  // namespace

void in_tbb_arena(std::function<void()> const& f) {
  static tbb::global_control const limit(tbb::global_control::max_allowed_parallelism,
                                         static_cast<std::size_t>(threads()));
  static tbb::task_arena arena(threads());
  static Binding const binding(arena);
  arena.execute(f);
}

}  // namespace perf::host
