// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "../core/operators.hpp"
#include "crossing.hpp"
#include "share.hpp"
#include "shared_value.hpp"

namespace KokkosScan::ranks {

/// A number of each rank: the sums of those before it and, if asked for, of all. All ranks make it. With the sum of all
/// every rank knows in this call if one has failed, and the next call need not tell it.
template <class T>
class SumAcross {
 public:
  /// own() gives the number, or throws.
  template <class Own>
  SumAcross(Channel& channel, std::string const& label, bool has_total, Own const& own)
      : channel_(channel), failures_(channel.failures()), crossing_(channel, label, false, Sum{}, [&] {
          own_ = own();
          return core::Maybe<T>(own_);
        }) {
    std::exception_ptr error;
    try {
      if (core::Maybe<T> const& before = crossing_.wait()) before_ = *before;
    } catch (...) {
      error = std::current_exception();
    }
    if (has_total) share_total(static_cast<bool>(error));
    if (error) std::rethrow_exception(error);
    if (failed_ != no_rank)
      throw std::runtime_error(label + ": rank " + std::to_string(failed_) +
                               " failed in this call (what it threw says why); without its part there is no result");
  }

  T own() const { return own_; }
  T before() const { return before_; }
  T total() const { return total_; }
  mpi::Share share() const { return {own_, before_, total_}; }

  /// What is left to do when the others are not needed any more.
  template <class F>
  void finish(F const& f) {
    crossing_.finish(f);
  }

 private:
  /// The last rank has it, or knows whose fault it is that there is none.
  void share_total(bool has_error) {
    SharedValue<T> shared(channel_);
    T const through  = static_cast<T>(before_ + own_);
    int const failed = crossing_.failed() != no_rank ? crossing_.failed() : channel_.rank();
    shared.begin(crossing_.next_tag(), channel_.size() - 1, has_error ? nullptr : &through,
                 has_error ? failed : no_rank);
    shared.wait();
    failed_ = shared.failed();
    if (failed_ == no_rank)
      total_ = shared.value();
    else
      channel_.all_know(failures_ + (crossing_.failed() != no_rank ? 1U : 0U));
  }

  Channel& channel_;
  unsigned failures_;  // that the channel knew before: what fails beside this call all do not know
  T own_{}, before_{}, total_{};
  int failed_ = no_rank;
  Crossing<T, Sum> crossing_;
};

}  // namespace KokkosScan::ranks
