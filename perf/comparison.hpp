// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// What the harness measures, without saying on which machine: see host/ and cuda/ for the contestants themselves.
namespace perf {

inline constexpr char const* one_thread = "";

/// Thrown by a contestant that cannot do this work here: it counts as missing, and not as wrong.
struct CannotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a backend makes a Contestant of, beside a call that starts the work.
struct Traits {
  std::string name;
  char const* workers  = one_thread;
  char const* no_graph = nullptr;  ///< why it cannot be captured into a CUDA graph, if so
};

/// One way to do the work of a comparison.
struct Contestant {
  std::string name;
  std::string missing = {};  ///< why it does not take part; nothing below is set then

  /// Does the work once and waits for it.
  std::function<void()> run = {};
  /// Does the work so many times and returns the seconds it took. Left empty: run() in a loop, by the host's clock.
  std::function<double(long calls)> time = {};
  /// Whose threads do the work. Those of one library may still be spinning when those of another start.
  std::string workers = one_thread;
  /// Whether its last run was right, where its result is not that of the others. Left empty: the comparison's check.
  std::function<std::string()> check = {};
  /// Not a contestant but the least time that any can take: moves nothing, and has no result to check.
  bool is_floor = false;
};

/// Where the arrays of a comparison are when a call comes to them: all in a cache, some, or none.
inline constexpr char const* cache_states[] = {"warm", "partly warm", "cold"};

/// All that is done for one operation, type and n.
struct Comparison {
  std::string operation;
  std::string type;
  std::string caches = {};  ///< one of cache_states, or nothing if nobody knows
  std::size_t n      = 0;
  double bytes       = 0;  ///< what the operation must read and write
  std::size_t memory = 0;  ///< bytes of the host that allocate() takes

  std::vector<Contestant> contestants = {};
  /// Copies of the same bytes; the fastest of them is the row "copy". Its name says which it was.
  std::vector<Contestant> copies = {};

  /// Takes the memory and computes the expected result. What a comparison captures frees it again.
  std::function<void()> allocate = {};
  /// Sets inputs, and poisons what is going to be written.
  std::function<void()> prepare = {};
  /// Sets inputs that any number of calls leaves as they are, where the operation overwrites its input.
  std::function<void()> settle = {};
  /// Whether the last run was right: nothing, or what is wrong and where.
  std::function<std::string()> check      = {};
  std::function<std::string()> check_copy = {};
  /// How much of the cores is ours just now, from 0 to 1, and whose threads find it out. Left empty: nobody asks.
  std::function<double()> share_of_cores = {};
  std::string who_asks                   = one_thread;

  std::string path() const { return operation + "/" + type + "/" + std::to_string(n) + "/"; }
};

/// The comparisons of one operation and type: over all n from 1 to largest, a power of two.
struct Family {
  std::string operation;
  std::string type;
  std::size_t largest;
  std::function<Comparison(std::size_t n)> make;  ///< cheap: takes no memory yet
  bool on_request = false;                        ///< runs where a filter asks for it
};

using Lists = std::initializer_list<std::vector<Family>>;
inline std::vector<Family> all_of(Lists lists) {
  std::vector<Family> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// What a program measures is what it is linked from: each source that has families adds them before main begins.
inline std::vector<Family>& all_families() {
  static std::vector<Family> all;
  return all;
}
struct Add {
  Add(Lists lists) { std::ranges::copy(all_of(lists), std::back_inserter(all_families())); }
};

/// The compiler must take what stands before this as done, in memory.
inline void clobber_memory() { asm volatile("" ::: "memory"); }
/// The compiler knows nothing about the value, and must have it.
template <class T>
void keep(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

}  // namespace perf
