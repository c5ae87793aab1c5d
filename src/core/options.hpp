// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace KokkosScan {

/// How one tile is scanned.
enum class BlockScan {
  automatic,                    ///< the backend's fastest
  serial,                       ///< one worker folds the tile from left to right; host only
  kogge_stone_global,           ///< Kogge-Stone on global memory, the baseline; CUDA only
  kogge_stone,                  ///< Kogge-Stone, two barriers a step
  kogge_stone_double_buffered,  ///< Kogge-Stone, one barrier a step
  brent_kung,                   ///< reduction tree and reverse tree
  blelloch,                     ///< up-sweep and down-sweep
  three_phase,                  ///< each thread folds a piece, the pieces are scanned, each piece is updated
  warp_shuffle,                 ///< registers exchanged within a warp; CUDA only
};

/// How tiles are combined.
enum class GridScan {
  automatic,      ///< the backend's fastest
  hillis_steele,  ///< one launch per doubling over the whole array: no tiles
  hierarchical,   ///< scan tiles, scan their totals, update: runs everywhere
  chained,        ///< one pass: each tile waits for its predecessor's prefix
  lookback,       ///< one pass: each tile looks back over its predecessors' totals
  pipelined,      ///< look-back with several tiles to a block, copied ahead; CUDA from compute capability 9.0 only
  one_wave,       ///< each tile looks at all before it: for few values, of up to 16 bytes; CUDA only
  shares,         ///< each thread has neighbouring tiles, and looks at all before them; host only
};

/// A choice that the backend cannot serve is an error, never silently another algorithm.
///
///   Options{.grid = GridScan::chained, .block = BlockScan::brent_kung, .check = true}
struct Options {
  GridScan grid   = GridScan::automatic;
  BlockScan block = BlockScan::automatic;
  /// To find mistakes: offsets of less than 64 bits that overflow throw, and row offsets that decrease or leave their
  /// array. Calls that look wait.
  bool check = false;
};

namespace core {

/// What a call without a Handle asks for. A type of its own, so that such a call compiles one algorithm and not all.
struct Automatic {
  static constexpr GridScan grid   = GridScan::automatic;
  static constexpr BlockScan block = BlockScan::automatic;
};

inline constexpr std::array block_scan_names{
    std::pair{BlockScan::automatic, std::string_view("automatic")},
    std::pair{BlockScan::serial, std::string_view("serial")},
    std::pair{BlockScan::kogge_stone_global, std::string_view("kogge_stone_global")},
    std::pair{BlockScan::kogge_stone, std::string_view("kogge_stone")},
    std::pair{BlockScan::kogge_stone_double_buffered, std::string_view("kogge_stone_double_buffered")},
    std::pair{BlockScan::brent_kung, std::string_view("brent_kung")},
    std::pair{BlockScan::blelloch, std::string_view("blelloch")},
    std::pair{BlockScan::three_phase, std::string_view("three_phase")},
    std::pair{BlockScan::warp_shuffle, std::string_view("warp_shuffle")},
};

inline constexpr std::array grid_scan_names{
    std::pair{GridScan::automatic, std::string_view("automatic")},
    std::pair{GridScan::hillis_steele, std::string_view("hillis_steele")},
    std::pair{GridScan::hierarchical, std::string_view("hierarchical")},
    std::pair{GridScan::chained, std::string_view("chained")},
    std::pair{GridScan::lookback, std::string_view("lookback")},
    std::pair{GridScan::pipelined, std::string_view("pipelined")},
    std::pair{GridScan::one_wave, std::string_view("one_wave")},
    std::pair{GridScan::shares, std::string_view("shares")},
};

/// Whether the tiles of a grid algorithm can be scanned by any block algorithm.
constexpr bool takes_a_block(GridScan grid) {
  return grid != GridScan::hillis_steele && grid != GridScan::pipelined && grid != GridScan::one_wave;
}

template <class Names, class Enum>
std::string name_of(Names const& names, Enum value, char const* what) {
  for (auto const& [candidate, name] : names)
    if (candidate == value) return std::string(name);
  throw std::invalid_argument(std::string("KokkosScan::to_string: ") + what + " has no enumerator of the value " +
                              std::to_string(static_cast<int>(value)));
}

template <class Names>
auto value_of(Names const& names, std::string_view name, char const* what) {
  std::string known;
  for (auto const& [value, candidate] : names) {
    if (candidate == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(candidate);
  }
  throw std::invalid_argument(std::string("KokkosScan::from_string: '") + std::string(name) + "' is no " + what +
                              "; the names are " + known);
}

}  // namespace core

inline std::string to_string(BlockScan block) { return core::name_of(core::block_scan_names, block, "BlockScan"); }
inline std::string to_string(GridScan grid) { return core::name_of(core::grid_scan_names, grid, "GridScan"); }

/// The enumerator of that name.
///
///   from_string<BlockScan>("brent_kung")
///   from_string<GridScan>("chained")
template <class Enum>
Enum from_string(std::string_view name) {
  static_assert(std::is_same_v<Enum, BlockScan> || std::is_same_v<Enum, GridScan>,
                "KokkosScan: from_string reads a BlockScan or a GridScan");
  if constexpr (std::is_same_v<Enum, BlockScan>)
    return core::value_of(core::block_scan_names, name, "BlockScan");
  else
    return core::value_of(core::grid_scan_names, name, "GridScan");
}

}  // namespace KokkosScan
