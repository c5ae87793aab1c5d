// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>

#include "../core/maybe.hpp"
#include "channel.hpp"
#include "outcome.hpp"
#include "rounds.hpp"

namespace KokkosScan::ranks {

/// One value of each rank that has one, combined in the order of the ranks, and never one that no rank has.
template <class State, class Combine>
class CarriedState final : public Carried {
  static_assert(std::is_trivially_copyable_v<State>, "KokkosScan: what crosses ranks must be trivially copyable");

 public:
  explicit CarriedState(Combine const& combine) : combine_(combine) {}

  void set_own(core::Maybe<State> const& own) {
    if (own) through_.put(*own);
  }
  /// What the ranks before this one combine to.
  core::Maybe<State> const& before() const { return before_; }

  bool write(std::byte* message) const override {
    if (through_) std::memcpy(message, &*through_, sizeof(State));
    return static_cast<bool>(through_);
  }
  void take_from_before(std::byte const* message) override {
    alignas(State) std::byte bytes[sizeof(State)];
    std::memcpy(bytes, message, sizeof(State));
    State const& left = *reinterpret_cast<State const*>(bytes);
    put_behind(left, before_);
    put_behind(left, through_);
  }

 private:
  void put_behind(State const& left, core::Maybe<State>& right) const {
    right.put(right ? static_cast<State>(combine_(left, *right)) : left);
  }

  Combine combine_;
  core::Maybe<State> before_, through_;
};

/// One operation across ranks. It begins when it is made, and every rank makes it and waits for it, whatever fails:
/// otherwise the others would wait for ever. `own()` gives a Maybe<State>: what this rank adds, or nothing.
template <class State, class Combine>
class Crossing {
 public:
  template <class Own>
  Crossing(Channel& channel, std::string const& label, bool reversed, Combine const& combine, Own const& own)
      : channel_(channel),
        label_(label),
        state_(combine),
        error_(take_own(own)),
        rounds_(channel, reversed, sizeof(State), state_, error_ ? channel.rank() : no_rank) {}

  bool test() { return rounds_.test(); }

  /// What the ranks before this one combine to. Throws what failed here, or std::runtime_error if a rank before this
  /// one has failed, or any rank in the call before.
  core::Maybe<State> const& wait() {
    rounds_.wait();
    ranks::end(channel_, label_, rounds_, error_);
    return state_.before();
  }

  /// What is left to do when the others are not needed any more. They learn at their next call if it fails.
  template <class F>
  void finish(F const& f) {
    try {
      f();
    } catch (...) {
      channel_.fail(channel_.rank());
      throw;
    }
  }

 private:
  template <class Own>
  std::exception_ptr take_own(Own const& own) {
    try {
      state_.set_own(own());
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  Channel& channel_;
  std::string label_;
  CarriedState<State, Combine> state_;
  std::exception_ptr error_;
  Rounds rounds_;
};

}  // namespace KokkosScan::ranks
