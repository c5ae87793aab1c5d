// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../core/rows.hpp"
#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "team_reduce.hpp"

//  The items of ragged rows: each team has neighbouring tiles of the rows and items, and its threads neighbouring items
//  paper       Green, McColl, Bader 2012; Merrill, Garland 2016 (where tiles begin: core/rows.hpp)
//  launches    1, of a number of teams that depends on the device alone: how many items there are is read in the kernel
//  bytes       those of the offsets, once, and what f reads and writes
//  steps       (rows + items) / threads, and a search for the first row of each team
//  progress    none: no team waits for another
namespace KokkosScan::portable::rows {

/// Of a tile, whose positions are marked in scratch where rows end. A word has the marks of eight, a byte each.
inline constexpr int positions = 4096, positions_of_word = 8, words = positions / positions_of_word;
inline constexpr int team_size = 256;

/// Two buffers of marks, a record for each word and one for the whole tile, and what alignment takes.
inline constexpr int scratch_bytes = 2 * positions + (words + 1) * 4 + 64;

/// How many of eight bytes are 1, the others being 0.
KOKKOSSCAN_FUNCTION inline std::uint32_t count_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes * 0x0101010101010101U) >> 56);
}
/// The same bytes as bits, the first one lowest: of the products that are added up, each has a bit of its own.
KOKKOSSCAN_FUNCTION inline std::uint32_t bits_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes * 0x0102040810204080U) >> 56);
}
/// How many of eight bits are 1.
KOKKOSSCAN_FUNCTION inline std::uint32_t count_of_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  bits -= (bits >> 1) & 0x55U;
  bits = (bits & 0x33U) + ((bits >> 2) & 0x33U);
  return (bits + (bits >> 4)) & 0x0fU;
#endif
}

/// Whether a number of threads is known when the kernel is compiled, and then which.
inline constexpr int any_size = 0;

template <class Rows, class F, int known_size>
struct Walk {
  using Order = decltype(std::declval<Rows const&>().in_order());

  Rows rows;
  F f;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    Order const order           = rows.in_order();
    std::size_t const tiles     = (order.size() + positions - 1) / positions;
    auto const teams            = static_cast<std::size_t>(team.league_size());
    std::size_t const each      = (tiles + teams - 1) / teams;
    std::size_t const begin     = static_cast<std::size_t>(team.league_rank()) * each;
    std::size_t const remaining = begin < tiles ? tiles - begin : 0;
    if (remaining > 0) walk(team, order, begin, begin + (remaining < each ? remaining : each));
  }

 private:
  template <class Member>
  KOKKOS_FUNCTION static std::uint32_t size_of(Member const& team) {
    return static_cast<std::uint32_t>(known_size == any_size ? team.team_size() : known_size);
  }

  /// The first row that does not end before a position: in each round every thread looks at one place, so that ten
  /// million rows take three.
  template <class Member>
  KOKKOS_FUNCTION static std::size_t row_at(Member const& team, Order const& order, std::size_t position) {
    std::size_t row = order.least_row(position), behind = order.most_row(position);
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    while (row < behind) {
      std::size_t const step = (behind - row + size) / (size + 1), place = row + (rank + 1) * step - 1;
      int before = place < behind && order.place_of_end(place) < position ? 1 : 0;
      sum_of_team(team, before);
      auto const steps = static_cast<std::size_t>(before);
      if (steps < size && row + (steps + 1) * step - 1 < behind) behind = row + (steps + 1) * step - 1;
      row += steps * step;
    }
    return row;
  }

  /// Places in a tile are narrow. What is farther than any.
  static constexpr std::uint32_t far = 0x7fffffff;

  KOKKOS_FUNCTION static std::uint32_t narrow(std::size_t distance) {
    return distance < far ? static_cast<std::uint32_t>(distance) : far;
  }
  /// Where in the tile at a position a row ends; far, if it does not.
  KOKKOS_FUNCTION static std::uint32_t place_of_end(Order const& order, std::size_t position, std::size_t row) {
    return row < order.rows ? narrow(order.place_of_end(row) - position) : far;
  }

  KOKKOS_FUNCTION static void mark(std::uint64_t* marks, std::uint32_t place) {
    if (place < positions) reinterpret_cast<unsigned char*>(marks)[place] = 1;
  }
  /// Marks where rows end, from one on; where the first ones do, one to a thread, is known. There are as many as the
  /// tile has positions, or fewer: more are looked at only if those before all end within it.
  template <class Member>
  KOKKOS_FUNCTION static void mark_all(Member const& team, Order const& order, std::uint64_t* marks,
                                       std::size_t position, std::size_t row, std::uint32_t own, std::uint32_t last) {
    auto const size = static_cast<std::uint32_t>(team.team_size()), rank = static_cast<std::uint32_t>(team.team_rank());
    mark(marks, own);
    std::uint32_t known = size;
    while (known < positions && last + 1 < positions) {
      std::uint32_t const next = known < positions / 2 ? positions / 2 : positions;
      for (std::uint32_t k = known + rank; k < next; k += size) mark(marks, place_of_end(order, position, row + k));
      last  = place_of_end(order, position, row + next - 1);
      known = next;
    }
  }

  /// Makes records of the words: how many rows end in the tile before each, and the marks of its eight positions.
  /// Clears the marks of the tile after.
  template <class Member>
  KOKKOS_FUNCTION static void make_records(Member const& team, std::uint64_t const* marks, std::uint64_t* next,
                                           std::uint32_t* records) {
    int const size = team.team_size(), rank = team.team_rank(), each = (words + size - 1) / size;
    int const begin = rank * each < words ? rank * each : words, end = begin + each < words ? begin + each : words;
    int sum = 0;
    for (int w = begin; w < end; ++w) sum += static_cast<int>(count_of(marks[w]));
    auto before = static_cast<std::uint32_t>(team.team_scan(sum));
    for (int w = begin; w < end; ++w) {
      records[w] = before << positions_of_word | bits_of(marks[w]);
      before += count_of(marks[w]);
      next[w] = 0;
    }
    if (rank == size - 1) records[words] = before;
  }

  template <class Member>
  KOKKOS_FUNCTION void walk(Member const& team, Order const& order, std::size_t begin, std::size_t end) const {
    std::uint32_t const size = size_of(team), rank = static_cast<std::uint32_t>(team.team_rank());
    auto const& scratch = team.team_scratch(0);
    auto* here          = static_cast<std::uint64_t*>(scratch.get_shmem_aligned(std::size_t{positions}, 8));
    auto* next          = static_cast<std::uint64_t*>(scratch.get_shmem_aligned(std::size_t{positions}, 8));
    auto* const records = static_cast<std::uint32_t*>(scratch.get_shmem_aligned((words + 1) * 4, 4));
    for (std::uint32_t w = rank; w < words; w += size) here[w] = next[w] = 0;
    std::size_t position = begin * positions, row = row_at(team, order, position);
    std::uint32_t own = place_of_end(order, position, row + rank), last = place_of_end(order, position, row + size - 1);
    team.team_barrier();
    for (; begin < end; ++begin) {
      mark_all(team, order, here, position, row, own, last);
      team.team_barrier();
      make_records(team, here, next, records);
      team.team_barrier();
      std::size_t const next_position = position + positions, next_row = row + records[words];
      // Asked for now, so that they are there when the items are done.
      own  = place_of_end(order, next_position, next_row + rank);
      last = place_of_end(order, next_position, next_row + size - 1);
      visit_all(order, position, row, rank, size, records);
      auto* const used = here;
      here             = next;
      next             = used;
      position         = next_position;
      row              = next_row;
    }
  }

  /// Visits the items of a tile, each thread every size-th position. A position where a row ends has none; and rows and
  /// items which offsets that descend do not have are left out.
  KOKKOS_FUNCTION void visit_all(Order const& order, std::size_t position, std::size_t row, std::uint32_t rank,
                                 std::uint32_t size, std::uint32_t const* records) const {
    std::size_t const item    = order.first + (position - row);
    std::uint32_t const most  = narrow(order.rows > row ? order.rows - row : 0);
    std::uint32_t const items = narrow(order.last > item ? order.last - item : 0);
    for (std::uint32_t k = rank; k < positions; k += size) {
      std::uint32_t const record = records[k / positions_of_word], bit = std::uint32_t{1} << (k % positions_of_word);
      std::uint32_t const before = (record >> positions_of_word) + count_of_bits(record & (bit - 1));
      if ((record & bit) == 0 && before < most && k - before < items) f(row + before, item + (k - before));
    }
  }
};

/// So many teams of threads that there are some in waiting for each that works: shares take different times.
template <class Exec>
int teams_for(Exec const& exec, int size) {
  int const resident = exec.concurrency() / size;
  return 4 * (resident > 0 ? resident : 1);
}

/// A multiprocessor of compute capability 7.5 has no room for more, and Kokkos would refuse teams of that size.
#ifdef KOKKOS_ARCH_TURING75
inline constexpr unsigned teams_of_processor = 4;
#else
inline constexpr unsigned teams_of_processor = 6;
#endif

/// Where its size is known a team leaves room for five others: nvcc would take 70 registers, and manages with 40 (32 if
/// it must) without spilling any (sm_90, CUDA 13.0, owners and a product of two arrays).
template <class Exec, int known_size>
struct PolicyOf {
  using type = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<static_cast<unsigned>(known_size), teams_of_processor>>;
};
template <class Exec>
struct PolicyOf<Exec, any_size> {
  using type = Kokkos::TeamPolicy<Exec>;
};

/// By teams of that size.
template <int known_size, class Exec, class Rows, class F>
void for_each_by_teams(Exec const& exec, std::string const& label, Rows const& rows, F const& f, int size) {
  typename PolicyOf<Exec, known_size>::type policy(exec, teams_for(exec, size), size);
  exec::dispatch(label, exec, policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes)),
                 Walk<Rows, F, known_size>{rows, f});
}

template <class Exec, class Rows, class F>
void for_each(Exec const& exec, std::string const& label, Rows const& rows, F const& f) {
  exec::refuse_in_region(exec, label);
  if constexpr (exec::is_on_host<Exec>)
    rows::for_each_by_teams<any_size>(exec, label, rows, f, 1);
  else
    rows::for_each_by_teams<team_size>(exec, label, rows, f, team_size);
}

}  // namespace KokkosScan::portable::rows
