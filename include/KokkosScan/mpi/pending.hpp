// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "../../../src/ranks/under_way.hpp"

namespace KokkosScan::mpi {

/// A call across ranks that has been started. Until it is done its Views keep their elements: from is not written, dest
/// neither read nor written, and both exist; variables and Views that totals go to exist, too.
///
/// MPI does its work where it is called, so this goes on in test() and wait(), of this call or of any other, and in any
/// other call of the library's across ranks. Several may be pending; ranks start them in the same order, and may wait
/// for them in any. One host thread at a time calls it or ends it, as with all calls across ranks.
class [[nodiscard]] Pending {
 public:
  explicit Pending(std::unique_ptr<ranks::Operation> operation) : operation_(std::move(operation)) {}

  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept {
    if (this != &other) {
      give_up();
      operation_ = std::move(other.operation_);
    }
    return *this;
  }
  /// Of what is not done, the communication is, so that nobody waits for this rank: it waits for that, dest stays
  /// unspecified, and no error is told. A total fails on the other ranks if it is this one that has the last element.
  ~Pending() { give_up(); }

  /// Goes on without waiting. Whether it is done: dest is written in order on exec, and the total is where it belongs;
  /// or something failed, which wait() throws. Of a device that fails only wait() learns.
  bool test() { return !operation_ || operation_->test(); }

  /// Waits until it is done; for exec no longer than until it has found what other ranks need. Throws what failed,
  /// once.
  void wait() {
    if (!operation_) return;
    std::unique_ptr<ranks::Operation> const done = std::move(operation_);
    done->wait();
  }

 private:
  void give_up() noexcept {
    if (!operation_) return;
    int has_ended = 0;
    MPI_Finalized(&has_ended);
    if (!has_ended) operation_->give_up();
    operation_.reset();
  }

  std::unique_ptr<ranks::Operation> operation_;
};

}  // namespace KokkosScan::mpi
