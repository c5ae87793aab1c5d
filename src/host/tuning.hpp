// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "../core/by_key.hpp"
#include "../core/options.hpp"
#include "../core/recurrence.hpp"

// All tuning numbers of the host backend; the pages of docs/decisions that are named here have what was tried. The tile
// lengths are part of the result's bits: a float scan changes its last digits with them.
namespace KokkosScan::host {

/// A tile and its result stay in a core's second-level cache between the scan and the combination with the prefix
/// (host-tiles.md).
inline constexpr std::size_t tile_bytes = 128 * 1024;

/// Sections of the length that the literature uses for these networks.
inline constexpr std::size_t network_tile_length = 2048;

constexpr bool is_one_sweep(BlockScan block) { return block == BlockScan::automatic || block == BlockScan::serial; }

constexpr std::size_t tile_length(BlockScan block, std::size_t value_bytes) {
  return is_one_sweep(block) ? std::bit_floor(tile_bytes / value_bytes) : network_tile_length;
}

/// Under code that only the compiler knows an element takes long, and many threads are to find tiles in an array that
/// is short: of more than four short tiles and up to 64 of them. Lambdas, sixteen threads, 2^16 floats 11 and 43 GB/s,
/// 2^17 doubles 59 and 94, 2^18 bytes 5 and 17 (host-forks.md).
inline constexpr std::size_t short_tile_bytes = 16 * 1024;

constexpr std::size_t most_in_short_tiles(std::size_t value_bytes) { return 64 * short_tile_bytes / value_bytes; }
constexpr std::size_t short_tile_length(BlockScan block, std::size_t value_bytes, std::size_t n) {
  bool const is_short = n > 4 * short_tile_bytes / value_bytes && n <= most_in_short_tiles(value_bytes);
  if (!is_one_sweep(block) || !is_short) return tile_length(block, value_bytes);
  return std::max<std::size_t>(1, std::bit_floor(short_tile_bytes / value_bytes));
}

/// The bytes that an element takes of a tile: of what is scanned by key a value, its key and its result.
template <class Value>
inline constexpr std::size_t bytes_in_tile = sizeof(Value);
template <class T>
inline constexpr std::size_t bytes_in_tile<core::Keyed<T>> = sizeof(core::Keyed<T>) + sizeof(T);
template <class T, std::size_t order>
inline constexpr std::size_t bytes_in_tile<core::AffineMap<T, order>> = (order + 2) * sizeof(T);

/// A result is written past the caches if it takes more than three eighths of the last level, so that with what it is
/// made of it would take three quarters; or if it has so many bytes. With 32 MiB of cache, two threads, 4, 8, 12, 16,
/// 24 MiB of floats: 66, 71, 60, 43, 28 GB/s with plain stores, 44, 42, 45, 48, 41 with these; one thread 44, 39, 37,
/// 36, 31 and 40, 39, 39, 38, 39 (host-streaming.md).
constexpr std::size_t most_cached_bytes(std::size_t last_level_bytes) { return last_level_bytes / 8 * 3; }
inline constexpr std::size_t streaming_bytes = 64 * 1024 * 1024;

/// Memory brings lines ahead on each page that it sees read, so it is busy only if several pages are read in turns. Two
/// threads that add up a tile while they write the last, 1 GiB each way, as a share of memcpy: one page 0.78, two 0.92,
/// four 0.99, eight 0.94. With the kernels instead of additions, 512 MiB of doubles: one page 0.69, four 0.80
/// (host-pages-in-turns.md).
inline constexpr std::size_t pages_in_turns = 4;
inline constexpr std::size_t page_bytes     = 4096;

/// From so many bytes on they take turns. What is shorter may be in the second-level cache: there turns take up to 15 %
/// more time (host-pages-in-turns.md).
inline constexpr std::size_t in_turns_bytes = 2 * 1024 * 1024;

/// Memory is asked for the input of a tile when so many bytes are to be read before it, all pages together. Page after
/// page, 512 MiB of floats, GB/s: 2048 bytes 63, 3072 66, 4096 69, 8192 67. In turns, on a Xeon, 2048 is best
/// (host-streaming.md, host-pages-in-turns.md).
inline constexpr std::size_t read_ahead_bytes_straight = 4096;
inline constexpr std::size_t read_ahead_bytes_in_turns = 2048;

/// A worker takes its next tile while it still writes the last one, for memory to read and write at once; but not where
/// there are fewer tiles to a worker, or one that wakes late finds none. (In cache this takes 10 to 20 % more time:
/// host-tiles.md.)
inline constexpr std::size_t tiles_to_read_ahead = 4;

/// What is no plain array is staged in a buffer of so many bytes, in the first-level cache; but of what has gaps few
/// values at a time. In steps of 3, doubles from the third-level cache, a nanosecond or so each: 256 of them read and
/// then written took 0.7, 1.1, 1.1 in three runs, 1024 took 1.2, 0.8, 2.6, and a plain copy 0.7, 0.7, 1.0
/// (host-staging.md, host-strided.md).
inline constexpr std::size_t staging_bytes = 8 * 1024;

/// The shortest scan by the vector kernels: an incomplete group costs them as much as a whole one, 25 ns. Below, a
/// plain loop takes 6 to 20 ns less (host-short-calls.md).
constexpr std::size_t least_for_vectors(std::size_t value_bytes) { return value_bytes == 8 ? 96 : 64; }

/// Integers of 32 bits that are added up in 64: a plain loop takes 101 ns for 256 of them, the vector kernels 125; for
/// 1024 it takes 319 and 337, and for 2^16, two threads, 40 and 64 GB/s (host-staging.md).
inline constexpr std::size_t least_to_convert = 1024;

/// Integers that are transformed or converted in a buffer, by code for registers of 32 bytes. 128, 256, 512 of 64 bits,
/// and 4096 of 32: a plain loop has 21, 25, 28 and 14 GB/s read and written, the vector kernels 17, 24, 37 and 32
/// (host-staging.md).
inline constexpr std::size_t least_to_stage = 256;

/// Chains of a tile side by side, for operators that the compiler alone knows, and the shortest tile that has them.
/// Nanoseconds an element, one thread, the aggregates and the scan, against those of a plain loop, doubles: 0.14 + 0.32
/// with 4 chains and 0.14 + 0.33 with 8, against 0.56; 2 x 2 matrices, 1.4 + 1.4 and 1.5 + 1.8 against 2.1
/// (host-chains.md).
inline constexpr std::size_t chains           = 4;
inline constexpr std::size_t least_for_chains = 256;

/// Chains of a linear recurrence side by side, and so many elements of each one behind the other: pieces that stay in
/// the first-level cache, and neighbours in memory. Of so many of each the results are made before memory is asked for
/// as many of the next block (recurrences.md).
inline constexpr std::size_t recurrence_chains  = 6;
inline constexpr std::size_t recurrence_piece   = 64;
inline constexpr std::size_t recurrence_fetched = 8;

/// How many values are kept of a tile's chains; of a recurrence those of all its blocks.
template <class Value>
inline constexpr std::size_t chains_of = chains;
template <class T, std::size_t order>
inline constexpr std::size_t chains_of<core::AffineMap<T, order>> =
    (tile_length(BlockScan::automatic, bytes_in_tile<core::AffineMap<T, order>>) /
         (recurrence_chains * recurrence_piece) +
     1) *
    recurrence_chains;

/// So many elements of each chain are scanned before anything else is done: whole lines of the cache, for most types.
template <class Value>
inline constexpr std::size_t elements_at_once = sizeof(Value) <= 8 ? 64 : 16;

/// Lines along an axis whose neighbours are neighbours in memory are scanned so many bytes of them in step, with what
/// stands before the next element of each in the first-level cache. A row is shared by threads that have so many of it
/// each, but perhaps the last: two that have less bring the same lines into their caches, and took up to 2.4 times as
/// long as one. Of others a worker takes so many bytes at once (host-axis.md).
inline constexpr std::size_t bytes_of_columns       = 16 * 1024;
inline constexpr std::size_t least_bytes_of_columns = 1536;
inline constexpr std::size_t bytes_of_lines         = 64 * 1024;

/// Lines of which each worker would have too few go in pieces of tile_bytes along the axis: a row of columns of
/// bytes_of_columns at most, or so many other lines, of so many bytes in all.
inline constexpr std::size_t most_lines_in_pieces  = 64;
inline constexpr std::size_t least_bytes_in_pieces = 512 * 1024;

/// The narrowest row of columns that goes past the caches, and how far ahead memory is asked for short lines.
inline constexpr std::size_t bytes_to_stream = 1024;
inline constexpr std::size_t bytes_ahead     = 4096;

/// Lines of so many bytes go by the vector kernels: shorter ones would wait too often for what is stored past the
/// caches.
inline constexpr std::size_t least_bytes_by_tiles = 4096;

/// What one thread takes, in seconds: the vector kernels for a byte, other loops for an element and for each of its
/// bytes. It is compared with what a launch takes, and need not be exact (host-forks.md).
inline constexpr double seconds_by_kernels = 0.04e-9;
inline constexpr double seconds_of_element = 0.3e-9;
inline constexpr double seconds_of_byte    = 0.03e-9;
constexpr double seconds_alone(std::size_t elements, std::size_t bytes_of_one) {
  return static_cast<double>(elements) * (seconds_of_element + seconds_of_byte * static_cast<double>(bytes_of_one));
}

/// Several workers reduce tiles before they scan them, which takes so much of a scan; one scans at once.
inline constexpr double share_of_reduction = 0.5;

/// A launch that has something to do takes so many of those that have nothing: workers come late, and what they work on
/// is in other caches.
inline constexpr double forks_of_nothing = 2;

/// Loops over fewer elements are the calling thread's, whatever a launch takes.
inline constexpr std::size_t least_by_all = 32 * 1024;

/// Few and long lines are scanned one after the other, each by all workers.
inline constexpr std::size_t most_lines_by_all  = 16;
inline constexpr std::size_t least_bytes_by_all = 256 * 1024;

/// Radix sort gathers so many bytes of each digit before they go past the caches. One thread, 2^24 of 32 bits, of 64,
/// and pairs of 32 bits, ns an element: 64 bytes 11.9, 32.7, 18.9, 128 bytes 10.4, 27.1, 16.6, 256
/// bytes 9.3, 23.0, 15.1 (host-sort.md).
inline constexpr std::size_t bytes_to_gather = 256;

/// The fewest elements for each digit that are sorted by digits, rather than by insertion. One thread, ns an element:
/// 48 of 32 bits, by 4 digits, 16.7 and 18.1, 32 of them 22.8 and 14.3; 80 of 64 bits 24.5 and 20.9, 128 of them 20.2
/// and 28.4 (host-sort.md).
inline constexpr std::size_t least_for_a_digit = 11;

/// The fewest elements whose digits are counted in several tables, of which each has to be cleared.
inline constexpr std::size_t least_for_tables = 2048;

/// What a pass of one thread takes for an element, in seconds.
inline constexpr double seconds_of_digit = 2.3e-9;

/// So many elements to a worker who sorts: a pass of others takes two launches (host-sort.md).
inline constexpr std::size_t least_to_sort = 16 * 1024;

/// Segments of more elements are sorted by all workers, one after the other.
inline constexpr std::size_t longest_by_one_worker = 4 * least_to_sort;

/// So many elements to a worker who compacts in place, in up to three launches. i32 of which 0, 0.01, 0.5 are chosen by
/// stable_partition, microseconds: 32768 by one worker 2.2, 7.9, 8.3, by two 2.0, 6.8, 9.5; 65536 by
/// one 4.4, 16.0, 16.8, by two 3.1, 12.4, 17.3; 131072 by one 8.8, 34.0, 34.4, by two 5.5, 19.5, 30.9 (compaction.md).
inline constexpr std::size_t least_to_compact = 32 * 1024;

/// Merges are made piece by piece, each of so many elements at most.
inline constexpr std::size_t merged_piece = 1024;

/// Histograms: so many elements to a worker, as to sort; neighbours are counted in so many tables, as far as those stay
/// in the first-level cache; and bytes as they are, of so many on.
inline constexpr std::size_t least_to_count     = 16 * 1024;
inline constexpr std::size_t count_tables       = 4;
inline constexpr std::size_t count_tables_bytes = 32 * 1024;
inline constexpr std::size_t least_for_bytes    = 2048;

/// Windows that are narrower are made by doubling, of so many results at once; runs of others take so many bytes at
/// most, in the second-level cache, and so many bytes of neighbouring lines.
inline constexpr std::size_t least_for_runs  = 32;
inline constexpr std::size_t doubled_results = 2048;
inline constexpr std::size_t bytes_of_run    = 64 * 1024;
inline constexpr std::size_t bytes_of_lanes  = 128;

/// Spins before a waiting worker offers its core to another: workers may outnumber the cores.
inline constexpr int spins_before_yield = 1024;

/// No two workers write to one line of this size.
inline constexpr std::size_t line_bytes = 64;

}  // namespace KokkosScan::host
