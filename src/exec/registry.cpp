// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace KokkosScan::exec {
namespace {

struct Registry {
  std::recursive_mutex mutex;  // recursive: a holder may hold others
  std::vector<Registered*> alive;
  bool frees_at_finalize = false;
};
Registry& registry() {
  // Never destroyed: a Handle of static lifetime may go after everything else.
  static Registry& all = *new Registry;
  return all;
}

}  // namespace

Registered::Registered(void (*free_at_finalize)()) {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  all.alive.push_back(this);
  if (!std::exchange(all.frees_at_finalize, true)) free_at_finalize();
}

Registered::~Registered() {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  std::erase(all.alive, this);
}

void Registered::free_everything() {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  auto const holders = all.alive;  // some hold others, which go with them
  for (Registered* holder : holders)
    if (std::find(all.alive.begin(), all.alive.end(), holder) != all.alive.end()) holder->free_unused();
  all.frees_at_finalize = false;
}

}  // namespace KokkosScan::exec
