// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>

// All tuning numbers of the CUDA backend; the pages of docs/decisions that are named here have the measurements. Tile
// lengths are part of the bits of a float result.
namespace KokkosScan::cuda {

/// The shape of a block: how many threads, and how many items of a tile each has.
struct BlockShape {
  int threads;
  int items;
};

/// The threads that a multiprocessor has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int resident_threads = 1024;
#elif defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int resident_threads = 1536;
#else
inline constexpr int resident_threads = 2048;
#endif
inline constexpr int registers_per_sm = 64 * 1024;

/// The blocks that must have registers on a multiprocessor: so many, if there is room for their threads.
constexpr int fitting_blocks(int blocks, int threads) {
  return blocks * threads <= resident_threads ? blocks : resident_threads / threads;
}

/// What a block gets without asking for more is 48 KiB on every device: two tiles, of the largest values too.
inline constexpr int shared_bytes_at_most = 48 * 1024;

/// Networks: one or two values to a thread as in the literature, and as many threads as CUDA allows where they fit;
/// half as many for values of less than 4 bytes, of which 16 bytes at a time would not fit in the registers of more.
template <class Value>
constexpr BlockShape network_shape(int items) {
  int const fitting = shared_bytes_at_most / 9 * 4 / static_cast<int>(sizeof(Value)) / items;
  int const most    = sizeof(Value) < 4 ? 512 : 1024;
  return {fitting < most ? static_cast<int>(std::bit_floor(static_cast<unsigned>(fitting))) : most, items};
}

/// A network on global memory; with more threads the values of 1 byte, moved 16 at a time, would not fit in registers.
inline constexpr int global_network_threads = 256;

/// Three phases: 128 bytes to a thread, as far as registers go, and small blocks, so that many share a multiprocessor
/// and some load while others wait. Look-back of doubles is up to 10 % faster with 160 threads than with 128 or 192
/// (cuda-lookback.md).
template <class Value>
constexpr BlockShape three_phase_shape() {
  unsigned const room = std::bit_ceil(static_cast<unsigned>(sizeof(Value)));
  return {room == 8 ? 160 : 128, room < 4 ? 32 : static_cast<int>(128 / room)};
}

/// Where a functor of the user's reads what its sink writes, as those of parallel_scan do, each of its calls waits for
/// memory once more, and more threads help, as long as a thread's values find registers. 2^28 on an H200, so many of
/// them: doubles 64, 56, 48 have 0.59, 0.67, 0.42 of a copy, 32 bits 0.55, 0.58, 0.46 (cuda-lookback.md).
/// Before compute capability 9.0, where nobody measured, doubles spill with so few: there the compiler chooses.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr int registers_of_functors = 0;
#else
inline constexpr int registers_of_functors = 56;
#endif

/// One wave, counted in units of 16 bytes: one tile as long as that holds all, since to poll others costs two trips to
/// memory; then small ones, so that many multiprocessors load, and large ones where that would be too many to poll. One
/// round where that does: the rounds of a kernel cost time even where there is nothing to do (cuda-one-wave.md).
inline constexpr int one_wave_units                    = 1024;
inline constexpr int one_wave_tiles                    = 512;
inline constexpr int one_wave_few_units                = 512;
inline constexpr int one_wave_few_tiles                = 128;
inline constexpr int one_round_units                   = 256;
inline constexpr std::size_t one_wave_value_bytes_most = 16;
inline constexpr int one_wave_aggregates_at_once       = 4;  // of 32 tiles each

/// As many rounds as the registers of a thread allow: each takes a unit, and a value that stands before it.
constexpr int one_wave_rounds(std::size_t value_bytes) { return value_bytes <= 8 ? 4 : 2; }

/// The blocks that must have registers on a multiprocessor. Bytes that do not lie side by side take a register each
/// (cuda-addresses.md).
constexpr int one_wave_min_blocks_per_sm(std::size_t value_bytes) { return value_bytes == 1 ? 1 : 2; }

/// The pipeline: three tiles of 52 KiB and the results of one fill the shared memory of a multiprocessor; of inputs
/// wider than their values only two may fit. Larger tiles look back less often; smaller ones leave more time to do so
/// (cuda-pipeline.md). How many slices are on their way in, and the look-back delay: cuda-pipeline-slices.md, for bytes
/// cuda-bytes.md.
inline constexpr int pipeline_stages           = 3;
inline constexpr int pipeline_slices_under_way = 8;  // on their way in: 52 KiB
// Cycles from publishing an aggregate to polling those of others; where elements are chosen, of which few may be
// written, tiles follow each other faster (compaction.md).
inline constexpr int pipeline_look_back_delay           = 4500;
inline constexpr int pipeline_look_back_delay_of_chosen = 2500;
inline constexpr int pipeline_shared_bytes              = 227 * 1024;

/// The slices of a tile, each scanned by a warp of its own: fewer of large values, for which warps need more registers.
constexpr int pipeline_slices(std::size_t value_bytes) { return value_bytes <= 16 ? 8 : 4; }

/// Above so many bytes of what is kept the pipeline is ahead, of one wave, too, where several arrays are read or
/// elements are chosen, and of wide values of several arrays where one wave has more than 256 tiles of those; below, it
/// has not enough tiles, or those have too few values where they are large (cuda-cut-overs.md).
constexpr std::size_t pipeline_pays_bytes(int arrays, bool of_chosen, std::size_t kept_bytes) {
  if (arrays > 1 && !of_chosen && kept_bytes > 8) return kept_bytes * std::size_t{one_wave_units} * 256;
  return std::size_t{of_chosen ? 4U : arrays > 1 ? 5U : 8U} << 20;
}
inline constexpr std::size_t pipeline_value_bytes_most = 16;

/// The units of values in a lane's piece: about 208 bytes, which a lane holds in registers, as far as shared memory
/// goes (cuda-registers.md). An odd number: then 16-byte units of neighbouring lanes meet different banks.
constexpr int pipeline_units(std::size_t value_bytes, std::size_t unit_bytes, std::size_t alignment) {
  std::size_t const room  = (224 - value_bytes) / unit_bytes;
  bool const lie_in_words = alignment >= 4 || (value_bytes <= 4 && std::has_single_bit(value_bytes));
  // Members that are narrower and do not lie in words take a register each.
  std::size_t const bytes_per_register = lie_in_words ? 4 : alignment;
  std::size_t const registers          = (54 - value_bytes / 4) * bytes_per_register / unit_bytes;
  std::size_t const most               = room < registers ? room : registers;
  return most < 3 ? 1 : static_cast<int>(most - 1) | 1;
}

/// Of a piece that is not full, so many elements are asked for at once: in registers that a full one has its units in.
template <class Element>
inline constexpr int pipeline_elements_at_once = sizeof(Element) <= 4   ? 8
                                                 : sizeof(Element) <= 8 ? 4
                                                                        : 2;

/// Elements that are chosen, by look-back. What is chosen by index and handed on in two halves has as many blocks as
/// find registers for what each thread loads before it stores the first. 2^28 on an H200, select of two arrays: with
/// six blocks 0.80 of a copy (0.87 since full tiles go without tests), with seven or eight 0.57; tiles of 8192 0.75,
/// and in one function 0.59 instead of 0.72 (compaction.md).
inline constexpr int marked_length  = 4096;
inline constexpr int marked_threads = 256;
constexpr int marked_blocks_per_sm(bool in_halves) { return in_halves ? 6 : 0; }
template <class Loaded>
inline constexpr int marked_at_once = sizeof(Loaded) <= 8    ? 8
                                      : sizeof(Loaded) <= 32 ? 64 / sizeof(Loaded)
                                                             : 1;

/// Reductions: blocks of which several share a multiprocessor, and so many that one which is late holds up little: 16
/// for each of 132.
inline constexpr int reduction_threads        = 256;
inline constexpr std::size_t reduction_blocks = 2112;

/// Of kernels that walk over elements and do little with each.
inline constexpr int walking_threads = 256;

/// Radix sort (cuda-sort.md): tiles of 52 KiB of keys, 36 where values are moved with them: as many items as a thread
/// has registers for while another block has its own. Short arrays have small tiles, or most multiprocessors would have
/// none.
inline constexpr int radix_threads            = 512;
inline constexpr int radix_blocks_per_sm      = 2;
inline constexpr int radix_short_items        = 4;
inline constexpr std::size_t radix_short_most = std::size_t{1} << 18;
constexpr int radix_items(int bytes, bool has_values) {
  return (has_values ? 36 : 52) * 1024 / (radix_threads * (bytes < 4 ? 4 : bytes));
}
/// To count digits: so many keys to a thread at a time, and so many copies of a counter, one to each lane where they
/// fit. Short arrays have fewer threads and copies, which must be cleared and added up.
inline constexpr int radix_counted_items            = 16;
inline constexpr int radix_counting_threads         = 1024;
inline constexpr int radix_counting_copies          = 32;
inline constexpr int radix_short_counting_threads   = 256;
inline constexpr int radix_short_counting_copies    = 4;
inline constexpr std::size_t radix_short_count_most = std::size_t{1} << 21;
inline constexpr int radix_counting_bytes_at_most   = 128 * 1024;

/// Merge sort (cuda-sort.md): tiles of up to 40 KiB with the places of their elements, so that four blocks share a
/// multiprocessor, and no more items than registers hold, of which bytes that do not lie in words take one each. Tiles
/// are somewhat longer than a power of two: then lengths that are one need no pass more. An odd number of items:
/// neighbouring threads meet different banks.
inline constexpr int merge_pass_blocks_per_sm        = 4;
inline constexpr int merge_sort_blocks_per_sm        = 2;
inline constexpr int merge_segments_blocks_per_sm    = 4;
inline constexpr std::size_t merge_moved_bytes_most  = 8;   // of keys that are put in order themselves
inline constexpr std::size_t merged_value_bytes_most = 16;  // wider ones are cheaper to fetch at the end
inline constexpr int merge_registers_under_way       = 20;  // of a thread's elements that are fetched
constexpr BlockShape merge_shape(std::size_t bytes, std::size_t registers) {
  if (registers > 16) return {128, 1};
  if (registers > 8 || bytes > 32) return {128, 5};
  if (registers > 4 || bytes > 16) return {256, 5};
  if (registers > 2 || bytes > 8) return {256, 9};
  return {256, 17};
}
/// Blocks have up to four tiles of segments in a pass, but there are no fewer than run at once. An odd number: tiles
/// that are merged in one pass are powers of two apart, and so belong to several blocks.
inline constexpr std::size_t merge_pass_blocks_at_once = 528;
constexpr std::size_t segment_pass_blocks(std::size_t tiles, std::size_t at_once) {
  std::size_t const each = tiles >= 4 * at_once ? 4 : tiles >= 2 * at_once ? 2 : 1;
  return each == 1 ? tiles : tiles / each | 1U;
}

/// Histograms (cuda-histogram.md): blocks that fill a multiprocessor, since it is their number that hides how long
/// memory takes. Bytes pay from so many on; few bins are counted by one block up to so many elements to a thread; and
/// where there are many bins, a sample of so many items to a thread finds those that come often, for so many rounds, if
/// one of so many meets another.
inline constexpr int histogram_bytes_threads       = 1024;
inline constexpr int histogram_bytes_blocks_per_sm = 2;
inline constexpr int histogram_bytes_vectors       = 3;
inline constexpr std::size_t histogram_bytes_pay   = std::size_t{1} << 16;
inline constexpr int histogram_threads             = 1024;
inline constexpr int histogram_blocks_per_sm       = 2;
inline constexpr int histogram_vectors             = 3;
inline constexpr int histogram_least_items         = 8;
/// So many bytes of each element may be read, by several passes, before atomic additions to memory are faster.
inline constexpr std::size_t histogram_bytes_of_passes = 20;
inline constexpr int histogram_many_threads            = 1024;
inline constexpr int histogram_many_blocks_per_sm      = 1;
inline constexpr int histogram_many_items              = 16;
inline constexpr int histogram_many_slot_bits          = 14;
inline constexpr int histogram_many_rounds             = 32;
inline constexpr int histogram_many_pays               = 16;

/// Where segments begin: a warp makes a word of bits to a lane, and more, up to so many in all, as long as there are so
/// many warps; and so many offsets a lane takes at a time (segments.md).
inline constexpr std::size_t boundaries_warps   = std::size_t{1} << 13;
inline constexpr int boundaries_most_words      = 256;
inline constexpr int boundaries_offsets_at_once = 4;

/// The rows of items (slots.md): so many rows and items to a warp, in so many waves of blocks, so many items at a time,
/// and so many rows to a lane that are known in registers.
inline constexpr int owners_warps          = 8;
inline constexpr int owners_blocks_per_sm  = 4;
inline constexpr int owners_share          = 4096;
inline constexpr int owners_most_waves     = 32;
inline constexpr int owners_items          = 512;
inline constexpr int owners_window         = 8;
inline constexpr int owners_groups_at_once = 4;

/// What the items of each row combine to (segments.md): 19 items to a lane, or 80 bytes of them, four blocks to a
/// multiprocessor, fewer of large values, which would spill; and so many rows to a lane of which it is known where they
/// end. No more than so many shares, so that the scan of what they leave takes little; where there are few items there
/// may be many rows.
constexpr int reduced_rows_items(std::size_t value_bytes) {
  int const items = value_bytes <= 4 ? 20 : static_cast<int>(80 / value_bytes);
  return items > 1 ? (items - 1) | 1 : 1;
}
constexpr int reduced_rows_blocks_per_sm(std::size_t value_bytes) {
  return value_bytes <= 8 ? 4 : value_bytes <= 16 ? 3 : 2;
}
inline constexpr int reduced_rows_warps               = 8;
inline constexpr int reduced_rows_window              = 4;
inline constexpr std::size_t reduced_rows_few_shares  = std::size_t{1} << 10;
inline constexpr std::size_t reduced_rows_most_shares = std::size_t{1} << 14;

/// Columns, lines whose neighbours are neighbours in memory (cuda-columns.md). Where a row has so many bytes there are
/// enough threads for each to walk down its columns, with two batches of rows on their way, or where elements cannot be
/// moved at once, for blocks that have tiles of those columns copied. Of fewer columns blocks walk down strips, if
/// there are so many. Of fewer yet tiles are taken, which wait in shared memory, of so many bytes to a thread. Segments
/// of 128 bytes are lines of memory, and the longer a tile is the less it looks back. A span has so many tiles, side by
/// side and one behind the other, that its chain is not waited for.
struct ColumnNumbers {
  static constexpr int walk_threads               = 128;
  static constexpr int walk_bytes                 = 64;
  static constexpr std::size_t walk_row_bytes     = std::size_t{1} << 20;
  static constexpr int copied_walk_threads        = 256;
  static constexpr int copied_walk_blocks_per_sm  = 3;
  static constexpr int copied_walk_bytes          = 64;
  static constexpr int copied_walk_stages         = 3;
  static constexpr int strip_threads              = 256;
  static constexpr int strip_bytes                = 128;
  static constexpr int strip_blocks_per_sm        = 2;
  static constexpr int staged_strip_blocks_per_sm = 4;
  static constexpr std::size_t strips_least       = 256;
  static constexpr std::size_t wide_strips_least  = 256;
  static constexpr std::size_t strip_lanes_most   = 32;
  static constexpr int tile_threads               = 128;
  static constexpr int tile_bytes                 = 384;
  static constexpr int tile_blocks_per_sm         = 4;
  static constexpr int tile_lanes                 = 8;   // side by side, each with up to 16 bytes of a row
  static constexpr int narrow_columns             = 32;  // fewer are tiles of whole rows
  static constexpr int narrow_columns_most        = 65;  // or where strips would break sectors
  static constexpr int span_tiles                 = 48;
  static constexpr int narrow_span_tiles          = 32;
  static constexpr int span_chunks_least          = 8;
};

}  // namespace KokkosScan::cuda
