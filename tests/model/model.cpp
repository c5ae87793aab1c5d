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

std::string to_string(Duty duty) {
  switch (duty) {
    case Duty::barrier: return "barrier";
    case Duty::warp_barrier: return "warp_barrier";
    case Duty::fence: return "fence";
    case Duty::release: return "release";
    case Duty::acquire: return "acquire";
    case Duty::arrival: return "arrival";
    case Duty::wait: return "wait";
    case Duty::publication: return "publication";
    case Duty::fence_of_copies: return "fence_of_copies";
    case Duty::wait_for_copies: return "wait_for_copies";
  }
  return "?";
}

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::deadlock: return "deadlock";
    case Kind::endless: return "endless";
    case Kind::divergence: return "divergence";
    case Kind::shared_race: return "shared_race";
    case Kind::shared_uninitialised: return "shared_uninitialised";
    case Kind::shared_out_of_range: return "shared_out_of_range";
    case Kind::misaligned: return "misaligned";
    case Kind::mixed_word_size: return "mixed_word_size";
    case Kind::mixed_word_access: return "mixed_word_access";
    case Kind::misused_mbarrier: return "misused_mbarrier";
    case Kind::bad_argument: return "bad_argument";
  }
  return "?";
}

}  // namespace model
