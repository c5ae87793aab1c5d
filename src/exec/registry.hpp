// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What holds memory of Kokkos', which it may outlive. In the library, as blocks.hpp.
namespace KokkosScan::exec {

class Registered {
 public:
  Registered(Registered const&)            = delete;
  Registered& operator=(Registered const&) = delete;

  /// When no kernel runs and no call is under way.
  virtual void free_unused() = 0;

  static void free_everything();

 protected:
  /// Behind it `free_at_finalize` has seen to it, once, that Kokkos calls free_everything at its end.
  explicit Registered(void (*free_at_finalize)());
  virtual ~Registered();
};

}  // namespace KokkosScan::exec
