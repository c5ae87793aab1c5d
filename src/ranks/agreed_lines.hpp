// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "channel.hpp"
#include "outcome.hpp"
#include "under_way.hpp"

// What all ranks must know of each other before planes cross them: that the planes are alike, that all arguments are as
// they must be, and between which ranks there is anything to do. One reduction, which takes less than the planes do.
namespace KokkosScan::ranks {

/// What a rank scans along an axis.
struct OwnLines {
  std::int64_t rank, axis, reversed, value_size;  // of the Views, and of what is accumulated
  std::array<std::int64_t, 4> extents;            // 1 along the axis, and behind the rank
  std::int64_t length;                            // along the axis

  static constexpr std::size_t alike = 8;
  /// What must be the same on all ranks.
  std::array<std::int64_t, alike> same() const {
    return {rank, axis, reversed, value_size, extents[0], extents[1], extents[2], extents[3]};
  }
  bool is_empty() const { return length * extents[0] * extents[1] * extents[2] * extents[3] == 0; }
};

/// The positions of the first and the last rank that have any elements, in the order of the scan.
struct LinesOfAll {
  std::int64_t first, last;

  bool is_empty() const { return first > last; }
};

inline std::string described(std::int64_t const* same) {
  std::string text = same[2] != 0 ? "reversed " : "";
  text += "lines along axis " + std::to_string(same[1]) + " of Views of extents ";
  for (std::int64_t d = 0; d < same[0]; ++d)
    text += (d > 0 ? " x " : "") + (d == same[1] ? std::string("any") : std::to_string(same[4 + d]));
  return text + " and values of " + std::to_string(same[3]) + " bytes";
}

/// For all ranks, which know that they differ: throws on each what the first two that do have.
[[noreturn]] inline void throw_unlike(Channel const& channel, std::string const& label, OwnLines const& own) {
  constexpr int count = static_cast<int>(OwnLines::alike);
  auto const same     = own.same();
  std::vector<std::int64_t> all(same.size() * static_cast<std::size_t>(channel.size()));
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Iallgather(same.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, channel.comm(), &request),
          "MPI_Iallgather");
  wait_for(&request, 1);
  auto const of  = [&](int rank) { return all.data() + same.size() * static_cast<std::size_t>(rank); };
  int other      = 1;
  auto const are = [&](int rank) { return std::equal(of(rank), of(rank) + count, of(0)); };
  while (other + 1 < channel.size() && are(other)) ++other;
  throw std::invalid_argument(label +
                              ": beside the axis all ranks must have the same extents, and the same call: rank 0 has " +
                              described(of(0)) + ", rank " + std::to_string(other) + " has " + described(of(other)));
}

/// All ranks come here, whether something has failed or not. Where a rank has failed, and where they differ, all throw;
/// but the rank that has failed does not, and knows what it has to throw.
inline LinesOfAll agree_on_lines(Channel& channel, std::string const& label, OwnLines const& own, bool failed) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  constexpr std::size_t heads = 4;
  std::array<std::int64_t, heads + 2 * OwnLines::alike> least;
  least.fill(none);
  std::int64_t const position = channel.position(own.reversed != 0);
  if (failed) least[0] = channel.rank();
  if (channel.failed_before() != no_rank) least[1] = channel.failed_before();
  if (!failed) {
    if (!own.is_empty()) {
      least[2] = position;
      least[3] = -position;
    }
    auto const same = own.same();
    for (std::size_t k = 0; k < same.size(); ++k) {
      least[heads + 2 * k]     = same[k];
      least[heads + 2 * k + 1] = -same[k];
    }
  }
  unsigned const failures = channel.failures();
  MPI_Request request     = MPI_REQUEST_NULL;
  require(MPI_Iallreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN,
                         channel.comm(), &request),
          "MPI_Iallreduce");
  wait_for(&request, 1);
  channel.all_know(failures);
  if (failed) return {1, 0};
  if (least[0] != none) throw_failed(channel, label, static_cast<int>(least[0]));
  if (least[1] != none) throw_failed_before(label, static_cast<int>(least[1]));
  for (std::size_t k = 0; k < OwnLines::alike; ++k)
    if (least[heads + 2 * k] != -least[heads + 2 * k + 1]) throw_unlike(channel, label, own);
  if (least[2] == none) return {1, 0};
  return {least[2], -least[3]};
}

}  // namespace KokkosScan::ranks
