// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What holds scratch. It may outlive Kokkos; its memory may not. In the library, as scratch_blocks.hpp.
namespace KokkosScan::exec {

class ScratchHolder {
 public:
  ScratchHolder(ScratchHolder const&)            = delete;
  ScratchHolder& operator=(ScratchHolder const&) = delete;

  /// When no kernel runs and no call is under way.
  virtual void free_unused() = 0;

  /// Of all that there are.
  static void free_everything();

 protected:
  /// The first one calls `free_at_finalize`, which sees to it that Kokkos calls free_everything at its end.
  explicit ScratchHolder(void (*free_at_finalize)());
  virtual ~ScratchHolder();
};

}  // namespace KokkosScan::exec
