// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/rows.hpp"
#include "../exec/kernel_event.hpp"

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

template <class Rows, class F>
struct Walk {
  using Order = decltype(std::declval<Rows const&>().in_order());

  Rows rows;
  F f;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    Order const order       = rows.in_order();
    std::size_t const tiles = (order.size() + positions - 1) / positions;
    std::size_t const each =
        (tiles + static_cast<std::size_t>(team.league_size()) - 1) / static_cast<std::size_t>(team.league_size());
    std::size_t const begin     = static_cast<std::size_t>(team.league_rank()) * each;
    std::size_t const remaining = begin < tiles ? tiles - begin : 0;
    if (remaining == 0) return;
    walk(team, order, begin, begin + (remaining < each ? remaining : each));
  }

 private:
  /// The first row that does not end before a position: in each round every thread looks at one place, so that ten
  /// million rows take four.
  template <class Member>
  KOKKOS_FUNCTION static std::size_t row_at(Member const& team, Order const& order, std::size_t position) {
    std::size_t row = order.least_row(position), behind = order.most_row(position);
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    while (row < behind) {
      std::size_t const step = (behind - row + size) / (size + 1), place = row + (rank + 1) * step - 1;
      int before = place < behind && order.place_of_end(place) < position ? 1 : 0;
      team.team_reduce(Kokkos::Sum<int>(before));
      auto const steps = static_cast<std::size_t>(before);
      if (row + (steps + 1) * step - 1 < behind && steps < size) behind = row + (steps + 1) * step - 1;
      row += steps * step;
    }
    return row;
  }

  /// Where a row ends; far behind, if there is no such row.
  KOKKOS_FUNCTION static std::size_t end_or_far(Order const& order, std::size_t row) {
    return row < order.rows ? order.place_of_end(row) : static_cast<std::size_t>(-1) / 2;
  }

  struct Marks {
    std::uint64_t* words;
    std::size_t position;  // of the first
    std::size_t count;

    KOKKOS_FUNCTION bool has(std::size_t place) const { return place - position < count; }
    KOKKOS_FUNCTION void put(std::size_t place) const {
      if (has(place)) reinterpret_cast<unsigned char*>(words)[place - position] = 1;
    }
  };

  /// Marks the ends of rows from one on; those of the first ones, one to a thread, are known. In a tile end as many as
  /// it has positions, or none: others are read only if those before all end within it.
  template <class Member>
  KOKKOS_FUNCTION static void mark(Member const& team, Order const& order, Marks const& marks, std::size_t row,
                                   std::size_t own_end, std::size_t last_end) {
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    marks.put(own_end);
    std::size_t known = size;
    while (known < marks.count && marks.has(last_end + 1)) {
      std::size_t const next = known < positions / 2 ? positions / 2 : positions;
      for (std::size_t k = known + rank; k < next; k += size) marks.put(end_or_far(order, row + k));
      last_end = end_or_far(order, row + next - 1);
      known    = next;
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
    auto const size     = static_cast<std::size_t>(team.team_size());
    auto const rank     = static_cast<std::size_t>(team.team_rank());
    auto const& scratch = team.team_scratch(0);
    auto* const marks   = static_cast<std::uint64_t*>(scratch.get_shmem_aligned(2 * positions, 8));
    auto* const records = static_cast<std::uint32_t*>(scratch.get_shmem_aligned((words + 1) * 4, 4));
    for (std::size_t w = rank; w < 2 * words; w += size) marks[w] = 0;
    std::size_t row = row_at(team, order, begin * positions);
    std::size_t own = end_or_far(order, row + rank), last = end_or_far(order, row + size - 1);
    team.team_barrier();
    for (std::size_t tile = begin; tile < end; ++tile) {
      std::size_t const position = tile * positions, left = order.size() - position;
      std::size_t const count = left < positions ? left : positions;
      auto* const here        = marks + (tile % 2) * words;
      mark(team, order, Marks{here, position, count}, row, own, last);
      team.team_barrier();
      make_records(team, here, marks + (1 - tile % 2) * words, records);
      team.team_barrier();
      std::size_t const next_row = row + records[words];
      // Asked for now, so that they are there when the items are done.
      own  = end_or_far(order, next_row + rank);
      last = end_or_far(order, next_row + size - 1);
      for (std::size_t k = rank; k < count; k += size)
        visit(order, row, position, static_cast<std::uint32_t>(k), records);
      row = next_row;
    }
  }

  /// What stands at a position of a tile: an item, or the end of a row. Rows and items that offsets do not have which
  /// descend are left out.
  KOKKOS_FUNCTION void visit(Order const& order, std::size_t row, std::size_t position, std::uint32_t k,
                             std::uint32_t const* records) const {
    std::uint32_t const record = records[k / positions_of_word], bit = std::uint32_t{1} << (k % positions_of_word);
    if ((record & bit) != 0) return;
    std::size_t const of   = row + (record >> positions_of_word) + count_of_bits(record & (bit - 1));
    std::size_t const item = order.first + (position + k - of);
    if (of < order.rows && item < order.last) f(of, item);
  }
};

/// So many teams of threads that there are some in waiting for each that works: shares take different times.
template <class Exec>
int teams_for(Exec const& exec, int size) {
  int const resident = exec.concurrency() / size;
  return 4 * (resident > 0 ? resident : 1);
}

/// By teams of that size.
template <class Exec, class Rows, class F>
void for_each_by_teams(Exec const& exec, std::string const& label, Rows const& rows, F const& f, int size) {
  Kokkos::TeamPolicy<Exec> policy(exec, teams_for(exec, size), size);
  exec::dispatch(label, exec, policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes)), Walk<Rows, F>{rows, f});
}

template <class Exec, class Rows, class F>
void for_each(Exec const& exec, std::string const& label, Rows const& rows, F const& f) {
  // Where threads are the host's own, a team of several would wait for each other.
  constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  rows::for_each_by_teams(exec, label, rows, f, on_host ? 1 : team_size);
}

}  // namespace KokkosScan::portable::rows
