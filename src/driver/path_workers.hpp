// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "../portable/team_reduce.hpp"
#include "path_arrays.hpp"

// Who makes rounds of a search for paths: how they count, wait for each other, and make a key less. Workers have
//
//   rank(), size(), wait()         one of them, how many there are, and all are here
//   least(key), sum(value)         of all of them, for all of them
//   count_from(near, far)          how many are on the lists that are made, before any place is taken there
//   place_near(), place_far()      the next one
//   counted(near, far)             how many there are then
//   lower(address, key)            makes a key no larger, and returns what it was
namespace KokkosScan::driver {

/// One thread of a host: nobody else is there.
template <class Key, class Vertex>
class PathThread {
 public:
  static constexpr bool is_alone = true;

  KOKKOS_FUNCTION std::size_t rank() const { return 0; }
  KOKKOS_FUNCTION std::size_t size() const { return 1; }
  KOKKOS_FUNCTION void wait() const {}
  KOKKOS_FUNCTION Key least(Key key) const { return key; }
  KOKKOS_FUNCTION double sum(double value) const { return value; }
  KOKKOS_FUNCTION void count_from(Vertex near, Vertex far) {
    near_ = near;
    far_  = far;
  }
  KOKKOS_FUNCTION void counted(Vertex& near, Vertex& far) const {
    near = near_;
    far  = far_;
  }
  KOKKOS_FUNCTION Vertex place_near() { return near_++; }
  KOKKOS_FUNCTION Vertex place_far() { return far_++; }
  /// Makes a key no larger, and returns what it was.
  KOKKOS_FUNCTION Key lower(Key* at, Key key) const {
    Key const before = *at;
    if (key < before) *at = key;
    return before;
  }

 private:
  Vertex near_ = 0, far_ = 0;
};

/// Threads of a host that relax edges of one round, with counts in memory.
template <class Key, class Vertex>
class PathThreads {
 public:
  KOKKOS_FUNCTION explicit PathThreads(PathState<Key, Vertex>* state) : state_(state) {}
  KOKKOS_FUNCTION Vertex place_near() const { return Kokkos::atomic_fetch_add(&state_->near, Vertex{1}); }
  KOKKOS_FUNCTION Vertex place_far() const { return Kokkos::atomic_fetch_add(&state_->far, Vertex{1}); }
  KOKKOS_FUNCTION Key lower(Key* at, Key key) const {
    Key const now = Kokkos::atomic_load(at);
    return key < now ? Kokkos::atomic_fetch_min(at, key) : now;
  }

 private:
  PathState<Key, Vertex>* state_;
};

/// The threads of a team, with what they share.
template <class Member, class Key, class Vertex>
class PathTeam {
 public:
  static constexpr bool is_alone = false;

  KOKKOS_FUNCTION explicit PathTeam(Member const& team) : team_(team) {
    auto const& scratch = team.team_scratch(0);
    auto const size     = static_cast<std::size_t>(team.team_size());
    shifts_             = static_cast<std::size_t*>(scratch.get_shmem_aligned(size * sizeof(std::size_t), 8));
    keys_               = static_cast<Key*>(scratch.get_shmem_aligned(size * sizeof(Key), 8));
    counts_             = static_cast<Vertex*>(scratch.get_shmem_aligned(2 * sizeof(Vertex), 8));
    ends_               = static_cast<std::uint32_t*>(scratch.get_shmem_aligned(size * sizeof(std::uint32_t), 8));
  }
  static std::size_t scratch_bytes(std::size_t size) {
    return size * (sizeof(std::size_t) + sizeof(Key) + sizeof(std::uint32_t)) + 2 * sizeof(Vertex) + 64;
  }

  KOKKOS_FUNCTION std::size_t rank() const { return static_cast<std::size_t>(team_.team_rank()); }
  KOKKOS_FUNCTION std::size_t size() const { return static_cast<std::size_t>(team_.team_size()); }
  KOKKOS_FUNCTION void wait() const { team_.team_barrier(); }
  KOKKOS_FUNCTION Key least(Key key) const {
    portable::least_of_team(team_, key);
    return key;
  }
  KOKKOS_FUNCTION double sum(double value) const {
    portable::sum_of_team(team_, value);
    return value;
  }
  KOKKOS_FUNCTION void count_from(Vertex near, Vertex far) {
    wait();
    if (rank() == 0) {
      counts_[0] = near;
      counts_[1] = far;
    }
    wait();
  }
  KOKKOS_FUNCTION void counted(Vertex& near, Vertex& far) const {
    wait();
    near = counts_[0];
    far  = counts_[1];
  }
  KOKKOS_FUNCTION Vertex place_near() { return Kokkos::atomic_fetch_add(&counts_[0], Vertex{1}); }
  KOKKOS_FUNCTION Vertex place_far() { return Kokkos::atomic_fetch_add(&counts_[1], Vertex{1}); }
  KOKKOS_FUNCTION Key lower(Key* at, Key key) const {
    Key const now = Kokkos::atomic_load(at);
    return key < now ? Kokkos::atomic_fetch_min(at, key) : now;
  }

  /// Takes an edge list of each thread's, of so many edges from one on; returns how many there are in all. No thread
  /// hands in more than 2^20.
  KOKKOS_FUNCTION std::uint32_t take(std::size_t begin, std::uint32_t degree, Key key) {
    std::uint32_t const before = team_.team_scan(degree);
    ends_[rank()]              = before + degree;
    shifts_[rank()]            = begin - before;
    keys_[rank()]              = key;
    wait();
    return ends_[size() - 1];
  }
  /// Whose list a slot is of.
  KOKKOS_FUNCTION std::uint32_t owner(std::uint32_t slot) const {
    std::uint32_t low = 0, high = static_cast<std::uint32_t>(size()) - 1;
    while (low < high) {
      std::uint32_t const middle = (low + high) / 2;
      if (ends_[middle] > slot)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  KOKKOS_FUNCTION std::size_t edge(std::uint32_t owner, std::uint32_t slot) const { return shifts_[owner] + slot; }
  KOKKOS_FUNCTION Key key(std::uint32_t owner) const { return keys_[owner]; }

 private:
  Member const& team_;
  std::size_t* shifts_;
  Key* keys_;
  Vertex* counts_;
  std::uint32_t* ends_;
};

}  // namespace KokkosScan::driver
