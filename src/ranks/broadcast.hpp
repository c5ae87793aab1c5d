// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstddef>

#include "channel.hpp"
#include "under_way.hpp"

namespace KokkosScan::ranks {

/// The bytes of one rank to all others, along a binomial tree.
///
/// Why not MPI_Ibcast: the ranks of a communicator must begin its collective operations in the same order, and an
/// operation of ours comes to this when a rank has what it sends, which of two that are under way may be the one or the
/// other.
class Broadcast {
 public:
  Broadcast(Channel& channel, int tag) : channel_(channel), tag_(tag) {}
  Broadcast(Broadcast const&)            = delete;
  Broadcast& operator=(Broadcast const&) = delete;
  ~Broadcast() {
    if (count_ > 0 && !mpi_has_ended()) MPI_Waitall(count_, requests_, MPI_STATUSES_IGNORE);
  }

  /// At the root the message is there, elsewhere it will be. It must stay until this is done.
  void begin(int root, std::byte* message, std::size_t bytes) {
    root_     = root;
    message_  = message;
    bytes_    = static_cast<int>(bytes);
    place_    = (channel_.rank() - root + channel_.size()) % channel_.size();
    receives_ = place_ != 0;
    if (receives_)
      require(MPI_Irecv(message_, bytes_, MPI_BYTE, rank_at(place_ & (place_ - 1)), tag_, channel_.comm(),
                        &requests_[count_++]),
              "MPI_Irecv");
    else
      send();
  }
  bool test() {
    while (are_done(requests_, count_)) {
      if (!receives_) return true;
      send();
    }
    return false;
  }
  void wait() {
    wait_for(requests_, count_);
    if (!receives_) return;
    send();
    wait_for(requests_, count_);
  }

 private:
  int rank_at(int place) const { return (place + root_) % channel_.size(); }

  /// To those whose place is this one with a bit more, below its lowest one.
  void send() {
    receives_        = false;
    count_           = 0;
    int const lowest = place_ & -place_;
    for (int bit = 0; bit < most; ++bit) {
      int const step = 1 << bit;
      if ((lowest != 0 && step >= lowest) || step >= channel_.size() - place_) break;
      require(
          MPI_Isend(message_, bytes_, MPI_BYTE, rank_at(place_ + step), tag_, channel_.comm(), &requests_[count_++]),
          "MPI_Isend");
    }
  }

  static constexpr int most = 31;

  Channel& channel_;
  int tag_;
  int root_ = 0, place_ = 0, bytes_ = 0, count_ = 0;
  bool receives_      = false;
  std::byte* message_ = nullptr;
  MPI_Request requests_[most];
};

}  // namespace KokkosScan::ranks
