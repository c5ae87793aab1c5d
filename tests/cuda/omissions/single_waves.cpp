// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.hpp"
#include "cuda/scans.hpp"

namespace test {
namespace {

template <class Word, std::size_t tiles>
bool is_right(std::uint32_t salt) {
  return Scans().are_right_in_one_wave<Affine<Word>>(tiles, salt);
}

}  // namespace

// As many tiles as one warp polls, and more.
std::vector<Case> single_waves() { return {is_right<std::uint32_t, 5>, is_right<std::uint64_t, 40>}; }

}  // namespace test
