// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted.hpp"

#include <cstdint>
#include <cstdio>
#include <model/model.hpp>
#include <string>

// Scans by kernels in which a fault was planted (CMakeLists.txt), under many schedules. The program succeeds if the
// fault was caught in the way that its first argument names: "wrong" or a ModelError of that kind; or, for the kernels
// as they are, if nothing was found ("nothing").
namespace {

std::string found(std::uint64_t seed, model::Start start, unsigned resident) {
  model::Model const model(model::Settings{.seed = seed, .resident = resident, .start = start});
  try {
    return test::are_right() ? "nothing" : "wrong";
  } catch (model::ModelError const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return to_string(error.kind());
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::string const expected = count > 1 ? arguments[1] : "";
  int const seeds            = expected == "nothing" ? 5 : 100;
  for (int seed = 0; seed < seeds; ++seed) {
    auto const start          = expected == "deadlock" ? model::Start::descending : model::Start::seeded;
    std::string const outcome = found(static_cast<std::uint64_t>(seed), start, expected == "deadlock" ? 2 : 0);
    if (outcome == "nothing") continue;
    std::printf("seed %d: %s\n", seed, outcome.c_str());
    return outcome == expected ? 0 : 1;
  }
  std::printf("nothing found by %d seeds\n", seeds);
  return expected == "nothing" ? 0 : 1;
}
