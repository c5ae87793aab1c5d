// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
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

/// One operation across ranks. Every rank begins it and waits for it, whatever fails: otherwise the others would wait
/// for ever. `own()` gives a Maybe<State>: what this rank adds, or nothing. The label must live as long.
template <class State, class Combine>
class Crossing {
 public:
  /// Begins at once.
  template <class Own>
  Crossing(Channel& channel, std::string_view label, bool reversed, Combine const& combine, Own const& own)
      : Crossing(channel, label, reversed, combine) {
    begin(own);
  }
  /// Takes its place among the operations, and begins with begin(), at any time.
  Crossing(Channel& channel, std::string_view label, bool reversed, Combine const& combine)
      : channel_(channel),
        label_(label),
        failures_(channel.failures()),
        state_(combine),
        rounds_(channel, reversed, sizeof(State), state_) {}

  /// All learn the greatest of the numbers.
  template <class Own>
  void begin(Own const& own, int number = no_rank) {
    error_ = take_own(own);
    rounds_.begin(error_ ? channel_.rank() : no_rank, number);
  }

  bool test() { return rounds_.test(); }

  /// What the ranks before this one combine to. Throws what failed here, or std::runtime_error if a rank before this
  /// one has failed, or any rank in the call before.
  core::Maybe<State> const& wait() {
    rounds_.wait();
    if (rounds_.failed() != no_rank)
      channel_.fail(rounds_.failed());
    else if (rounds_.failed_before() != no_rank)
      channel_.all_know(failures_);
    if (error_) std::rethrow_exception(error_);
    if (rounds_.error()) std::rethrow_exception(rounds_.error());
    if (rounds_.failed() != no_rank) throw_failed(channel_, label_, rounds_.failed());
    if (rounds_.failed_before() != no_rank) throw_failed_before(label_, rounds_.failed_before());
    return state_.before();
  }

  /// When all rounds are done: who failed in this call, as far as this rank knows, the greatest of the numbers, and a
  /// tag for what comes behind the rounds.
  int failed() const { return rounds_.failed(); }
  int greatest() const { return rounds_.greatest(); }
  int next_tag() const { return rounds_.next_tag(); }

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
  std::string_view label_;
  unsigned failures_;  // that the channel knew when this took its place
  CarriedState<State, Combine> state_;
  std::exception_ptr error_;
  Rounds rounds_;
};

}  // namespace KokkosScan::ranks
