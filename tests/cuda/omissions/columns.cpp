// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/columns.hpp"

#include "cases.hpp"

namespace test {
namespace {

/// Few threads and stages: columns that are walked by copies, with a stage that is used again.
struct CopyingNumbers : WalkingNumbers {
  static constexpr int copied_walk_threads = 64, copied_walk_bytes = 16, copied_walk_stages = 2;
};

/// Twice, by the same states; in as many spans as are needed for one to end another.
template <class Value, bool start_of_each, class Numbers = SmallNumbers>
bool are_right(std::size_t length, std::size_t neighbours, std::uint32_t salt, std::size_t from = 0) {
  ColumnScans scans;
  ColumnsShape const shape{.lines = {length, {1, 1, neighbours}}, .from = from};
  for (std::uint32_t i = 0; i < 2; ++i)
    if (!scans.of_elements_are_right<Numbers, Kind::exclusive, false, Value, start_of_each>(shape, salt + i))
      return false;
  return true;
}

/// In the last epoch, behind which the states are cleared.
bool are_right_when_epochs_end(std::uint32_t salt) {
  ColumnScans scans;
  bool are_right = true;
  for (std::uint32_t i = 0; i < 3; ++i) {
    are_right = are_right && scans.of_elements_are_right<SmallNumbers, Kind::inclusive, false, AffineOf<std::uint32_t>>(
                                 ColumnsShape{.lines = {120, {1, 1, 16}}}, salt + i);
    scans.skip_to_the_last_epoch();
  }
  return are_right;
}

}  // namespace

std::vector<Case> columns() {
  return {
      are_right_when_epochs_end,
      [](std::uint32_t salt) { return are_right<Nibbles, false>(1000, 5, salt); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, false>(300, 5, salt, 4); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, true>(16 * 9 + 3, 16, salt); },
      [](std::uint32_t salt) { return are_right<RoomyAffine, false>(40, 16, salt); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint16_t>, false>(500, 5, salt); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, true>(1, 48, salt); },  // a walk
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint64_t>, true, CopyingNumbers>(4, 33, salt, 8); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, true>(16 * 3 + 3, 16, salt, 8); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, true, StripNumbers>(150, 16, salt); },
      [](std::uint32_t salt) { return are_right<AffineOf<std::uint32_t>, true, StripNumbers>(150, 16, salt, 8); },
  };
}

}  // namespace test
