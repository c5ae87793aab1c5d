// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../driver/views.hpp"
#include "calls.hpp"
#include "exchange.hpp"
#include "share.hpp"
#include "staging.hpp"
#include "sum_across.hpp"

// Equal shares: each rank knows how many elements the ranks before it and all have, hence which ranks its elements go
// to, and says to them what comes.
namespace KokkosScan::ranks {

inline constexpr std::size_t most_in_message = std::size_t{1} << 30;

/// Throws on all ranks if one has an error: its own there, and elsewhere one that names the first of these.
inline void agree_to_go_on(Channel& channel, std::string const& label, std::exception_ptr const& error) {
  constexpr int nobody = std::numeric_limits<int>::max();
  int const own        = error ? channel.rank() : nobody;
  int first            = nobody;
  MPI_Request request  = MPI_REQUEST_NULL;
  require(MPI_Iallreduce(&own, &first, 1, MPI_INT, MPI_MIN, channel.comm(), &request), "MPI_Iallreduce");
  wait_for(&request, 1);
  if (error) std::rethrow_exception(error);
  if (first != nobody)
    throw std::runtime_error(label + ": rank " + std::to_string(first) +
                             " failed in this call (what it threw says why); no rank wrote anything");
}

/// What two ranges of elements have in common, or nothing.
inline Exchange::Range common(mpi::Share const& a, mpi::Share const& b) {
  std::size_t const begin = std::max(a.before, b.before), end = std::min(a.before + a.count, b.before + b.count);
  return {begin, end > begin ? end - begin : 0};
}

/// Sends what goes to other ranks; `own` is what this one has.
template <class Outgoing>
void send_all(Exchange& exchange, Channel const& channel, mpi::Share const& own, Outgoing const& outgoing) {
  if (own.count == 0) return;
  auto const [first, last] = std::pair(owner_of_equal_share(own.total, channel.size(), own.before),
                                       owner_of_equal_share(own.total, channel.size(), own.before + own.count - 1));
  exchange.reserve(static_cast<std::size_t>(last - first) + 1);
  for (int rank = first; rank <= last; ++rank) {
    Exchange::Range const range = common(own, equal_share(own.total, channel.size(), rank));
    if (rank != channel.rank() && range.count > 0) exchange.send(rank, range, outgoing.at(range.begin - own.before));
  }
}

template <class From, class Dest>
void check_goal(std::string const& label, From const& from, Dest const& dest, mpi::Share const& goal) {
  if (dest.extent(0) < goal.count)
    throw std::invalid_argument(label + ": this rank's share is " + std::to_string(goal.count) +
                                " elements and dest.extent(0) is " + std::to_string(dest.extent(0)) +
                                "; dest must have at least as many as balanced_share says");
  driver::Footprint const results = driver::footprint(dest, goal.count);
  driver::check_distinct(label, "dest", results);
  driver::check_apart(label, "from", driver::footprint(from), "dest", results);
}

/// No message has more than so many elements.
template <class ExecOrHandle, class From, class Dest>
mpi::Share rebalance(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, From const& from,
                     Dest const& dest, std::size_t most) {
  using T          = typename From::non_const_value_type;
  Channel& channel = Channel::of(comm, label);
  ranks::check_calls_agree(channel, label, exec, [] { return "of " + std::string(type_name<T>()); });
  std::size_t const n         = from.extent(0);
  mpi::Share const own        = SumAcross<std::size_t>(channel, label, true, [&] {
                           ranks::refuse_in_capture(label, exec);
                           return n;
                         }).share();
  mpi::Share const goal       = equal_share(own.total, channel.size(), channel.rank());
  Exchange::Range const stays = common(own, goal);
  // What stays is no part of what is staged: of the others, those before it are in front.
  std::size_t const from_front = stays.count > 0 ? stays.begin - own.before : 0;
  std::size_t const dest_front = stays.count > 0 ? stays.begin - goal.before : 0;

  std::optional<Staging<ExecOrHandle, From>> outgoing;
  std::optional<Staging<ExecOrHandle, Dest>> incoming;
  std::exception_ptr error;
  try {
    check_goal(label, from, dest, goal);
    outgoing.emplace(label, exec, from, from_front, from_front + stays.count, n);
    incoming.emplace(label, exec, dest, dest_front, dest_front + stays.count, goal.count);
    outgoing->pack();
    driver::wait_for(label, exec);
  } catch (...) {
    error = std::current_exception();
  }
  ranks::agree_to_go_on(channel, label, error);

  // Others wait for what is sent, and send, whatever fails here.
  auto const attempt = [&](auto const& f) {
    try {
      f();
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  };
  Exchange exchange(channel, sizeof(T), most);
  ranks::send_all(exchange, channel, own, *outgoing);
  if (stays.count > 0)
    attempt([&] {
      driver::with_elements(from, [&](auto elements) {
        driver::with_elements(dest, [&](auto places) {
          elements.skip(from_front);
          places.skip(dest_front);
          ranks::copy_elements(label, exec, elements, places, stays.count);
        });
      });
    });
  exchange.receive(goal.count - stays.count, [&](std::size_t i) { return incoming->at(i - goal.before); });
  exchange.wait();
  if (!error) attempt([&] { incoming->unpack(); });
  if (error) {
    channel.fail(channel.rank());
    std::rethrow_exception(error);
  }
  return goal;
}

struct Rebalance {
  template <class ExecOrHandle, class From, class Dest>
  static mpi::Share call(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec, From const& from,
                         Dest const& dest) {
    using Exec = driver::InstanceOf<ExecOrHandle>;
    if constexpr (driver::check_view<From, Exec>() && driver::check_view<Dest, Exec>())
      if constexpr (driver::check_dest<Dest>()) {
        constexpr bool alike = std::is_same_v<typename From::non_const_value_type, typename Dest::non_const_value_type>;
        static_assert(alike, "KokkosScan: from and dest of rebalance must have one value type");
        if constexpr (alike) return ranks::rebalance(label, comm, exec, from, dest, most_in_message);
      }
    return {};
  }
};

/// Of a call without exec: nothing runs there.
struct BalancedShare {
  template <std::integral N>
  mpi::Share operator()(std::string const& label, MPI_Comm comm, N n) const {
    Channel& channel        = Channel::of(comm, label);
    std::size_t const total = SumAcross<std::size_t>(channel, label, true, [&] {
                                if constexpr (std::is_signed_v<N>)
                                  if (n < 0)
                                    throw std::invalid_argument(label + ": n is " + std::to_string(n) +
                                                                "; there cannot be less than 0 elements");
                                return static_cast<std::size_t>(n);
                              }).total();
    return equal_share(total, channel.size(), channel.rank());
  }
  template <std::integral N>
  mpi::Share operator()(MPI_Comm comm, N n) const {
    return (*this)("KokkosScan::mpi::balanced_share", comm, n);
  }
};

}  // namespace KokkosScan::ranks
