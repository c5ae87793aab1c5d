// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.hpp"
#include "cuda/scans.hpp"

namespace test {
namespace {

// Enough tiles that a block goes through its ring.
template <class Word, std::size_t n, std::size_t offset>
bool is_right(std::uint32_t salt) {
  return Scans().are_right_in_the_pipeline<AffineOf<Word>>(n, salt, {offset, offset});
}

template <class Word, std::size_t tiles>
bool is_right_in_one_wave(std::uint32_t salt) {
  return Scans().are_right_in_one_wave<AffineOf<Word>>(tiles, salt);
}

}  // namespace

// Arrays that begin at multiples of 16 bytes, and between; and such of elements narrower than a word.
std::vector<Case> pipelines() {
  return {is_right<std::uint64_t, 50'001, 0>, is_right<std::uint16_t, 100'001, 4>, is_right<std::uint8_t, 200'001, 3>};
}

// As many tiles as one warp polls, and more.
std::vector<Case> single_waves() {
  return {is_right_in_one_wave<std::uint32_t, 5>, is_right_in_one_wave<std::uint64_t, 40>};
}

}  // namespace test
