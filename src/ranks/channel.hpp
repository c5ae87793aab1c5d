// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "require.hpp"
#include "under_way.hpp"

// What the library keeps of a communicator, as an attribute of it: a duplicate, so that the messages of the library
// never meet those of its caller, the tags of its calls, their buffers, and which rank failed.
namespace KokkosScan::ranks {

/// No rank, as the number of one.
inline constexpr int no_rank = -1;

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  using Bytes = std::vector<std::byte>;

  /// That of a communicator, which is made by the first call with it: all ranks come to that call. Throws
  /// std::runtime_error before MPI_Init and behind MPI_Finalize, std::invalid_argument for what is no
  /// intracommunicator.
  static Channel& of(MPI_Comm comm, std::string const& label);

  Channel(Channel const&)            = delete;
  Channel& operator=(Channel const&) = delete;
  ~Channel() {
    if (!mpi_has_ended()) free();
  }

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Where this rank stands in the order of a call, which may be reversed: the last is the first then. The rank of a
  /// position is found in the same way.
  int position(bool reversed) const { return reversed ? size_ - 1 - rank_ : rank_; }

  /// The first of the tags of one operation, which has tags_each of them. Operations that are under way at the same
  /// time have different ones, as long as there are no more than MPI has tags for (511 at least; millions with Open MPI
  /// and MPICH): every rank begins them in the same order.
  static constexpr int tags_each = 64;
  int begin_operation() {
    int const first = operation_ * tags_each;
    operation_      = (operation_ + 1) % operations_;
    return first;
  }

  /// Bytes for messages; what was given back is taken again, so that calls of one size allocate once.
  Bytes take(std::size_t bytes) {
    if (spare_.empty()) {
      spare_.reserve(++taken_);  // to give them back allocates nothing
      return Bytes(bytes);
    }
    Bytes taken = std::move(spare_.back());
    spare_.pop_back();
    taken.resize(bytes);
    return taken;
  }
  void give_back(Bytes&& bytes) { spare_.push_back(std::move(bytes)); }

  /// A rank that failed in a call that is through, while not all know it: the next call tells them.
  int failed_before() const { return failed_; }
  void fail(int rank) {
    failed_ = rank;
    ++failures_;
  }
  /// How often that was; all know of a failure only if there was none since.
  unsigned failures() const { return failures_; }
  void all_know(unsigned as_of) {
    if (as_of == failures_) failed_ = no_rank;
  }

 private:
  explicit Channel(MPI_Comm comm) {
    // Another rank may be waiting for something that was started with another communicator.
    MPI_Request duplicated = MPI_REQUEST_NULL;
    require(MPI_Comm_idup(comm, &comm_, &duplicated), "MPI_Comm_idup");
    wait_for(&duplicated, 1);
    require(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    require(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    require(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
    int* greatest_tag = nullptr;
    int is_known      = 0;
    require(MPI_Comm_get_attr(comm_, MPI_TAG_UB, static_cast<void*>(&greatest_tag), &is_known), "MPI_Comm_get_attr");
    operations_ = (is_known ? *greatest_tag : promised_tag) / tags_each;
  }
  static constexpr int promised_tag = 32767;

  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  /// All channels, which go when their communicators do, and before MPI does; what has been started keeps its own.
  struct All {
    std::mutex mutex;
    std::vector<std::shared_ptr<Channel>> channels;
    int of_channel = MPI_KEYVAL_INVALID;
    int of_end     = MPI_KEYVAL_INVALID;
    /// Of the last call, as long as it has its attribute: to ask MPI takes a seventh of a call of one element.
    std::atomic<MPI_Comm> last_comm    = MPI_COMM_NULL;
    std::atomic<Channel*> last_channel = nullptr;
    bool have_gone                     = false;  // as MPI_Finalize began; other attributes' callbacks may follow

    Channel& last(MPI_Comm comm, Channel& channel) {
      last_comm    = MPI_COMM_NULL;
      last_channel = &channel;
      last_comm    = comm;
      return channel;
    }

    void remove(void const* channel) {
      std::lock_guard const lock(mutex);
      std::erase_if(channels, [&](auto const& each) { return each.get() == channel; });
    }
  };
  /// Never destroyed: what ends MPI may be of static lifetime.
  static All& all() {
    static All& those = *new All;
    return those;
  }
  static int forget(MPI_Comm comm, int, void* channel, void*) {
    all().last_comm.compare_exchange_strong(comm, MPI_COMM_NULL);
    all().remove(channel);
    return MPI_SUCCESS;
  }
  static int forget_all(MPI_Comm, int, void*, void*) {
    std::lock_guard const lock(all().mutex);
    all().last_comm = MPI_COMM_NULL;
    for (auto const& channel : all().channels) channel->free();
    all().channels.clear();
    all().have_gone = true;
    return MPI_SUCCESS;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0;
  int operation_ = 0, operations_ = 1;
  std::size_t taken_ = 0;
  int failed_        = no_rank;
  unsigned failures_ = 0;
  std::vector<Bytes> spare_;
};

inline Channel& Channel::of(MPI_Comm comm, std::string const& label) {
  All& those = all();
  if (comm != MPI_COMM_NULL && comm == those.last_comm) return *those.last_channel;
  int begun = 0, ended = 0;
  require(MPI_Initialized(&begun), "MPI_Initialized");
  require(MPI_Finalized(&ended), "MPI_Finalized");
  if (!begun || ended || those.have_gone)
    throw std::runtime_error(label + ": MPI " + (begun ? "has ended" : "has not begun") +
                             "; calls across ranks stand between MPI_Init and MPI_Finalize");
  if (comm == MPI_COMM_NULL) throw std::invalid_argument(label + ": comm is MPI_COMM_NULL");
  int between = 0;
  require(MPI_Comm_test_inter(comm, &between), "MPI_Comm_test_inter");
  if (between)
    throw std::invalid_argument(label + ": comm is an intercommunicator, whose ranks have no order; merge it first");

  if (those.of_channel == MPI_KEYVAL_INVALID) {
    require(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &Channel::forget, &those.of_channel, nullptr),
            "MPI_Comm_create_keyval");
    // MPI_Finalize begins with the attributes of MPI_COMM_SELF.
    require(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &Channel::forget_all, &those.of_end, nullptr),
            "MPI_Comm_create_keyval");
    require(MPI_Comm_set_attr(MPI_COMM_SELF, those.of_end, nullptr), "MPI_Comm_set_attr");
  }
  void* found  = nullptr;
  int is_there = 0;
  require(MPI_Comm_get_attr(comm, those.of_channel, static_cast<void*>(&found), &is_there), "MPI_Comm_get_attr");
  if (is_there) return those.last(comm, *static_cast<Channel*>(found));

  std::shared_ptr<Channel> made(new Channel(comm));
  Channel* const channel = made.get();
  {
    std::lock_guard const lock(those.mutex);
    those.channels.push_back(std::move(made));
  }
  require(MPI_Comm_set_attr(comm, those.of_channel, channel), "MPI_Comm_set_attr");
  return those.last(comm, *channel);
}

}  // namespace KokkosScan::ranks
