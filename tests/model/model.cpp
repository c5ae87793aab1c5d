// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.hpp"

#include "calls.hpp"
#include "random.hpp"

namespace model {
namespace {

thread_local Model* innermost = nullptr;

}  // namespace

Model::Model(Settings const& settings) : settings_(settings), outer_(innermost) { innermost = this; }
Model::~Model() { innermost = outer_; }

Model* Model::current() { return innermost; }

int multiprocessors() { return innermost ? innermost->settings().multiprocessors : Settings().multiprocessors; }

std::uint64_t Model::next_seed() { return mixed(mixed(settings_.seed + 1), launches_++); }

void Model::ran(std::uint64_t trace, std::uint64_t turns) {
  trace_ = mixed(trace_, trace);
  turns_ += turns;
}

// Each as its enum lists them.
std::string to_string(Duty duty) {
  constexpr char const* names[] = {"barrier",         "warp_barrier",    "fence",        "release",
                                   "acquire",         "arrival",         "wait",         "publication",
                                   "fence_of_copies", "wait_for_copies", "wait_for_grid"};
  return names[static_cast<int>(duty)];
}

std::string to_string(Kind kind) {
  constexpr char const* names[] = {"deadlock",
                                   "endless",
                                   "divergence",
                                   "shared_race",
                                   "shared_uninitialised",
                                   "shared_out_of_range",
                                   "misaligned",
                                   "mixed_word_size",
                                   "mixed_word_access",
                                   "misused_mbarrier",
                                   "grid_order",
                                   "bad_argument"};
  return names[static_cast<int>(kind)];
}

char const* name_of(Call call) {
  constexpr char const* names[] = {
      "__syncthreads",    "__syncwarp",      "__shfl_sync",           "__shfl_up_sync",
      "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync",         "__any_sync",
      "__all_sync",       "Barrier::wait",   "wait_until_copied_out", "wait_for_previous_grid"};
  return names[static_cast<int>(call)];
}

}  // namespace model
