// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "channel.hpp"
#include "under_way.hpp"

// The scan across ranks, of Hillis and Steele (1986): in round k a rank sends what it has combined so far to the rank
// 2^k behind it, and combines what comes from the rank 2^k before it with what it has. log2(P) rounds, of one message
// from each rank and one to it: the rank behind the last one is the first, for which alone what goes beside the values
// counts. So each rank hears from all, as in the barrier of Hensgen, Finkel and Manber (1988).
//
// Why not MPI_Exscan: MPI leaves to the library how it groups the operands, so that sums of floats may have other bits
// on other days; here the grouping follows from the numbers of the ranks alone. And an operator is then no function
// that MPI calls without the types and the state that it was made with.
//
// Who failed travels with what is combined: a rank that fails in a call, and all behind it, know that in this call. Who
// failed in the call before comes to all, so that those before it know at their next call; and a number of each rank,
// of which all learn the greatest.
namespace KokkosScan::ranks {

/// What the rounds carry: so many bytes, which they do not look into.
class Carried {
 public:
  /// Writes what this rank and those before it, as far as they have come, combine to. False if they have nothing.
  virtual bool write(std::byte* message) const = 0;
  /// Takes what ranks before all those that were taken so far combine to.
  virtual void take_from_before(std::byte const* message) = 0;

 protected:
  ~Carried() = default;
};

/// Memory for bytes that are too many for one message with all else, where whoever carries them has it: what goes out
/// and what comes in, in pieces, since MPI counts the bytes of a message by an int. All ranks have as many bytes, and
/// pieces of one size.
struct Bodies {
  static constexpr std::size_t most_in_piece = std::size_t{1} << 30;

  std::byte* out    = nullptr;
  std::byte* in     = nullptr;
  std::size_t bytes = 0;
  std::size_t piece = most_in_piece;
};

class Rounds {
 public:
  /// Takes the tags of an operation, as all ranks do in the same order; it begins with begin(), at any time. Ranks may
  /// be taken in reverse: the last is the first then.
  Rounds(Channel& channel, bool reversed, std::size_t bytes, Carried& carried)
      : Rounds(channel, reversed, bytes, Bodies{}, carried) {}
  /// The same with bytes that go behind their envelope in messages of their own, and only where there are any.
  Rounds(Channel& channel, bool reversed, Bodies const& bodies, Carried& carried)
      : Rounds(channel, reversed, 0, bodies, carried) {}
  /// Begins at once.
  Rounds(Channel& channel, bool reversed, std::size_t bytes, Carried& carried, int failed)
      : Rounds(channel, reversed, bytes, carried) {
    begin(failed);
  }
  Rounds(Rounds const&)            = delete;
  Rounds& operator=(Rounds const&) = delete;
  ~Rounds() {
    // An exception ends the operation early: what MPI still reads or writes must stay where it is until it has.
    if (is_under_way() && !mpi_has_ended()) {
      MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
      MPI_Waitall(pieces(), pieces_.data(), MPI_STATUSES_IGNORE);
    }
    channel_.give_back(std::move(messages_));
  }

  /// Begins the first round. `failed` is this rank if it has failed in this call before, or no_rank.
  void begin(int failed, int number = no_rank) {
    envelope_.failed   = failed;
    envelope_.greatest = number;
    begin_round();
  }

  /// Goes as far as is possible without waiting, and says whether all rounds are done.
  bool test() {
    while (is_under_way()) {
      if (!has_envelopes_) {
        if (!are_done(requests_, 2)) return false;
        receive_body();
      }
      if (!are_done(pieces_.data(), pieces())) return false;
      end_round();
    }
    return true;
  }
  void wait() {
    while (is_under_way()) {
      if (!has_envelopes_) {
        wait_for(requests_, 2);
        receive_body();
      }
      if (!pieces_.empty()) wait_for(pieces_.data(), pieces());
      end_round();
    }
  }

  /// The first rank that is known to have failed in this call, and in the one before.
  int failed() const { return envelope_.failed; }
  /// What an operator threw here, or what carries its values. The rounds went on, since others wait for this rank.
  std::exception_ptr const& error() const { return error_; }
  int failed_before() const { return envelope_.failed_before; }
  /// Of the numbers that the ranks began with.
  int greatest() const { return envelope_.greatest; }
  /// The first of the tags that rounds leave to what comes behind them.
  int next_tag() const { return first_tag_ + tags; }

 private:
  /// As many rounds as an int has ranks for.
  static constexpr int tags = 31;
  static_assert(tags < Channel::tags_each);

  /// What goes ahead of the bytes.
  struct Envelope {
    int failed;
    int failed_before;
    int greatest;
    int has_bytes;
  };

  Rounds(Channel& channel, bool reversed, std::size_t bytes, Bodies const& bodies, Carried& carried)
      : channel_(channel),
        carried_(carried),
        bytes_(bytes),
        bodies_(bodies),
        position_(channel.position(reversed)),
        reversed_(reversed),
        first_tag_(channel.begin_operation()),
        envelope_{no_rank, channel.failed_before(), no_rank, 0},
        messages_(channel.take(2 * message_bytes())) {}

  bool is_under_way() const { return distance_ < channel_.size(); }
  std::size_t message_bytes() const { return sizeof(Envelope) + bytes_; }
  std::byte* message_out() { return messages_.data(); }
  std::byte* message_in() { return messages_.data() + message_bytes(); }
  int rank_at(int position) const { return reversed_ ? channel_.size() - 1 - position : position; }
  /// Whether there is one so far before this one, and so far behind it; else its message comes around.
  bool has_before() const { return position_ >= distance_; }
  bool has_behind() const { return channel_.size() - position_ > distance_; }
  int before() const { return rank_at(position_ - distance_ + (has_before() ? 0 : channel_.size())); }
  int behind() const { return rank_at(position_ + distance_ - (has_behind() ? 0 : channel_.size())); }
  int tag() const { return first_tag_ + round_; }

  std::byte* body_out() { return bodies_.bytes > 0 ? bodies_.out : message_out() + sizeof(Envelope); }
  std::byte const* body_in() { return bodies_.bytes > 0 ? bodies_.in : message_in() + sizeof(Envelope); }
  int pieces() const { return static_cast<int>(pieces_.size()); }

  void begin_round() {
    if (!is_under_way()) return;
    int const length    = static_cast<int>(message_bytes());
    auto const comm     = channel_.comm();
    has_envelopes_      = false;
    envelope_.has_bytes = has_behind() && write();
    std::memcpy(message_out(), &envelope_, sizeof(Envelope));
    // First what others wait for.
    require(MPI_Isend(message_out(), length, MPI_BYTE, behind(), tag(), comm, &requests_[0]), "MPI_Isend");
    require(MPI_Irecv(message_in(), length, MPI_BYTE, before(), tag(), comm, &requests_[1]), "MPI_Irecv");
    if (envelope_.has_bytes)
      for_each_piece([&](std::size_t begin, int count, MPI_Request& request) {
        require(MPI_Isend(bodies_.out + begin, count, MPI_BYTE, behind(), tag(), comm, &request), "MPI_Isend");
      });
  }

  /// Behind the envelopes. Where one says that there are bytes they must come in, whatever has failed here.
  void receive_body() {
    has_envelopes_ = true;
    std::memcpy(&received_, message_in(), sizeof(Envelope));
    if (received_.has_bytes)
      for_each_piece([&](std::size_t begin, int count, MPI_Request& request) {
        require(MPI_Irecv(bodies_.in + begin, count, MPI_BYTE, before(), tag(), channel_.comm(), &request),
                "MPI_Irecv");
      });
  }

  template <class F>
  void for_each_piece(F const& f) {
    for (std::size_t begin = 0; begin < bodies_.bytes; begin += bodies_.piece) {
      pieces_.push_back(MPI_REQUEST_NULL);
      f(begin, static_cast<int>(std::min(bodies_.piece, bodies_.bytes - begin)), pieces_.back());
    }
  }

  void end_round() {
    pieces_.clear();
    if (has_before()) note(envelope_.failed, received_.failed);
    note(envelope_.failed_before, received_.failed_before);
    envelope_.greatest = std::max(envelope_.greatest, received_.greatest);
    if (received_.has_bytes && envelope_.failed == no_rank) take();
    distance_ *= 2;
    ++round_;
    begin_round();
  }

  bool write() {
    if (envelope_.failed != no_rank) return false;
    try {
      return carried_.write(body_out());
    } catch (...) {
      fail();
      return false;
    }
  }
  void take() {
    try {
      carried_.take_from_before(body_in());
    } catch (...) {
      fail();
    }
  }
  /// By the exception that is being handled.
  void fail() {
    error_           = std::current_exception();
    envelope_.failed = channel_.rank();
  }

  static void note(int& failed, int other) {
    if (other != no_rank && (failed == no_rank || other < failed)) failed = other;
  }

  Channel& channel_;
  Carried& carried_;
  std::size_t bytes_;
  Bodies bodies_;
  int position_;
  bool reversed_;
  int first_tag_;
  Envelope envelope_, received_{no_rank, no_rank, no_rank, 0};
  bool has_envelopes_ = false;
  Channel::Bytes messages_;
  std::exception_ptr error_;
  int round_ = 0, distance_ = 1;
  MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::vector<MPI_Request> pieces_;
};

}  // namespace KokkosScan::ranks
