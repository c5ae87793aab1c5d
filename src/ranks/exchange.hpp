// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "channel.hpp"
#include "under_way.hpp"

namespace KokkosScan::ranks {

/// Messages of any number of elements between ranks that do not know of each other: a rank says to another what comes,
/// and that receives until it has all that it waits for. What is sent and received must stay until all is done.
class Exchange {
 public:
  /// Where elements stand among those of all ranks.
  struct Range {
    std::size_t begin, count;
  };

  /// No message has more than so many elements.
  Exchange(Channel& channel, std::size_t element_bytes, std::size_t most)
      : channel_(channel), bytes_(element_bytes), most_(most), tag_(channel.begin_operation()) {
    require(MPI_Type_contiguous(static_cast<int>(element_bytes), MPI_BYTE, &element_), "MPI_Type_contiguous");
    require(MPI_Type_commit(&element_), "MPI_Type_commit");
  }
  Exchange(Exchange const&)            = delete;
  Exchange& operator=(Exchange const&) = delete;
  ~Exchange() {
    if (!requests_.empty()) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    MPI_Type_free(&element_);
  }

  /// To so many ranks: what they are told must stay where it is.
  void reserve(std::size_t ranks) { told_.reserve(ranks); }
  void send(int rank, Range const& range, void const* elements) {
    told_.push_back(range);
    require(MPI_Isend(&told_.back(), sizeof(Range), MPI_BYTE, rank, tag_, channel_.comm(), next()), "MPI_Isend");
    auto const* from = static_cast<std::byte const*>(elements);
    for_each_piece(range.count, [&](std::size_t at, int count) {
      require(MPI_Isend(from + at * bytes_, count, element_, rank, tag_ + 1, channel_.comm(), next()), "MPI_Isend");
    });
  }

  /// Receives so many elements; place(i) is where element i of all goes, and those behind it that come with it.
  template <class Place>
  void receive(std::size_t count, Place const& place) {
    while (count > 0) {
      Range range{};
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Status status;
      require(MPI_Irecv(&range, sizeof(Range), MPI_BYTE, MPI_ANY_SOURCE, tag_, channel_.comm(), &request), "MPI_Irecv");
      if (UnderWay::any())
        wait_until([&] {
          int is_done = 0;
          require(MPI_Test(&request, &is_done, &status), "MPI_Test");
          return is_done != 0;
        });
      else
        require(MPI_Wait(&request, &status), "MPI_Wait");
      auto* const to = reinterpret_cast<std::byte*>(place(range.begin));
      for_each_piece(range.count, [&](std::size_t at, int some) {
        require(MPI_Irecv(to + at * bytes_, some, element_, status.MPI_SOURCE, tag_ + 1, channel_.comm(), next()),
                "MPI_Irecv");
      });
      count -= range.count;
    }
  }

  void wait() {
    wait_for(requests_.data(), static_cast<int>(requests_.size()));
    requests_.clear();
  }

 private:
  template <class F>
  void for_each_piece(std::size_t count, F const& f) const {
    for (std::size_t at = 0; at < count; at += most_) f(at, static_cast<int>(std::min(most_, count - at)));
  }
  MPI_Request* next() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  Channel& channel_;
  std::size_t bytes_, most_;
  int tag_;
  MPI_Datatype element_ = MPI_DATATYPE_NULL;
  std::vector<Range> told_;
  std::vector<MPI_Request> requests_;
};

}  // namespace KokkosScan::ranks
