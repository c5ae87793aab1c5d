// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>

#include "channel.hpp"
#include "under_way.hpp"

// The scan across ranks, of Hillis and Steele (1986): in round k a rank sends what it has combined so far to the rank
// 2^k behind it, and combines what comes from the rank 2^k before it with what it has. log2(P) rounds, of one message
// from each rank and one to it.
//
// Why not MPI_Exscan: MPI leaves to the library how it groups the operands, so that sums of floats may have other bits
// on other days; here the grouping follows from the numbers of the ranks alone. And an operator is then no function
// that MPI calls without the types and the state that it was made with.
//
// Who failed travels with what is combined: a rank that fails in a call, and all behind it, know that in this call.
// Against it, in the same rounds, travels who failed in the call before, so that all know at their next call, and none
// waits. In both directions travels a number of each rank, of which all learn the greatest.
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

class Rounds {
 public:
  /// Takes the tags of an operation, as all ranks do in the same order; it begins with begin(), at any time. Ranks may
  /// be taken in reverse: the last is the first then.
  Rounds(Channel& channel, bool reversed, std::size_t bytes, Carried& carried)
      : channel_(channel),
        carried_(carried),
        bytes_(bytes),
        position_(channel.position(reversed)),
        reversed_(reversed),
        first_tag_(channel.begin_operation()),
        envelope_{no_rank, channel.failed_before(), no_rank, 0},
        messages_(channel.take(2 * message_bytes())) {}
  /// Begins at once.
  Rounds(Channel& channel, bool reversed, std::size_t bytes, Carried& carried, int failed)
      : Rounds(channel, reversed, bytes, carried) {
    begin(failed);
  }
  Rounds(Rounds const&)            = delete;
  Rounds& operator=(Rounds const&) = delete;
  ~Rounds() {
    // An exception ends the operation early: what MPI still reads or writes must stay where it is until it has.
    if (is_under_way()) MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE);
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
      int done = 0;
      require(MPI_Testall(4, requests_, &done, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (!done) return false;
      end_round();
    }
    return true;
  }
  void wait() {
    while (is_under_way()) {
      wait_for(requests_, 4);
      end_round();
    }
  }

  /// The first rank that is known to have failed in this call, and in the one before.
  int failed() const { return envelope_.failed; }
  /// What an operator threw here. The rounds went on, since others wait for this rank.
  std::exception_ptr const& error() const { return error_; }
  int failed_before() const { return envelope_.failed_before; }
  /// Of the numbers that the ranks began with.
  int greatest() const { return envelope_.greatest; }
  /// The first of the tags that rounds leave to what comes behind them.
  int next_tag() const { return first_tag_ + tags; }

 private:
  /// Of two directions and as many rounds as an int has ranks for.
  static constexpr int tags = 2 * 31;
  static_assert(tags < Channel::tags_each);

  /// What goes ahead of the bytes.
  struct Envelope {
    int failed;
    int failed_before;
    int greatest;
    int has_bytes;
  };
  /// What goes the other way.
  struct Against {
    int failed_before = no_rank;
    int greatest      = no_rank;
  };

  bool is_under_way() const { return distance_ < channel_.size(); }
  std::size_t message_bytes() const { return sizeof(Envelope) + bytes_; }
  std::byte* message_out() { return messages_.data(); }
  std::byte* message_in() { return messages_.data() + message_bytes(); }
  /// The rank of a position, or none.
  int rank_at(int position) const {
    if (position < 0 || position >= channel_.size()) return MPI_PROC_NULL;
    return reversed_ ? channel_.size() - 1 - position : position;
  }

  void begin_round() {
    if (!is_under_way()) return;
    int const before = rank_at(position_ - distance_), behind = rank_at(position_ + distance_);
    int const tag    = first_tag_ + 2 * round_;
    int const length = static_cast<int>(message_bytes());
    auto const comm  = channel_.comm();
    envelope_.has_bytes =
        envelope_.failed == no_rank && behind != MPI_PROC_NULL && carried_.write(message_out() + sizeof(Envelope));
    std::memcpy(message_out(), &envelope_, sizeof(Envelope));
    out_ = {envelope_.failed_before, envelope_.greatest};
    in_  = {};
    require(MPI_Irecv(message_in(), length, MPI_BYTE, before, tag, comm, &requests_[0]), "MPI_Irecv");
    require(MPI_Irecv(&in_, 2, MPI_INT, behind, tag + 1, comm, &requests_[1]), "MPI_Irecv");
    require(MPI_Isend(message_out(), length, MPI_BYTE, behind, tag, comm, &requests_[2]), "MPI_Isend");
    require(MPI_Isend(&out_, 2, MPI_INT, before, tag + 1, comm, &requests_[3]), "MPI_Isend");
  }

  void end_round() {
    if (rank_at(position_ - distance_) != MPI_PROC_NULL) {
      Envelope received;
      std::memcpy(&received, message_in(), sizeof(Envelope));
      note(envelope_.failed, received.failed);
      note(envelope_.failed_before, received.failed_before);
      envelope_.greatest = std::max(envelope_.greatest, received.greatest);
      if (received.has_bytes && envelope_.failed == no_rank) take();
    }
    note(envelope_.failed_before, in_.failed_before);
    envelope_.greatest = std::max(envelope_.greatest, in_.greatest);
    distance_ *= 2;
    ++round_;
    begin_round();
  }

  void take() {
    try {
      carried_.take_from_before(message_in() + sizeof(Envelope));
    } catch (...) {
      error_           = std::current_exception();
      envelope_.failed = channel_.rank();
    }
  }

  static void note(int& failed, int other) {
    if (other != no_rank && (failed == no_rank || other < failed)) failed = other;
  }

  Channel& channel_;
  Carried& carried_;
  std::size_t bytes_;
  int position_;
  bool reversed_;
  int first_tag_;
  Envelope envelope_;
  Channel::Bytes messages_;
  std::exception_ptr error_;
  int round_ = 0, distance_ = 1;
  Against out_, in_;
  MPI_Request requests_[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace KokkosScan::ranks
