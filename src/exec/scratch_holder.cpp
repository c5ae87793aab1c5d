// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scratch_holder.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace KokkosScan::exec {
namespace {

struct Registry {
  std::recursive_mutex mutex;  // recursive: a holder may hold others
  std::vector<ScratchHolder*> alive;
  bool frees_at_finalize = false;
};
Registry& registry() {
  // Never destroyed: a Handle of static lifetime may go after everything else.
  static Registry& all = *new Registry;
  return all;
}

}  // namespace

ScratchHolder::ScratchHolder(void (*free_at_finalize)()) {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  if (!all.frees_at_finalize) {
    free_at_finalize();
    all.frees_at_finalize = true;
  }
  all.alive.push_back(this);
}

ScratchHolder::~ScratchHolder() {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  std::erase(all.alive, this);
}

void ScratchHolder::free_everything() {
  Registry& all = registry();
  std::lock_guard const lock(all.mutex);
  auto const holders = all.alive;  // some hold others, which go with them
  for (ScratchHolder* holder : holders)
    if (std::find(all.alive.begin(), all.alive.end(), holder) != all.alive.end()) holder->free_unused();
  all.frees_at_finalize = false;
}

}  // namespace KokkosScan::exec
