// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "random.hpp"
#include "shared_memory.hpp"

namespace model {

/// A copy under way: one more thread of a block, whose turns come when chance wants it.
struct Copy {
  Copier self;
  unsigned starter;
  bool in;  // to shared memory
  std::ptrdiff_t shared;
  std::byte* global;
  std::size_t bytes, done = 0;
  std::ptrdiff_t mbarrier;  // that counts it, if it goes in
  Site where;
  std::vector<std::byte> held{};  // what was read of shared memory and is to be written
};

/// The copies of a launch.
class Copies {
 public:
  static constexpr std::size_t piece = 16;

  explicit Copies(std::uint64_t seed);

  std::vector<std::unique_ptr<Copy>> under_way;
  std::vector<std::unique_ptr<Copy>> read;  // copies out whose results nobody has seen yet

  bool none() const { return under_way.empty() && read.empty(); }
  /// Whether one of them has a turn before the next thread.
  bool move() { return !none() && random_.one_in(between_turns_); }
  std::size_t bytes_at_once() { return piece * (1 + random_.below(2 * pieces_)); }
  unsigned any(std::size_t count) { return random_.below(static_cast<unsigned>(count)); }

  /// A result appears.
  void write(unsigned i);
  void write_all();

 private:
  Random random_;  // of its own: launches without copies run as if there were none
  unsigned between_turns_, pieces_;
};

}  // namespace model
