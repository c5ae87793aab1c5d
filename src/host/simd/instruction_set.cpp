// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_set.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include "functions.hpp"

namespace KokkosScan::host::simd {

namespace baseline {
AllFunctions const& compiled_functions();
}
#if defined(KOKKOSSCAN_X86_64)
namespace avx2 {
AllFunctions const& compiled_functions();
}
namespace avx512 {
AllFunctions const& compiled_functions();
}
#endif

namespace {

struct Compiled {
  InstructionSet set;
  AllFunctions const* functions;
};

std::vector<Compiled> find_available() {
  std::vector<Compiled> found{{InstructionSet::baseline, &baseline::compiled_functions()}};
#if defined(KOKKOSSCAN_X86_64)
  __builtin_cpu_init();
  // Exactly what the files are compiled with (CMakeLists.txt): a hypervisor may offer any part of what a processor has.
  bool const has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  if (has_avx2) found.push_back({InstructionSet::avx2, &avx2::compiled_functions()});
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    found.push_back({InstructionSet::avx512, &avx512::compiled_functions()});
#endif
  return found;
}

std::vector<Compiled> const& available() {
  static std::vector<Compiled> const found = find_available();
  return found;
}

std::atomic<Compiled const*>& in_use() {
  static std::atomic<Compiled const*> chosen{&available().back()};
  return chosen;
}

}  // namespace

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::avx512: return "avx512";
    default: return "baseline";
  }
}

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (Compiled const& one : available()) sets.push_back(one.set);
  return sets;
}

InstructionSet instruction_set() { return in_use().load(std::memory_order_relaxed)->set; }

void use(InstructionSet set) {
  std::string names;
  for (Compiled const& one : available()) {
    if (one.set == set) return in_use().store(&one, std::memory_order_relaxed);
    names += (names.empty() ? "" : ", ") + std::string(to_string(one.set));
  }
  throw std::invalid_argument("KokkosScan: the instruction set " + std::string(to_string(set)) +
                              " is not to be had here; there are " + names);
}

AllFunctions const& all_functions() { return *in_use().load(std::memory_order_relaxed)->functions; }

}  // namespace KokkosScan::host::simd
